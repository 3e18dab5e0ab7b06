"""Web pages that browsers saved in a single file (MHTML): the text of the page, without pictures and frames."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from explorer.core.files.encoding import NotTextError, decode_text
from explorer.documents.content import PEEKED, Content
from explorer.documents.declared import declared_set
from explorer.documents.markup.html_pages import WITHOUT_MARKUP, html_text
from explorer.documents.record import Document
from explorer.documents.web.mail import MALFORMED
from explorer.i18n import tr

if TYPE_CHECKING:
    from email.message import EmailMessage

ENDINGS = (".mhtml", ".mht")
_SIGN = re.compile(r"^(?:snapshot-content-location:|x-maf[\w-]*:|content-location:|from: .?saved by )", re.I | re.M)
_HEADER = re.compile(r"[A-Za-z][A-Za-z0-9-]*:[ \t]")
_ADDRESSES = ("snapshot-content-location", "content-location")


def read(content: Content) -> Iterator[Document]:
    """Read the text of a page."""
    whole = content.whole()
    if whole.broken is None or (content.skip_bad and whole.data):
        content.note(WITHOUT_MARKUP, "")
        yield _document(whole.data, content.encoding)
    whole.end()


def begins_as_page(beginning: str) -> bool:
    """Whether a text begins with the headers of a page that a browser saved."""
    head = re.split(r"\r?\n\r?\n", beginning, maxsplit=1)[0]
    return _HEADER.match(head) is not None and _SIGN.search(head) is not None


def _document(data: bytes, encoding: str) -> Document:
    # Imported here: few builds need it, and its import takes a thirtieth of the window's start.
    from email import message_from_bytes, policy

    try:
        message = message_from_bytes(data, policy=policy.default)
        pages = [part for part in message.walk() if part.get_content_type() in ("text/html", "application/xhtml+xml")]
        page = _root(message, pages)
        if page is None:
            return Document("", {}, 0, tr("this is not a saved page: it has no part in HTML"))
        text = _text(page, encoding)
        # A page of frames has no text of its own.
        text = text or "\n\n".join(filter(None, (_text(part, encoding) for part in pages if part is not page)))
        return Document(text, _metadata(message, page))
    except NotTextError as error:
        return Document("", {}, 0, str(error))
    except MALFORMED as error:
        return Document("", {}, 0, tr("this is not a readable saved page ({error})", error=error))


def _root(message: EmailMessage, pages: list[EmailMessage]) -> EmailMessage | None:
    """The page itself: the part that the file names, or the first one."""
    start = message.get_param("start")
    return next((part for part in pages if start and part["content-id"] == start), pages[0] if pages else None)


def _text(page: EmailMessage, encoding: str) -> str:
    data = page.get_payload(decode=True)
    if not isinstance(data, bytes):
        return ""
    declared = str(page.get_content_charset("") or "") or declared_set(data[:PEEKED], ".html")
    return html_text(decode_text(data, encoding, declared).text)


def _metadata(message: EmailMessage, page: EmailMessage) -> dict[str, str]:
    places = [str(part[name] or "") for part in (message, page) for name in _ADDRESSES]
    found = {
        "title": " ".join(str(message["subject"] or "").split()),
        "date": " ".join(str(message["date"] or "").split()),
        "url": next(filter(None, places), ""),
    }
    moment = getattr(message["date"], "datetime", None)
    if moment is not None:
        found["date"] = moment.isoformat()
    return {name: value for name, value in found.items() if value}
