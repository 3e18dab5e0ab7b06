"""One shard's search against looking at everything."""

from __future__ import annotations

import numpy as np
import pytest
import twin
from hypothesis import given
from hypothesis import strategies as st

from _fastsa import DamagedTable, Shard, Stopped, first_disorder

WIDTHS = st.sampled_from([1, 2, 4])
# Ids that differ in one byte only, in either byte, so that byte order and number order disagree.
IDS = st.sampled_from([0, 1, 2, 200])
TEXTS = st.lists(IDS, min_size=1, max_size=60)


def make_shard(text, width):
    data = np.frombuffer(twin.pack(text, width), dtype=np.uint8)
    pw = twin.pointer_width(len(data))
    table = b"".join((i * width).to_bytes(pw, "little") for i in twin.suffix_order(text, width))
    return Shard(data, np.frombuffer(table, dtype=np.uint8), width, pw)


def query(ids, width):
    return np.frombuffer(twin.pack(ids, width), dtype=np.uint8)


def count(text, ids):
    return sum(text[i : i + len(ids)] == ids for i in range(len(text) - len(ids) + 1))


@given(TEXTS, st.lists(IDS, min_size=1, max_size=5), WIDTHS)
def test_find(text, ids, width):
    shard = make_shard(text, width)
    first, last = shard.find(query(ids, width))
    assert last - first == count(text, ids)
    positions = shard.positions(np.arange(first, last))
    assert all(text[p : p + len(ids)] == ids for p in positions.tolist())


@given(TEXTS, WIDTHS)
def test_longest_matches_of_the_text_itself_and_of_another(text, width):
    shard = make_shard(text, width)
    other = text[::-1] + [201] + text
    lengths = shard.longest_matches(query(other, width)).tolist()
    for start, length in enumerate(lengths):
        assert length == 0 or count(text, other[start : start + length]) > 0
        longer = other[start : start + length + 1]
        assert start + length == len(other) or count(text, longer) == 0


@given(TEXTS, st.lists(IDS, min_size=0, max_size=3), WIDTHS)
def test_next_tokens(text, ids, width):
    shard = make_shard(text, width)
    span = shard.find(query(ids, width))
    tokens, counts = shard.next_tokens(*span, len(ids))
    expected = {}
    for i in range(len(text) - len(ids)):
        if text[i : i + len(ids)] == ids:
            expected[text[i + len(ids)]] = expected.get(text[i + len(ids)], 0) + 1
    assert dict(zip(tokens.tolist(), counts.tolist(), strict=True)) == expected


@given(TEXTS, WIDTHS, st.data())
def test_find_many_is_find(text, width, data):
    shard = make_shard(text, width)
    n = len(text)
    starts = np.array([data.draw(st.integers(0, n)) for _ in range(5)], dtype=np.int64)
    ends = np.array([data.draw(st.integers(int(s), n)) for s in starts], dtype=np.int64)
    firsts, lasts = shard.find_many(query(text, width), starts, ends)
    for i in range(5):
        assert (firsts[i], lasts[i]) == shard.find(query(text[starts[i] : ends[i]], width))


@given(TEXTS, WIDTHS)
def test_a_range_within_its_prefix(text, width):
    shard = make_shard(text, width)
    ids = text[:3]
    inside = shard.find(query(ids[:1], width))
    assert shard.find(query(ids, width), *inside) == shard.find(query(ids, width))


@given(TEXTS, st.lists(IDS, min_size=1, max_size=4), WIDTHS, st.data())
def test_a_damaged_table_never_leads_outside(text, ids, width, data):
    """Entries replaced by anything: an answer or DamagedTable, nothing else."""
    raw = np.frombuffer(twin.pack(text, width), dtype=np.uint8)
    pw = twin.pointer_width(len(raw))
    entries = [data.draw(st.integers(0, 256**pw - 1)) for _ in text]
    table = b"".join(entry.to_bytes(pw, "little") for entry in entries)
    shard = Shard(raw, np.frombuffer(table, dtype=np.uint8), width, pw)
    for ask in (
        lambda: shard.find(query(ids, width)),
        lambda: shard.longest_matches(query(ids, width)),
        lambda: shard.next_tokens(0, len(text), 1),
        lambda: shard.positions(np.arange(len(text))),
        lambda: first_disorder(shard, 0, len(text), 1 << 20),
    ):
        try:
            ask()
        except DamagedTable as error:
            assert 0 <= error.rank < len(text)


