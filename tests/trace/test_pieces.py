"""Conversations, long texts in parts, batches, self-matches, selections, leaving documents out."""

from __future__ import annotations

import json

import pytest
import twin
from hypothesis import given
from hypothesis import strategies as st

from explorer import build_index, open_index
from explorer.analyses.trace.batch import inspect_answers, trace_answers
from explorer.analyses.trace.conversation import Piece, answers, looks_like_conversation, parse_conversation, parts_of
from explorer.analyses.trace.pipeline import trace_text
from explorer.analyses.trace.selection import trace_selection
from explorer.analyses.trace.settings import TraceSettings
from explorer.analyses.trace.spans import without_abbreviations
from explorer.core.jobs import CancelToken
from explorer.errors import Cancelled, QueryError, SourceError

MESSAGES = [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": "What sat?"},
    {"role": "assistant", "content": "the cat sat on the mat."},
    {
        "role": "user",
        "content": [{"type": "text", "text": "And"}, {"type": "image"}, {"type": "text", "text": "who saw?"}],
    },
    {"role": "assistant", "content": "the dog saw the cat."},
]


@pytest.mark.parametrize("value", [MESSAGES, {"messages": MESSAGES, "model": "m"}])
def test_a_conversation_is_answer_by_answer(value):
    text = json.dumps(value)
    assert looks_like_conversation(text)
    assert answers(parse_conversation(text)) == (
        Piece("Answer 1", "the cat sat on the mat.", "Be brief.\n\nWhat sat?"),
        Piece("Answer 2", "the dog saw the cat.", "And\nwho saw?"),
    )


def test_turns_can_be_marked_by_hand():
    text = "System: Be brief.\nUser: What sat?\n\nAssistant: the cat sat\n on the mat.\nHuman: And?\nAI: User: no mark"
    assert looks_like_conversation(text)
    assert answers(parse_conversation(text)) == (
        Piece("Answer 1", "the cat sat\n on the mat.", "Be brief.\n\nWhat sat?"),
        Piece("Answer 2", "User: no mark", "And?"),
    )
    assert not looks_like_conversation("Note: User: x\nAssistant: y")
    assert not looks_like_conversation("User: only a question")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('[{"role": "user",\n "content": oops}]', "line 2 column 13"),
        ("[]", "list of"),
        ('{"role": "user"}', "list of"),
        ('["hello"]', "Message 1"),
        ('[{"content": "a"}]', 'Message 1 of the conversation has no "role"'),
        ('[{"role": "user", "content": "a"}, {"role": "assistant", "content": 5}]', "Message 2"),
        ('[{"role": "user", "content": "a"}]', "No message of the conversation is from a model (roles: user"),
        ("[" * 100_000, "nested too deeply"),
    ],
)
def test_conversations_that_cannot_be_read(text, words):
    with pytest.raises(QueryError) as caught:
        answers(parse_conversation(text))
    assert words in str(caught.value)


def test_ordinary_texts_are_no_conversations():
    assert not looks_like_conversation("the cat sat")
    assert not looks_like_conversation('[1, 2] is a list, "role" too')


@given(st.text(alphabet="ab\n", max_size=300), st.integers(1, 50))
def test_parts_are_the_whole(text, most):
    parts = parts_of(text, most)
    assert "".join(part.text for part in parts) == text
    assert all(0 < len(part.text) <= most for part in parts)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("self")
    words = [f"w{n}" for n in range(400)]
    texts = {
        "long": " ".join(words[:120]),
        "copy": " ".join(words[:120]),
        "other": " ".join(words[60:200]) + " and more",
        "short": "w1 w2 w3 and w4",
    }
    with open(folder / "t.jsonl", "w", encoding="utf-8") as file:
        for name, text in texts.items():
            file.write(json.dumps({"text": text, "name": name}) + "\n")
    build_index(folder / "t.jsonl", folder / "out", tokenizer="train:1000")
    return open_index(folder / "out")


@pytest.mark.subtracts
def test_a_text_that_stands_in_the_corpus_is_found_and_left_out(corpus):
    text = corpus.document(0).text
    found = corpus.trace(text, settings=TraceSettings(density=1.0))
    assert found.self_match is not None
    assert found.self_match.share == 1.0 and found.self_match.documents == (0, 1)
    rest = corpus.index.without(found.self_match.documents[:1])
    again = trace_text(rest, text, settings=TraceSettings(density=1.0))
    # Its copy is left out with it; what the third document shares is still there.
    assert {document.number for document in again.documents} == {2, 3}
    assert again.self_match is None or 0 not in again.self_match.documents
    shared = len(corpus.encode(" ".join(f"w{n}" for n in range(60, 120))))
    assert shared - 2 <= again.novelty.longest_match <= shared
    assert rest.document_count == 2


@pytest.mark.subtracts
def test_counts_come_off_as_if_the_documents_had_never_been_there(corpus, tmp_path):
    rest = corpus.index.without([2])
    with open(tmp_path / "t.jsonl", "w", encoding="utf-8") as file:
        for number in (0, 1, 3):
            file.write(json.dumps({"text": corpus.document(number).text}) + "\n")
    corpus.index.tokenizer.backend.save(str(tmp_path / "tokenizer.json"))
    build_index(tmp_path / "t.jsonl", tmp_path / "out", tokenizer=str(tmp_path / "tokenizer.json"))
    fresh = open_index(tmp_path / "out").index
    ids = corpus.encode(corpus.document(2).text + " w3 w4")
    assert rest.counts.longest_matches(ids).tolist() == fresh.counts.longest_matches(ids).tolist()
    for length in (1, 2, 5):
        for start in range(0, len(ids) - length, 7):
            part = ids[start : start + length]
            assert rest.counts.count(part.tolist()) == fresh.counts.count(part.tolist())


