"""Arguments that make no sense, of every public name: an answer or an ordinary error, and never a crash.

Run with bounds checks and AddressSanitizer by `make test-engine`.
"""

from __future__ import annotations

import array
from collections import deque
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from shifting import TEXT, Shifting, shard, vocabulary

import _fastsa
from _fastsa import (
    BadIds,
    DamagedTable,
    GrowthWalk,
    LcpPass,
    LcpWalk,
    NgramWalk,
    OrderCheck,
    Pieces,
    ReversedWalk,
    Searcher,
    Shard,
    Stopped,
    SuffixMerge,
    TooBroad,
    Vocabulary,
    Walk,
)

# BufferError: what is to be written to cannot be, such as `bytes`.
CHUNKS = b"a cat.mat sat  on"
REFUSALS = (
    ValueError,
    TypeError,
    IndexError,
    OverflowError,
    AttributeError,
    BufferError,
    DamagedTable,
    Stopped,
    TooBroad,
)

INTEGERS = st.integers(-10, 20) | st.sampled_from(
    [-(2**80), -(2**63), -(2**31), 2**31 - 1, 2**31, 2**62, 2**63 - 1, 2**63, 2**64 - 1, 2**80]
)
DTYPES = st.sampled_from(["u1", "u2", "u4", "u8", "i1", "i4", "i8", ">i8", ">u2", "f8", "?", "S3", "O", "c16"])


@st.composite
def arrays(draw):
    """Arrays of any type, order of bytes and layout, with numbers that are nearly right."""
    values = draw(st.lists(st.integers(-3, 12) | st.sampled_from([2**62, 2**63 - 1, -(2**63)]), max_size=12))
    made = np.array(values, dtype=np.int64).astype(draw(DTYPES | st.sampled_from(["i8", "u1"])))
    layout = draw(st.sampled_from(["whole", "whole", "whole", "strided", "backwards", "square", "read-only", "none"]))
    if layout == "strided":
        return np.repeat(made, 2)[::2]
    if layout == "backwards":
        return made[::-1]
    if layout == "square":
        return made.reshape(1, -1)
    if layout == "none":
        return np.array(5, dtype=made.dtype)
    made.flags.writeable = layout != "read-only"
    return made


class Clearing:
    """An id that takes the others out of the list that it is in."""

    def __init__(self, items):
        self.items = items

    def __index__(self):
        self.items.clear()
        return 1


ODD = st.sampled_from([None, True, 1.5, float("nan"), "text", b"bytes", Decimal(1), Fraction(1, 2), object(), {1: 2}])
ANYTHING = INTEGERS | arrays() | ODD | st.lists(INTEGERS | ODD, max_size=5) | st.tuples(INTEGERS, ODD)
ARGUMENTS = st.lists(ANYTHING, max_size=6)


def ints(*values):
    return np.array(values, dtype=np.int64)


def pieces():
    return Pieces(np.arange(4, dtype=np.uint8), ints(0, 1, 2, 3, 4))


def order_check():
    tokens, counts = np.unique(np.array(TEXT, dtype=np.uint32), return_counts=True)
    return OrderCheck(shard(), tokens, np.cumsum(counts) - counts)


def ngram_walk():
    return NgramWalk([shard(), shard()], ints(1, -1), ints(0, 0), ints(8, 8), 255, 1, 3, 2, 1, np.empty(0, "u1"), 0)


def lcp_arrays(ranks=8):
    return np.full(ranks, 3, dtype=np.uint16), np.full(ranks, 200, dtype=np.uint8)


def lcp_pass():
    return LcpPass(shard(), 255, *lcp_arrays(), 5, 4)


def suffix_merge():
    lengths, rooms = lcp_arrays()
    return SuffixMerge([shard(), shard()], [lengths, lengths], [rooms, rooms], 255)


def growth_walk():
    return GrowthWalk(1, 4, 2, ints(2, 5, 8))


def lcp_walk():
    return LcpWalk(shard(), *lcp_arrays(), 1, 3, 2, 1, 9)


def repeat_count():
    return _fastsa.RepeatCount(2, np.empty(20, dtype=np.int64))


def cutter():
    letters = np.full(0x110000, 1, dtype=np.uint8)
    return _fastsa.WordCutter(np.arange(97, 101, dtype=np.uint8), ints(0, 1, 2, 3, 4), letters)


def words_near():
    return _fastsa.WordsNear(
        Pieces(np.arange(97, 101, dtype=np.uint8), ints(0, 1, 2, 3, 4)), np.ones(0x110000, np.uint8)
    )


