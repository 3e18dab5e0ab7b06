"""Every long call ends soon after its stop flag is set by another thread.

How soon is not measured with a clock. The calls hold the interpreter's lock until their loop begins, and threads do
not change before that; so the flag is set in the middle of the loop, and a call that does not look at it there
comes back with a result instead of `Stopped`. Where the work was over before the flag was set, it is doubled.
"""

from __future__ import annotations

import sys
import threading

import numpy as np
import pytest
import twin

import _fastsa
from _fastsa import Stopped

MOST = 1 << 26


@pytest.fixture(autouse=True)
def threads_change_only_where_the_lock_is_given_up():
    before = sys.getswitchinterval()
    sys.setswitchinterval(1000)
    yield
    sys.setswitchinterval(before)


def spans(n):
    """Starts and ends of spans, no copies of them, and the document that has them all."""
    starts = 8 * np.arange(n, dtype=np.int64)
    return starts, starts + 4, None, np.array([0, 8 * n], dtype=np.int64)


def zeros(n):
    return np.zeros(n, dtype=np.int64)


def even_shard(n, entries=None):
    """A text of n times one token; its suffixes in order are those from the end."""
    table = np.arange(n - 1, -1, -1, dtype="<u4") if entries is None else entries
    return _fastsa.Shard(np.ones(n, dtype=np.uint8), table.view(np.uint8), 1, 4)


def varied_shard(n):
    """A table in no order over a text of four-byte tokens that all differ."""
    text = np.arange(n, dtype="<u4")
    return _fastsa.Shard(text.view(np.uint8), (4 * text.astype("<u8")).view(np.uint8), 4, 8)


def pairs_shard(n):
    """The token 0 before n different tokens; the table knows the zeros from the others only."""
    text = np.zeros(2 * n, dtype="<u4")
    text[1::2] = np.arange(1, n + 1)
    places = np.concatenate([np.arange(0, 2 * n, 2), np.arange(1, 2 * n, 2)])
    return _fastsa.Shard(text.view(np.uint8), (4 * places.astype("<u8")).view(np.uint8), 4, 8)


def searcher(n):
    return _fastsa.Searcher([varied_shard(n)], [], [False])


def order_check(n):
    return _fastsa.OrderCheck(even_shard(n), np.ones(1, dtype=np.uint32), zeros(1))


def ngram_walk(n):
    """Every n-gram of one token, so that each rank is in an open group."""
    return _fastsa.NgramWalk([even_shard(n)], one(1), zeros(1), one(n), 255, 1, 3, 0, 1, QUERY[:0], 0)


def lcp_pass(n):
    return _fastsa.LcpPass(even_shard(n), 255, np.zeros(n, dtype=np.uint16), np.zeros(n, dtype=np.uint8), n, 4)


def lcp_walk(n):
    lengths, rooms = np.full(n, 2, dtype=np.uint16), np.full(n, 3, dtype=np.uint8)
    return _fastsa.LcpWalk(even_shard(n), lengths, rooms, 1, 3, 0, 1, n)


def suffix_merge(n):
    """Two texts of one token each, of which neither has common prefixes that are known."""
    shards = [varied_shard(n), varied_shard(8)]
    lengths, rooms = ([np.zeros(size, dtype=kind) for size in (n, 8)] for kind in (np.uint16, np.uint8))
    return _fastsa.SuffixMerge(shards, lengths, rooms, 0)


def growth(n):
    walk = _fastsa.GrowthWalk(1, 2, 1, one(n))
    return (walk.feed, zeros(n), np.ones(n, dtype=np.uint16), np.ones(n, dtype=np.uint8))


def pieces():
    return _fastsa.Pieces(np.empty(0, dtype=np.uint8), zeros(3))


def cutter():
    """Of a text in which the token 0 is a letter."""
    letters = np.ones(0x110000, dtype=np.uint8)
    return _fastsa.WordCutter(np.full(1, 97, dtype=np.uint8), np.array([0, 1], dtype=np.int64), letters)


def words_near():
    return _fastsa.WordsNear(pieces(), np.zeros(0x110000, dtype=np.uint8))


