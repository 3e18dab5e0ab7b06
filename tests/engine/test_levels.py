"""The levels of a context and its most frequent continuation, against walks over the text."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import _fastsa

SEPARATOR = 255
TOKENS = st.sampled_from([0, 1, 2, 3, SEPARATOR])


def shard_of(tokens: list[int]) -> _fastsa.Shard:
    text = np.array(tokens, dtype=np.uint8)
    order = _fastsa.suffix_array(text.astype(np.int32) + 1, 257)
    return _fastsa.Shard(text, order.astype("<u8").view(np.uint8), 1, 8)


def searcher_of(*texts: list[int]) -> _fastsa.Searcher:
    return _fastsa.Searcher([shard_of(text) for text in texts], [], [False] * len(texts))


def places(text: list[int], context: list[int]) -> list[int]:
    return [at for at in range(len(text) - len(context) + 1) if text[at : at + len(context)] == context]


def following(texts: tuple[list[int], ...], context: list[int]) -> Counter[int]:
    """What follows, -1 for the end of a text."""
    size = len(context)
    return Counter((text + [-1])[at + size] for text in texts for at in places(text, context) if at < len(text))


def levels_by_walking(texts, context, least, most, selective):
    suffixes = [context[at:] for at in range(len(context) + 1)]
    longest = next(suffix for suffix in suffixes if not suffix or any(places(text, suffix) for text in texts))
    found, before = [], 0
    for size in range(len(longest), least - 1, -1):
        after = following(texts, context[len(context) - size :])
        ends = after.pop(-1, 0) + after.pop(SEPARATOR, 0)
        if after.total() > before or (not size and after.total()):
            before = after.total() if selective else 0
            found.append((size, ends if size else 0, sorted(after.items())))
    is_followed = bool(Counter(following(texts, longest)) - Counter({-1: 1 << 30, SEPARATOR: 1 << 30}))
    return len(longest), is_followed, found[:most]


@given(
    st.lists(st.lists(TOKENS, min_size=1, max_size=40), min_size=1, max_size=3),
    st.lists(TOKENS, max_size=6),
    st.integers(0, 3),
    st.integers(0, 5),
    st.booleans(),
)
def test_levels(texts, context, least, most, selective):
    longest, is_followed, found = searcher_of(*texts).levels(context, least, most, selective)
    wanted = levels_by_walking(tuple(texts), context, least, most, selective)
    assert longest == wanted[0]
    assert [
        (size, ends, list(zip(tokens.tolist(), counts.tolist(), strict=True))) for size, ends, tokens, counts in found
    ] == wanted[2]
    if found and longest >= least:
        assert is_followed == wanted[1]


def greedy_by_walking(text, context, most, least):
    match = max(size for size in range(len(context) + 1) if not size or places(text, context[len(context) - size :]))
    suffix, product, tokens = context[len(context) - match :], 1.0, []
    while match and len(tokens) < min(most, max(1, match)):
        after = following((text,), [*suffix, *tokens])
        after.pop(-1, 0)
        best = min(after, key=lambda token: (-after[token], token), default=SEPARATOR)
        product *= after[best] / max(1, after.total())
        if best == SEPARATOR or product < least:
            break
        tokens.append(best)
    return match, tokens


@given(
    st.lists(TOKENS, min_size=1, max_size=300),
    st.lists(TOKENS, max_size=6),
    st.integers(0, 8),
    st.sampled_from([0.0, 0.1, 0.5, 1.0]),
)
def test_greedy(text, context, most, least):
    assert searcher_of(text).greedy(context, most, least) == greedy_by_walking(text, context, most, least)


@given(st.lists(st.tuples(st.integers(0, 250), st.integers(1, 60)), min_size=1, max_size=40), st.randoms())
def test_the_longest_of_many_runs(sizes, random):
    """Ranges that are wide enough for steps; equally long runs decide by the id."""
    pairs = [token for token, size in sizes for _ in range(size)]
    random.shuffle(pairs)
    text = [part for token in pairs for part in (251, token)]
    assert searcher_of(text).greedy([251], 1, 0.0) == greedy_by_walking(text, [251], 1, 0.0)


def test_only_what_they_can_answer():
    backward = _fastsa.Searcher([shard_of([0, 1])], [], [True])
    for call in (lambda: backward.levels([0], 0, 1, True), lambda: backward.greedy([0], 1, 0.0)):
        with pytest.raises(ValueError, match=r"forward|contiguous"):
            call()
    with pytest.raises(ValueError, match="only one shard"):
        searcher_of([0], [1]).greedy([0], 1, 0.0)


def test_a_flag_stops_them():
    flag = np.ones(1, dtype=np.uint8)
    with pytest.raises(_fastsa.Stopped):
        searcher_of([0, 1] * 50).levels([0], 0, 1, True, flag)
    with pytest.raises(_fastsa.Stopped):
        searcher_of([0, 1] * 50).greedy([0], 1, 0.0, flag)
