"""Tables over all characters by their general category in Unicode."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from functools import cache
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

LAST = 0x10FFFF
"""The last code point."""
_DESCRIBED = ((0, 0x40000), (0xE0000, 0xE1000))
"""Where characters are described one by one. The rest is unassigned, or private (nearly all of planes 15 and 16)."""
_AT_ONCE = 4096

_Value = TypeVar("_Value", bound=np.generic)


def by_category(value_of: Callable[[str], int], dtype: type[_Value]) -> NDArray[_Value]:
    """Make a table of all characters.

    value_of: Gives the value of a category, by its name: "Lu" for upper-case letters. Called once per category.
    Returns: The values, one per code point, of shape (0x110000,).

    Notes
    -----
    The first table takes about 30 ms, each of the next ones 3.

    Examples
    --------
    >>> digits = by_category(lambda name: name == "Nd", np.bool_)
    >>> bool(digits[ord("7")]), bool(digits[ord("x")])
    (True, False)
    """
    categories = _categories()
    values = np.zeros(1 << 16, dtype=dtype)
    for number in np.flatnonzero(np.bincount(categories, minlength=1 << 16)):
        values[number] = value_of(np.uint16(number).tobytes().decode())
    return values[categories]


@cache
def _categories() -> NDArray[np.uint16]:
    """The category of each code point: the two letters of its name as a number."""
    # Calls of C alone, a few thousand at a time: a loop of Python would hold up the interface thread for its lock.
    parts = (
        "".join(map(unicodedata.category, map(chr, range(first, first + _AT_ONCE))))
        for begin, end in _DESCRIBED
        for first in range(begin, end, _AT_ONCE)
    )
    found = np.full(LAST + 1, np.frombuffer(b"Cn", np.uint16)[0])
    for plane in (15, 16):
        found[plane << 16 : (plane << 16) + 0xFFFE] = np.frombuffer(b"Co", np.uint16)[0]
    described = np.concatenate([np.arange(*bounds) for bounds in _DESCRIBED])
    found[described] = np.frombuffer("".join(parts).encode(), np.uint16)
    return found
