"""Vocabulary and walks with tables and automata that cannot be trusted: refused, and never a crash."""

from __future__ import annotations

import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from shifting import Shifting, shard, vocabulary

from _fastsa import ReversedWalk, TooBroad, Vocabulary, Walk
from explorer.text.patterns.kinds import KINDS


def ints(*values):
    return np.array(values, dtype=np.int64)


class Letters:
    """Matches `a` after any number of `b`; two states, of which it fills one at a time."""

    def __init__(self, entries=((-2, 1), (-2, 1))):
        self.entries = entries
        self.table = np.full((2, 256), -1, dtype=np.int32)
        self.filled = bytearray(2)
        self.at_end = bytearray(2)
        self.starts = np.zeros(3, dtype=np.int32)

    def fill(self, number):
        self.table[number, ord("a")], self.table[number, ord("b")] = self.entries[number]
        self.filled[number] = 1


def test_steps_and_beginnings():
    tokens, targets = vocabulary().steps(Letters(), 0)
    assert dict(zip(tokens.tolist(), targets.tolist(), strict=True)) == {0: 0, 1: -2, 2: -2, 5: -2}
    places = {tuple(row) for row in vocabulary([b"", b"ba", b"xb"]).beginnings(Letters()).tolist()}
    assert (1, 0, -2, 0) in places
    assert all(state in (-2, 1) for _, _, state, _ in places)


@pytest.mark.parametrize("entry", [2, 7, 2**31 - 1, -3, -(2**31)])
def test_states_beyond_the_table_are_refused(entry):
    with pytest.raises(ValueError, match=r"state|goes from"):
        vocabulary([b"aa"]).steps(Letters([(entry, 0), (0, 0)]), 0)
    with pytest.raises(ValueError, match=r"state|goes from"):
        vocabulary([b"aa"]).beginnings(Letters([(entry, 0), (0, 0)]))
    # After a whole token, the state is looked at by the walk that comes there.
    for kind in (Walk, ReversedWalk):
        with pytest.raises(ValueError, match=r"state|goes from"):
            kind(shard(), vocabulary(), Letters([(entry, entry)] * 2), 255).run(
                ints(1), ints(0), ints(3), np.zeros(1, np.int32)
            )


@pytest.mark.parametrize("state", [-3, -1, 2, 2**31 - 1])
@pytest.mark.parametrize("kind", [Walk, ReversedWalk])
def test_a_walk_begins_in_a_state_of_the_automaton(kind, state):
    walk = kind(shard(), vocabulary(), Letters(), 255)
    with pytest.raises(ValueError, match="none of the automaton's"):
        walk.run(ints(1), ints(0), ints(3), np.array([state], dtype=np.int32))


@pytest.mark.parametrize(
    ("starts", "order", "kinds"),
    [
        ([0, 2, 1, 3], [0, 1, 2], [0, 0, 0]),
        ([0, 1, 2, 4], [0, 1, 2], [0, 0, 0]),
        ([1, 1, 2, 3], [0, 1, 2], [0, 0, 0]),
        ([0, 1, 2, 3], [0, 1, 1], [0, 0, 0]),
        ([0, 1, 2, 3], [0, 1, 3], [0, 0, 0]),
        ([0, 1, 2, 3], [1, 0, 2], [0, 0, 0]),
        ([0, 1, 2, 3], [0, 1, -1], [0, 0, 0]),
        ([0, 1, 2, 3], [0, 1, 2], [0, len(KINDS), 0]),
        ([0, 1, 2, 3], [0, 1, 2], [0, -3, 0]),
        ([0, 1, 2, 3], [0, 1, 2], [0, 0]),
        ([0, 1, 2, 3], [0, 1], [0, 0, 0]),
        ([], [], [0, 0, 0]),
    ],
)
def test_tables_of_a_vocabulary_must_make_sense(starts, order, kinds):
    with pytest.raises(ValueError, match=r"token|order|kind|length"):
        Vocabulary(np.arange(3, dtype=np.uint8), ints(*starts), np.array(order, np.int32), np.array(kinds, np.int8))


def test_a_vocabulary_keeps_its_own_tables():
    data = np.frombuffer(b"ab", dtype=np.uint8).copy()
    starts, order = ints(0, 1, 2), np.array([0, 1], dtype=np.int32)
    made = Vocabulary(data, starts, order, np.zeros(2, dtype=np.int8))
    data[:], starts[:], order[:] = 0, 2**40, 2**30
    assert made.steps(Letters(), 0)[0].tolist() == [0, 1]


@given(st.integers(0, 1 << 30), st.booleans(), st.sampled_from([Walk, ReversedWalk]), st.integers(0, 4))
def test_automata_that_change_as_they_are_read(seed, sane, kind, state):
    automaton = Shifting(seed, sane)
    states = np.full(3, state - 2, dtype=np.int32)
    try:
        vocabulary().beginnings(automaton)
        kind(shard(2), vocabulary(), automaton, 65535, 50, 4000).run(
            ints(1, 2, 3), ints(0, 3, 5), ints(3, 5, 6), states
        )
    except (ValueError, IndexError, TooBroad):
        pass


@pytest.mark.parametrize("kind", [Walk, ReversedWalk])
@pytest.mark.parametrize("limits", [(2, 1 << 40), (1 << 40, 3)])
def test_what_is_too_broad_says_how_far_it_came(kind, limits):
    walk = kind(shard(), vocabulary(), Letters(), 255, *limits)
    with pytest.raises(TooBroad) as error:
        walk.run(ints(1, 1, 1, 1), ints(0, 0, 0, 0), ints(3, 3, 3, 3), np.full(4, -2, dtype=np.int32))
    assert error.value.groups == 4
    assert 2 <= error.value.done <= 3
    assert error.value.occurrences >= 3 * 2


def test_a_walk_is_not_shared_by_threads():
    """The second thread comes while the first is in the automaton's hands."""
    inside, outside = threading.Event(), threading.Event()

    class Slow(Letters):
        def fill(self, number):
            inside.set()
            outside.wait(10)
            super().fill(number)

    walk = Walk(shard(), vocabulary(), Slow(), 255)
    arguments = (ints(1), ints(0), ints(3), np.zeros(1, np.int32))
    first = threading.Thread(target=walk.run, args=arguments)
    first.start()
    assert inside.wait(10)
    with pytest.raises(ValueError, match="another thread"):
        walk.run(*arguments)
    outside.set()
    first.join()
