"""A prompt is context: it is read, and never scored."""

from __future__ import annotations

import json

import pytest
import vocabularies
from list_backend import Contents, ListBackend

from explorer.analyses.agreement.analysis import KeptTexts, Texts, analyze
from explorer.analyses.agreement.prompt import divide, lead_of
from explorer.analyses.agreement.question import AgreementQuestion
from explorer.analyses.agreement.sources import InputChoice, read_texts
from explorer.errors import QueryError, SourceError
from explorer.text.tokens.tokenizer import TextTokenizer

DOCUMENTS = ("the cat sat on the mat.", "the cat sat on the rug, and the dog saw it.", "a naïve café: the dog sat.")
TOKENIZERS = {
    "bytes": TextTokenizer.raw_bytes,
    "unigram": lambda: TextTokenizer.from_backend(vocabularies.unigram(), "unigram"),
    "byte level": lambda: TextTokenizer.from_backend(vocabularies.byte_level(), "byte level"),
    "characters": lambda: TextTokenizer.from_backend(vocabularies.bpe_of_characters(), "characters"),
}
PAIRS = (
    ("the cat", " sat on the rug"),
    ("the cat s", "at on the mat"),
    ("a na", "ïve café: 😀 the dog"),
    ("", "the dog sat"),
    ("the dog", ""),
    ("\ud800", "\udc00 the dog"),
)


@pytest.fixture(params=sorted(TOKENIZERS))
def lists(request):
    """Three documents in lists, under a tokenizer of some kind."""
    tokenizer = TOKENIZERS[request.param]()
    documents = [tokenizer.encode(text).tolist() for text in DOCUMENTS]
    return ListBackend(Contents([documents], [{}] * len(documents), tokenizer.vocabulary_size, tokenizer))


def slowly(index, prompt: str, text: str, n: int | None) -> list[tuple[int, int, int]]:
    """Effective n and counts of each token of the text, by looking at every suffix of what is before it."""
    whole = index.tokenizer.encode_with_offsets(prompt + text)
    ids, found = whole.ids.tolist(), []
    for place, start in enumerate(whole.starts.tolist()):
        if start < len(prompt):
            continue
        longest = place if n is None else min(place, n - 1)
        length = next(k for k in range(longest, -1, -1) if index.hits.find(ids[place - k : place]).count)
        context = ids[place - length : place]
        found.append((length + 1, index.hits.find(context).count, index.hits.find([*context, ids[place]]).count))
    return found


@pytest.mark.parametrize(("prompt", "text"), PAIRS)
def test_the_scored_tokens_are_those_that_begin_in_the_text(lists, prompt, text):
    expected = {n: slowly(lists, prompt, text, n) for n in (None, 2)}
    texts, question = Texts((text,), prompts=(prompt,)), AgreementQuestion(max_n=2)
    if not expected[None]:
        with pytest.raises(QueryError, match="no tokens to score"):
            analyze(lists, texts, question)
        return
    found = analyze(lists, texts, question).texts[0]
    for model, n in ((found.infgram, None), (found.ngram, 2)):
        rows = zip(
            model.effective_n.tolist(), model.context_count.tolist(), model.continuation_count.tolist(), strict=True
        )
        assert list(rows) == expected[n]
    assert len(found.encoded.ids) == len(found.infgram) and found.encoded.starts.min() >= 0


@pytest.mark.parametrize("text", [text for _, text in PAIRS if text])
def test_an_empty_prompt_is_no_prompt(lists, text):
    without = analyze(lists, Texts((text,)))
    empty = analyze(lists, Texts((text,), prompts=("",)), AgreementQuestion(prompt_join="\n"))
    assert without.figure == empty.figure and empty.context_tokens == 0
    assert empty.texts[0].encoded == without.texts[0].encoded


@pytest.mark.parametrize("first", [0, 1, 3])
def test_the_first_tokens_of_a_text_as_its_prompt(lists, first):
    text = "the cat sat on the rug"
    whole = analyze(lists, Texts((text,))).texts[0]
    found = analyze(lists, Texts((text,)), AgreementQuestion(prompt_tokens=first)).texts[0]
    assert found.infgram == whole.infgram.after(first) and found.ngram == whole.ngram.after(first)
    assert found.encoded.starts.tolist() == whole.encoded.starts[first:].tolist()
    assert len(found.context) == first


def test_a_limit_counts_the_text_with_its_first_tokens_but_not_the_prompt(lists):
    found = divide(lists.tokenizer, "the cat sat on the rug", "a dog ", prompt_tokens=2, max_tokens=5)
    alone = divide(lists.tokenizer, "the cat sat on the rug", "a dog ")
    assert len(found.scored.ids) == 3
    assert found.scored.ids.tolist() == alone.scored.ids[2:5].tolist()
    assert divide(lists.tokenizer, "the cat", prompt_tokens=99, max_tokens=2).scored.ids.tolist() == []


def test_a_token_over_the_border_is_context(lists):
    """SentencePiece and byte level BPE make one token of "dog", which then begins in the prompt."""
    found = divide(lists.tokenizer, "g sat", "the do")
    whole = lists.tokenizer.encode_with_offsets("the dog sat")
    assert found.ids.tolist() == whole.ids.tolist()
    for start, end in zip(whole.starts.tolist(), whole.ends.tolist(), strict=True):
        assert (start >= 6) == (start - 6 in found.scored.starts.tolist())
        assert end <= 6 or start >= 6 or end - 6 not in found.scored.ends.tolist()


def test_what_is_kept_depends_on_the_prompt(lists):
    kept = KeptTexts()
    texts = Texts((" sat on the mat",), prompts=("the cat",))
    first = analyze(lists, texts, kept=kept)
    other = analyze(lists, Texts((" sat on the mat",), prompts=("zebra",)), kept=kept)
    assert first.texts[0].infgram != other.texts[0].infgram
    assert analyze(lists, texts, kept=kept).texts[0].infgram is first.texts[0].infgram


def test_something_between_prompt_and_text():
    assert lead_of("Why?", "\n") == "Why?\n" and lead_of("", "\n") == ""


def test_prompts_of_files(tmp_path):
    path = tmp_path / "a.jsonl"
    rows = [{"text": "on the mat", "q": {"en": "the cat sat "}}, {"text": "x", "q": {"en": ""}}]
    path.write_text("\n".join(map(json.dumps, rows)))
    assert read_texts([path], InputChoice(prompt_field="q.en")).prompts == ("the cat sat ", "")
    assert read_texts([path]).prompts == ()
    with pytest.raises(SourceError, match='line 1: the field "prompt" is missing'):
        read_texts([path], InputChoice(prompt_field="prompt"))
    with pytest.raises(SourceError, match="holds no text"):
        read_texts([path], InputChoice(prompt_field="q"))
    (tmp_path / "b.txt").write_text("plain")
    with pytest.raises(QueryError, match="single text"):
        read_texts([tmp_path / "b.txt"], InputChoice(prompt_field="q"))


def test_a_missing_prompt_is_a_bad_line(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text('{"text": "one", "prompt": "p"}\n{"text": "two"}\n')
    found = read_texts([path], InputChoice(prompt_field="prompt", on_bad="skip"))
    assert (found.texts, found.prompts, len(found.problems)) == (("one",), ("p",), 1)
