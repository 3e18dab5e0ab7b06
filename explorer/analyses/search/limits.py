"""Checks numbers from a caller: whole, and within a range."""

from __future__ import annotations

import operator
from typing import SupportsIndex

from explorer.errors import QueryError
from explorer.i18n import mark

# What an int64 of numpy and of the engine can hold.
LARGEST = 2**63 - 1
MOST_TOKENS_AROUND = 2**31 - 1
"""Limit of a distance or context: more tokens than any document has."""


def whole_number(value: SupportsIndex, name: str, least: int = 0, most: int = LARGEST) -> int:
    """Check a number that a caller gives.

    value: An int, or anything that Python accepts as an index, such as a numpy integer.
    Raises `QueryError` if it is not whole, is a boolean, or is out of range.

    Examples
    --------
    >>> whole_number(7, "n", least=1)
    7
    """
    try:
        number = operator.index(value)
    except TypeError:
        number = None
    # `operator.index` takes True for 1; whoever gives it means something else.
    if number is None or isinstance(value, bool):
        raise QueryError(
            mark("{name} must be a whole number, not {value}."),
            reason="not-a-whole-number",
            name=name,
            value=repr(value),
        )
    if not least <= number <= most:
        raise QueryError(
            # The number is not quoted: Python does not print integers of more than 4,300 digits.
            mark("{name} must be from {least:,} to {most:,}."),
            reason="out-of-range",
            name=name,
            least=least,
            most=most,
        )
    return number
