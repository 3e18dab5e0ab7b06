"""Crawls: the pages in WARC, WET and ARC files, as text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from explorer.core.files.encoding import NotTextError, UnfitError, decode_text
from explorer.documents.content import PEEKED, Content
from explorer.documents.declared import declared_set
from explorer.documents.markup.html_pages import begins_as_html, page_document
from explorer.documents.record import Document
from explorer.documents.skipped import NO_PAGE, OTHER_CONTENT, UNDECODED
from explorer.documents.web.crawl_records import MOST_BYTES, CrawlRecord, crawl_records, is_arc, is_warc
from explorer.documents.web.http_answers import EncodedError, HttpAnswer, charset_of, mime_of
from explorer.i18n import tr

ENDINGS = (".warc", ".wet", ".arc")
_DOCUMENTS = {"response", "resource", "conversion", "revisit", "continuation"}
"""Types of records that hold what was found at an address; all others are about these."""
_HTML = {"text/html", "application/xhtml+xml"}
_PLAIN = {"text/plain", "text/markdown"}
_OF_HTTP = "application/http"
_LANGUAGE = "warc-identified-content-language"


def is_crawl(head: bytes, name: str) -> bool:
    """Whether a file is a crawl: by its content, and by its name, so that a damaged file is reported as one."""
    return is_warc(head) or is_arc(head) or name.endswith((".warc", ".wet"))


def read(content: Content) -> Iterator[Document]:
    """Read the pages of a crawl; what is not a page is counted, with its reason."""
    place = 0
    for record in crawl_records(content.stream):
        content.reached()
        if record.problem or record.kind in _DOCUMENTS:
            yield replace(_document(record, content.encoding), place=place)
            place += 1


@dataclass(frozen=True)
class _Page:
    """What was found at an address."""

    status: int
    headers: dict[str, str]
    data: bytes

    @property
    def content_type(self) -> str:
        return self.headers.get("content-type", "")


def _document(record: CrawlRecord, encoding: str) -> Document:
    if record.problem:
        return Document("", problem=record.problem)
    address = record.headers.get("warc-target-uri", "").strip("<>")
    try:
        if reason := _why_no_content(record):
            return _skipped(OTHER_CONTENT, reason, address)
        page = _page(record)
        if page.status and page.status // 100 != 2:
            return _skipped(NO_PAGE, tr("status {status}", status=page.status), address)
        return _of_page(page, record, address, encoding)
    except (EncodedError, NotTextError) as error:
        return _skipped(UNDECODED, str(error), address)


def _skipped(group: str, reason: str, address: str) -> Document:
    return Document("", problem=f"{reason}: {address}", skipped=group)


def _why_no_content(record: CrawlRecord) -> str:
    """Why a record has no content of its own; "" if it has."""
    if record.kind == "revisit":
        return tr("the same as at an earlier visit")
    if record.kind == "continuation" or record.headers.get("warc-segment-number", "1") != "1":
        return tr("a part of a record")
    return tr("it has more than {most} MB", most=MOST_BYTES >> 20) if record.size > MOST_BYTES else ""


def _page(record: CrawlRecord) -> _Page:
    declared = record.headers.get("content-type", "")
    # ARC names the type of the page, and keeps the answer of the server all the same.
    if mime_of(declared) == _OF_HTTP or (record.kind == "response" and record.body.startswith(b"HTTP/")):
        answer = HttpAnswer.of(record.body)
        return _Page(answer.status, answer.headers, answer.content() if answer.status // 100 in (0, 2) else b"")
    return _Page(0, {"content-type": declared}, record.body)


def _of_page(page: _Page, record: CrawlRecord, address: str, encoding: str) -> Document:
    mime = mime_of(page.content_type)
    is_html = mime in _HTML or (not mime and begins_as_html(page.data[:PEEKED].decode("utf-8", "replace")))
    if not is_html and mime not in _PLAIN:
        return _skipped(OTHER_CONTENT, mime or tr("of an unknown type"), address)
    truncated = record.headers.get("warc-truncated", "")
    text = _decoded(page, encoding, is_html, not truncated)
    found = page_document(text) if is_html else Document(text.replace("\r\n", "\n").strip())
    language = record.headers.get(_LANGUAGE, "") or page.headers.get("content-language", "")
    metadata = {
        "title": found.metadata.get("title", ""),
        "url": address,
        "date": record.headers.get("warc-date", ""),
        "published": found.metadata.get("date", ""),
        "language": language or found.metadata.get("language", ""),
        "mime": mime,
        "truncated": truncated,
    }
    return Document(found.text, {name: value for name, value in metadata.items() if value})


def _decoded(page: _Page, encoding: str, is_html: bool, whole: bool) -> str:
    """The text of a page, in the set that its server names, or that it names itself, or that its bytes show."""
    declared = declared_set(page.data[:PEEKED], ".html") if is_html else ""
    for name in filter(None, (charset_of(page.content_type), declared)):
        try:
            return decode_text(page.data, encoding, name, whole).text
        except (UnfitError, LookupError):
            continue
    return decode_text(page.data, encoding, whole=whole).text
