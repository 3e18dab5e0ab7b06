"""The pages of a PDF document with the places of their lines, as pdfium finds them; only the process apart uses it."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pypdfium2
import pypdfium2.raw as pdfium

from explorer.documents.pdf.accents import has_accents, with_accents
from explorer.documents.pdf.text import HYPHEN
from explorer.documents.skipped import LockedError

_TENTHS = 10
_Box = tuple[int, int, int, int]
"""Left, bottom, right and top."""
_TURNS: dict[int, Callable[[_Box], _Box]] = {
    0: lambda box: box,
    90: lambda box: (box[1], -box[2], box[3], -box[0]),
    180: lambda box: (-box[2], -box[3], -box[0], -box[1]),
    270: lambda box: (-box[3], box[0], -box[1], box[2]),
}
"""Places as they are on the page that is shown, by the degrees by which it is turned."""
_SHOWN = ("Title", "Author", "CreationDate")


def pages_of(path: str) -> Iterator[dict[str, Any]]:
    """Read a PDF document.

    Yields: What the document states about itself, as `metadata`; then, of each page, its `lines` and their `places`
        (left end, bottom, right end and height, in tenths of a point), and whether it has a `picture`.
    Raises `LockedError` if it needs a password.
    """
    try:
        document = pypdfium2.PdfDocument(path)
    except pypdfium2.PdfiumError as error:
        if getattr(error, "err_code", None) == pdfium.FPDF_ERR_PASSWORD:
            raise LockedError from error
        raise
    with document:
        yield {"metadata": {name: document.get_metadata_value(name) for name in _SHOWN}}
        places = _Places()
        for number in range(len(document)):
            yield _page(document, number, places)


def _page(document: pypdfium2.PdfDocument, number: int, places: _Places) -> dict[str, Any]:
    try:
        page = document[number]
    except pypdfium2.PdfiumError:
        # Other pages can be read. pdfium counts pages by what the document states, also if they do not exist.
        return {"lines": [], "places": [], "missing": True}
    text_page = page.get_textpage()
    try:
        text = text_page.get_text_range(errors="replace")
        if not text.strip():
            return {"lines": [], "places": [], "picture": _has_picture(page)}
        lines, found = places.of_lines(text_page.raw, text, _TURNS[page.get_rotation()])
        return {"lines": lines, "places": found}
    finally:
        text_page.close()
        page.close()


def _has_picture(page: pypdfium2.PdfPage) -> bool:
    return any(True for _ in page.get_objects([pdfium.FPDF_PAGEOBJ_IMAGE], max_depth=3))


class _Places:
    """Asks pdfium for places; the numbers that it fills in are made once."""

    def __init__(self) -> None:
        self._box = pdfium.FS_RECTF()
        self._at = ctypes.byref(self._box)

    def of_lines(self, text_page: Any, text: str, turn: Callable[[_Box], _Box]) -> tuple[list[str], list[_Box]]:
        """The lines of a page that are not blank, those before a hyphen with it, and the place of each."""
        letters: Sequence[str] = with_accents(text_page, text) if has_accents(text) else text
        lines, places = [], []
        at = 0
        for line in text.replace(HYPHEN, HYPHEN + "\r\n").split("\r\n"):
            end = at + len(line)
            first, behind = _without_blanks(letters, at, end)
            if first < behind:
                left, bottom, _, top = turn(self._of_character(text_page, first))
                _, _, right, _ = turn(self._of_character(text_page, behind - 1))
                lines.append("".join(letters[first:behind]))
                places.append((left, bottom, right, top - bottom))
            at = end if line.endswith(HYPHEN) else end + 2
        return lines, places

    def _of_character(self, text_page: Any, index: int) -> _Box:
        number = pdfium.FPDFText_GetCharIndexFromTextIndex(text_page, index)
        if not pdfium.FPDFText_GetLooseCharBox(text_page, max(0, number), self._at):
            return 0, 0, 0, 0
        box = self._box
        return _tenths(box.left), _tenths(box.bottom), _tenths(box.right), _tenths(box.top)


def _without_blanks(letters: Sequence[str], first: int, end: int) -> tuple[int, int]:
    """The bounds of a part without the spaces at its ends, and without accents that belong to other letters."""
    while first < end and not letters[first].strip():
        first += 1
    while first < end and not letters[end - 1].strip():
        end -= 1
    return first, end


def _tenths(points: float) -> int:
    # Damaged documents may place text at infinity.
    return round(_TENTHS * points) if -1e6 < points < 1e6 else 0
