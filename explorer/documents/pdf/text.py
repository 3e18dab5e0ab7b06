"""The running text of pages: without running headers and page numbers, and with the lines of a paragraph joined."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from statistics import median
from typing import NamedTuple

HYPHEN = "\ufffe"
"""What pdfium has in place of a hyphen and the end of its line."""
_AT_EDGE, _REPEATED = 3, 3
"""Lines at the top and at the bottom of a page that may be running ones, and the pages on which they are then."""
_SAME_PLACE = 40
"""The most tenths of a point between the places of a running line on two pages."""
_WIDEST_GAP, _WIDER_GAP, _OTHER_SIZE = 2.5, 1.3, 1.35
_LETTER, _WIDE_SPACE, _FEW_LETTERS = 0.5, 2, 3
"""The widths of a letter, of a gap between cells, and of the ragged edge of full lines, as multiples of the height."""
_HYPHENS = ("-", "\u2010", "\u00ad", HYPHEN)
_ELLIPTIC = {"and", "or", "und", "oder", "bzw"}
"""Words after a hyphen that represents a part of a compound, as in "pre- and postwar"."""
_DIGITS = re.compile(r"\d{1,9}")
_NUMBER = re.compile(r"\d+|^[ivxlc]+$")
_FIRST_WORD = re.compile(r"[\w-]+")
_LAST_WORD = re.compile(r"[\w-]*\w$")
_COMPOUND = re.compile(r"\w+(?:[-\u2010]\w+)+")
_SENTENCE_END = re.compile(r"[.!?:;…。！？][\"'”’»)\]]*$")
_CLEANED = re.compile("[\ufb00-\ufb06\u00ad\ufffe\ufeff\x00-\x08\x0b-\x1f\x7f]")
_LETTERS = {0xFB00: "ff", 0xFB01: "fi", 0xFB02: "fl", 0xFB03: "ffi", 0xFB04: "ffl", 0xFB05: "st", 0xFB06: "st"}


class Line(NamedTuple):
    """A line of a page.

    text: Its text, which ends with a hyphen if it divides a word.
    left, bottom, right: Where it is, in tenths of a point.
    """

    text: str
    left: int
    bottom: int
    right: int
    height: int


Page = Sequence[Line]


def running_text(pages: Sequence[Page], keep_headers: bool = False) -> str:
    """Write pages as running text.

    pages: The lines of each page, in reading order.
    Returns: The text, with a paragraph per line. Lines that are repeated at the same place at the top or at the bottom
        of three pages, whatever numbers they contain, are not part of it unless they are kept. A hyphen at the end of a
        line is removed between lower-case letters, unless the word has it elsewhere, too.
    """
    kept = pages if keep_headers else without_running_lines(pages)
    joined = _Joined([page for page in kept if page])
    return unicodedata.normalize("NFC", "\n".join(filter(None, map(_cleaned, joined.paragraphs()))))


def _cleaned(text: str) -> str:
    """A paragraph with letters in place of ligatures, without control characters, and with single spaces."""
    if _CLEANED.search(text):
        text = _CLEANED.sub(lambda found: _LETTERS.get(ord(found[0]), ""), text)
    return " ".join(text.split())


def without_running_lines(pages: Sequence[Page]) -> list[Page]:
    """Remove running headers, footers and page numbers."""
    found: defaultdict[tuple[bool, str], dict[int, Line]] = defaultdict(dict)
    for number, page in enumerate(pages):
        for key, line in _at_edges(page):
            # Once per page, so that a line that a page repeats is not taken for one of several pages.
            found[key][number] = line
    usual = {
        key: median(line.bottom for line in lines.values())
        for key, lines in found.items()
        if len(lines) >= _REPEATED or _is_page_number(lines)
    }
    if not usual:
        return list(pages)
    return [_without(page, usual) for page in pages]


def _is_page_number(lines: Mapping[int, Line]) -> bool:
    """Whether lines of two pages have a number that grows with the page."""
    if len(lines) != 2:
        return False
    (first, one), (second, other) = lines.items()
    pairs = zip(_DIGITS.findall(one.text), _DIGITS.findall(other.text), strict=False)
    return any(int(later) - int(number) == second - first for number, later in pairs)


def _at_edges(page: Page) -> Iterator[tuple[tuple[bool, str], Line]]:
    """The lines at the top and at the bottom of a page, with their texts without numbers."""
    ordered = sorted(page, key=lambda line: -line.bottom)
    for is_top, lines in ((True, ordered[:_AT_EDGE]), (False, ordered[-_AT_EDGE:])):
        for line in lines:
            yield (is_top, _NUMBER.sub("0", " ".join(line.text.split()))), line


def _without(page: Page, usual: Mapping[tuple[bool, str], float]) -> Page:
    removed = {line for key, line in _at_edges(page) if key in usual and abs(line.bottom - usual[key]) <= _SAME_PLACE}
    return [line for line in page if line not in removed] if removed else page


@dataclass(frozen=True)
class _Joined:
    """The lines of all pages as paragraphs; no page is empty."""

    pages: Sequence[Page]

    @cached_property
    def usual_gap(self) -> float:
        """The distance of two lines in a paragraph, as a multiple of the height of their letters."""
        gaps = [
            (above.bottom - line.bottom) / line.height
            for page in self.pages
            for above, line in pairwise(page)
            if line.height > 0 and above.bottom > line.bottom
        ]
        # A page of a few short lines has no usual distance.
        return min(median(gaps), _WIDEST_GAP) if gaps else 1.0

    @cached_property
    def compounds(self) -> set[str]:
        """The words that have a hyphen within a line."""
        # The search for words is slow, and few lines have a hyphen.
        texts = (line.text for page in self.pages for line in page if "-" in line.text or "\u2010" in line.text)
        return {word.lower() for text in texts for word in _COMPOUND.findall(text)}

    @cached_property
    def words(self) -> set[str]:
        """All words, and parts of words at the ends of lines."""
        return {word.lower() for page in self.pages for line in page for word in _FIRST_WORD.findall(line.text)}

    def paragraphs(self) -> Iterator[str]:
        """The text of each paragraph."""
        parts: list[str] = []
        before: Page = ()
        for block in self.blocks():
            right = max(line.right for line in block)
            for number, line in enumerate(block):
                joins = _is_within(block[number - 1], line, right) if number else _continues(before, line)
                if parts and not (joins or _is_divided(parts[-1], line.text)):
                    yield "".join(parts)
                    parts = []
                self._add(line.text, parts)
            before = block
        if parts:
            yield "".join(parts)

    def blocks(self) -> Iterator[Page]:
        """Lines of the same size that follow one another at the usual distance."""
        for page in self.pages:
            first = 0
            for number in range(1, len(page)):
                if not self._follows(page[number - 1], page[number]):
                    yield page[first:number]
                    first = number
            yield page[first:]

    def _follows(self, above: Line, line: Line) -> bool:
        height = max(above.height, line.height, 1)
        gap = above.bottom - line.bottom
        if abs(gap) < height / 3:
            # The same line, as the next cell of a table.
            return True
        is_same_size = height <= _OTHER_SIZE * min(above.height, line.height)
        return 0 < gap <= _WIDER_GAP * self.usual_gap * height and is_same_size

    def _add(self, text: str, parts: list[str]) -> None:
        """Add a line to a paragraph."""
        if not parts:
            parts.append(text)
        elif not _is_divided(parts[-1], text):
            parts += ("" if _is_ideographic(parts[-1], text) else " ", text)
        else:
            parts[-1] = self._before_hyphen(parts[-1].rstrip(), text)
            parts.append(text.lstrip())

    def _before_hyphen(self, text: str, following: str) -> str:
        """The line before a hyphen that divides a word, with what the word has there."""
        begun = text[:-1]
        first, last = _LAST_WORD.search(begun), _FIRST_WORD.match(following.lstrip())
        if first is None or last is None:
            return begun + "-"
        if last[0].lower() in _ELLIPTIC:
            return begun + "- "
        if text.endswith("\u00ad"):
            return begun
        is_soft = begun[-1].islower() and last[0][0].islower()
        whole = f"{first[0]}-{last[0]}".lower()
        is_compound = whole in self.compounds and whole.replace("-", "") not in self.words
        return begun if is_soft and not is_compound else begun + "-"


def _is_within(above: Line, line: Line, right: int) -> bool:
    """Whether a line belongs to the paragraph of the line before, in a block that reaches to `right`."""
    if abs(above.bottom - line.bottom) < line.height / 3:
        return True
    if _is_row(above) and _is_row(line):
        return False
    # The first word of the line would not have fitted in the line before.
    width = (line.right - line.left) / max(1, len(line.text))
    first = len(line.text.split(maxsplit=1)[0]) + 1
    is_full = right - above.right < first * width
    is_indented = line.left - above.left > line.height / 2 and _SENTENCE_END.search(above.text) is not None
    return is_full and not is_indented


def _is_row(line: Line) -> bool:
    """Whether a line has gaps as between the cells of a table; a line that is justified may have them, too."""
    spaces = line.text.count(" ")
    letters = _LETTER * line.height * (len(line.text) - spaces)
    return line.right - line.left > letters + _WIDE_SPACE * line.height * spaces > letters


def _continues(block: Page, line: Line) -> bool:
    """Whether a line in another place, such as the next page, continues the sentence at the end of a block."""
    if not block or _SENTENCE_END.search(block[-1].text.rstrip()):
        return False
    sizes = sorted((block[-1].height, line.height))
    if sizes[1] > _OTHER_SIZE * sizes[0]:
        return False
    # A heading is shorter than the lines around it, or alone.
    right = max(each.right for each in block[:-1]) if len(block) > 1 else 0
    is_full = 0 < right < block[-1].right + _FEW_LETTERS * line.height
    return is_full or line.text.lstrip()[:1].islower()


def _is_divided(text: str, following: str) -> bool:
    """Whether a line ends within a word."""
    text, following = text.rstrip(), following.lstrip()
    return text.endswith(_HYPHENS) and text[-2:-1].isalpha() and following[:1].isalnum()


def _is_ideographic(text: str, following: str) -> bool:
    """Whether two lines are in a script that has no spaces."""
    return _is_wide(text[-1:]) and _is_wide(following[:1])


def _is_wide(letter: str) -> bool:
    # Korean has wide letters, and spaces.
    return letter > "\u2e7f" and not "\uac00" <= letter <= "\ud7af" and unicodedata.east_asian_width(letter) in "WF"
