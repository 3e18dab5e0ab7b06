"""Longest matches and counts of long texts, against looking at everything."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from opened_with import open_shards
from twin import Twin, write_index

from explorer.analyses.agreement.tokens import agreement
from explorer.backends import longest as module
from explorer.backends.longest import settle
from explorer.core.jobs import CancelToken
from explorer.errors import Cancelled

QUIET = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
DOCUMENT = st.lists(st.integers(0, 2), max_size=60)


@pytest.fixture
def small_pieces(monkeypatch):
    """Pieces so small that every text of a test is a long one."""
    monkeypatch.setattr(module, "PIECE", 7)
    monkeypatch.setattr(module, "ROOM", 3)


def query_of(documents, extra):
    """Texts that hold whole documents, one after the other."""
    return [token for document in documents for token in document] + extra


@given(st.lists(st.lists(DOCUMENT, min_size=1, max_size=4), min_size=1, max_size=2), DOCUMENT, st.sampled_from([4, 5]))
@QUIET
def test_longest_matches_of_long_texts(small_pieces, tmp_path_factory, shards, extra, version):
    index = open_shards(
        write_index(tmp_path_factory.mktemp("i") / "x", shards, version=version),
        check_fit=False,
        reversed_text=version == 5,
    )
    twin = Twin(shards, version=version)
    text = query_of(shards[0], extra)
    expected = [twin.longest_match(text[start:]) for start in range(len(text))]
    assert index.counts.longest_matches(text).tolist() == expected


@given(st.lists(DOCUMENT, min_size=2, max_size=5), st.integers(1, 4), DOCUMENT, st.sampled_from([4, 5]))
@QUIET
def test_longest_matches_less_some_documents(small_pieces, tmp_path_factory, documents, left_out, extra, version):
    folder = tmp_path_factory.mktemp("i")
    minus = documents[:left_out]
    write_index(folder / "x", [documents], version=version)
    write_index(folder / "minus", [minus], version=version)
    index = open_shards(folder / "x", minus=folder / "minus", check_fit=False, reversed_text=version == 5)
    text = query_of(documents, extra)
    whole, less = Twin([documents], version=version), Twin([minus], version=version)

    def longest(ids):
        low = 0
        while low < len(ids) and whole.count(ids[: low + 1]) > less.count(ids[: low + 1]):
            low += 1
        return low

    expected = [longest(text[start:]) for start in range(len(text))]
    assert index.counts.longest_matches(text).tolist() == expected


@given(st.lists(DOCUMENT, min_size=2, max_size=4), DOCUMENT, st.sampled_from([4, 5]), st.booleans())
@QUIET
def test_agreement_of_texts_of_the_corpus(small_pieces, tmp_path_factory, documents, extra, version, less):
    folder = tmp_path_factory.mktemp("i")
    write_index(folder / "x", [documents], version=version)
    minus = None
    if less:
        # An empty document ends it, so that a separator follows the first document here as it does there.
        minus = write_index(folder / "minus", [[documents[0], []]], version=version)
    index = open_shards(folder / "x", minus=minus, check_fit=False, reversed_text=version == 5)
    text = query_of(documents, extra)
    found = agreement(index, text)
    for i, n in enumerate(found.effective_n.tolist()):
        context = text[i - n + 1 : i]
        following = index.counts.next_tokens(context).tokens
        assert found.context_count[i] == index.counts.count(context)
        assert found.continuation_count[i] == index.counts.count([*context, text[i]])
        assert found.sparse[i] == (len(following) == 1)


@given(st.lists(DOCUMENT, min_size=1, max_size=4), st.data(), st.sampled_from([4, 5]))
@QUIET
def test_counts_of_many_ngrams(small_pieces, tmp_path_factory, documents, data, version):
    index = open_shards(
        write_index(tmp_path_factory.mktemp("i") / "x", [documents], version=version),
        check_fit=False,
        reversed_text=version == 5,
    )
    twin = Twin([documents], version=version)
    text = query_of(documents, [0])
    numbers = st.integers(0, len(text))
    bounds = data.draw(st.lists(st.tuples(numbers, numbers), max_size=40).map(sorted))
    # Runs with one start and growing ends, as texts of the corpus have them, between others.
    bounds += [(0, end) for end in range(len(text) + 1)]
    starts = np.array([min(pair) for pair in bounds], dtype=np.int64)
    ends = np.array([max(pair) for pair in bounds], dtype=np.int64)
    expected = [twin.count(text[a:b]) for a, b in zip(starts.tolist(), ends.tolist(), strict=True)]
    assert index.counts.count_many(np.array(text, dtype=np.int64), starts, ends).tolist() == expected


def test_a_text_of_the_corpus_is_searched_as_often_as_it_has_ends(small_pieces):
    """Not a time but the work: tokens that were compared, for a text that occurs as a whole."""
    compared = {}
    for size in (1_000, 2_000, 4_000):
        tokens = 0

        def occurs(start, end, size=size):
            nonlocal tokens
            tokens += end - start
            return end <= size

        lengths = np.full(size, 3, dtype=np.int64)
        is_open = np.arange(size) < size - 3
        settle(np.arange(size), lengths, is_open, occurs)
        assert lengths.tolist()[:-3] == (size - np.arange(size)).tolist()[:-3]
        compared[size] = tokens
    assert compared[4_000] < 5 * compared[1_000]


def test_a_text_that_repeats_itself_further_than_the_corpus_is_searched_once():
    """The corpus has the period 300 times, the text 2,000 times: each start had an end of its own."""
    size, held, searches = 4_000, 600, 0

    def occurs(start, end):
        nonlocal searches
        searches += 1
        return end - start <= held - start % 2

    lengths = np.full(size, 3, dtype=np.int64)
    settle(np.arange(size) % 2, lengths, np.arange(size) < size - 3, occurs)
    most = held - np.arange(size) % 2
    assert lengths.tolist() == np.minimum(most, size - np.arange(size)).tolist()
    assert searches < 200


def test_following_long_matches_can_be_stopped():
    cancel = CancelToken()
    cancel.cancel()
    with pytest.raises(Cancelled):
        settle(
            np.arange(10), np.full(10, 3, dtype=np.int64), np.ones(10, dtype=np.bool_), lambda start, end: True, cancel
        )
