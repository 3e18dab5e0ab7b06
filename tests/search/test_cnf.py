"""AND of OR-clauses against looking at everything."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
import twin
from hypothesis import given
from hypothesis import strategies as st

from explorer import open_index
from explorer.analyses.search.cnf import CnfOptions, cnf
from explorer.core.jobs import CancelToken
from explorer.errors import Cancelled, QueryError

IDS = st.lists(st.integers(0, 2), min_size=1, max_size=2)
CLAUSES = st.lists(st.lists(IDS, min_size=1, max_size=2), min_size=1, max_size=3)
SHARDS = st.lists(st.lists(st.lists(st.integers(0, 2), max_size=12), min_size=1, max_size=3), min_size=1, max_size=2)


def places(documents, clause):
    return {
        (number, i)
        for number, document in enumerate(documents)
        for ids in clause
        for i in range(len(document) - len(ids) + 1)
        if document[i : i + len(ids)] == ids
    }


@pytest.mark.parametrize("listing", [True, False], ids=["places compared", "text read"])
@given(SHARDS, CLAUSES, st.integers(0, 5), st.sampled_from([4, 5]))
def test_against_every_place(listing, shards, clauses, distance, version):
    documents = [document for part in shards for document in part]
    found = [places(documents, clause) for clause in clauses]
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr("explorer.analyses.search.near._worth_listing", lambda *ignored: listing)
        folder = twin.write_index(Path(folder), shards, 2, version)
        result = cnf(open_index(folder, reversed_text=version == 5).index, clauses, CnfOptions(distance))
    # The walk is over the clause with the fewest occurrences; with equals any of them will do.
    fewest = min(map(len, found))
    expected = {
        frozenset((d, i) for d, i in walked if all(any(e == d and abs(j - i) <= distance for e, j in o) for o in found))
        for walked in found
        if len(walked) == fewest
    }
    mine = frozenset(zip(result.documents.tolist(), result.offsets.tolist(), strict=True))
    assert mine in expected
    assert result.count == len(mine)
    assert result.document_count == len({d for d, _ in mine})


@pytest.mark.parametrize("node", [-1, 2])
def test_a_node_that_is_not_a_clause(small, node):
    with pytest.raises(QueryError, match="no clause"):
        cnf(small.index, [[[1]], [[2]]], CnfOptions(node=node))


@pytest.mark.parametrize("clauses", [[], [[]], [[[1]], []], [[[]]]])
def test_empty_clauses(small, clauses):
    with pytest.raises(QueryError, match="empty"):
        small.cnf(clauses)


def test_a_negative_distance(small):
    with pytest.raises(QueryError, match="must be from 0"):
        small.cnf([[[1]]], max_distance=-1)


def test_a_frequent_clause_is_estimated_and_can_be_made_exact(byte_index, monkeypatch):
    corpus = open_index(byte_index)
    clauses = [[corpus.encode("t")], [corpus.encode("h")]]
    whole = corpus.cnf(clauses, 3)
    assert whole.exact and whole.sample_size == whole.walkable
    monkeypatch.setattr("explorer.analyses.search.cnf.WALKED_UNASKED", 10)
    estimate = corpus.cnf(clauses, 3)
    assert (estimate.exact, estimate.sample_size, estimate.walkable) == (False, 10, whole.walkable)
    assert estimate.count == round(len(estimate.documents) * whole.walkable / 10)
    assert corpus.cnf(clauses, 3, exact=True).count == whole.count


def test_cancelling(byte_index):
    corpus = open_index(byte_index)
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        cnf(corpus.index, [[corpus.encode("t")], [corpus.encode("h")]], CnfOptions(3), cancel=token)


def test_documents_of_a_match(small, text_folder):
    texts = [path.read_text(encoding="utf-8") for path in text_folder.rglob("*") if path.is_file()]
    assert small.count_documents(" cat") == sum(" cat" in text for text in texts)
    assert small.count_documents("zebra") == 0


@pytest.mark.parametrize("size", [1, 7, 1 << 20])
def test_chunk_sizes_change_no_answer(byte_index, monkeypatch, size):
    corpus = open_index(byte_index)
    clauses = [[corpus.encode("th"), corpus.encode("ca")], [corpus.encode("s")], [corpus.encode("o")]]
    expected = corpus.cnf(clauses, 20)
    monkeypatch.setattr("explorer.analyses.search.hits.CHUNK", size)
    found = corpus.cnf(clauses, 20)
    assert (found.count, found.document_count) == (expected.count, expected.document_count)
    assert found.offsets.tolist() == expected.offsets.tolist()
    assert corpus.count_documents("th") == len({line.document for line in corpus.concordance("th").lines(0, 10**6)})
    by_place = [(line.document, line.offset) for line in corpus.concordance("th", sort="document").lines(0, 10**6)]
    assert by_place == sorted(by_place)
