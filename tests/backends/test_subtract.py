"""Subtracting documents, against plain lists of the documents that remain."""

from __future__ import annotations

import itertools
import tempfile
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
import twin
from hypothesis import given
from hypothesis import strategies as st
from opened_with import open_shards

from explorer.analyses.agreement.tokens import agreement
from explorer.analyses.breakdown.facets import dispersion, facet
from explorer.analyses.next_tokens.counts import infgram_next_tokens, infgram_prob, next_tokens
from explorer.analyses.next_tokens.profile import left_of
from explorer.analyses.search.arrange import LineSettings
from explorer.analyses.search.cnf import CnfOptions, cnf
from explorer.analyses.search.concordance import ConcordanceRequest, concordance, count_documents
from explorer.backends.local import open as open_module
from explorer.corpus import Corpus
from explorer.errors import QueryError

DOCUMENT = st.lists(st.integers(0, 2), max_size=4)
SHARDS = st.lists(st.lists(DOCUMENT, min_size=1, max_size=4), min_size=1, max_size=3)
FOLDERS = st.lists(SHARDS, min_size=1, max_size=2)
VERSION = st.sampled_from([4, 4, 5])


def remaining(base, minus):
    """The documents of the base that remain, shard by shard, with their numbers; and how many had no partner."""
    numbered, number = [], 0
    for shard in base:
        numbered.append([(number + i, document) for i, document in enumerate(shard)])
        number += len(shard)
    unmatched = 0
    for document in (document for shard in minus for document in shard):
        where = next(((s, pair) for s in numbered for pair in s if pair[1] == document), None)
        if where is None:
            unmatched += 1
        else:
            where[0].remove(where[1])
    return numbered, unmatched


def opened(place, folders, minus, versions=(4, 4)):
    """The folders of one version as one index less those of another."""

    def write(name, listed, version):
        return [twin.write_index(place / f"{name}{i}", shards, 2, version) for i, shards in enumerate(listed)]

    # Without a tokenizer a reversed index cannot be told from its bytes.
    base = list(write("base", folders, versions[0]))
    less = list(write("less", minus, versions[1]))
    if versions[0] == versions[1]:
        return open_shards(base, minus=less, reversed_text=versions[0] == 5, allow_same=True)
    return open_shards(base, minus=less, allow_same=True)


def places(documents, ids):
    """(document, offset) of every occurrence within a document."""
    return [
        (number, i)
        for number, document in documents
        for i in range(len(document) - len(ids) + 1)
        if document[i : i + len(ids)] == list(ids)
    ]


@given(FOLDERS, FOLDERS, VERSION, st.lists(st.integers(0, 2), min_size=1, max_size=5))
def test_every_answer_is_that_of_the_documents_that_remain(folders, minus, version, text):
    left, unmatched = remaining([s for f in folders for s in f], [s for f in minus for s in f])
    documents = [pair for shard in left for pair in shard]
    slow = twin.Twin([[d for _, d in shard] for shard in left], 2, version)
    with tempfile.TemporaryDirectory() as place:
        index = opened(Path(place), folders, minus, (version, version))
        assert index.subtracted.unmatched == unmatched
        assert index.documents.numbers().tolist() == [number for number, _ in documents]
        assert index.document_count == len(documents)
        assert index.token_count == slow.count([])
        for length in (1, 2, 3):
            ids = text[:length]
            assert index.counts.count(ids) == index.hits.find(ids).count == slow.count(ids), ids
            lines = concordance(index, ConcordanceRequest([index.hits.find(ids)]))
            assert sorted((x.document, x.offset) for x in located(lines)) == places(documents, ids)
            assert count_documents(index, [index.hits.find(ids)]) == len({n for n, _ in places(documents, ids)})
        _compare_next_tokens(index, slow, text)
        assert index.counts.longest_matches(text).tolist() == [slow.longest_match(text[i:]) for i in range(len(text))]
        found = agreement(index, text)
        for i, token in enumerate(text):
            context = text[i - slow.longest_suffix(text[:i]) : i]
            assert found.effective_n[i] == len(context) + 1
            assert found.context_count[i] == slow.count(context)
            assert found.continuation_count[i] == slow.count([*context, token])
            assert found.sparse[i] == (len(slow.next_tokens(context)) == 1)


def located(lines):
    found = lines.locate(0, len(lines))
    return [
        type("Line", (), {"document": d, "offset": o})
        for d, o in zip(found.documents.tolist(), found.offsets.tolist(), strict=True)
    ]


