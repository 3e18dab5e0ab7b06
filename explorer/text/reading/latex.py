"""LaTeX math as a person reads it: symbols of Unicode where there are any, the words of a command otherwise.

It is meant for reading and for tracing, not for typesetting: a fraction is written with a slash, a root with √, and a
command that is not known stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from explorer.text.reading.symbols import DOUBLE, LOWERED, NAMES, RAISED, SILENT, SPACES, SYMBOLS, TEXTS
from explorer.text.reading.writer import Writer

_PART = re.compile(r"\\([A-Za-z]+)\*?|\\(.)|[{}^_&~]|[^\\{}^_&~]+|\\", re.DOTALL)
_SIMPLE = re.compile(r"\s*\\?\w+(?:\.\d+)?\s*|.?", re.DOTALL)
_NEW_LINE = re.compile(r"[ \t]*\r?\n")
_DEEPEST = 30
"""Braces inside braces that are read; what is deeper is written as it is."""


class LatexReader:
    """Writes a formula into a reading text.

    writer: What is written to; its source contains the formula.
    start: The first character of the formula, without its signs.
    end: One past its last character.
    """

    def __init__(self, writer: Writer, start: int, end: int) -> None:
        self._out = writer
        self._source = writer.source
        self._start, self._end = start, end
        self._closing = _braces(self._source, start, end)

    def write(self) -> None:
        """Write the whole formula, without white space at its ends."""
        inside = self._source[self._start : self._end]
        first = self._start + len(inside) - len(inside.lstrip())
        self._write(first, self._start + len(inside.rstrip()), 0)

    def _write(self, start: int, end: int, depth: int) -> None:
        # Not refused: the rest is read as it is written, and nothing is lost.
        if depth > _DEEPEST:
            self._out.same(start, end)
            return
        at = start
        while at < end:
            part = _PART.match(self._source, at, end)
            # The pattern has an alternative for every character.
            assert part is not None
            at = self._part(part, end, depth)

    def _part(self, part: re.Match[str], end: int, depth: int) -> int:
        """Write one part; returns where the next one begins."""
        name, sign, text = part.group(1), part.group(2), part.group()
        if name is not None:
            return self._command(name, part, end, depth)
        if sign is not None:
            self._escaped(sign, part)
        elif text in "^_" and text:
            return self._script(text, part, end, depth)
        elif text == "{" and part.start() in self._closing:
            closing = self._closing[part.start()]
            self._write(part.end(), min(closing, end), depth + 1)
            return closing + 1
        elif text == "~":
            self._out.instead(" ", part.start(), part.end())
        # What aligns lines is not read, and neither is a brace without its other half.
        elif text not in ("&", "{", "}"):
            self._out.same(part.start(), part.end())
        return part.end()

    def _escaped(self, sign: str, part: re.Match[str]) -> None:
        if sign in SPACES:
            self._out.instead(SPACES[sign], part.start(), part.end())
        elif sign == "\\":
            # A new line, unless the source has one there.
            if not _NEW_LINE.match(self._source, part.end(), self._end):
                self._out.instead(" ", part.start(), part.end())
        else:
            self._out.same(part.start() + 1, part.end())

    def _command(self, name: str, part: re.Match[str], end: int, depth: int) -> int:
        start, after = part.span()
        if name in SYMBOLS or name in SPACES:
            self._out.instead(SYMBOLS.get(name) or SPACES[name], start, after)
        elif name in ("begin", "end"):
            return self._argument(after, end)[1]
        elif name in ("frac", "dfrac", "tfrac", "binom"):
            return self._fraction(start, after, end, depth)
        elif name == "sqrt":
            return self._root(start, after, end, depth)
        elif name == "mathbb":
            return self._double(after, end, depth)
        elif name in NAMES:
            self._out.same(start + 1, start + 1 + len(name))
        # A command that is not known stays as it is written.
        elif name not in TEXTS and name not in SILENT:
            self._out.same(start, after)
        # The argument of a command for texts follows as braces of its own, which are read as any others.
        elif name in SILENT and self._source[after : after + 1] == "." and after < end:
            # `\right.` is a bracket that is not drawn.
            return after + 1
        return after

    def _argument(self, at: int, end: int) -> tuple[tuple[int, int], int]:
        """What is in the braces at a place, or the one character or command there, and where the next part begins."""
        while at < end and self._source[at] in " \t":
            at += 1
        if at in self._closing and self._closing[at] < end:
            return (at + 1, self._closing[at]), self._closing[at] + 1
        part = _PART.match(self._source, at, end)
        if part is None or part.group() in ("{", "}"):
            return (at, at), at
        after = part.end() if part.group().startswith("\\") else at + 1
        return (at, after), after

    def _grouped(self, inside: tuple[int, int], depth: int) -> None:
        """Write an argument, in parentheses if it is longer than a word."""
        start, end = inside
        # Without braces there is only one character or command.
        simple = self._source[start - 1] != "{" or _SIMPLE.fullmatch(self._source, start, end) is not None
        if not simple:
            # In the place of the brace.
            self._out.instead("(", start - 1, start)
        self._write(start, end, depth + 1)
        if not simple:
            self._out.instead(")", end, end + 1)

    def _fraction(self, start: int, after: int, end: int, depth: int) -> int:
        above, middle = self._argument(after, end)
        below, after = self._argument(middle, end)
        if above[0] == above[1] or below[0] == below[1] or depth >= _DEEPEST:
            self._out.same(start, middle)
            return middle
        self._grouped(above, depth)
        # In the place of what is between the two, which is nothing if their braces became parentheses.
        brace = below[0] - (self._source[below[0] - 1] == "{")
        self._out.instead("/", min(self._out.source_end, brace), brace)
        self._grouped(below, depth)
        return after

    def _root(self, start: int, after: int, end: int, depth: int) -> int:
        self._out.instead("√", start, after)
        inside, after = self._argument(after, end)
        self._grouped(inside, depth)
        return after

    def _double(self, after: int, end: int, depth: int) -> int:
        (first, last), after = self._argument(after, end)
        if (letter := self._source[first:last].strip()) in DOUBLE:
            self._out.instead(DOUBLE[letter], first, last)
        else:
            self._write(first, last, depth + 1)
        return after

    def _script(self, sign: str, part: re.Match[str], end: int, depth: int) -> int:
        """Write what is raised or lowered, with the characters that Unicode has for it, or after the sign."""
        forms: Mapping[str, str] = RAISED if sign == "^" else LOWERED
        (first, last), after = self._argument(part.end(), end)
        inside = self._source[first:last]
        # All or none: half an exponent raised would read as another number.
        if inside and all(char in forms for char in inside):
            for place, char in enumerate(inside, start=first):
                self._out.instead(forms[char], place, place + 1)
        elif sign == "^" and inside.strip() in ("\\circ", "\\prime"):
            self._out.instead("°" if "circ" in inside else "′", first, last)
        elif first < last:
            self._out.same(part.start(), part.end())
            self._grouped((first, last), depth)
        return max(after, part.end())


def _braces(source: str, start: int, end: int) -> dict[int, int]:
    """The closing brace of each opening one."""
    closing: dict[int, int] = {}
    opened: list[int] = []
    for found in re.compile(r"\\.|[{}]", re.DOTALL).finditer(source, start, end):
        if found.group() == "{":
            opened.append(found.start())
        elif found.group() == "}" and opened:
            closing[opened.pop()] = found.start()
    return closing
