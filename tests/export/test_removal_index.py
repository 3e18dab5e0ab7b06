"""A removal index: subtracted, it leaves what an index of the cleaned texts has."""

from __future__ import annotations

import json
import random

import numpy as np
import pytest

from explorer import ExportError, QueryError, build_index, open_index, ranges_of

pytestmark = pytest.mark.local("folders")


@pytest.fixture
def place(tmp_path):
    random.seed(5)
    words = ["the", "a", "cat", "dog", "mat", "rug", "sat", "saw", "on", "it", "7", "é"]
    texts = [" ".join(random.choices(words, k=random.randint(3, 40))) for _ in range(120)]
    rows = [{"text": text, "n": n} for n, text in enumerate([*texts, texts[3]])]
    (tmp_path / "texts.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return tmp_path


@pytest.mark.parametrize("shards", [1, 3])
def test_counts_are_those_of_an_index_of_the_cleaned_texts(place, shards):
    build_index(place / "texts.jsonl", place / "index", tokenizer="train:300", shards=shards)
    corpus = open_index(place / "index")
    # One of two copies goes, and the other stays.
    numbers = np.array([5, 50, 51, 119, 120])
    cuts = ranges_of(numbers, np.zeros(5), [corpus.document(number).token_count for number in numbers.tolist()])
    corpus.export_cuts(cuts, place / "clean")
    corpus.removal_index(cuts, place / "removed")
    build_index(place / "clean" / "cleaned.jsonl", place / "again", tokenizer=place / "index" / "tokenizer.json")
    less, again = open_index(place / "index", minus=place / "removed"), open_index(place / "again")
    assert (less.document_count, less.token_count) == (again.document_count, again.token_count)
    assert less.document_count == 116
    drawn = random.Random(1)
    for _ in range(1_000):
        ids = corpus.document(drawn.randrange(121)).tokens.tolist()
        first = drawn.randrange(len(ids))
        ngram = ids[first : first + drawn.randint(1, 6)]
        assert less.count(ngram) == again.count(ngram)


def test_parts_and_nothing_are_refused(place):
    build_index(place / "texts.jsonl", place / "index", tokenizer="bytes")
    corpus = open_index(place / "index")
    for cuts, why in ((ranges_of([0], [0], [2]), "whole documents"), (ranges_of([], [], []), "Nothing is cut")):
        with pytest.raises(QueryError, match=why):
            corpus.removal_index(cuts, place / "removed")
    with pytest.raises(ExportError, match="is inside"):
        corpus.removal_index(ranges_of([0], [0], [corpus.document(0).token_count]), place / "index" / "removed")
    assert not (place / "removed").exists()
