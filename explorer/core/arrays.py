"""Results that hold arrays or NaN are values: nobody can change them, and `==` compares what they hold."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import numpy as np
from numpy.typing import NDArray


def frozen(array: NDArray[Any]) -> NDArray[Any]:
    """A view of the same memory through which nothing can be written; the array itself stays as it was."""
    # Not a copy: results may hold hundreds of megabytes.
    view = array.view()
    view.flags.writeable = False
    return view


class Value:
    """The base of each frozen dataclass with a number in it that may be NaN, which is made with `eq=False`.

    `==` compares types and contents, NaN being equal to NaN: the same computation gives equal results, also where it
    has no number. Equal values have the same hash.
    """

    __slots__ = ()

    # Python's own comparison does not serve here: up to 3.12 it finds two fields equal that hold the same NaN object,
    # from 3.13 on none that hold NaN.
    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return all(map(same, _compared(self), _compared(other)))

    def __hash__(self) -> int:
        # Python's hash of NaN differs between objects.
        return hash(tuple(None if value != value else value for value in _compared(self)))


class ArrayValue(Value):
    """The base of each frozen dataclass with an array in it, which is made with `eq=False`.

    Its arrays are read-only. `==` compares as in `Value`; `hash` raises TypeError, since arrays have none.
    """

    def __post_init__(self) -> None:
        """Put read-only views in the place of arrays that could be written."""
        for name, value in vars(self).items():
            if isinstance(value, np.ndarray) and value.flags.writeable:
                # The dataclass is frozen, also for its own code.
                object.__setattr__(self, name, frozen(value))

    def __setstate__(self, state: dict[str, Any]) -> None:
        # An array that was pickled comes back writable.
        vars(self).update(state)
        self.__post_init__()

    def __hash__(self) -> int:
        raise TypeError(f"{type(self).__name__} holds arrays and has no hash. Compare it with ==, or use id().")


def known(number: float) -> float | None:
    """The number as records hold it, which have None where arrays have NaN."""
    return None if math.isnan(number) else number


def _compared(value: Value) -> list[Any]:
    # Fields with `compare=False`, such as caches, are not part of the value.
    fields = dataclasses.fields(value)  # type: ignore[arg-type]
    return [getattr(value, field.name) for field in fields if field.compare]


def same(one: Any, other: Any) -> bool:
    """Compare two values of results.

    one, other: Values, arrays, or tuples, lists and dictionaries of them.
    Returns: Whether they are equal; NaN equals NaN.
    """
    # Before all others: `==` of arrays is an array, and its truth an error.
    if isinstance(one, np.ndarray) or isinstance(other, np.ndarray):
        return _same_arrays(np.asarray(one), np.asarray(other))
    # A tuple never equals a list, as in Python.
    if type(one) is type(other) and isinstance(one, tuple | list):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    # Two results of the same computation are equal, also where it had no value.
    if isinstance(one, float) and isinstance(other, float) and math.isnan(one):
        return math.isnan(other)
    return bool(one == other)


def _same_arrays(one: NDArray[Any], other: NDArray[Any]) -> bool:
    # `equal_nan` raises TypeError for arrays of texts or objects.
    return np.array_equal(one, other, equal_nan=one.dtype.kind == other.dtype.kind == "f")
