"""Where in a JSON text something is: for errors about values that are JSON but not what is expected."""

from __future__ import annotations

import json
import re

Path = tuple[str | int, ...]
"""The keys and numbers that lead from the whole value to a part of it."""
_SPACE = re.compile(r"[ \t\n\r]*")
# It finds the end of a value, so that strings and escapes need no rules here.
_DECODER = json.JSONDecoder()


def line_and_column(text: str, at: int) -> tuple[int, int]:
    """The line and the column of a character, both counted from 1.

    at: The number of the character, from 0.

    Examples
    --------
    >>> line_and_column("{\\n  1", 4)
    (2, 3)
    """
    return text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)


def position_of(text: str, path: Path) -> int:
    """Find the value at a path.

    text: A JSON text that was parsed already.
    Returns: The number of its first character, from 0. If the path leads to nothing, that of the last value on it that
        exists.

    Notes
    -----
    Every value before it is parsed once more.

    Examples
    --------
    >>> position_of('{"a": [1, true]}', ("a", 1))
    10
    """
    # A place is needed only for an error, so the parser that reads every file need not note any.
    at = _value(text, 0)
    for step in path:
        found = _member(text, at, step) if isinstance(step, str) else _item(text, at, step)
        if found is None:
            break
        at = found
    return at


def _value(text: str, at: int) -> int:
    """The first character after white space."""
    return _after(_SPACE, text, at)


def _after(pattern: re.Pattern[str], text: str, at: int) -> int:
    found = pattern.match(text, at)
    return at if found is None else found.end()


def _end(text: str, at: int) -> int:
    """The first character after a value, and after white space."""
    return _value(text, _DECODER.raw_decode(text, at)[1])


def _member(text: str, at: int, key: str) -> int | None:
    """The value of a key of the object that begins at a character; None if it has none."""
    if text[at] != "{":
        return None
    at = _value(text, at + 1)
    # The text was parsed already, so no look at a character can miss the end.
    while text[at] == '"':
        name, at = _DECODER.raw_decode(text, at)
        # A colon comes after the name, and a comma or the end after the value.
        at = _value(text, _value(text, at) + 1)
        if name == key:
            return at
        at = _end(text, at)
        if text[at] != ",":
            return None
        at = _value(text, at + 1)
    return None


def _item(text: str, at: int, number: int) -> int | None:
    """The item of the array that begins at a character; None if it is shorter."""
    if text[at] != "[":
        return None
    at = _value(text, at + 1)
    for _ in range(number):
        if text[at] == "]":
            return None
        at = _end(text, at)
        if text[at] != ",":
            return None
        at = _value(text, at + 1)
    return None if text[at] == "]" else at
