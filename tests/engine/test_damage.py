"""Tables whose entries point anywhere: an answer or DamagedTable, never a read outside of the text."""

from __future__ import annotations

import numpy as np
import pytest
import twin
from hypothesis import given
from hypothesis import strategies as st

import _fastsa
from _fastsa import DamagedTable, OrderCheck, Searcher, Shard, first_disorder

TEXT = [3, 1, 2, 1, 3, 1, 2, 0, 200, 1]
EDGES = [0, 1, 2, 3, 4, 7, 8, 9, 2**31, 2**32 - 1, 2**32, 2**62, 2**63 - 1, 2**63]


def int64(*values):
    return np.array(values, dtype=np.int64)


def shard_with(entries, width, pointer_width, text=TEXT):
    data = np.frombuffer(twin.pack(text, width), dtype=np.uint8)
    table = b"".join((entry % 256**pointer_width).to_bytes(pointer_width, "little") for entry in entries)
    return Shard(data, np.frombuffer(table, dtype=np.uint8), width, pointer_width)


def ask_everything(shard, depth=1):
    """Each method once; returns how many met the damage."""
    ranks = np.arange(shard.token_count)
    width = shard.token_width
    query = np.frombuffer(twin.pack([1, 2, 1], width), dtype=np.uint8)
    step = int64(0), int64(3)
    searcher = Searcher([shard], [], [False])
    pieces = _fastsa.Pieces(np.zeros(4, dtype=np.uint8), int64(0, 1, 2, 3, 4))
    tokens, counts = np.unique(np.array(TEXT, dtype=np.uint32), return_counts=True)
    calls = [
        lambda: shard.find(query),
        lambda: shard.find(query, 0, 2),
        lambda: shard.find_many(query, *step),
        lambda: shard.longest_matches(query),
        lambda: shard.next_tokens(0, len(ranks), depth),
        lambda: shard.tokens_after(ranks, np.full(len(ranks), depth)),
        lambda: shard.positions(ranks),
        lambda: shard.sample_keys(1),
        lambda: shard.sample_keys(3),
        lambda: first_disorder(shard, 0, len(ranks), 1 << 20),
        lambda: OrderCheck(shard, tokens, np.cumsum(counts) - counts).advance(len(ranks)),
        lambda: shard.near(*step, query, int64(3)),
        lambda: _fastsa.WordsNear(pieces, np.zeros(0x110000, dtype=np.uint8)).find(shard, *step, 1, 1),
        lambda: searcher.count([1, 2]),
        lambda: searcher.prob([1], 2),
        lambda: searcher.infgram_prob([1, 2], 1),
        lambda: searcher.next_tokens([1], False),
        lambda: searcher.next_tokens([], True),
    ]
    met = 0
    for call in calls:
        try:
            call()
        except DamagedTable as error:
            assert 0 <= error.rank < len(ranks)
            met += 1
    return met


@pytest.mark.parametrize("width", [1, 2, 4])
@pytest.mark.parametrize("before_the_end", range(1, 18))
def test_pointers_just_below_two_to_the_64(width, before_the_end):
    """Where a width is added to such a pointer, the sum is a small number again."""
    assert ask_everything(shard_with([2**64 - before_the_end] * len(TEXT), width, 8)) >= 12


@pytest.mark.parametrize("width", [1, 2, 4])
def test_a_wrapping_pointer_is_named_by_its_entry(width):
    entries = [i * width for i in twin.suffix_order(TEXT, width)]
    entries[4] = 2**64 - width
    with pytest.raises(DamagedTable) as caught:
        shard_with(entries, width, 8).positions(np.arange(len(TEXT)))
    assert (caught.value.rank, caught.value.byte_offset) == (4, 32)


@given(st.sampled_from([1, 2, 4]), st.integers(1, 8), st.data())
def test_random_pointers_of_every_width(width, pointer_width, data):
    near_the_text = st.integers(0, len(TEXT) * width + 9)
    entry = near_the_text | st.integers(0, 2**64 - 1) | st.sampled_from([2**64 - e for e in EDGES])
    entries = [data.draw(entry) for _ in TEXT]
    ask_everything(
        shard_with(entries, width, pointer_width), data.draw(st.sampled_from([e for e in EDGES if e < 2**63]))
    )


@given(st.sampled_from([1, 2, 4]), st.lists(st.integers(0, 2**64 - 1), max_size=30), st.integers(1, 4))
def test_keys_of_anything_never_lead_outside(width, values, step):
    shard = shard_with([i * width for i in twin.suffix_order(TEXT, width)], width, 8)
    keys = np.resize(np.array([*values, 0], dtype=np.uint64), 2 * -(-len(TEXT) // step))
    shard.use_keys(keys, step)
    assert ask_everything(shard) == 0


@given(st.lists(st.integers(0, 3), min_size=1, max_size=30), st.sampled_from([1, 2, 4]), st.data())
def test_the_order_check_is_comparing_all_suffixes(text, width, data):
    """Right tables pass; others do not: exchanged entries, positions that are there twice, anything."""
    right = [i * width for i in twin.suffix_order(text, width)]
    index = st.integers(0, len(text) - 1)
    entries = list(right)
    for _ in range(data.draw(st.integers(0, 3))):
        i, j = data.draw(index), data.draw(index)
        if data.draw(st.booleans()):
            entries[i], entries[j] = entries[j], entries[i]
        else:
            entries[i] = entries[j]
    shard = shard_with(entries, width, 2, text)
    tokens, counts = np.unique(np.array(text, dtype=np.uint32), return_counts=True)
    check = OrderCheck(shard, tokens, np.cumsum(counts) - counts)
    wrong = -1
    while check.done < len(text) and wrong < 0:
        wrong = check.advance(data.draw(st.integers(1, 9)))
    assert ((wrong if wrong >= 0 else check.unmet()) < 0) == (entries == right)
    if entries == right:
        assert first_disorder(shard, 0, len(text), 1 << 20) == -1
