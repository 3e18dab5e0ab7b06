"""N-grams as the library lists them."""

from __future__ import annotations

import numpy as np
import pytest

from explorer import Cancelled, CancelToken, QueryError, open_index


@pytest.fixture(scope="module")
def corpus(small_index):
    return open_index(small_index)


def test_rows_agree_with_single_counts(corpus):
    running = corpus.token_count - corpus.document_count
    found = list(corpus.ngrams(max_n=3, top=4))
    assert [row.n for row in found] == [1] * 4 + [2] * 4 + [3] * 4
    for row in found:
        assert row.count == corpus.count(row.ids)
        assert row.documents == corpus.count_documents(row.ids)
        assert row.form is not None and row.form in {corpus.decode(row.ids), f" {corpus.decode(row.ids)}"}
        assert row.per_million == pytest.approx(1e6 * row.count / running)


def test_figures_are_those_of_all_rows(corpus):
    found = corpus.ngrams(max_n=4)
    for figures in found.figures:
        rows = found.of_length(figures.n)
        assert (figures.total, figures.types) == (rows.counts.sum(), len(rows.ids))
        assert figures.hapaxes == np.count_nonzero(rows.counts == 1)
        assert found.spectrum(figures.n)[2] == np.count_nonzero(rows.counts == 2)
    assert len(found) == sum(each.types for each in found.figures)


def test_ngrams_that_begin_with_or_contain_a_text(corpus):
    every = corpus.ngrams(3)
    the = tuple(corpus.encode(" the").tolist())
    begins = [row.ids for row in every if row.ids[: len(the)] == the]
    contains = [row.ids for row in every if any(row.ids[at : at + len(the)] == the for at in range(3))]
    assert [row.ids for row in corpus.ngrams(3, begins_with=" the")] == begins != []
    assert [row.ids for row in corpus.ngrams(3, contains=the)] == contains
    assert len(contains) > len(begins)


def test_a_list_is_written_as_a_table(corpus, tmp_path):
    found = corpus.ngrams(2, min_count=3)
    found.write(tmp_path / "list.csv")
    lines = (tmp_path / "list.csv").read_text(encoding="utf-8-sig").splitlines()
    assert lines[0].split(",") == ["n", "ids", "form", "count", "documents", "per_million"]
    assert found.to_arrow().column("count").to_pylist() == [row.count for row in found]


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"n": 0}, "n must be a whole number from 1 to 64"),
        ({"n": 2, "max_n": 3}, "not both"),
        ({"n": 2, "min_n": 1}, "not both"),
        ({"min_n": 9}, "min_n must be a whole number from 1 to 8"),
        ({"max_n": 65}, "max_n must be a whole number from 1 to 64"),
        ({"top": 0}, "top"),
        ({"min_count": True}, "min_count must be a whole number"),
        ({"n": 1, "contains": [1, 2]}, "2 tokens do not fit into n-grams of length 1"),
        ({"contains": [1], "begins_with": [1]}, "not both"),
        ({"contains": []}, "empty"),
        ({"begins_with": [70_000]}, "out of range"),
    ],
)
def test_what_makes_no_sense_is_refused(corpus, asked, told):
    with pytest.raises(QueryError, match=told):
        corpus.ngrams(**asked)


def test_a_list_can_be_cancelled(corpus):
    cancel = CancelToken()
    cancel.cancel()
    with pytest.raises(Cancelled):
        corpus.ngrams(1, cancel=cancel)


def test_other_lengths_are_refused(corpus):
    with pytest.raises(QueryError, match="were not counted"):
        corpus.ngrams(2, top=1).of_length(3)
