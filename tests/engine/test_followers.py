"""How many tokens, and how many distinct ones, follow n-grams: against a walk over the text."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import _fastsa

SEPARATOR = 255


def shard_of(tokens: list[int]) -> _fastsa.Shard:
    text = np.array(tokens, dtype=np.uint8)
    order = _fastsa.suffix_array(text.astype(np.int32) + 1, 257)
    return _fastsa.Shard(text, order.astype("<u8").view(np.uint8), 1, 8)


def by_walking(tokens: list[int], context: list[int]) -> tuple[int, int]:
    after = [
        tokens[at + len(context)]
        for at in range(len(tokens) - len(context))
        if tokens[at : at + len(context)] == context and tokens[at + len(context)] != SEPARATOR
    ]
    return len(after), len(set(after))


@given(st.lists(st.sampled_from([0, 1, 2, SEPARATOR]), min_size=1, max_size=60), st.integers(0, 4))
def test_followers(tokens, size):
    shard = shard_of(tokens)
    contexts = [tokens[at : at + size] for at in range(len(tokens) - size + 1)]
    ranges = [shard.find(np.array(context, dtype=np.uint8)) for context in contexts]
    first, last = np.array(ranges, dtype=np.int64).reshape(-1, 2).T.copy()
    lengths = np.full(len(contexts), size, dtype=np.int64)
    found = _fastsa.followers(shard, first, last, lengths, SEPARATOR)
    assert list(zip(*map(list, found), strict=True)) == [by_walking(tokens, context) for context in contexts]


def test_bad_arguments():
    shard = shard_of([0, 1, 0])
    one, two = np.zeros(1, dtype=np.int64), np.zeros(2, dtype=np.int64)
    with pytest.raises(ValueError, match="one length"):
        _fastsa.followers(shard, one, two, one, SEPARATOR)
    with pytest.raises(IndexError):
        _fastsa.followers(shard, one, one + 4, one, SEPARATOR)
    with pytest.raises(IndexError):
        _fastsa.followers(shard, one, one, one - 1, SEPARATOR)


def test_a_flag_stops_it():
    shard = shard_of([0, 1] * 50)
    one = np.zeros(1, dtype=np.int64)
    with pytest.raises(_fastsa.Stopped):
        _fastsa.followers(shard, one, one + 100, one, SEPARATOR, np.ones(1, dtype=np.uint8))
