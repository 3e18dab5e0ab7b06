"""Markdown as a person reads it.

pulldown-cmark parses; its events carry the exact part of the source that each text comes from. Formulas are found
first, outside of code, and masked, so that their signs are not taken for Markdown.
"""

from __future__ import annotations

import html
import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import pyromark

from explorer.text.reading.latex import LatexReader
from explorer.text.reading.maths import Math, find_math, masked
from explorer.text.reading.value import ReadingText
from explorer.text.reading.writer import Writer

_OPTIONS = pyromark.Options.ENABLE_TABLES | pyromark.Options.ENABLE_STRIKETHROUGH | pyromark.Options.ENABLE_TASKLISTS
_MARKER = re.compile(r"(\d{1,9})[.)]")
_BLANK_LINE = re.compile(r"(?:\r\n|\n|\r)[ \t>]*(?:\r\n|\n|\r)")
_TAG = re.compile(
    r"</?(?:b|i|u|s|em|strong|sub|sup|p|br|hr|span|div|small|big|code|kbd|mark|del|ins|q|cite|font|center)\b[^>]*/?>"
    # As far as the next comment begins at most, so that comments without an end cost no second look.
    r"|<!--(?:(?!<!--).)*?-->",
    re.DOTALL | re.IGNORECASE,
)
"""Tags that style a text. Any other one is read as it is: `List<String>` is rather code than HTML."""
_BREAK = re.compile(r"<br\b", re.IGNORECASE)
_INLINE = {"Emphasis": "italic", "Strong": "bold", "Strikethrough": "strike"}
Event = Any


def read_markdown(source: str) -> ReadingText:
    """Read a text as Markdown, with math of LaTeX.

    source: The text, without unpaired surrogates.
    Returns: The text without its marks.

    Notes
    -----
    Linear; a text with a dollar sign or a backslash is parsed twice, since code must be known before math.
    """
    maths = find_math(source, tuple(_code(source))) if "$" in source or "\\" in source else ()
    parsed = masked(source, maths) if maths else source
    walk = _Walk(source, parsed, maths)
    for event, start, end in _events(parsed):
        walk.take(event, start, end)
    return walk.out.done()


def _events(text: str) -> Iterator[tuple[Event, int, int]]:
    """The events of the parser, with first character and end instead of bytes."""
    place = _character_of(text)
    for event, part in pyromark.events_with_range(text, options=_OPTIONS):
        yield event, place(part["start"]), place(part["end"])


def _character_of(text: str) -> Callable[[int], int]:
    """What turns an offset in UTF-8 into one in characters."""
    if text.isascii():
        return int
    data = np.frombuffer(text.encode("utf-8"), dtype=np.uint8)
    # Of each character, only the first byte does not begin with the bits 10.
    before: list[int] = np.concatenate([[0], np.cumsum((data & 0xC0) != 0x80)]).tolist()
    return before.__getitem__


def _code(text: str) -> Iterator[tuple[int, int]]:
    """The parts of a text that are code or HTML, ascending."""
    reached = 0
    for event, start, end in _events(text):
        if not isinstance(event, dict):
            continue
        (kind, value), *_ = event.items()
        is_code = kind in ("Code", "InlineHtml", "Html")
        is_code = is_code or (kind == "Start" and isinstance(value, dict) and "CodeBlock" in value)
        if is_code and start >= reached:
            reached = end
            yield start, end