def _compare_next_tokens(index, slow, text):
    for length in range(len(text) + 1):
        found = next_tokens(index, text[:length])
        assert as_counts(found) == slow.next_tokens(text[:length]), text[:length]
        assert found.context_count == slow.count(text[:length])
    longest = slow.longest_suffix(text)
    assert index.counts.longest_suffix(text) == longest
    backed = infgram_next_tokens(index, text)
    assert as_counts(backed) == slow.next_tokens(text[len(text) - longest :])
    separator = twin.separator(2)
    for token in (0, separator):
        probability = infgram_prob(index, text, token)
        assert probability.continuation_count == slow.count([*text[len(text) - longest :], token])
    # What begins, or is, a document.
    for ids in ([separator], [separator, *text[:1]], [*text[:1], separator], [separator, *text[:2], separator]):
        assert index.counts.count(ids) == slow.count(ids), ids
        if separator not in ids[1:]:
            assert as_counts(next_tokens(index, ids)) == slow.next_tokens(ids), ids


def as_counts(found):
    return Counter(dict(zip(found.tokens.tolist(), found.counts.tolist(), strict=True)))


@given(FOLDERS, SHARDS, st.integers(0, 6), st.integers(0, 3))
def test_lines_samples_and_dispersion(folders, minus, sample, seed):
    left, _ = remaining([s for f in folders for s in f], minus)
    documents = [pair for shard in left for pair in shard]
    with tempfile.TemporaryDirectory() as place:
        index = opened(Path(place), folders, [minus])
        columns = Corpus(index).columns
        wanted = places(documents, [1])
        for view in (LineSettings(sample=sample, seed=seed), LineSettings(sample=sample, shuffle=True, seed=seed)):
            lines = concordance(index, ConcordanceRequest([index.hits.find([1])], view=view))
            found = [(x.document, x.offset) for x in located(lines)]
            assert len(found) == (min(sample, len(wanted)) if sample else len(wanted))
            assert len(set(found)) == len(found) and set(found) <= set(wanted)
            assert lines.arranged.exact and lines.arranged.passed == len(wanted)
        spread = dispersion(lines, bins=3)
        assert spread.all_documents == len(documents)
        assert spread.documents == len({n for n, _ in found})
        for shown in spread.most:
            length = len(dict(documents)[shown.number])
            assert shown.at.tolist() == sorted(o / length for n, o in found if n == shown.number)
            assert shown.hits == len(shown.at)
        sizes = {n: len(d) + 1 for n, d in documents}
        hits = Counter(n for n, _ in found)
        total, all_hits = max(1, sum(sizes.values())), max(1, len(found))
        expected = 0.5 * sum(abs(hits[n] / all_hits - size / total) for n, size in sizes.items())
        # Of no hits, nothing is known.
        assert spread.deviation == (pytest.approx(expected) if found else None)
        if wanted:
            bars = facet(lines, "n", columns).bars
            assert sum(bar.hits for bar in bars) == len(found)
        near = cnf(index, [[[1]], [[2]]], CnfOptions(1))
        both = [list(places(documents, [t])) for t in (1, 2)]
        walked, other = sorted(both, key=len)
        assert near.count == sum(any(n == m and abs(o - p) <= 1 for m, p in other) for n, o in walked)
        if walked and other:
            assert near.sample_size == near.walkable == len(walked)
        before = left_of(index, [1])
        assert sum(b.count for b in before.branches) == before.total == before.looked_at == len(wanted)


@given(SHARDS, st.lists(st.integers(0, 11), max_size=5))
def test_documents_left_out_with_their_copies(base, chosen):
    every = [document for shard in base for document in shard]
    chosen = [number for number in chosen if number < len(every)]
    gone = [every[number] for number in chosen]
    left = [[document for document in shard if document not in gone] for shard in base]
    slow = twin.Twin(left, 2)
    with tempfile.TemporaryDirectory() as place:
        index = open_shards(twin.write_index(Path(place) / "base", base)).without(chosen)
        assert index.token_count == slow.count([])
        assert index.document_count == sum(map(len, left))
        for context in ([], [0], [1], [0, 1], [twin.separator(2)]):
            assert as_counts(next_tokens(index, context)) == slow.next_tokens(context), context
        # And once more on top of it.
        rest = index.documents.numbers().tolist()
        if rest:
            twice = index.without(rest[:1])
            fewer = twin.Twin([[d for d in shard if d != every[rest[0]]] for shard in left], 2)
            assert as_counts(next_tokens(twice, [0])) == fewer.next_tokens([0])
            assert twice.token_count == fewer.count([])


def test_directions_may_differ(tmp_path):
    """A reversed folder less documents that are stored forwards, taken by the index itself."""
    base = [[[0, 1, 2], [1, 2], [1, 2]], [[2], [0, 1]]]
    index = open_shards(twin.write_index(tmp_path / "base", base, 2, 5), reversed_text=True)
    rest = index.without([1])
    slow = twin.Twin([[[0, 1, 2]], [[2], [0, 1]]], 2, 5)
    for context in ([1], [2], [0], [0, 1], [1, 2], [twin.separator(2)], [twin.separator(2), 0]):
        assert as_counts(next_tokens(rest, context)) == slow.next_tokens(context), context
        assert rest.counts.count(context) == slow.count(context), context