def one(n):
    return np.full(1, n, dtype=np.int64)


class Loop:
    """An automaton in which a match goes on for ever."""

    table = np.ones((1, 257), dtype=np.int32)
    starts = np.zeros(3, dtype=np.int32)


def scanning(n):
    return (_fastsa.scan_matches, np.ones(n, dtype=np.uint8), Loop, np.zeros(0x110000, dtype=np.int8), 0, n, True)


class Walked:
    """An automaton in which a walk goes on for ever."""

    table = np.zeros((1, 256), dtype=np.int32)
    filled = bytearray([1])
    at_end = bytearray([0])
    starts = np.zeros(3, dtype=np.int32)


def vocabulary(n):
    starts = np.arange(n + 1, dtype=np.int64)
    order = np.arange(n, dtype=np.int32)
    return _fastsa.Vocabulary(np.ones(n, dtype=np.uint8), starts, order, np.full(n, -1, dtype=np.int8))


def walk(kind, text, groups, state, tokens=2):
    """Through a text of so many times token 1, from so many groups that are all of it."""
    made = kind(even_shard(text), vocabulary(tokens), Walked, 255, 1 << 40)
    ones = np.ones(groups, dtype=np.int64)
    return (made.run, ones, zeros(groups), text * ones, np.full(groups, state, dtype=np.int32))


QUERY = np.ones(64, dtype=np.uint8)
NO_BYTE = np.full(2, 2, dtype=np.uint8)

CALLS = {
    "find_many": lambda n: (even_shard(1 << 10).find_many, QUERY, zeros(n), np.full(n, 9, dtype=np.int64)),
    "longest_matches": lambda n: (even_shard(1 << 10).longest_matches, np.ones(n, dtype=np.uint8)),
    "next_tokens": lambda n: (varied_shard(n).next_tokens, 0, n, 0),
    "tokens_after": lambda n: (even_shard(8).tokens_after, zeros(n), zeros(n)),
    "positions": lambda n: (even_shard(8).positions, zeros(n)),
    "near": lambda n: (even_shard(8).near, zeros(n), np.full(n, 3, dtype=np.int64), NO_BYTE, one(2)),
    "near, one range": lambda n: (even_shard(n).near, zeros(1), one(n), NO_BYTE, one(2)),
    "sample_keys": lambda n: (even_shard(n).sample_keys, 1),
    "copied_ranges": lambda n: (_fastsa.copied_ranges, *spans(n), 2, 0),
    "first_copies": lambda n: (_fastsa.first_copies, zeros(1), zeros(1), zeros(1), 1, zeros(n)),
    "first_disorder": lambda n: (_fastsa.first_disorder, even_shard(n), 0, n, 8),
    "advance": lambda n: (order_check(n).advance, n),
    "ngrams.advance": lambda n: (ngram_walk(n).advance, n),
    "lcp.advance": lambda n: (lcp_pass(n).advance, n),
    "lcp_walk.advance": lambda n: (lcp_walk(n).advance, n),
    "take": lambda n: (suffix_merge(n).take, n),
    "feed": growth,
    "document_counts": lambda n: (
        _fastsa.document_counts,
        even_shard(n),
        np.zeros(1, dtype=np.uint64),
        zeros(1),
        one(n),
    ),
    "searcher.next_tokens": lambda n: (searcher(n).next_tokens, [], False),
    "levels": lambda n: (searcher(n).levels, [], 0, 1, True),
    "greedy": lambda n: (_fastsa.Searcher([pairs_shard(n)], [], [False]).greedy, [0], 1, 0.0),
    "cut": lambda n: (cutter().cut, np.zeros(n, dtype=np.uint8), 1, 0, np.zeros(2 * n, dtype=np.uint32), zeros(2 * n)),
    "add": lambda n: (_fastsa.RepeatCount(3, np.zeros(8, dtype=np.int64)).add, zeros(n), one(n)),
    "near.find": lambda n: (words_near().find, even_shard(8), zeros(n), zeros(n), 1, 1),
    "near.find, one run": lambda n: (words_near().find, even_shard(n), zeros(1), one(n), 1, 1),
    "run_hashes": lambda n: (_fastsa.run_hashes, even_shard(8), zeros(n), zeros(n), zeros(n)),
    "run_hashes, one run": lambda n: (_fastsa.run_hashes, even_shard(n), zeros(1), one(n), zeros(1)),
    "scan_matches": scanning,
    "steps": lambda n: (vocabulary(n).steps, Walked, 0),
    "beginnings": lambda n: (vocabulary(n).beginnings, Walked),
    "run": lambda n: walk(_fastsa.Walk, 8, n, -2),
    "run, one group": lambda n: walk(_fastsa.Walk, n, 1, 0),
    "reversed.run": lambda n: walk(_fastsa.ReversedWalk, 8, n, -2),
    "reversed.run, one group": lambda n: walk(_fastsa.ReversedWalk, n, 1, 0, 2),
    "ranges_before": lambda n: (_fastsa.ranges_before, even_shard(8), zeros(n), one(8).repeat(n), zeros(n), zeros(n)),
    "followers": lambda n: (_fastsa.followers, even_shard(8), zeros(n), one(8).repeat(n), zeros(n), 255),
    "hints": lambda n: (
        _fastsa.hints,
        [even_shard(8)],
        [False],
        zeros(n),
        zeros(n),
        zeros(n),
        zeros(n),
        5,
        1,
        1,
        False,
        False,
        0,
    ),
    "ranges_to_end": lambda n: (_fastsa.ranges_to_end, even_shard(8), zeros(n), one(8).repeat(n), zeros(n), 255),
    "suffix_array": lambda n: (_fastsa.suffix_array, np.ones(n, dtype=np.uint8), 2),
}


