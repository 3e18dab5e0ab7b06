"""Ladders and branches against counting by hand."""

from __future__ import annotations

import math
import tempfile
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
import twin
from hypothesis import given
from hypothesis import strategies as st

from explorer import open_index
from explorer.analyses.next_tokens import profile
from explorer.analyses.next_tokens.profile import ladder, left_of, right_of

SHARDS = st.lists(st.lists(st.lists(st.integers(0, 2), max_size=10), min_size=1, max_size=3), min_size=1, max_size=2)


def places(documents, ids):
    return [
        (d, i)
        for d, document in enumerate(documents)
        for i in range(len(document) - len(ids) + 1)
        if document[i : i + len(ids)] == ids
    ]


@given(SHARDS, st.lists(st.integers(0, 2), min_size=1, max_size=3), st.sampled_from([4, 5]))
def test_what_stands_before(shards, ids, version):
    documents = [document for part in shards for document in part]
    expected = Counter(documents[d][i - 1] if i else 65_535 for d, i in places(documents, ids))
    with tempfile.TemporaryDirectory() as folder:
        path = twin.write_index(Path(folder), shards, 2, version)
        found = left_of(open_index(path, reversed_text=version == 5).index, ids)
    assert {branch.token: branch.count for branch in found.branches} == dict(expected)
    assert (found.distinct, found.total, found.looked_at) == (len(expected), expected.total(), expected.total())


@pytest.mark.one_index
@given(SHARDS, st.lists(st.integers(0, 2), max_size=6))
def test_every_rung(shards, ids):
    slow = twin.Twin(shards, 2, 4)
    with tempfile.TemporaryDirectory() as folder:
        rungs = ladder(open_index(twin.write_index(Path(folder), shards, 2, 4)).index, ids)
    assert [rung.n for rung in rungs] == list(range(1, slow.longest_suffix(ids) + 2))
    for rung in rungs:
        context = ids[len(ids) - rung.n + 1 :]
        following = slow.next_tokens(context)
        total = sum(following.values())
        assert (rung.context_count, rung.distinct) == (slow.count(context), len(following))
        shares = [count / total for count in following.values()]
        # Where an occurrence ends a shard nothing follows it, and shares are of the context's count.
        if total == rung.context_count:
            assert rung.entropy == pytest.approx(-sum(share * math.log2(share) for share in shares))
        assert dict(rung.top).items() <= dict(following).items()


def test_plateaus_are_five_of_one_count(small):
    ids = small.encode("the dog sat on the mat, and the dog saw the cat on the rug.")
    rungs = ladder(small.index, ids)
    counts = [rung.context_count for rung in rungs]
    runs = {count: counts.count(count) for count in counts}
    assert all(rung.plateau == (runs[rung.context_count] >= 5) for rung in rungs)
    assert any(rung.plateau for rung in rungs) and not rungs[0].plateau


def test_what_stands_behind(small):
    ids = small.encode(" the").tolist()
    found = right_of(small.index, ids, most=3)
    following = small.next_tokens(ids)
    assert [(b.token, b.count) for b in found.branches] == list(
        zip(following.tokens[:3].tolist(), following.counts[:3].tolist(), strict=True)
    )
    assert found.exact and found.distinct == len(following.tokens)


def test_of_very_many_occurrences_a_sample_is_looked_at(small, monkeypatch):
    monkeypatch.setattr(profile, "LEFT_LIMIT", 3)
    found = left_of(small.index, small.encode(" the").tolist())
    assert not found.exact and found.looked_at == 3 < found.total
    assert np.isclose(sum(branch.count for branch in found.branches), 3)
