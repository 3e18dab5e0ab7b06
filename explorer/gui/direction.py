"""The direction of a text, and how it is kept from changing the direction of the text around it."""

from __future__ import annotations

import re
import unicodedata

_FIRST, _END = "\u2068", "\u2069"
_CONTROLS = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"')
_MAY_TURN = re.compile(
    "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\U00010800-\U00010fff\U0001e800-\U0001efff\u200f\u202a-\u202e\u2066-\u2069]"
)


def may_turn(text: str) -> bool:
    """Whether a part of a text may run from right to left."""
    return _MAY_TURN.search(text) is not None


def isolated(text: str) -> str:
    """A text for use between others or before a number: right-to-left text does not affect its surroundings.

    A text that is only left to right is returned unchanged. Direction marks in the text are removed, so that it cannot
    end its isolation.
    """
    return f"{_FIRST}{_CONTROLS.sub('', text)}{_END}" if _MAY_TURN.search(text) else text


def in_its_order(text: str) -> str:
    """The program's own text as it is written, whatever runs around it: a number with its unit, a range, a sign."""
    return f"{_FIRST}{text}{_END}"


def isolated_phrases(query: str) -> str:
    """A parsed query in which each quoted phrase is isolated, so that the words between stay in order."""
    return _QUOTED.sub(lambda found: f'"{isolated(found[1])}"', query)


def reads_right_to_left(text: str, *around: str) -> bool:
    """Tell whether the first letter of a text is of a script that runs right to left.

    Parameters
    ----------
    text
        The text.
    around
        Other texts. If `text` has no letter, such as a number or a sign, the first of them that has one decides.

    Returns
    -------
    bool
        False if there is no letter at all.
    """
    for part in (text, *around):
        if not _MAY_TURN.search(part):
            if any(unicodedata.bidirectional(sign) == "L" for sign in part):
                return False
            continue
        for sign in part:
            kind = unicodedata.bidirectional(sign)
            if kind in ("L", "R", "AL"):
                return kind != "L"
    return False
