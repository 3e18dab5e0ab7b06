"""PDF: a document per file, with what it states about itself."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from explorer.core.files.encoding import NotTextError
from explorer.core.files.signatures import is_pdf
from explorer.documents.content import Content
from explorer.documents.library_process import answer_of
from explorer.documents.pdf.text import Line, running_text
from explorer.documents.record import Document
from explorer.documents.skipped import NO_TEXT_LAYER, UNOPENED
from explorer.i18n import mark, tr

__all__ = ["is_pdf", "read"]

WITH_PICTURES = mark("documents with pages without a text layer")
WITH_DAMAGE = mark("documents with damaged pages")
_MOST = 1 << 27
"""Bytes of all pages with the places of their lines: about 40,000 pages."""
_DATE = re.compile(r"(?:D:)?(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:(Z)|([+-]\d\d)'?(\d\d)?)?")


def read(content: Content) -> Iterator[Document]:
    """Read the text of a PDF document."""
    about, *pages = map(json.loads, answer_of("pdf", content, _MOST))
    text = running_text([_lines(page) for page in pages], content.reading.keep_headers)
    _check(text, pages)
    _note(content, pages)
    content.moved(content.size)
    yield Document(text, {**_metadata(about["metadata"]), "pages": len(pages)})


def _lines(page: Mapping[str, Any]) -> list[Line]:
    return [Line(text, *place) for text, place in zip(page["lines"], page["places"], strict=True)]


def _check(text: str, pages: Sequence[Mapping[str, Any]]) -> None:
    """Raise NotTextError for a document without any text."""
    if text:
        return
    if any("missing" in page for page in pages):
        raise NotTextError(UNOPENED, tr("is damaged: none of its pages can be read; save it again"))
    raise NotTextError(
        NO_TEXT_LAYER,
        tr("has no text layer, like a scan; recognize the text first, for example with OCRmyPDF"),
    )


def _note(content: Content, pages: Sequence[Mapping[str, Any]]) -> None:
    """Note pages of which nothing is read although they have something."""
    every = len(pages)
    if pictures := sum(bool(page.get("picture")) for page in pages):
        content.note(WITH_PICTURES, tr("pages without a text layer: {number:,} of {all:,}", number=pictures, all=every))
    if missing := sum("missing" in page for page in pages):
        content.note(WITH_DAMAGE, tr("damaged pages: {number:,} of {all:,}", number=missing, all=every))


def _metadata(stated: Mapping[str, str]) -> dict[str, str]:
    found = {
        "title": " ".join(stated["Title"].split()),
        "author": " ".join(stated["Author"].split()),
        "date": iso_date(stated["CreationDate"]),
    }
    return {name: value for name, value in found.items() if value}


def iso_date(stated: str) -> str:
    """Write a date of a PDF document in the form of ISO 8601, as far as it is stated.

    Returns: The date; "" if it is not one.

    Examples
    --------
    >>> iso_date("D:20240229120000+01'00'")
    '2024-02-29T12:00:00+01:00'
    """
    found = _DATE.match(stated.strip())
    if found is None:
        return ""
    year, month, day, hour, minute, second, utc, hours, minutes = found.groups()
    date = "-".join(filter(None, (year, month, day)))
    if hour is None:
        return date
    zone = "+00:00" if utc else f"{hours}:{minutes or '00'}" if hours else ""
    return f"{date}T{hour}:{minute or '00'}:{second or '00'}{zone}"
