"""Where the math of a text is: between dollar signs, in \\(…\\) and \\[…\\], and in environments of LaTeX."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

_SIGN = re.compile(r"\\(?:begin|end)\{([A-Za-z]+\*?)\}|\\[\\()\[\]$]|\$\$|\$")
_BLANK_LINE = re.compile(r"\n[ \t>]*(?=\n)")
_NAMED = """
equation align aligned gather gathered multline eqnarray split cases matrix pmatrix bmatrix vmatrix array
"""
_ENVIRONMENTS = frozenset(_NAMED.split())
_COLUMNS = re.compile(r"\{[lcr|@ ]*\}")
_CLOSING = {"\\(": "\\)", "\\[": "\\]", "$$": "$$", "$": "$"}
# Signs of LaTeX, and two words in a row, which formulas do not have outside of \text.
_LATEX = re.compile(r"[\\^_={}<>+*/|]|\d")
_WORDS = re.compile(r"(?<![\\A-Za-z{])[A-Za-z]{2,}[,;]?\s+[A-Za-z]{2,}")


@dataclass(frozen=True)
class Math:
    """A formula: the characters [start, end) of the source with its signs, [first, last) without.

    display: whether it is set on lines of its own.
    """

    start: int
    end: int
    first: int
    last: int
    display: bool


def find_math(text: str, code: Sequence[tuple[int, int]]) -> tuple[Math, ...]:
    """Find the formulas of a text.

    code: Ascending parts of the text that are code, in which nothing is math.
    Returns: The formulas, ascending; none contains another, a blank line, or code.

    Notes
    -----
    Linear but for binary searches. One dollar sign is a price unless it is followed, and the next one preceded, by
    something visible on the same line; see `_is_formula`.
    """
    if "$" not in text and "\\" not in text:
        return ()
    # All signs at once, so that the end of a formula is found by a binary search and not by reading on.
    signs = list(_SIGN.finditer(text))
    places = [sign.start() for sign in signs]
    # No formula continues after a blank line or through code.
    walls = sorted([*(found.start() for found in _BLANK_LINE.finditer(text)), *(start for start, _ in code)])
    closers = _closers(signs)
    found: list[Math] = []
    at = 0
    while at < len(signs):
        math = _math_at(text, signs[at], closers, walls)
        if math is None or _touches(math, code):
            at += 1
            continue
        found.append(math)
        # Signs inside the formula are its own.
        at = bisect_left(places, math.end)
    return tuple(found)


def _closers(signs: Sequence[re.Match[str]]) -> dict[str, list[int]]:
    """The places of each closing sign."""
    found: dict[str, list[int]] = defaultdict(list)
    for sign in signs:
        found[sign.group()].append(sign.start())
    return found


def _math_at(text: str, sign: re.Match[str], closers: dict[str, list[int]], walls: Sequence[int]) -> Math | None:
    """The formula that a sign opens, if it does."""
    wall = walls[after] if (after := bisect_left(walls, sign.start())) < len(walls) else len(text)
    opening, name = sign.group(), sign.group(1)
    closing = f"\\end{{{name}}}" if name else _CLOSING.get(opening, "")
    if not closing or (name and (closing == opening or name.rstrip("*") not in _ENVIRONMENTS)):
        return None
    places = closers[closing]
    number = bisect_left(places, sign.end())
    if number == len(places) or places[number] >= wall:
        return None
    last = places[number]
    if name:
        columns = _COLUMNS.match(text, sign.end(), last) if name == "array" else None
        return Math(sign.start(), last + len(closing), columns.end() if columns else sign.end(), last, True)
    found = Math(sign.start(), last + len(closing), sign.end(), last, opening in ("$$", "\\["))
    return found if _is_formula(text, opening, found) else None


def _is_formula(text: str, opening: str, math: Math) -> bool:
    inside = text[math.first : math.last]
    if not inside.strip():
        return False
    if opening == "$$":
        return True
    if opening != "$":
        # Markdown escapes brackets in the same way: `\[sic\]` is a word in brackets.
        return bool(_LATEX.search(inside)) or len(inside.strip()) <= 2
    # The rule of Pandoc, by which "$5 and $10" are prices.
    if inside[0].isspace() or inside[-1].isspace() or "\n" in inside or text[math.end : math.end + 1].isdigit():
        return False
    # "US$" and "5$" are prices.
    if math.start and text[math.start - 1].isalnum():
        return False
    return not _WORDS.search(inside) and (not inside[0].isdigit() or bool(re.search(r"[\\^_={<>+*/-]", inside)))


def _touches(math: Math, code: Sequence[tuple[int, int]]) -> bool:
    """Whether a formula and code have a character in common."""
    number = bisect_left(code, (math.start, math.start))
    before = number > 0 and code[number - 1][1] > math.start
    return before or (number < len(code) and code[number][0] < math.end)


def masked(text: str, maths: Sequence[Math]) -> str:
    """Replace formulas with letters, so that no sign in them is taken for Markdown.

    Returns: A text of the same length. Line breaks stay, and what is before the first visible character of a line:
        quote signs and indents.
    """
    parts, at = [], 0
    for math in maths:
        parts.append(text[at : math.start])
        for number, line in enumerate(text[math.start : math.end].splitlines(keepends=True)):
            body = line.rstrip("\r\n")
            kept = len(body) - len(body.lstrip(" \t>")) if number else 0
            parts.append(body[:kept] + "x" * (len(body) - kept) + line[len(body) :])
        at = math.end
    return "".join([*parts, text[at:]])