def stopped(call, flag):
    """Run it; another thread sets the flag as soon as it gets to run. Whether it was stopped, and the flag's state."""
    begins = threading.Event()
    outcome = []

    def work():
        begins.set()
        try:
            call[0](*call[1:], stop=flag)
        except Stopped:
            outcome.append((True, True))
        else:
            outcome.append((False, bool(flag[0])))

    worker = threading.Thread(target=work)
    worker.start()
    begins.wait()
    flag[0] = 1
    worker.join()
    return outcome[0]


@pytest.mark.parametrize("name", CALLS)
def test_a_flag_set_in_the_middle_ends_the_call(name):
    n = 1 << 18
    while n <= MOST:
        was_stopped, flag_was_seen = stopped(CALLS[name](n), np.zeros(1, dtype=np.uint8))
        if was_stopped:
            return
        # A flag set within the last few steps may go unseen: four times as many of them will tell.
        n *= 4
    pytest.fail(f"{name} came back with a result; the flag was {'set' if flag_was_seen else 'not set'}")


@pytest.mark.parametrize("name", CALLS)
def test_a_flag_that_is_set_at_first_leaves_all_work_undone(name):
    call = CALLS[name](1 << 12)
    with pytest.raises(Stopped):
        call[0](*call[1:], stop=np.ones(1, dtype=np.uint8))


def test_a_stopped_check_of_the_order_goes_on_where_it_was():
    check = order_check(10_000)
    with pytest.raises(Stopped):
        check.advance(10_000, np.ones(1, dtype=np.uint8))
    assert check.done == 0
    assert check.advance(4_000) == -1
    assert check.done == 4_000
    assert check.advance(10_000) == -1
    assert (check.done, check.unmet()) == (10_000, -1)


@pytest.mark.parametrize("name", CALLS)
def test_a_flag_without_a_byte_is_refused(name):
    call = CALLS[name](1 << 6)
    with pytest.raises(ValueError, match="flag"):
        call[0](*call[1:], stop=np.empty(0, dtype=np.uint8))


def test_every_method_that_takes_a_flag_is_stopped_here():
    """Named in the stubs, since compiled functions do not tell their arguments."""
    stubs = twin.Path(_fastsa.__file__).with_suffix(".pyi").read_text(encoding="utf-8").split("def ")
    names = {stub.split("(")[0] for stub in stubs if "stop: Bytes" in stub.split("...")[0]}
    assert names == {name.split(",")[0].split(".")[-1] for name in CALLS}
