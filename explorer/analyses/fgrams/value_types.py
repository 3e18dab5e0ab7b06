"""The types in which a table holds the values of embeddings: what one takes, and how it is made and read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.errors import QueryError
from explorer.i18n import mark

Values = NDArray[np.float32]


@dataclass(frozen=True)
class ValueType:
    """One type of values.

    row_type: Gives the type of a row's array, for a dimension: numpy reads it as it is.
    pack: Makes such rows of float32 [rows, dimension].
    """

    name: str
    row_type: Callable[[int], np.dtype[Any]]
    pack: Callable[[Values], NDArray[Any]]
    unpack: Callable[[NDArray[Any]], Values]

    def row_bytes(self, dimension: int) -> int:
        """Bytes of one embedding of `dimension` values."""
        return self.row_type(dimension).itemsize


def _bfloat16(values: Values) -> NDArray[np.uint16]:
    bits = np.ascontiguousarray(values, dtype="<f4").view("<u4")
    # To the nearest, and to the even one of two; an infinity stays one, and nan is kept apart since it could round to
    # an infinity.
    rounded = (bits + (((bits >> np.uint32(16)) & np.uint32(1)) + np.uint32(0x7FFF))) >> np.uint32(16)
    return np.where(np.isnan(values), 0x7FC0, rounded).astype("<u2")


def _wide(bits: NDArray[np.uint16]) -> Values:
    made: Values = (bits.astype("<u4") << np.uint32(16)).view("<f4")
    return made


def _int8_type(dimension: int) -> np.dtype[Any]:
    # With the scale in the row itself, a look-up reads one place.
    return np.dtype([("scale", "<f4"), ("values", "i1", (dimension,))])


def _int8(values: Values) -> NDArray[Any]:
    made = np.zeros(len(values), dtype=_int8_type(values.shape[1]))
    # The largest value of a row is 127 of its units.
    scale = np.abs(values).max(axis=1, initial=0) / np.float32(127)
    made["scale"] = scale
    made["values"] = np.rint(values / np.where(scale > 0, scale, 1)[:, None])
    return made


def _plain(name: str, kind: str) -> ValueType:
    return ValueType(
        name,
        lambda dimension: np.dtype((kind, (dimension,))),
        lambda values: values.astype(kind),
        lambda rows: rows.astype(np.float32),
    )


VALUE_TYPES = (
    _plain("float32", "<f4"),
    _plain("float16", "<f2"),
    # numpy has no such type: these are the upper halves of float32.
    ValueType("bfloat16", lambda dimension: np.dtype(("<u2", (dimension,))), _bfloat16, _wide),
    ValueType("int8", _int8_type, _int8, lambda rows: rows["values"] * rows["scale"][..., None]),
)
"""Every type that a table can have."""
VALUE_NAMES = tuple(each.name for each in VALUE_TYPES)


def value_type(name: str) -> ValueType:
    """Find a type of values.

    Raises `QueryError` if there is none of this name.

    Examples
    --------
    >>> value_type("int8").row_bytes(64)
    68
    """
    for each in VALUE_TYPES:
        if each.name == name:
            return each
    raise QueryError(
        mark("Values are {known}, not {name}."), reason="unknown-value-type", known=", ".join(VALUE_NAMES), name=name
    )
