"""What a cell of a table may contain, so that a spreadsheet neither runs it nor refuses it."""

from __future__ import annotations

import re
from typing import Any

from explorer.export.jsonable import to_plain

_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n")
"""The characters that OWASP lists; a number is not a text, so negative numbers stay unchanged."""
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_CONTROLS_AND_BREAKS = re.compile(r"[\x00-\x1f\x7f]")


def guard_formula(value: Any) -> Any:
    """Keep a spreadsheet from running a text as a formula.

    Returns: A text with a leading apostrophe if it looks like a formula; any other value unchanged.

    Examples
    --------
    >>> guard_formula("=1+1"), guard_formula("one"), guard_formula(-1)
    ("'=1+1", 'one', -1)
    """
    # An apostrophe shows in a CSV that is read by a program, which is the price: a workbook, whose cells have types,
    # does not get one.
    if isinstance(value, str) and value.startswith(_FORMULA_STARTS):
        return "'" + value
    return value


def plain_cell(value: Any) -> Any:
    """A value as a cell: true and false are written as in JSON, and NaN is empty."""
    plain = to_plain(value)
    # csv would write True as Python does; JSON, and the filters of the program, write true.
    return str(plain).lower() if isinstance(plain, bool) else plain


def printable(text: str, breaks: bool = True) -> str:
    """Replace control characters, which cells cannot contain, by spaces.

    breaks: Whether line breaks and tabs stay; False where a cell is a part of one line.

    Examples
    --------
    >>> printable("a\\tb\\x00"), printable("a\\tb\\x00", breaks=False)
    ('a\\tb ', 'a b ')
    """
    return (_CONTROLS if breaks else _CONTROLS_AND_BREAKS).sub(" ", text)
