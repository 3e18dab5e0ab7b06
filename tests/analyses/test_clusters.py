"""Clusters against plain loops over lists, and against the n-grams of the whole index."""

from __future__ import annotations

from collections import Counter, defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from list_backend import Contents, ListBackend

from explorer import Cancelled, CancelToken, QueryError, build_index, open_index
from explorer.analyses.clusters.compute import cluster_places, find_clusters
from explorer.analyses.clusters.question import ClustersQuestion
from explorer.analyses.collocates.windows import ngram_nodes, nodes_at
from explorer.derive.question import settings_of

SEPARATOR = 9
SIDES = tuple(settings_of(ClustersQuestion)["side"].kind.labels)
DOCUMENTS = st.lists(st.lists(st.integers(0, 2), max_size=12), min_size=1, max_size=4)
NODES = st.lists(st.integers(0, 2), min_size=1, max_size=3)
SIZES = st.tuples(st.integers(2, 5), st.integers(3, 5)).filter(lambda size: size[0] <= size[1])


def backend(documents):
    return ListBackend(Contents([documents], [{}] * len(documents), SEPARATOR))


def around(documents, node, question=ClustersQuestion(), chosen=None, **more):  # noqa: B008 - a frozen value
    index = backend(documents)
    return find_clusters(index, ngram_nodes(index, node, chosen), question, chosen=chosen, **more)


def slow(documents, node, size, side):
    """Counts and documents by looking at every n-gram of every document."""
    counts, homes = Counter(), defaultdict(set)
    for number, tokens in enumerate(documents):
        for n in range(size[0], size[1] + 1):
            for at in range(len(tokens) - n + 1):
                gram, q = tuple(tokens[at : at + n]), len(node)
                fits = {
                    "left": gram[:q] == node,
                    "right": gram[n - q :] == node and n >= q,
                    "any": any(gram[step : step + q] == node for step in range(n - q + 1)),
                }
                if fits[side]:
                    counts[gram] += 1
                    homes[gram].add(number)
    return counts, {gram: len(those) for gram, those in homes.items()}


def rows_of(found):
    numbers = zip(found.counts.tolist(), found.documents.tolist(), strict=True)
    return [(tuple(found.row(place).tolist()), *row) for place, row in enumerate(numbers)]