def chunk_table():
    starters = np.zeros(128, dtype=np.uint8)
    starters[[32, 10]], starters[46] = 1, 2
    table = _fastsa.ChunkTable(starters, 3)
    made = table.cut(CHUNKS, ints(0, len(CHUNKS)), 0, 1)
    numbers, _ = table.admit(CHUNKS, made)
    kept = made.entries[numbers][made.entries[numbers] >= 0]
    table.learn(kept, np.arange(len(kept), dtype=np.uint32), np.arange(len(kept) + 1))
    return table


def chunk_cut():
    return chunk_table().cut(CHUNKS, ints(0, len(CHUNKS)), 0, 1)


class Automaton:
    """One whose entries may lead anywhere."""

    def __init__(self, most, rows, columns):
        values = np.random.default_rng(abs(most)).integers(min(most, 0) - 9, max(most, 1), (rows, columns))
        self.table = values.astype(np.int32)
        self.starts = np.arange(3, dtype=np.int32) % max(rows, 1)

    def fill(self, number, column):
        self.table[number] = -8


def walk(kind=Walk):
    return kind(shard(2), vocabulary(), Shifting(1, True), 65535)


# Made once: to make these strategies anew takes longer than to draw from them.
RIGHT = {
    "array": st.lists(st.integers(0, 8), max_size=6).map(lambda values: ints(*values)),
    "bytes": st.binary(max_size=9).map(lambda data: np.frombuffer(data, dtype=np.uint8)),
    "number": INTEGERS,
    "shard": st.builds(shard, st.sampled_from([1, 2, 4])),
    "offsets": st.lists(st.integers(0, 9), max_size=6).map(lambda values: np.array(values, dtype=np.uint64)),
    "pieces": st.builds(pieces),
    "ids": st.lists(st.integers(0, 4), max_size=5) | arrays(),
    "stop": st.none() | st.sampled_from([np.zeros(1, np.uint8), np.ones(1, np.uint8), np.empty(0, np.uint8)]),
    "text": st.binary(max_size=40).map(lambda data: np.frombuffer(data, dtype=np.uint8)) | arrays(),
    "flags": st.lists(st.booleans(), max_size=3),
    "shards": st.lists(st.builds(shard), max_size=3),
    "automaton": st.builds(Automaton, st.integers(-3, 40), st.integers(0, 3), st.sampled_from([256, 257, 257, 257])),
    "shifting": st.builds(Shifting, st.integers(0, 1 << 20), st.booleans()),
    "vocabulary": st.builds(vocabulary),
    "separator": st.sampled_from([255, 65535, 2**32 - 1]),
    "length": st.lists(st.integers(0, 9), max_size=6).map(lambda values: np.array(values, dtype=np.uint16)),
    "room": st.lists(st.integers(0, 255), max_size=6).map(lambda values: np.array(values, dtype=np.uint8)),
    "lengths": st.lists(st.builds(lambda: lcp_arrays()[0]), max_size=2),
    "rooms": st.lists(st.builds(lambda: lcp_arrays()[1]), max_size=2),
    "ints": st.lists(st.integers(-2, 5), max_size=6).map(lambda values: np.array(values, dtype=np.int32)),
    "small": st.lists(st.integers(-2, 2), max_size=9).map(lambda values: np.array(values, dtype=np.int8)),
    "classes": st.integers(0, 255).map(lambda kind: np.full(0x110000, kind, dtype=np.uint8)),
    "words": st.integers(0, 99).map(lambda size: np.zeros(size, dtype=np.uint32)),
    "data": st.just(CHUNKS) | st.binary(max_size=20),
    "chunks": st.builds(chunk_cut)
    | st.builds(
        _fastsa.Cut,
        st.lists(st.integers(-1, 18), max_size=6).map(lambda values: ints(*sorted(values))),
        st.lists(st.integers(-9, 4), max_size=6).map(lambda values: ints(*values)),
        st.lists(st.integers(0, 6), max_size=3).map(lambda values: ints(*sorted(values))),
        st.integers(-1, 9),
    ),
    "starters": st.integers(0, 255).map(lambda kind: np.full(128, kind, dtype=np.uint8)),
    "tokens": st.lists(st.integers(0, 9), max_size=6).map(lambda values: np.array(values, dtype=np.uint32)),
    "kinds": st.integers(-128, 127).map(lambda kind: np.full(0x110000, kind, dtype=np.int8)),
}


