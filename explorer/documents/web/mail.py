"""E-mail: the subject and the text of messages (EML), and of mailboxes (mbox); attachments are not read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from explorer.core.files.encoding import NotTextError, decode_text
from explorer.core.files.streams import chunks
from explorer.documents.content import Content
from explorer.documents.markup.html_pages import html_text
from explorer.documents.record import Document
from explorer.i18n import tr

if TYPE_CHECKING:
    from email.message import EmailMessage

_ENVELOPE = re.compile(rb"From \S+ .*\d{4}\s*")
_ESCAPED = re.compile(rb">+From ")
_HEADER = re.compile(r"([A-Za-z][A-Za-z0-9-]*):[ \t]")
_OF_MAIL = {"message-id", "mime-version", "received", "return-path", "delivered-to"}
MALFORMED = (ValueError, LookupError, TypeError, AttributeError, RecursionError)
"""What the standard library raises for headers and parts that no mail program writes."""


def read_message(content: Content) -> Iterator[Document]:
    """Read the message of a file."""
    whole = content.whole()
    if whole.broken is None or (content.skip_bad and whole.data):
        yield _document(whole.data, 0, content.encoding)
    whole.end()


def read_mailbox(content: Content) -> Iterator[Document]:
    """Read the messages of a mailbox."""
    for number, data in enumerate(_messages(_lines(chunks(content.stream)))):
        content.reached()
        yield _document(data, number, content.encoding)


def begins_as_mailbox(beginning: str) -> bool:
    """Whether a text begins with the line that precedes each message of a mailbox."""
    first = beginning.partition("\n")[0].encode()
    return _ENVELOPE.fullmatch(first) is not None and _HEADER.match(beginning.partition("\n")[2]) is not None


def begins_as_message(beginning: str) -> bool:
    """Whether a text begins with several headers, of which one is of e-mail only."""
    lines = [line for line in beginning.splitlines()[:8] if not line.startswith((" ", "\t"))]
    names = [found[1].lower() if (found := _HEADER.match(line)) else "" for line in lines[:3]]
    return len(names) == 3 and all(names) and bool(_OF_MAIL & set(names))


def _lines(data: Iterable[bytes]) -> Iterator[bytes]:
    rest = b""
    for part in data:
        *lines, rest = (rest + part).splitlines(keepends=True) or [b""]
        if rest.endswith(b"\n"):
            lines, rest = [*lines, rest], b""
        yield from lines
    if rest:
        yield rest


def _messages(lines: Iterable[bytes]) -> Iterator[bytes]:
    """The bytes of each message, which begins after an empty line with one that begins with "From "."""
    now: list[bytes] | None = None
    is_blank = True
    for line in lines:
        if is_blank and _ENVELOPE.fullmatch(line):
            if now is not None:
                yield b"".join(now)
            now = []
        elif now is not None:
            now.append(line[1:] if _ESCAPED.match(line) else line)
        is_blank = not line.strip()
    if now is not None:
        yield b"".join(now)


def _document(data: bytes, number: int, encoding: str) -> Document:
    # Imported here: few builds need it, and its import takes a thirtieth of the window's start.
    from email import message_from_bytes, policy

    try:
        message = message_from_bytes(data, policy=policy.default)
        metadata = _metadata(message)
        body = _body(message, encoding)
    except NotTextError as error:
        return Document("", {}, number, str(error))
    except MALFORMED as error:
        return Document("", {}, number, tr("this is not a readable message ({error})", error=error))
    return Document("\n\n".join(filter(None, [metadata.get("subject", ""), body])), metadata, number)


def _metadata(message: EmailMessage) -> dict[str, str]:
    found = {name: " ".join(str(message[name] or "").split()) for name in ("from", "to", "date", "subject")}
    moment = getattr(message["date"], "datetime", None)
    if moment is not None:
        found["date"] = moment.isoformat()
    return {name: value for name, value in found.items() if value}


def _body(message: EmailMessage, encoding: str) -> str:
    part = message.get_body(("plain", "html"))
    if part is None:
        return ""
    data = part.get_payload(decode=True)
    if not isinstance(data, bytes):
        return ""
    text = decode_text(data, encoding, str(part.get_content_charset("") or "")).text.replace("\r\n", "\n")
    return html_text(text) if part.get_content_type() == "text/html" else text.strip()
