"""How occurrences of texts were split, against the tokens around every one of them."""

import json
from collections import Counter

import pytest
from scripts import TEXTS, write_tokenizer

import explorer
from explorer.analyses.search.cuts import cuts_of
from explorer.backends.documents.reading import tokens_of
from explorer.text.patterns.pattern import Pattern

PATTERNS = (
    Pattern("cap"), Pattern("cap", ignore_case=True), Pattern("the", whole_words=True), Pattern("语言"), Pattern("e"),
    Pattern("🎉"), Pattern("ana"), Pattern(" the"), Pattern("Straße", ignore_case=True),
)  # fmt: skip


def build(folder, name, style, texts):
    source = folder / f"{name}.jsonl"
    source.write_text("".join(json.dumps({"text": text}) + "\n" for text in texts), encoding="utf-8")
    explorer.build_index(source, folder / name, tokenizer=write_tokenizer(style, folder), shards=2)
    return folder / name


@pytest.fixture(scope="module", params=["bytes", "byte-level", "byte-fallback", "unigram"])
def corpus(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp(request.param)
    whole = build(folder, "whole", request.param, [*TEXTS, "the cap", "a recap of the cap"])
    less = build(folder, "less", request.param, ["the cap", TEXTS[8]])
    return explorer.open_index(whole, minus=less, check_fit=False)


def by_hand(corpus, pattern):
    """Tokens and begin of every listed line."""
    lines = corpus.concordance(
        pattern.text, sort="document", ignore_case=pattern.ignore_case, whole_words=pattern.whole_words
    ).lines(0, 1000, 0)
    tokens = (tokens_of(corpus.index, line.document, line.offset, line.offset + line.length) for line in lines)
    return Counter((tuple(found.tolist()), line.begin) for found, line in zip(tokens, lines, strict=True))


@pytest.mark.parametrize("pattern", PATTERNS, ids=lambda pattern: pattern.text)
def test_cuts_are_those_of_the_lines(corpus, pattern):
    cuts = cuts_of(corpus.index, corpus.index.hits.find_text(pattern))
    assert {(cut.tokens, cut.begin): cut.count for cut in cuts.cuts} == by_hand(corpus, pattern)
    counts = [cut.count for cut in cuts.cuts]
    assert counts == sorted(counts, reverse=True) and cuts.distinct == len(counts)
    for cut in cuts.cuts:
        assert pattern.ignore_case or pattern.text.replace(" ", "␣") in cut.label.replace("·", "")


def test_few_are_shown_and_all_are_numbered(corpus):
    matches = corpus.index.hits.find_text(Pattern("e"))
    cuts, every = cuts_of(corpus.index, matches, most=2), cuts_of(corpus.index, matches)
    assert len(cuts.cuts) == min(2, every.distinct) and cuts.distinct == every.distinct


def test_expressions_have_none(corpus):
    assert cuts_of(corpus.index, corpus.index.hits.find_text(Pattern("ca?", "regex"))) is None
