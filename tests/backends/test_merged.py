"""Several indexes that are asked as one answer as one index of all their documents."""

from __future__ import annotations

import pickle
import tempfile
from pathlib import Path

import numpy as np
import pytest
import twin
from hypothesis import given
from hypothesis import strategies as st
from opened_with import open_shards

from explorer.backends.merged.backend import MergedBackend
from explorer.backends.merged.hits import shares_of
from explorer.backends.places import Located
from explorer.backends.registry import BACKENDS
from explorer.backends.request import IndexRequest
from explorer.core.jobs import CancelToken
from explorer.errors import Cancelled, CapabilityError, CorpusError, QueryError
from explorer.text.patterns.pattern import Pattern

pytestmark = pytest.mark.local("merges folders itself")
DOCUMENT = st.text("ab c.é", max_size=12).map(lambda text: list(text.encode()))
SHARDS = st.lists(st.lists(DOCUMENT, min_size=1, max_size=4), min_size=2, max_size=4)
NAMED = {"tokenizer": "bytes", "check_fit": False, "allow_same": True}


def pair(folder, shards, version=4):
    """The shards in folders of their own, asked as one; and one index of all of them."""
    named = {**NAMED, "reversed_text": version == 5}
    paths = [twin.write_index(folder / str(number), [shard], 1, version) for number, shard in enumerate(shards)]
    parts = [open_shards([path], **named) for path in paths]
    return MergedBackend(parts, "merged", (open_shards, (paths,))), open_shards(paths, **named)


def same_counts(merged, whole, ids):
    one, other = merged.counts, whole.counts
    array = np.array(ids, dtype=np.int64)
    spans = [(i, j) for i in range(len(ids) + 1) for j in range(i, len(ids) + 1)]
    starts, ends = (np.array(column, dtype=np.int64) for column in zip(*spans, strict=True))
    assert one.count(ids) == other.count(ids) and one.longest_suffix(ids) == other.longest_suffix(ids)
    np.testing.assert_array_equal(one.count_many(array, starts, ends), other.count_many(array, starts, ends))
    np.testing.assert_array_equal(one.longest_matches(ids), other.longest_matches(ids))
    np.testing.assert_equal(one.followers(array, starts, ends), other.followers(array, starts, ends))
    assert one.followed(ids, [None, 1, 2, 3]) == other.followed(ids, [None, 1, 2, 3])
    assert one.levels(ids, 0, None, True) == other.levels(ids, 0, None, True)
    for token in {*ids, 97, 255}:
        assert one.continuation(ids, token) == other.continuation(ids, token)
        assert one.backed_off(ids, token) == other.backed_off(ids, token)
    for backoff in (False, True):
        assert one.next_tokens(ids, backoff) == other.next_tokens(ids, backoff)


@given(SHARDS, st.text("ab c.é", max_size=5), st.sampled_from([4, 5]))
def test_counts_are_those_of_one_index(shards, text, version):
    with tempfile.TemporaryDirectory() as folder:
        same_counts(*pair(Path(folder), shards, version), list(text.encode()))


def by_place(located: Located):
    return sorted(zip(located.documents.tolist(), located.offsets.tolist(), located.lengths.tolist(), strict=True))


def every_hit(backend, *parts):
    hits = backend.hits.occurrences(parts)
    located = hits.measured(hits.locate(np.arange(hits.total, dtype=np.int64)))
    # In any order, and with gaps.
    some = np.arange(hits.total - 1, -1, -2, dtype=np.int64)
    assert hits.locate(some) == hits.locate(np.arange(hits.total))[some]
    assert hits.count == len(located[hits.shown(located)])
    return located


@given(SHARDS, st.lists(st.text("ab c", min_size=1, max_size=3), min_size=1, max_size=2), st.integers(1, 4))
def test_hits_are_those_of_one_index(shards, texts, most):
    with tempfile.TemporaryDirectory() as folder:
        merged, whole = pair(Path(folder), shards)
        found = [
            every_hit(index, *(index.hits.find(list(text.encode())) for text in texts)) for index in (merged, whole)
        ]
        assert by_place(found[0]) == by_place(found[1])
        near = [index.hits.near(each, [[98]], 3) for index, each in zip((merged, whole), found, strict=True)]
        order = [np.lexsort((each.offsets, each.documents)) for each in found]
        np.testing.assert_array_equal(near[0][order[0]], near[1][order[1]])
        matched = [index.hits.find_text(Pattern("[ab]+", "regex")) for index in (merged, whole)]
        assert matched[0].count == matched[1].count
        assert by_place(every_hit(merged, matched[0])) == by_place(every_hit(whole, matched[1]))
        cuts = [index.hits.cuts(index.hits.find_text(Pattern(texts[0]))) for index in (merged, whole)]
        assert cuts[0] == cuts[1]
        drawn_places(merged, whole, list(texts[0].encode()), most)