def test_the_first_that_is_not_taken_goes(tmp_path):
    base = twin.write_index(tmp_path / "base", [[[1, 2], [1, 2], [3]], [[1, 2], []]])
    one = twin.write_index(tmp_path / "one", [[[1, 2]]])
    two = twin.write_index(tmp_path / "two", [[[1, 2], [9], []]])
    assert open_shards(base, minus=one).documents.numbers().tolist() == [1, 2, 3, 4]
    index = open_shards(base, minus=[one, two])
    assert index.documents.numbers().tolist() == [2, 3]
    assert (index.subtracted.documents, index.subtracted.unmatched) == (4, 1)
    corpus = Corpus(index)
    assert [document.number for document in corpus.documents()] == [2, 3]
    assert corpus.minus_unmatched == 1
    assert (index.counts.count([1, 2]), index.counts.count([9]), index.counts.count([3])) == (1, 0, 1)
    with pytest.raises(QueryError, match="has been subtracted"):
        corpus.document(0)
    nothing = open_shards(base, minus=twin.write_index(tmp_path / "none", [[[7]], [[8]]]))
    assert (nothing.subtracted.unmatched, nothing.counts.count([1])) == (2, 3)


def test_the_smaller_part_is_sorted_and_its_folder_goes_with_the_index(tmp_path, monkeypatch):
    made = []
    real = open_module.temporary_shard

    def spy(width, documents, cancel):
        kept = [d.tolist() for d in documents]
        found = real(width, (np.array(d, dtype=np.int64) for d in kept), cancel)
        made.append((kept, found[1]))
        return found

    monkeypatch.setattr(open_module, "temporary_shard", spy)
    base = twin.write_index(tmp_path / "base", [[[1, 2], [3], [4]]])
    mostly = twin.write_index(tmp_path / "mostly", [[[1, 2], [3], [9]]])
    hardly = twin.write_index(tmp_path / "hardly", [[[3], [9, 9], [8, 8]]])
    for minus, sorted_out, counts in ((mostly, [[9]], [0, 0, 1]), (hardly, [[3]], [1, 0, 1])):
        index = open_shards(base, minus=minus)
        documents, folder = made.pop()
        assert documents == sorted_out and folder.exists()
        assert [index.counts.count([token]) for token in (1, 3, 4)] == counts and index.counts.count([9]) == 0
        del index
        assert not folder.exists()
    monkeypatch.setattr(open_module, "MOST_TOKENS", 1)
    with pytest.raises(QueryError, match="2 of the 3 documents to subtract are not in this index"):
        open_shards(base, minus=hardly)


@given(SHARDS, SHARDS)
def test_ngrams_of_several_documents_need_all_of_them(base, minus):
    left, _ = remaining(base, minus)
    gone = set(range(sum(map(len, base)))) - {n for shard in left for n, _ in shard}
    separator = twin.separator(2)
    ids, number = [1, separator, 1], 0
    expected = 0
    for shard in base:
        for first, second in itertools.pairwise(shard):
            there = number not in gone and number + 1 not in gone
            expected += there and first[-1:] == [1] and second[:1] == [1]
            number += 1
        number += 1
    with tempfile.TemporaryDirectory() as place:
        index = opened(Path(place), [base], [minus])
        assert index.counts.count(ids) == index.hits.find(ids).count == expected
        if gone:
            assert as_counts(next_tokens(index, ids)).total() <= expected
        found = index.counts.count_many(np.array(ids), np.array([0, 0]), np.array([3, 1]))
        assert found.tolist() == [expected, index.counts.count([1])]


def test_samples_of_next_tokens_are_of_what_remains(tmp_path):
    documents = [[1, 2]] * 30 + [[1, 3, 9]] * 10
    base = twin.write_index(tmp_path / "base", [documents])
    minus = twin.write_index(tmp_path / "minus", [[[1, 2]] * 29])
    index = open_shards(base, minus=minus)
    found = next_tokens(index, [1], limit=8)
    assert (found.context_count, found.sample_size, found.total) == (11, 8, 8)
    assert not found.exact and as_counts(found)[3] >= 7


def test_many_hits_that_are_left_out(tmp_path, monkeypatch):
    """Drawing goes on until enough hits that remain are found."""
    monkeypatch.setattr("explorer.analyses.search.arrange.CHUNK", 4)
    base = twin.write_index(tmp_path / "base", [[[1]] * 60 + [[1, 2]] * 3])
    index = open_shards(base, minus=twin.write_index(tmp_path / "minus", [[[1]] * 60]))
    for seed in range(10):
        view = LineSettings(sample=2, seed=seed)
        lines = concordance(index, ConcordanceRequest([index.hits.find([1])], view=view))
        assert len(lines) == 2 and set(lines.locate(0, 2).documents.tolist()) <= {60, 61, 62}
