"""Many counts in one call, against one count after the other."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer import open_index
from explorer.core.jobs import CancelToken
from explorer.errors import Cancelled, QueryError


@pytest.fixture(scope="module")
def small(small_index):
    """The small index, opened once for all examples of a test."""
    return open_index(small_index)


def loop(corpus, queries, **options):
    return [corpus.count(query, **options) for query in queries]


@given(data=st.data())
def test_ngrams_as_one_by_one(small, data):
    text = small.document(0).tokens
    places = data.draw(st.lists(st.tuples(st.integers(0, len(text) - 1), st.integers(1, 6)), max_size=30))
    ngrams = [text[at : at + length].tolist() for at, length in places]
    # Some that do not occur, and single tokens of the whole vocabulary.
    ngrams += data.draw(st.lists(st.lists(st.integers(0, small.index.separator), min_size=1, max_size=4), max_size=10))
    counts = small.count_many(ngrams, threads=data.draw(st.sampled_from([1, 2])))
    assert counts.dtype == np.int64
    assert counts.tolist() == loop(small, ngrams)


def test_arrays_tuples_and_lists_mixed(small):
    ids = small.document(0).tokens[:6]
    mixed = [ids, ids.astype(np.uint16), tuple(ids.tolist()), ids[:2].tolist(), range(3), "the cat"]
    assert small.count_many(mixed).tolist() == loop(small, mixed)


@pytest.mark.parametrize("dtype", [np.int64, np.uint16, np.int32])
def test_a_table_has_one_ngram_per_row(small, dtype):
    table = np.lib.stride_tricks.sliding_window_view(small.document(0).tokens, 3).astype(dtype)
    assert small.count_many(table).tolist() == loop(small, [row.tolist() for row in table])


def test_more_ngrams_than_one_call_of_the_engine_takes(small):
    tokens = small.document(0).tokens
    # More than 70,000 of them are three calls, or four for each of two threads.
    table = np.tile(np.lib.stride_tricks.sliding_window_view(tokens, 2), (70_000 // (len(tokens) - 1) + 1, 1))
    once = loop(small, [row.tolist() for row in table[: len(tokens) - 1]])
    for threads, calls in ((1, 3), (2, 8)):
        done = []
        counts = small.count_many(table, threads=threads, report=done.append)
        assert counts.tolist() == (once * (len(table) // len(once) + 1))[: len(table)]
        assert len(done) == calls and (done[-1].done, done[-1].total) == (len(table), len(table))


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"ignore_case": True},
        {"whole_words": True},
        {"match": "regex"},
        {"match": "tokens"},
        {"match": "tokens", "variants": ("space", "title")},
    ],
)
def test_texts_as_one_by_one(small, options):
    texts = ["the cat", "a", "Dog", "no such text", "naïve café"]
    assert small.count_many(iter(texts), **options).tolist() == loop(small, texts, **options)


@pytest.mark.parametrize("empty", [[], (), iter([]), np.empty((0, 3), dtype=np.int64)])
def test_nothing_to_count(small, empty):
    counts = small.count_many(empty)
    assert counts.dtype == np.int64 and counts.shape == (0,)


@pytest.mark.parametrize("bad", [[], [-1], [10**9], [1.5], [True], ["a"], [[1]], None, 7, np.array([0.5]), ""])
def test_a_bad_query_is_named(small, bad):
    for queries in ([[1], [2, 3], bad, [4], bad], ["the", np.array([1]), bad]):
        with pytest.raises(QueryError) as caught:
            small.count_many(queries)
        assert caught.value.item == 2
        assert "item 2" in str(caught.value)


def test_a_bad_row_of_a_table_is_named(small):
    table = np.ones((5, 3), dtype=np.int64)
    table[3, 1] = -4
    with pytest.raises(QueryError) as caught:
        small.count_many(table)
    assert caught.value.item == 3


@pytest.mark.parametrize(
    ("table", "item"), [(np.ones((2, 0), np.int64), 0), (np.ones((2, 2)), 0), (np.ones((2, 2, 2), np.int64), 0)]
)
def test_a_table_of_another_shape_is_refused(small, table, item):
    with pytest.raises(QueryError) as caught:
        small.count_many(table)
    assert caught.value.item == item


def test_one_text_is_not_a_list_of_queries(small):
    with pytest.raises(QueryError) as caught:
        small.count_many("the cat")
    assert caught.value.reason == "queries-are-text"


def test_options_of_texts_are_refused_for_ids(small):
    with pytest.raises(QueryError) as caught:
        small.count_many([[1, 2]], ignore_case=True)
    assert caught.value.reason == "ids-have-no-match"


@pytest.mark.parametrize("queries", [["the", "a"], [[1], [2]]])
def test_a_cancelled_count(small, queries):
    cancel = CancelToken()
    cancel.cancel()
    with pytest.raises(Cancelled):
        small.count_many(queries, cancel=cancel)


@pytest.mark.parametrize("threads", [0, -1, 1.5, True])
def test_threads_are_a_whole_number(small, threads):
    with pytest.raises(QueryError):
        small.count_many([[1]], threads=threads)


@pytest.mark.parametrize("column", [pa.array, pa.chunked_array, np.array, iter])
def test_columns_are_lists_of_queries(small, column):
    words = ["the cat", "dog", "the"]
    given = column([words]) if column is pa.chunked_array else column(words)
    assert small.count_many(given).tolist() == [small.count(word) for word in words]


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        (pa.table({"text": ["the cat"]}), "queries-are-table"),
        (pa.table({"text": ["the cat"]}).to_reader(), "queries-are-table"),
        ({"text": ["the cat"]}, "queries-are-text"),
        (7, "queries-are-text"),
    ],
)
def test_tables_and_single_values_are_no_queries(small, given, reason):
    """Iterated, a table would give the names of its columns."""
    for ask in (small.count_many, small.compare_agreement):
        with pytest.raises(QueryError) as caught:
            ask(given)
        assert caught.value.reason == reason
    with pytest.raises(QueryError):
        small.compare_agreement(["the cat"], groups=given)
