"""The direction of a text, and how it is kept from changing the direction of the text around it."""

from __future__ import annotations

import re

from explorer.core.visible import may_turn, reads_right_to_left

__all__ = ["in_its_order", "isolated", "isolated_phrases", "may_turn", "reads_right_to_left"]

_FIRST, _END = "\u2068", "\u2069"
_CONTROLS = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"')


def isolated(text: str) -> str:
    """A text for use between others or before a number: right-to-left text does not affect its surroundings.

    A text that is only left to right is returned unchanged. Direction marks in the text are removed, so that it cannot
    end its isolation.
    """
    return f"{_FIRST}{_CONTROLS.sub('', text)}{_END}" if may_turn(text) else text


def in_its_order(text: str) -> str:
    """The program's own text as it is written, whatever runs around it: a number with its unit, a range, a sign."""
    return f"{_FIRST}{text}{_END}"


def isolated_phrases(query: str) -> str:
    """A parsed query in which each quoted phrase is isolated, so that the words between stay in order."""
    return _QUOTED.sub(lambda found: f'"{isolated(found[1])}"', query)