@pytest.mark.local("documents to leave out are sorted on the spot, up to a limit")
def test_too_many_tokens_to_leave_out(corpus, monkeypatch):
    monkeypatch.setattr("explorer.backends.local.subtracting.without.MOST_TOKENS", 10)
    with pytest.raises(QueryError, match="only 10 can be left out"):
        corpus.index.without([0])


def test_short_texts_are_no_self_matches(corpus):
    assert corpus.trace("w1 w2 w3").self_match is None


@pytest.mark.parametrize("text", ["w5 w6", "w1", "and"])
def test_a_selection_is_counted_whatever_its_length(corpus, text):
    found = trace_selection(corpus.index, text, "whole text " + text)
    assert found.count == corpus.count(text, whole_words=True) > 0
    assert found.documents
    for document in found.documents:
        assert text in corpus.document(document.number).text
        for snippet in document.snippets:
            assert snippet.text[snippet.match_start : snippet.match_end] == text


def test_documents_of_a_selection_are_drawn_from_the_whole_corpus(tmp_path):
    """Also where some hits are hidden, so that more are drawn than are shown."""
    documents = [list(b"the cat sat %02d" % number) for number in range(40)]
    less = twin.write_index(tmp_path / "less", [[documents[7]]], 1)
    opened = open_index(twin.write_index(tmp_path / "all", [documents], 1), "bytes", minus=less, check_fit=False)
    rules = [TraceSettings(documents_per_span=5, seed=seed) for seed in range(6)]
    found = [trace_selection(opened.index, "cat", "the cat sat", settings=rule).documents for rule in rules]
    numbers = {document.number for documents in found for document in documents}
    assert {len(documents) for documents in found} == {5}
    assert 7 not in numbers and min(numbers) < 10 and max(numbers) >= 30


def test_selections_that_cannot_be(corpus):
    with pytest.raises(QueryError, match="empty"):
        trace_selection(corpus.index, "  ", "x")
    with pytest.raises(QueryError, match="20,000 characters"):
        trace_selection(corpus.index, "x" * 20_001, "x")


def test_a_batch(corpus, tmp_path):
    path = tmp_path / "answers.jsonl"
    lines = [
        json.dumps({"id": 1, "question": "Which?", "answer": corpus.document(3).text}),
        "",
        "no json",
        json.dumps({"id": 2, "question": "And?"}),
        json.dumps({"id": 3, "question": "Long?", "answer": corpus.document(0).text}),
        json.dumps({"id": 4, "answer": ""}),
    ]
    path.write_text("\n".join(lines), encoding="utf-8")
    source = inspect_answers(path)
    assert (source.text_field, source.prompt_field) == ("answer", "question")
    seen = []
    rows = list(trace_answers(corpus.index, source, report=seen.append))
    assert [row.line for row in rows] == [1, 3, 4, 5, 6]
    assert [bool(row.problem) for row in rows] == [False, True, True, False, True]
    single = corpus.trace(corpus.document(0).text, "Long?")
    assert (rows[3].longest_match, rows[3].novelty) == (single.novelty.longest_match, single.novelty.index)
    assert rows[3].coverage == 1.0 and rows[3].source
    assert seen[-1].done == path.stat().st_size
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        list(trace_answers(corpus.index, source, cancel=token))


@pytest.mark.parametrize(
    ("text", "words"),
    [("no json", "not JSON"), ("[1]", "not a JSON object"), ("", "no records"), ('{"a": 1}', "no records")],
)
def test_files_without_answers(tmp_path, text, words):
    (tmp_path / "x.jsonl").write_text(text)
    with pytest.raises(SourceError, match=words):
        inspect_answers(tmp_path / "x.jsonl")
    with pytest.raises(SourceError, match="cannot be read"):
        inspect_answers(tmp_path / "none.jsonl")


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("John N. Mitchell came. He left.", [".", "."]),
        ("Dr. Who and Mr. Bean, e.g. these.", ["."]),
        ("Pi is 3.14 or so. Yes.", [".", "."]),
        ("use numpy.sum here. Good", ["."]),
        ("The end.", ["."]),
        ("Is it I. am sure", []),
        ("one... two", ["."]),
    ],
)
def test_full_stops_that_end_no_sentence(text, ends):
    from explorer.analyses.trace.spans import delimiter_mask
    from explorer.text.tokens.tokenizer import TextTokenizer

    tokenizer = TextTokenizer.raw_bytes()
    encoded = tokenizer.encode_with_offsets(text)
    mask = without_abbreviations(text, encoded, delimiter_mask(encoded.ids, tokenizer, (".",)))
    kept = [text[i] for i in range(len(text)) if mask[i]]
    if "..." in text:
        assert len(kept) >= 1
    else:
        assert kept == ends


def test_spans_go_on_behind_an_abbreviation(tmp_path):
    (tmp_path / "a.txt").write_text("It was John N. Mitchell who came. Then he left.")
    build_index(tmp_path / "a.txt", tmp_path / "out", tokenizer="bytes")
    corpus = open_index(tmp_path / "out")
    text = "They say John N. Mitchell who came. Perhaps"

    def spans(abbreviations):
        settings = TraceSettings(density=1.0, min_length=5, word_boundaries="unicode", abbreviations=abbreviations)
        return [text[s.start : s.end] for s in corpus.trace(text, settings=settings).spans]

    assert "John N. Mitchell who came." in spans(True)
    assert "John N. Mitchell who came." not in spans(False)