def nearly(draw, kinds):
    """Arguments of the right kinds, each at times something else."""
    return [draw(RIGHT[kind] if draw(st.integers(0, 9)) else ANYTHING) for kind in kinds.split()]


TRIALS = {
    "Shard": (lambda: Shard, "bytes bytes number number"),
    "find": (lambda: shard(2).find, "bytes number number"),
    "find_many": (lambda: shard(2).find_many, "bytes array array stop"),
    "longest_matches": (lambda: shard().longest_matches, "bytes stop"),
    "next_tokens": (lambda: shard(4).next_tokens, "number number number stop"),
    "tokens_after": (lambda: shard(4).tokens_after, "array array stop"),
    "positions": (lambda: shard().positions, "array stop"),
    "near": (lambda: shard().near, "array array bytes array stop"),
    "sample_keys": (lambda: shard().sample_keys, "number stop"),
    "use_keys": (lambda: shard().use_keys, "bytes number"),
    "first_disorder": (lambda: _fastsa.first_disorder, "shard number number number stop"),
    "OrderCheck": (lambda: OrderCheck, "shard array array"),
    "advance": (lambda: order_check().advance, "number stop"),
    "NgramWalk": (lambda: NgramWalk, "shards array array array separator number number number number bytes number"),
    "ngrams.advance": (lambda: ngram_walk().advance, "number stop"),
    "rows": (lambda: ngram_walk().rows, "number"),
    "LcpPass": (lambda: lambda *rest: LcpPass(shard(), rest[0], *lcp_arrays(), *rest[1:]), "separator number number"),
    "lcp.advance": (lambda: lcp_pass().advance, "number stop"),
    "LcpWalk": (
        lambda: lambda *rest: LcpWalk(shard(), *lcp_arrays(), *rest),
        "number number number number number",
    ),
    "lcp_walk.advance": (lambda: lcp_walk().advance, "number stop"),
    "lcp_walk.rows": (lambda: lcp_walk().rows, "number"),
    "RepeatCount": (lambda: _fastsa.RepeatCount, "number array"),
    "add": (lambda: repeat_count().add, "array array stop"),
    "repeats.take": (lambda: repeat_count().take, ""),
    "RepeatWalk": (lambda: _fastsa.RepeatWalk, "number"),
    "maximal.feed": (lambda: _fastsa.RepeatWalk(1).feed, "array length array stop"),
    "end": (lambda: _fastsa.RepeatWalk(2).end, ""),
    "taken": (lambda: _fastsa.RepeatWalk(1).taken, ""),
    "ProfileWalk": (lambda: _fastsa.ProfileWalk, "number number flags"),
    "profile.feed": (lambda: _fastsa.ProfileWalk(1).feed, "array length room array stop"),
    "longest_spans": (lambda: _fastsa.longest_spans, "array"),
    "copied_ranges": (lambda: _fastsa.copied_ranges, "array array array array number number stop"),
    "first_copies": (lambda: _fastsa.first_copies, "array array array number array stop"),
    "SuffixMerge": (lambda: lambda *rest: SuffixMerge([shard()], *rest), "lengths rooms separator"),
    "take": (lambda: suffix_merge().take, "number stop"),
    "GrowthWalk": (lambda: GrowthWalk, "number number number array"),
    "feed": (lambda: growth_walk().feed, "array length room stop"),
    "ended": (lambda: growth_walk().ended, ""),
    "document_counts": (lambda: _fastsa.document_counts, "shard offsets array array stop"),
    "Searcher": (lambda: Searcher, "shards shards flags"),
    "count": (lambda: Searcher([shard()], [shard()], [False, False]).count, "ids"),
    "prob": (lambda: Searcher([shard(4)], [], [True]).prob, "ids number"),
    "infgram_prob": (lambda: Searcher([shard(2)], [], [False]).infgram_prob, "ids number"),
    "longest_occurring_suffix": (lambda: Searcher([shard()], [], [False]).longest_occurring_suffix, "ids"),
    "searcher.next_tokens": (lambda: Searcher([shard()], [], [False]).next_tokens, "ids number stop"),
    "levels": (lambda: Searcher([shard()], [shard()], [False, False]).levels, "ids number number number stop"),
    "greedy": (lambda: Searcher([shard()], [], [False]).greedy, "ids number number stop"),
    "token_ids": (lambda: _fastsa.token_ids, "ids number"),
    "suffix_array": (lambda: _fastsa.suffix_array, "text number stop array"),
    "pack_pointers": (lambda: _fastsa.pack_pointers, "array number bytes number"),
    "used_tokens": (lambda: _fastsa.used_tokens, "text"),
    "replace_tokens": (lambda: _fastsa.replace_tokens, "text text text"),
    "WordCutter": (lambda: _fastsa.WordCutter, "bytes array classes number number"),
    "cut": (lambda: cutter().cut, "text number number words array stop"),
    "finish": (lambda: cutter().finish, "words array"),
    "spellings": (lambda: cutter().spellings, ""),
    "Pieces": (lambda: Pieces, "bytes array"),
    "ChunkTable": (lambda: _fastsa.ChunkTable, "starters number"),
    "chunks.cut": (lambda: chunk_table().cut, "data array number number"),
    "admit": (lambda: chunk_table().admit, "data chunks"),
    "learn": (lambda: chunk_table().learn, "array tokens array"),
    "joined": (lambda: chunk_table().joined, "chunks tokens array"),
    "forget": (lambda: chunk_table().forget, ""),
    "Cut": (lambda: _fastsa.Cut, "array array array number"),
    "bytes_of": (lambda: lambda made, *rest: made.bytes_of(*rest), "chunks data array"),
    "WordsNear": (lambda: _fastsa.WordsNear, "pieces classes number"),
    "near.find": (lambda: words_near().find, "shard array array number number stop array array"),
    "run_hashes": (lambda: _fastsa.run_hashes, "shard array array array stop"),
    "scan_matches": (lambda: _fastsa.scan_matches, "bytes automaton kinds number number number stop"),
    "Mapping": (lambda: _fastsa.Mapping, "number number number"),
    "Vocabulary": (lambda: Vocabulary, "bytes array ints small"),
    "steps": (lambda: vocabulary().steps, "shifting number stop"),
    "beginnings": (lambda: vocabulary().beginnings, "shifting stop"),
    "Walk": (lambda: Walk, "shard vocabulary shifting separator number number"),
    "ReversedWalk": (lambda: ReversedWalk, "shard vocabulary shifting separator number number"),
    "run": (lambda: walk().run, "array array array ints stop"),
    "reversed.run": (lambda: walk(ReversedWalk).run, "array array array ints stop"),
    "ranges_before": (lambda: _fastsa.ranges_before, "shard array array array array stop"),
    "followers": (lambda: _fastsa.followers, "shard array array array number stop"),
    "hints": (
        lambda: _fastsa.hints,
        "shards flags array array array array number number number number number number stop",
    ),
    "ranges_to_end": (lambda: _fastsa.ranges_to_end, "shard array array array number stop"),
}
NOT_TRIED = {
    "BEGINS_IN_WORD",
    "BEGINS_TEXT",
    "CAN_MAP",
    "ENDS_TEXT",
    "LARGEST_ROOM",
    "LONGEST_NGRAM",
    "LONGEST_PREFIX",
    "BadIds",
    "DamagedTable",
    "Stopped",
    "TooBroad",
    "any_broken",
    "enable_fault_guard",
}