def test_read_only_maps_are_enough(tmp_path):
    text = [3, 1, 2, 1, 3]
    path = tmp_path / "tokens"
    path.write_bytes(twin.pack(text, 2))
    mapped = np.memmap(path, dtype=np.uint8, mode="r")
    table = b"".join((2 * i).to_bytes(1, "little") for i in twin.suffix_order(text, 2))
    shard = Shard(mapped, np.frombuffer(table, dtype=np.uint8), 2, 1)
    assert shard.find(query([1], 2)) == (0, 2)


@pytest.mark.parametrize(
    ("token_bytes", "table_bytes", "width", "pointer"), [(4, 4, 3, 1), (4, 4, 2, 1), (3, 3, 2, 1), (4, 18, 2, 9)]
)
def test_sizes_that_do_not_agree_are_refused(token_bytes, table_bytes, width, pointer):
    with pytest.raises(ValueError):
        Shard(np.zeros(token_bytes, dtype=np.uint8), np.zeros(table_bytes, dtype=np.uint8), width, pointer)


def test_ranks_and_spans_outside_are_refused():
    shard = make_shard([1, 2, 3], 2)
    with pytest.raises(IndexError):
        shard.find(query([1], 2), 0, 4)
    with pytest.raises(IndexError):
        shard.positions(np.array([3]))
    with pytest.raises(IndexError):
        shard.next_tokens(2, 1, 0)
    with pytest.raises(IndexError):
        shard.find_many(query([1], 2), np.array([0]), np.array([2]))
    with pytest.raises(IndexError):
        shard.tokens_after(np.array([0]), np.array([-1]))


def test_stop_flag():
    shard = make_shard([1, 2, 3], 2)
    stop = np.ones(1, dtype=np.uint8)
    with pytest.raises(Stopped):
        shard.longest_matches(query([1, 2], 2), stop)
    with pytest.raises(Stopped):
        shard.find_many(query([1, 2], 2), np.array([0]), np.array([1]), stop)


@given(TEXTS, st.lists(IDS, min_size=1, max_size=12), WIDTHS, st.integers(1, 5))
def test_sampled_keys_change_no_answer(text, ids, width, step):
    plain, keyed = make_shard(text, width), make_shard(text, width)
    keyed.use_keys(plain.sample_keys(step), step)
    for wanted in (ids, text[:3], text[-2:], text):
        assert keyed.find(query(wanted, width)) == plain.find(query(wanted, width)) or (
            count(text, wanted) == 0 and len(set(keyed.find(query(wanted, width)))) == 1
        )
        mine, theirs = keyed.longest_matches(query(wanted, width)), plain.longest_matches(query(wanted, width))
        assert mine.tolist() == theirs.tolist()


def test_keys_of_another_table_are_refused():
    shard = make_shard([1, 2, 3, 4], 2)
    with pytest.raises(ValueError, match="not those of this table"):
        shard.use_keys(np.zeros(6, dtype=np.uint64), 2)
    with pytest.raises(ValueError):
        shard.use_keys(shard.sample_keys(2), 0)
    with pytest.raises(ValueError):
        shard.sample_keys(0)


@pytest.mark.parametrize("pointer_width", [1, 3, 4, 5, 6, 8])
def test_every_pointer_width(pointer_width):
    """Wide pointers belong to texts of many gigabytes; here a short text has them."""
    text = [3, 1, 2, 1, 3, 1, 2]
    data = np.frombuffer(twin.pack(text, 2), dtype=np.uint8)
    table = b"".join((2 * i).to_bytes(pointer_width, "little") for i in twin.suffix_order(text, 2))
    shard = Shard(data, np.frombuffer(table, dtype=np.uint8), 2, pointer_width)
    first, last = shard.find(query([1, 2], 2))
    assert sorted(shard.positions(np.arange(first, last)).tolist()) == [1, 5]
    assert shard.longest_matches(query([1, 2, 1, 2], 2)).tolist() == [3, 2, 2, 1]