@pytest.fixture(params=[1 << 18, 9], ids=["at once", "in small steps"], scope="module")
def steps(request):
    """Tokens that are read together: few, so that an n-gram, and a document, are in several tables."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("explorer.analyses.clusters.compute.AT_ONCE", request.param)
        yield


@pytest.mark.usefixtures("steps")
@given(DOCUMENTS, NODES, SIZES, st.sampled_from(SIDES), st.integers(1, 2), st.integers(1, 2))
def test_counts_are_those_of_plain_loops(documents, node, size, side, least, homes):
    counts, spread = slow(documents, tuple(node), size, side)
    found = around(documents, node, ClustersQuestion(size=size, side=side, min_count=least, min_documents=homes))
    expected = [(-count, len(gram), gram) for gram, count in counts.items() if count >= least and spread[gram] >= homes]
    assert rows_of(found) == [(gram, -count, spread[gram]) for count, _, gram in sorted(expected)]
    assert (found.total, found.types) == (counts.total(), len(counts))
    assert found.tokens == sum(map(len, documents))


@given(DOCUMENTS, NODES, st.lists(st.booleans(), min_size=4, max_size=4))
def test_chosen_documents_count_as_if_there_were_no_others(documents, node, given_mask):
    mask = np.array(given_mask[: len(documents)])
    kept = [tokens for tokens, met in zip(documents, mask, strict=True) if met]
    found = around(documents, node, ClustersQuestion(size=(2, 4)), chosen=mask)
    counts, spread = slow(kept, tuple(node), (2, 4), "any")
    assert {gram: row for gram, *row in rows_of(found)} == {gram: [counts[gram], spread[gram]] for gram in counts}
    assert found.tokens == sum(map(len, kept))


def test_an_index_gives_what_the_list_of_all_its_ngrams_holds(small_index, monkeypatch):
    corpus = open_index(small_index)
    monkeypatch.setattr("explorer.analyses.clusters.compute.AT_ONCE", 64)
    found = corpus.clusters(" the", (3, 3), unit="tokens")
    whole = corpus.ngrams(3, contains=" the")
    assert sorted((row.form, row.count, row.documents) for row in found) == sorted(
        (row.form, row.count, row.documents) for row in whole
    )
    assert len(found) > 10 and found.total == sum(row.count for row in whole)
    first = corpus.clusters(" the", (2, 5), "left", unit="tokens", top=5)
    assert [row.count for row in first] == sorted((row.count for row in first), reverse=True) and len(first) == 5
    assert all(row.form.startswith(" the") and row.per_million == 1e6 * row.count / first.tokens for row in first)
    assert first.ids(0).tolist()[0] == corpus.encode(" the")[0]


def test_words_are_counted_in_documents_that_meet_conditions(tmp_path):
    texts = ["The cat sat. The CAT sat", "a cat; the cat", "no match"]
    build_index([{"text": text, "at": at} for at, text in enumerate(texts)], tmp_path / "index", tokenizer="bytes")
    corpus = open_index(tmp_path / "index")
    found = corpus.clusters("Cat", (2, 2))
    assert [(row.form, row.count, row.documents) for row in found][:2] == [("the cat", 3, 2), ("cat sat", 2, 1)]
    part, subset = corpus.clusters("cat", (2, 3), where="at>=1"), corpus.subset("at>=1").clusters("cat", (2, 3))
    assert list(part) == list(subset) and (part.node_count, part.tokens) == (2, 6) and len(part) == 5


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"size": (2, 9)}, "size must be"),
        ({"size": (1, 4)}, "size must be"),
        ({"size": (4, 3)}, "size must be"),
        ({"node": [1, 2, 3], "size": (2, 2)}, "A query of 3 .* does not fit into clusters of size 2"),
        ({"node": [4] * 9}, "The query has 9 .* at most 8"),
        ({"side": "middle"}, "any, left or right"),
        ({"min_count": 0}, "min_count"),
        ({"min_documents": 0}, "min_documents"),
        ({"node": []}, "empty"),
        ({"node": [70_000]}, "out of range"),
    ],
)
def test_what_makes_no_sense_is_refused(asked, told):
    node = asked.pop("node", [1])
    with pytest.raises(QueryError, match=told):
        around([[1, 2, 3], [4] * 9], node, ClustersQuestion(**asked))


def test_a_number_of_rows_is_refused_where_it_is_none(small_index):
    with pytest.raises(QueryError, match="top must be"):
        open_index(small_index).clusters(" the", unit="tokens", top=0)


def test_a_query_that_does_not_occur_has_no_clusters():
    found = around([[1, 2, 3], []], [3, 1])
    assert (len(found), found.node, found.total, found.types, found.tokens) == (0, 0, 0, 0, 3)
    alone = around([[1], [2]], [1])
    assert (len(alone), alone.node, alone.types) == (0, 1, 0)


def test_too_many_clusters_are_refused_while_they_are_counted(monkeypatch):
    monkeypatch.setattr("explorer.analyses.clusters.compute._MOST_TYPES", 3)
    with pytest.raises(QueryError, match="more than 3 distinct clusters"):
        around([[1, 2, 1, 3, 1, 1]], [1], ClustersQuestion(size=(2, 2)))


def test_a_count_is_cancelled_between_two_steps(monkeypatch):
    monkeypatch.setattr("explorer.analyses.clusters.compute.AT_ONCE", 1)
    cancel, seen = CancelToken(), []

    def report(progress):
        seen.append(progress.done)
        cancel.cancel()

    with pytest.raises(Cancelled):
        around([[1, 2, 1, 2, 1]], [1], report=report, cancel=cancel)
    assert seen == [0]


SPANS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 11), st.integers(1, 4)), max_size=6)


@pytest.mark.usefixtures("steps")
@given(DOCUMENTS, SPANS, st.sampled_from(SIDES))
def test_hits_of_any_lengths_are_in_clusters(documents, spans, side):
    spans = sorted({(d, at, at + n) for d, at, n in spans if d < len(documents) and at + n <= len(documents[d])})
    shortest = min((end - start for _, start, end in spans), default=1)
    size = (max(2, shortest), 5)
    counts, homes = Counter(), defaultdict(set)
    places = defaultdict(list)
    for number, tokens in enumerate(documents):
        mine = [(start, end) for document, start, end in spans if document == number]
        for n in range(size[0], size[1] + 1):
            for at in range(len(tokens) - n + 1):
                inside = [(start, end) for start, end in mine if at <= start and end <= at + n]
                if any(side == "any" or (at == start if side == "left" else at + n == end) for start, end in inside):
                    gram = tuple(tokens[at : at + n])
                    counts[gram] += 1
                    homes[gram].add(number)
                    places[gram].append((number, at))
    index, nodes = backend(documents), nodes_at(*np.array(spans[::-1], np.int64).reshape(-1, 3).T)
    found = find_clusters(index, nodes, ClustersQuestion(size=size, side=side))
    assert {gram: tuple(row) for gram, *row in rows_of(found)} == {
        gram: (count, len(homes[gram])) for gram, count in counts.items()
    }
    for gram, expected in places.items():
        at = cluster_places(index, nodes, np.array(gram), side)
        assert list(zip(at.documents.tolist(), at.offsets.tolist(), strict=True)) == expected
