"""Facets and dispersion against counting by hand."""

from __future__ import annotations

import json

import numpy as np
import pytest

from explorer import build_index, open_index
from explorer.analyses.breakdown import facets as facets_module
from explorer.analyses.breakdown.facets import count_tokens, dispersion, facet
from explorer.analyses.metadata.values import FieldFilter
from explorer.analyses.search.arrange import LineSettings
from explorer.core.jobs import CancelToken

TEXTS = ["a a a", "a b", "b b b b b b", "a", "", "c a"]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("facets")
    with open(folder / "t.jsonl", "w", encoding="utf-8") as file:
        for number, text in enumerate(TEXTS):
            record = {"text": text, "kind": "xyz"[number % 3], "date": f"{1990 + number % 2}-0{number + 1}-01"}
            file.write(json.dumps(record) + "\n")
    build_index(folder / "t.jsonl", folder / "out", tokenizer="bytes", shards=2)
    return open_index(folder / "out")


def test_hits_by_field(corpus):
    result = facet(corpus.concordance("a"), "kind", corpus.columns)
    assert [(bar.value, bar.hits, bar.documents) for bar in result.bars] == [("x", 4, 2), ("y", 1, 1), ("z", 1, 1)]
    assert (result.looked_at, result.of, result.exact) == (6, 6, True)
    assert all(bar.tokens is None and result.per_million(bar) is None for bar in result.bars)


def test_every_value_is_listed(corpus, tmp_path):
    count = 500
    with open(tmp_path / "t.jsonl", "w", encoding="utf-8") as file:
        for number in range(count):
            file.write(json.dumps({"text": "a" * (1 + number % 3), "name": f"n{number}"}) + "\n")
    build_index(tmp_path / "t.jsonl", tmp_path / "out", tokenizer="bytes")
    many = open_index(tmp_path / "out")
    result = facet(many.concordance("a"), "name", many.columns)
    assert {bar.value: bar.hits for bar in result.bars} == {f"n{number}": 1 + number % 3 for number in range(count)}


def test_rates_are_of_the_tokens_of_each_value(corpus):
    lines = corpus.concordance("a")
    result = count_tokens(facet(lines, "kind", corpus.columns), corpus.index, corpus.columns)
    for bar in result.bars:
        texts = [text for number, text in enumerate(TEXTS) if "xyz"[number % 3] == bar.value]
        # Each document ends with a separator; documents without a hit count as well.
        assert bar.tokens == sum(len(text) + 1 for text in texts)
        hits = sum(text.count("a") for text in texts)
        assert result.per_million(bar) == pytest.approx(1e6 * hits / bar.tokens)


def test_rates_within_a_filter_are_of_the_documents_that_pass(corpus):
    condition = FieldFilter("date", "^=", "1990")
    lines = corpus.concordance("a", view=LineSettings(filters=(condition,)))
    result = count_tokens(facet(lines, "kind", corpus.columns), corpus.index, corpus.columns, (condition,))
    for bar in result.bars:
        texts = [text for n, text in enumerate(TEXTS) if "xyz"[n % 3] == bar.value and n % 2 == 0]
        assert (bar.hits, bar.tokens) == (sum(t.count("a") for t in texts), sum(len(t) + 1 for t in texts))


def test_rates_of_a_sample_stand_for_all_hits(corpus):
    whole = count_tokens(facet(corpus.concordance("a"), "path", corpus.columns), corpus.index, corpus.columns)
    some = corpus.concordance("a", view=LineSettings(sample=3))
    part = count_tokens(facet(some, "path", corpus.columns), corpus.index, corpus.columns)
    assert (whole.exact, part.exact) == (True, False)
    assert part.per_million(part.bars[0]) == whole.per_million(whole.bars[0])


def test_dates_go_by_year(corpus, monkeypatch):
    monkeypatch.setattr(facets_module, "_YEARS_FROM", 2)
    result = facet(corpus.concordance("a"), "date", corpus.columns)
    assert [(bar.label, bar.hits, bar.prefix) for bar in result.bars] == [("1990", 3, True), ("1991", 3, True)]
    counted = count_tokens(result, corpus.index, corpus.columns).bars
    assert [bar.tokens for bar in counted] == [sum(len(t) + 1 for t in TEXTS[first::2]) for first in (0, 1)]


def test_of_many_lines_a_sample_is_counted(corpus, monkeypatch):
    monkeypatch.setattr(facets_module, "MAX_ARRANGED", 4)
    result = facet(corpus.concordance("a"), "kind", corpus.columns)
    assert (sum(bar.hits for bar in result.bars), result.looked_at, result.of) == (4, 4, 6)


def test_dispersion_by_hand(corpus):
    result = dispersion(corpus.concordance("a"), bins=5, most=2)
    lengths = [len(text) + 1 for text in TEXTS]
    hits = [text.count("a") for text in TEXTS]
    starts = np.cumsum(lengths) - lengths
    # Documents keep their order, whichever shard they are in.
    order = [int(corpus.document(n).metadata["linenum"]) for n in range(len(TEXTS))]
    assert order == sorted(order)
    at = [starts[d] + i for d, text in enumerate(TEXTS) for i, letter in enumerate(text) if letter == "a"]
    expected = np.bincount([int(place * 5 // sum(lengths)) for place in at], minlength=5)
    assert result.bins.tolist() == expected.tolist()
    shares = zip(hits, lengths, strict=True)
    assert result.deviation == pytest.approx(0.5 * sum(abs(h / sum(hits) - n / sum(lengths)) for h, n in shares))
    assert (result.documents, result.all_documents) == (4, 6)
    assert [(d.number, d.hits) for d in result.most] == [(0, 3), (1, 1)]
    assert result.most[0].at.tolist() == [0, 2 / 5, 4 / 5]


def test_nothing_found(corpus):
    lines = corpus.concordance("zz")
    assert dispersion(lines).documents == 0
    assert facet(lines, "kind", corpus.columns).bars == ()


def test_cancelling(corpus):
    token = CancelToken()
    token.cancel()
    with pytest.raises(Exception, match="Cancelled"):
        dispersion(corpus.concordance("a"), cancel=token)