class _Walk:
    """Follows the events of the parser and writes what is read."""

    def __init__(self, source: str, parsed: str, maths: Sequence[Math]) -> None:
        self.out = Writer(source)
        # The source with its formulas masked, as the parser has seen it; all places in it are those of the source.
        self._source, self._parsed = source, parsed
        self._maths = maths
        self._math_ends = [math.end for math in maths]
        self._written = 0
        self._numbers: list[int] = []
        self._quotes = 0
        self._in_code = False
        self._code_empty = True
        self._in_table = False
        self._column = -1
        # Whether the next text begins a block, so that something separates it from the last one.
        self._apart = False

    def take(self, event: Event, start: int, end: int) -> None:
        """Take one event, which concerns these characters of the source."""
        if isinstance(event, str):
            self._sign(event, start, end)
            return
        (kind, value), *_ = event.items()
        if kind == "Start":
            self._open(value, start)
        elif kind == "End":
            self._close(value if isinstance(value, str) else next(iter(value)))
        elif kind == "Text":
            self._text(value, start, end)
        elif kind == "Code":
            self._code_span(value, start, end)
        elif kind in ("InlineHtml", "Html"):
            self._html(start, end)
        elif kind == "TaskListMarker":
            self.out.note("☑" if value else "☐")

    def _sign(self, event: str, start: int, end: int) -> None:
        # A soft break stays a line break: chats show it so, and verses and addresses need it.
        if event in ("SoftBreak", "HardBreak") and not self._inside_math(start):
            line = _first_line_break(self._source, start, end)
            if line is not None:
                self._separate_at(line[0])
                self.out.instead("\n", *line)
        elif event == "Rule":
            self._separate_at(end)
            self.out.point("rule")
            self._apart = True

    def _open(self, value: Any, start: int) -> None:
        kind, detail = (value, None) if isinstance(value, str) else next(iter(value.items()))
        if kind in _INLINE:
            self.out.open(_INLINE[kind])
        elif detail is not None and kind in ("Link", "Image"):
            self.out.open(kind.lower(), note=str(detail["dest_url"]))
        elif kind == "List":
            self._numbers.append(0)
            self._apart = True
        else:
            self._open_block(kind, detail, start)

    def _open_block(self, kind: str, detail: Any, start: int) -> None:
        self._apart = True
        if kind == "Heading":
            self.out.open("heading", int(detail["level"][1:]))
        elif kind == "CodeBlock":
            language = detail["Fenced"] if isinstance(detail, dict) else ""
            self.out.open("code_block", note=language.split(maxsplit=1)[0] if language.strip() else "")
            self._in_code, self._code_empty = True, True
        elif kind == "BlockQuote":
            # Counted here: a quote may be in an item, whose depth is another.
            self._quotes += 1
            self.out.open("quote", self._quotes)
        elif kind == "Item":
            # The number as it is written; the parser only knows that of the first item.
            marker = _MARKER.match(self._source, start)
            self.out.open("item", max(1, len(self._numbers)), marker.group() if marker else "•")
        elif kind == "Table":
            self.out.open("table")
        elif kind in ("TableHead", "TableRow"):
            self._column = -1
            self.out.open("row", int(kind == "TableRow"))
        elif kind == "TableCell":
            self._column += 1
            self._begin_cell(start)

    def _begin_cell(self, start: int) -> None:
        # The border before every cell but the first of its row, also if a cell is empty. Cells that the row lacks have
        # none.
        if self._column:
            self._apart = False
            border = self._source.rfind("|", self.out.source_end, start)
            if border >= 0:
                self.out.instead("\t", border, border + 1)
        else:
            self._separate_at(start + 1)
        self.out.open("cell", self._column)

    def _close(self, kind: str) -> None:
        if kind in _INLINE or kind in ("Link", "Image"):
            self.out.close()
            return
        self._apart = kind != "TableCell"
        if kind == "List":
            self._numbers.pop()
        elif kind == "CodeBlock":
            self._in_code = False
            # The line break before the closing fence separates the block from the next; it is not part of the code.
            if not self._code_empty:
                self.out.drop_last("\n")
            self.out.close()
        elif kind == "BlockQuote":
            self._quotes -= 1
            self.out.close()
        elif kind == "Table":
            self._in_table = False
            self.out.close()
        elif kind == "TableHead":
            # From here on, one line break separates two rows: the line below the header has one of its own.
            self._in_table = True
            self.out.close()
        elif kind in ("Heading", "Item", "TableRow", "TableCell"):
            self.out.close()

    def _separate_at(self, place: int) -> None:
        """Write the line breaks between the last block and the next, as many as the source has, but at most two."""
        if not self._apart:
            return
        self._apart = False
        if not self.out.length:
            return
        gap_start, gap_end = self.out.source_end, max(place, self.out.source_end)
        first = _first_line_break(self._source, gap_start, gap_end)
        if first is None:
            # Two blocks on one line, such as a list in a list: there is no line break to map to.
            if gap_start < gap_end:
                self.out.between("\n", gap_start, gap_start + 1)
            return
        self.out.between("\n", *first)
        blank = None if self._in_table else _BLANK_LINE.search(self._source, gap_start, gap_end)
        if blank is not None:
            second = _first_line_break(self._source, max(first[1], blank.start()), gap_end)
            if second is not None:
                self.out.between("\n", *second)

    def _inside_math(self, start: int) -> bool:
        number = bisect_right(self._math_ends, start)
        return number < len(self._maths) and self._maths[number].start <= start

    def _text(self, text: str, start: int, end: int) -> None:
        if self._in_code:
            self._separate_at(start)
            self._verbatim(text, start, end)
            self._code_empty = False
            return
        number = bisect_right(self._math_ends, start)
        if number == len(self._maths) or self._maths[number].start >= end:
            self._separate_at(start)
            self._verbatim(text, start, end)
            return
        # What is before, between and after the formulas is text like any other.
        at = start
        # A formula is written as a whole at its first event; the others of its lines are skipped.
        while number < len(self._maths) and self._maths[number].start < end:
            math = self._maths[number]
            if at < math.start:
                self._separate_at(at)
                self.out.same(at, math.start)
            if math.start >= self._written:
                self._separate_at(math.start)
                self._formula(math)
            at = max(at, math.end)
            number += 1
        if at < end:
            self._separate_at(at)
            self.out.same(at, end)

    def _formula(self, math: Math) -> None:
        self._written = math.end
        self.out.open("math", int(math.display))
        LatexReader(self.out, math.first, math.last).write()
        self.out.close()

    def _code_span(self, text: str, start: int, end: int) -> None:
        self._separate_at(start)
        self.out.open("code")
        # As many at the end as at the beginning.
        ticks = len(self._source[start:end]) - len(self._source[start:end].lstrip("`"))
        self._verbatim(text, start + ticks, end - ticks)
        self.out.close()

    def _html(self, start: int, end: int) -> None:
        # Tags that style are left out, and a break of a line is one; what is in between stays.
        at = start
        for tag in _TAG.finditer(self._source, start, end):
            self._literal(at, tag.start())
            if _BREAK.match(tag.group()):
                self._separate_at(tag.start())
                self.out.instead("\n", tag.start(), tag.end())
            at = tag.end()
        self._literal(at, end)

    def _literal(self, start: int, end: int) -> None:
        # Lines of HTML end with their line breaks, which separate blocks anyway.
        end = start + len(self._source[start:end].rstrip())
        if start < end:
            self._separate_at(start)
            self.out.same(start, end)

    def _verbatim(self, text: str, start: int, end: int) -> None:
        """Write a text of the parser, whose characters are those of a part of the source, or represent them."""
        part = self._parsed[start:end]
        if len(part) == len(text):
            if "\r" in part and "\r" not in text:
                self.out.instead(self._source[start:end].replace("\r", "\n"), start, end)
            else:
                self.out.same(start, end)
        # An entity is one character, or two, for the whole of it.
        elif part.startswith("&") and html.unescape(part) == text:
            self.out.instead(text, start, end)
        else:
            self._subsequence(text, start, end)

    def _subsequence(self, text: str, start: int, end: int) -> None:
        """Write a text that leaves characters of the source out: quote signs in code, the `\\r` of a line break."""
        at = start
        for char in text:
            line = _LEAD.match(self._parsed, at, end) if char in " \n" else None
            if line is not None:
                # A line break in a code span is read as a space.
                self.out.instead(char, *line.span(1))
                at = line.end()
            elif (place := self._parsed.find(char, at, end)) >= 0:
                self.out.same(place, place + 1)
                at = place + 1


def _first_line_break(source: str, start: int, end: int) -> tuple[int, int] | None:
    """The first line break in a part of the source: \\n, \\r or both."""
    found = _LINE_BREAK.search(source, start, end)
    return None if found is None else found.span()


_LINE_BREAK = re.compile(r"\r\n|\n|\r")
_LEAD = re.compile(r"(\r\n|\n|\r)[ \t>]*")