def drawn_places(merged, whole, ids, most):
    """As many as from one index, each of them a place; all of them where there are few."""
    spans = np.array(ids, dtype=np.int64), np.arange(len(ids)), np.full(len(ids), len(ids), dtype=np.int64)
    (which, places), (other, expected) = (index.hits.some_places(*spans, most, 3) for index in (merged, whole))
    np.testing.assert_array_equal(which, other)
    every = {tuple(place) for place in zip(which, places.documents, places.offsets, strict=True)}
    assert len(every) == len(which)
    counts = whole.counts.count_many(*spans)
    for number, count in enumerate(counts.tolist()):
        mine, theirs = (
            sorted(zip(each.documents[of == number], each.offsets[of == number], strict=True))
            for of, each in ((which, places), (other, expected))
        )
        assert len(mine) == min(count, most) and (count > most or mine == theirs)
        for document, offset in mine:
            span = spans[0][number:]
            (there,) = whole.documents.windows(np.array([document]), np.array([offset]), np.array([offset + len(span)]))
            np.testing.assert_array_equal(there, span)


@given(SHARDS, st.integers(0, 9))
def test_documents_are_those_of_one_index(shards, seed):
    with tempfile.TemporaryDirectory() as folder:
        merged, whole = pair(Path(folder), shards)
        one, other = merged.documents, whole.documents
        np.testing.assert_array_equal(one.numbers(), other.numbers())
        np.testing.assert_array_equal(one.sizes(), other.sizes())
        asked = np.random.default_rng(seed).integers(0, whole.document_slots, 7)
        np.testing.assert_array_equal(one.lengths(asked), other.lengths(asked))
        np.testing.assert_array_equal(one.tokens_at(asked, asked % 3), other.tokens_at(asked, asked % 3))
        bounds = asked - 4, asked + 3
        np.testing.assert_equal(one.windows(asked, *bounds), other.windows(asked, *bounds))
        assert one.metadata(asked) == other.metadata(asked)
        assert [one.like(number) for number in asked.tolist()] == [other.like(number) for number in asked.tolist()]
        with pytest.raises(QueryError, match="There is no document"):
            one.check(whole.document_slots)


@pytest.fixture
def merged(tmp_path):
    return pair(tmp_path, [[[*b"the cat sat"], [*b"a dog"]], [[*b"the cat ran"]], [[*b"cat cat cat"]]])[0]


def test_an_estimate_looks_at_the_same_share_of_each(merged):
    exact = merged.counts.next_tokens([*b"cat"])
    assert exact.exact and exact.context_count == 5
    rough = merged.counts.next_tokens([*b"a"], limit=3)
    assert not rough.exact and 0 < rough.sample_size == rough.total <= 5 and rough.context_count == 8
    with pytest.raises(QueryError, match="limit must be at least 1"):
        merged.counts.next_tokens([97], limit=0)


def test_what_one_index_cannot_answer_the_whole_does_not(merged, monkeypatch):
    """A sum without an index would be a smaller number without its mark."""
    broken = merged.parts.backends[1]
    monkeypatch.setattr(type(broken.counts), "count", lambda counts, ids: failing(counts is broken.counts))
    with pytest.raises(CorpusError, match="gone"):
        merged.counts.count([97])


def failing(fails):
    if fails:
        raise CorpusError("gone")
    return 1


def test_it_is_refused_what_needs_all_suffixes_in_order(merged):
    located = Located.of_tokens(*(np.zeros(1, dtype=np.int64) for _ in range(3)))
    for ask in (
        lambda: merged.hits.word_ranks(located, 1),
        lambda: merged.hits.surroundings(located, 1),
        lambda: merged.lists.shared_prefixes(),
        lambda: merged.within(np.array([0])),
    ):
        with pytest.raises(CapabilityError, match="asked as one"):
            ask()
    assert merged.without([]) is merged and merged.capabilities.text_patterns


def test_a_request_to_stop_reaches_each(merged):
    cancel = CancelToken()
    cancel.cancel()
    with pytest.raises(Cancelled):
        merged.counts.count_many(np.array([97]), np.array([0]), np.array([1]), cancel)


def test_it_can_be_sent_to_another_process(small_index, tmp_path):
    from explorer import build_index

    build_index([{"text": "the cat sat"}], tmp_path / "fm", format="fm")
    build_index([{"text": "the cat ran"}], tmp_path / "array", tokenizer="bytes")
    found = BACKENDS.open(IndexRequest((str(tmp_path / "fm"), str(tmp_path / "array"))))
    again = pickle.loads(pickle.dumps(found))
    assert again.counts.count([*b"the cat"]) == 2 and again.fingerprint == found.fingerprint
    assert again.name == found.name and again.sources == found.sources


def test_shares_are_drawn_from_all_indexes_together():
    counts = np.array([900, 0, 100])
    found = np.array([shares_of(counts, 10, seed) for seed in range(200)])
    assert (found.sum(axis=1) == 10).all() and not found[:, 1].any()
    assert abs(found[:, 2].mean() - 1) < 0.3
