"""Documents that hold most of a text, and indexes without them."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from explorer import build_index, open_index
from explorer.analyses.agreement.analysis import Texts, analyze, unscored_names
from explorer.analyses.agreement.question import AgreementQuestion
from explorer.analyses.agreement.table import ContextFacts, agreement_facts
from explorer.analyses.overlap.copies import find_copies, without_copies, without_text
from explorer.analyses.overlap.verbatim import TextMatcher
from explorer.backends.documents.reading import tokens_of

WORDS = [f"word{n}" for n in range(200)]
TEXT = " ".join(WORDS)
DOCUMENTS = {
    "whole": TEXT,
    "twin": TEXT,
    "without its ends": " ".join(WORDS[10:-10]),
    "every tenth word changed": " ".join("other" if n % 10 == 9 else word for n, word in enumerate(WORDS)),
    "its second half": " ".join(["Something", "else", "first", *WORDS[95:]]),
    "a quarter": " ".join(WORDS[:50]) + " and then something quite different",
    "unrelated": " ".join(f"foreign{n}" for n in range(100)),
}
COPIES = (0, 1, 2, 3, 4)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("copies")
    with open(folder / "t.jsonl", "w", encoding="utf-8") as file:
        for text in DOCUMENTS.values():
            file.write(json.dumps({"text": text}) + "\n")
    build_index(folder / "t.jsonl", folder / "out", tokenizer="train:1000")
    return open_index(folder / "out")


@pytest.mark.subtracts
def test_every_document_with_most_of_the_text_is_left_out(corpus):
    """The longest match alone brings the whole copies; those with changes were left in."""
    less = without_text(corpus.index, TEXT)
    assert less.documents == COPIES
    assert less.index.document_count == 2
    encoded = corpus.index.tokenizer.encode_with_offsets(TEXT)
    matcher = TextMatcher(TEXT, encoded)
    shares = [matcher.hold(tokens_of(corpus.index, number)).share for number in (5, 6)]
    assert less.rest == max(shares) and 0.2 < less.rest < 0.5
    assert find_copies(less.index, TEXT, encoded, less.index.counts.longest_matches(encoded.ids)).documents == ()


def test_texts_without_copies_leave_the_index_as_it_is(corpus):
    for text in ("word1 word2", "nothing of this occurs anywhere in it, not even once, as far as I can tell"):
        less = without_text(corpus.index, text)
        assert less.documents == () and less.index is corpus.index


@pytest.mark.subtracts
def test_copies_of_several_texts_are_left_out_together(corpus):
    texts = [(text, corpus.index.tokenizer.encode_with_offsets(text)) for text in (TEXT, DOCUMENTS["unrelated"])]
    assert without_copies(corpus.index, texts).documents == (*COPIES, 6)


@pytest.mark.subtracts
def test_agreement_without_the_texts_own_copies(corpus):
    found = analyze(corpus.index, Texts((TEXT,)), AgreementQuestion(without_self=True))
    assert found.left_out == COPIES
    # A quarter of the text is still there, word for word, and nothing of the rest.
    agrees = found.texts[0].infgram.agrees
    assert agrees[: len(agrees) // 5].mean() > 0.8 > 0.2 > agrees[len(agrees) // 2 :].mean()


@pytest.mark.subtracts
@pytest.mark.parametrize(
    "settings", [{"prompt_tokens": 100}, {"max_tokens": 30}, {"max_tokens": 60, "prompt_tokens": 40}]
)
def test_what_is_scored_of_a_text_changes_none_of_its_own_documents(corpus, settings):
    """A copy is one of the whole text: with few scored tokens, the text agreed with its own copy."""
    texts, question = Texts((TEXT, "too short")), AgreementQuestion(without_self=True)
    every = analyze(corpus.index, texts, question)
    found = analyze(corpus.index, texts, replace(question, **settings))
    assert set(found.left_out) >= set(every.left_out) == set(COPIES)
    assert found.self_matched == every.self_matched == 1


def test_a_text_without_a_scored_token_is_in_no_count(corpus):
    texts, groups = (TEXT, "too short", "word1"), ("a", "b", "a")
    found = analyze(corpus.index, Texts(texts, groups), AgreementQuestion(prompt_tokens=20))
    alone = analyze(corpus.index, Texts((TEXT,), ("a",)), AgreementQuestion(prompt_tokens=20))
    assert [text.text for text in found.unscored] == ["too short", "word1"]
    assert found.figure == alone.figure
    assert [(source.name, source.texts) for source in found.sources] == [("a", 1), ("b", 0)]
    assert unscored_names(found.unscored) == ["“too short” (b)", "“word1” (a)"]
    assert unscored_names(found.unscored, most=1) == ["“too short” (b)", "and 1 more"]
    facts = agreement_facts(found, ContextFacts(None, None, "", 20, 1, 20))
    assert facts.scored.text_count == 1
    assert [(text.group, text.text) for text in facts.unscored] == [("b", "too short"), ("a", "word1")]