def test_every_public_name_is_tried():
    assert set(_fastsa.__all__) - NOT_TRIED <= set(TRIALS) | {"Shard", "Searcher"}
    kinds = (
        Shard,
        Searcher,
        GrowthWalk,
        LcpPass,
        LcpWalk,
        NgramWalk,
        SuffixMerge,
        OrderCheck,
        Vocabulary,
        Walk,
        ReversedWalk,
        _fastsa.RepeatCount,
        _fastsa.ProfileWalk,
        _fastsa.RepeatWalk,
        _fastsa.WordCutter,
        _fastsa.WordsNear,
        _fastsa.ChunkTable,
        _fastsa.Cut,
    )
    methods = {name for kind in kinds for name in vars(kind) if callable(getattr(kind, name))}
    assert {name for name in methods if not name.startswith("_")} - {"unmet"} <= set(TRIALS)


@pytest.mark.parametrize("name", TRIALS)
@given(data=st.data())
def test_nearly_right_arguments(name, data):
    make, kinds = TRIALS[name]
    arguments = nearly(data.draw, kinds)
    # A descriptor of this process could be a real file: sizes beyond a file's end are read by nobody here.
    try:
        make()(*arguments)
    except REFUSALS:
        pass
    except OSError:
        assert name == "Mapping"


