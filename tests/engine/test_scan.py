"""Scanning bytes with an automaton: what is refused, and that long matches take no quadratic time."""

import numpy as np
import pytest

import _fastsa

KINDS = np.zeros(0x110000, dtype=np.int8)


class Repeats:
    """Any number of bytes `a`, one state, computed when it is asked for."""

    def __init__(self):
        self.table = np.full((1, 257), -(2**31), dtype=np.int32)
        self.starts = np.zeros(3, dtype=np.int32)

    def fill(self, number, column):
        self.table[number] = -8
        self.table[number, ord("a")] = 1


class Unfilled(Repeats):
    def fill(self, number, column):
        """Does nothing."""


def test_a_row_is_computed_when_it_is_needed():
    starts, ends, is_open = _fastsa.scan_matches(b"aab a", Repeats(), KINDS, 0, 5, True)
    assert starts.tolist() == [0, 1, 4]
    assert ends.tolist() == [2, 2, 5]
    assert is_open.tolist() == [False] * 3


def test_an_automaton_that_does_not_fill_its_rows_is_refused():
    with pytest.raises(ValueError, match="no state 0"):
        _fastsa.scan_matches(b"aab a", Unfilled(), KINDS, 0, 5, True)


@pytest.mark.parametrize(("first", "last"), [(-1, 2), (0, 6), (3, 2), (6, 6)])
def test_places_beyond_the_data_are_refused(first, last):
    with pytest.raises(ValueError, match="within the data"):
        _fastsa.scan_matches(b"aab a", Repeats(), KINDS, first, last, True)


class Cycle:
    """Any number of bytes `a`, in as many states by turns: runs from neighbors never meet where there are several."""

    def __init__(self, states):
        self.table = np.full((states, 257), -8, dtype=np.int32)
        self.table[:, ord("a")] = [8 * ((state + 1) % states) + 1 for state in range(states)]
        self.starts = np.zeros(3, dtype=np.int32)


@pytest.mark.parametrize("states", [1, 2, 7])
def test_a_match_of_a_million_bytes_from_each_of_them(states):
    # 10**12 / 2 steps, if each beginning went its way alone.
    starts, ends, is_open = _fastsa.scan_matches(b"a" * 1_000_000 + b" a", Cycle(states), KINDS, 0, 1_000_002, True)
    assert starts.tolist() == [*range(1_000_000), 1_000_001]
    assert set(ends[:-1].tolist()) == {1_000_000}
    assert not is_open.any()


def test_more_places_than_are_kept():
    data = np.full(17_000_000, ord("a"), dtype=np.uint8)
    data[-1] = ord("b")
    _, ends, is_open = _fastsa.scan_matches(data, Cycle(2), KINDS, 0, 5, False)
    assert ends.tolist() == [len(data) - 1] * 5
    assert not is_open.any()
