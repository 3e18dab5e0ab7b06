"""Results are values: read-only, comparable, and honest about having no hash."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from explorer.arrays import ArrayValue, frozen, same


@dataclass(frozen=True, eq=False)
class Held(ArrayValue):
    values: Any
    name: str = "x"


def test_a_view_is_read_only_and_the_array_is_not():
    array = np.arange(3)
    view = frozen(array)
    assert np.shares_memory(array, view)
    with pytest.raises(ValueError, match="read-only"):
        view[0] = 9
    array[0] = 5
    assert view[0] == 5


def test_equal_contents_are_equal():
    one = Held(np.array([1.0, np.nan]))
    assert one == Held(np.array([1.0, np.nan])) and one == Held(np.array([1, np.nan]))
    assert one != Held(np.array([1.0, 2.0])) and one != Held(np.array([1.0])) and one != Held(one.values, "y")
    assert one != 1 and (one == 1) is False
    assert Held((np.arange(2),)) == Held((np.arange(2),)) != Held((np.arange(3),))


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [
        ({"a": np.arange(2)}, {"a": np.arange(2)}, True),
        ({"a": 1}, {"b": 1}, False),
        ([1, float("nan")], [1, float("nan")], True),
        ((1,), [1], False),
        (float("nan"), 1.0, False),
        (np.arange(2), 1, False),
        (np.array(["a"]), np.array(["a"]), True),
    ],
)
def test_same(one, other, equal):
    assert same(one, other) is equal


def test_nothing_can_be_written_and_there_is_no_hash():
    held = Held(np.arange(3))
    with pytest.raises(ValueError, match="read-only"):
        held.values[0] = 1
    with pytest.raises(dataclasses.FrozenInstanceError):
        held.values = np.arange(2)
    with pytest.raises(TypeError, match="Held holds arrays and has no hash"):
        hash(held)