@pytest.mark.parametrize("name", TRIALS)
@given(arguments=ARGUMENTS)
def test_any_arguments(name, arguments):
    try:
        TRIALS[name][0]()(*arguments)
    except REFUSALS:
        pass
    except OSError:
        assert name == "Mapping"


@pytest.mark.parametrize(
    "kind",
    [
        Shard,
        Searcher,
        GrowthWalk,
        LcpPass,
        LcpWalk,
        NgramWalk,
        Pieces,
        OrderCheck,
        SuffixMerge,
        _fastsa.Mapping,
        Vocabulary,
        Walk,
    ],
)
def test_nothing_is_half_made(kind):
    with pytest.raises(TypeError):
        kind.__new__(kind)


def test_ids_that_change_while_they_are_read():
    items = []
    items += [Clearing(items), 2, 3, 4]
    with pytest.raises(ValueError, match="changed"):
        Searcher([shard()], [], [False]).count(items)


@pytest.mark.parametrize("depth", [-1, -(2**63)])
def test_negative_depths_are_refused(depth):
    with pytest.raises(IndexError, match="negative"):
        shard(2).next_tokens(0, 8, depth)
    with pytest.raises(IndexError, match="negative"):
        shard(2).tokens_after(ints(0), ints(depth))


@pytest.mark.parametrize("depth", [9, 2**31, 2**61, 2**62, 2**63 - 1])
@pytest.mark.parametrize("width", [1, 2, 4])
def test_nothing_follows_beyond_the_text(width, depth):
    tokens, counts = shard(width).next_tokens(0, 8, depth)
    assert len(tokens) == len(counts) == 0
    assert shard(width).tokens_after(np.arange(8), np.full(8, depth)).tolist() == [-1] * 8


GOOD = [[1, 2], (1, 2), np.array([1, 2]), np.array([1, 2], ">u8"), np.array([2, 1])[::-1], range(1, 3), deque([1, 2])]
GOOD += [[np.uint64(1), np.int8(2)], array.array("q", [1, 2]), np.array([1, 2], dtype=object), bytearray([1, 2])]


@pytest.mark.parametrize("ids", GOOD, ids=lambda ids: type(ids).__name__)
def test_what_is_taken_for_ids(ids):
    assert _fastsa.token_ids(ids, 255).tolist() == [1, 2]
    assert Searcher([shard()], [], [False]).count(ids) == 2


BAD = {
    "2**63": ([2**63], "range"),
    "2**64": ([1, 2**64], "range"),
    "2**10000": ([2**10000], "range"),
    "uint64": (np.array([1, 2**63], dtype=np.uint64), "range"),
    "numpy scalar": ([np.uint64(2**63)], "range"),
    "objects": (np.array([1, 2**70], dtype=object), "range"),
    "negative": ([1, -1], "range"),
    "just beyond": ([256], "range"),
    "float": ([1.0], "type"),
    "nan": ([float("nan")], "type"),
    "floats": (np.array([1.0, 2.0]), "dtype"),
    "bool": ([True], "type"),
    "bool among ids": ([1, True], "type"),
    "numpy bool": ([np.True_], "type"),
    "bools": (np.array([True]), "dtype"),
    "string": ("12", "type"),
    "bytes": (b"12", "type"),
    "strings": (["1"], "type"),
    "array of strings": (np.array(["1"]), "dtype"),
    "nested": ([[1, 2]], "type"),
    "uneven": ([[1, 2], [3]], "type"),
    "square": (np.ones((2, 2), dtype=np.int64), "type"),
    "number": (5, "type"),
    "none": (None, "type"),
    "nones": ([None], "type"),
    "set": ({1, 2}, "type"),
    "decimal": ([Decimal(1)], "type"),
}


@pytest.mark.parametrize("name", BAD)
def test_what_is_not_taken_for_ids(name):
    ids, kind = BAD[name]
    searcher = Searcher([shard()], [], [False])
    calls = [lambda: _fastsa.token_ids(ids, 255), lambda: searcher.count(ids), lambda: searcher.prob(ids, 1)]
    calls += [lambda: searcher.infgram_prob(ids, 1), lambda: searcher.next_tokens(ids, True)]
    calls += [lambda: searcher.longest_occurring_suffix(ids)]
    if isinstance(ids, list) and len(ids) == 1:
        calls += [lambda: searcher.prob([1], ids[0]), lambda: searcher.infgram_prob([1], ids[0])]
    for call in calls:
        with pytest.raises(BadIds) as caught:
            call()
        assert caught.value.kind == kind
