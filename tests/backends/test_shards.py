"""Whole indexes of every layout against the twin."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import pytest
import twin
from hypothesis import given
from hypothesis import strategies as st
from opened_with import open_shards

from explorer.analyses.agreement.tokens import agreement
from explorer.analyses.next_tokens.counts import infgram_prob, longest_suffix, next_tokens, prob
from explorer.backends.documents.reading import tokens_of
from explorer.errors import QueryError, TokenizerError

DOCUMENT = st.lists(st.integers(0, 3), max_size=8)
SHARDS = st.lists(st.lists(DOCUMENT, min_size=1, max_size=4), min_size=1, max_size=4)


def opened(folder, shards, width, version):
    # Without a tokenizer a reversed index cannot be told from its bytes.
    return open_shards(twin.write_index(folder, shards, width, version), reversed_text=version == 5)


@given(SHARDS, st.sampled_from([1, 2, 4]), st.sampled_from([4, 5, 6]), st.lists(st.integers(0, 3), max_size=8))
def test_every_answer_of_the_twin(shards, width, version, text):
    shards = shards[:1] if version == 6 else shards
    slow = twin.Twin(shards, width, version)
    with tempfile.TemporaryDirectory() as folder:
        index = opened(Path(folder), shards, width, version)
        assert index.token_count == slow.count([])
        for length in range(1, 4):
            assert index.hits.find(text[:length] or [0]).count == slow.count(text[:length] or [0])
        assert longest_suffix(index, text).length == slow.longest_suffix(text)
        found = next_tokens(index, text[:1])
        assert dict(zip(found.tokens.tolist(), found.counts.tolist(), strict=True)) == dict(slow.next_tokens(text[:1]))
        expected = [slow.longest_match(text[i:]) for i in range(len(text))]
        assert index.counts.longest_matches(text).tolist() == expected
        _compare_agreement(index, slow, text)


def _compare_agreement(index, slow, text):
    result = agreement(index, text)
    for i, token in enumerate(text):
        length = slow.longest_suffix(text[:i])
        context = text[i - length : i]
        assert result.effective_n[i] == length + 1
        assert result.context_count[i] == slow.count(context)
        assert result.continuation_count[i] == slow.count([*context, token])
        assert result.sparse[i] == (len(slow.next_tokens(context)) == 1)


@pytest.mark.parametrize("version", [4, 5])
@pytest.mark.parametrize("documents", [[[1], [2]], [[2], [1]], [[1], [1]], [[1], [2], [3]], [[1], [2], [2]], [[1]]])
def test_nothing_follows_the_end_of_a_text(tmp_path, documents, version):
    slow = twin.Twin([documents], 2, version)
    index = opened(tmp_path / "x", [documents], 2, version)
    separator = index.separator
    for text in ([separator, 1], [separator, 3], [1, separator, 2], [2, 2], [1, 1]):
        _compare_agreement(index, slow, text)


@given(SHARDS, st.sampled_from([4, 5]))
def test_places_and_documents(shards, version):
    documents = [document for part in shards for document in part]
    with tempfile.TemporaryDirectory() as folder:
        index = opened(Path(folder), shards, 2, version)
        for number, document in enumerate(documents):
            assert tokens_of(index, number).tolist() == document
        matches = index.hits.find([1, 2])
        places = index.hits.occurrences([matches]).locate(np.arange(matches.count))
        found = sorted(zip(places.documents.tolist(), places.offsets.tolist(), strict=True))
        assert found == [
            (number, i)
            for number, document in enumerate(documents)
            for i in range(len(document) - 1)
            if document[i : i + 2] == [1, 2]
        ]


def test_shards_go_by_number_not_by_name(tmp_path):
    shards = [[[number]] for number in range(12)]
    index = open_shards(twin.write_index(tmp_path, shards))
    assert [tokens_of(index, i).tolist() for i in range(12)] == [[i] for i in range(12)]


def test_several_folders_add_up(tmp_path):
    one = twin.write_index(tmp_path / "one", [[[1, 2, 3]]])
    two = twin.write_index(tmp_path / "two", [[[1, 2]], [[2, 2]]])
    index = open_shards([one, two])
    assert (index.hits.find([1, 2]).count, index.hits.find([2]).count, index.document_count) == (2, 4, 3)
    assert tokens_of(index, 2).tolist() == [2, 2]


def test_minus_takes_counts_and_documents_off(tmp_path):
    whole = twin.write_index(tmp_path / "whole", [[[1, 2, 3], [1, 2, 9]], [[1, 2, 3, 4]]])
    part = twin.write_index(tmp_path / "part", [[[1, 2, 3]]])
    index = open_shards(whole, minus=part)
    assert index.hits.find([1, 2]).count == 2
    assert index.hits.find([1, 2, 3]).count == 1
    assert prob(index, [1, 2], 3).probability == 0.5
    assert index.document_count == 2
    with pytest.raises(QueryError, match="subtracted"):
        tokens_of(index, 0)
    assert index.counts.longest_matches([1, 2, 3, 4]).tolist() == [4, 3, 2, 1]
    everything = open_shards(whole, minus=whole)
    assert everything.counts.longest_matches([1, 2, 3]).tolist() == [0, 0, 0]


@pytest.mark.parametrize("ids", [[-1], [70000], [1.5], [[1]], ["a"], [True]])
def test_what_cannot_be_ids_is_refused(tmp_path, ids):
    index = open_shards(twin.write_index(tmp_path, [[[1, 2]]]))
    with pytest.raises(QueryError):
        index.hits.find(ids)


def test_limits_and_empty_queries(tmp_path):
    index = open_shards(twin.write_index(tmp_path, [[[1, 2, 1, 2, 1, 3]]]))
    with pytest.raises(QueryError, match="at least 1"):
        next_tokens(index, [1], limit=0)
    estimate = next_tokens(index, [1], limit=2)
    assert (estimate.exact, estimate.sample_size, estimate.total, estimate.context_count) == (False, 2, 2, 3)
    assert next_tokens(index, [1], limit=3).exact
    assert np.isnan(prob(index, [3, 3], 1).probability)
    assert infgram_prob(index, [3, 3], 1).context_length == 1
    assert index.hits.find([1] * 500).count == 0
    assert index.counts.count([1] * 500) == 0
    assert infgram_prob(index, [3] * 500 + [1], 2).context_length == 1
    assert index.counts.longest_matches([1, 2] * 300)[0] == 5


def test_without_a_tokenizer_ids_work_and_text_says_why(tmp_path):
    index = open_shards(twin.write_index(tmp_path, [[[1, 2]]]))
    assert index.hits.find([1]).count == 1
    with pytest.raises(TokenizerError, match="No tokenizer is known"):
        index.tokenizer.encode("x")


@pytest.mark.parametrize("version", [4, 5])
def test_an_estimate_of_what_follows_nothing(tmp_path, version):
    index = opened(tmp_path, [[[1, 2, 3], [1, 2], [5]], [[5, 5]]], 2, version)
    exact = next_tokens(index, [])
    almost = next_tokens(index, [], limit=exact.total - 1)
    assert not almost.exact and almost.sample_size == almost.total == exact.total - 1
    # One token was not looked at.
    left = dict(zip(exact.tokens.tolist(), exact.counts.tolist(), strict=True))
    for token, count in zip(almost.tokens.tolist(), almost.counts.tolist(), strict=True):
        left[token] -= count
    assert sorted(left.values()) == [0] * (len(left) - 1) + [1]
