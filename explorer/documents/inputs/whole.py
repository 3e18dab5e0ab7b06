"""A file as one text: what its kind reads as text, and records as they are written."""

from __future__ import annotations

from pathlib import Path

from explorer.files.streams import inner_name
from explorer.readers.content import PEEKED
from explorer.readers.kinds import PLAIN, kind_of
from explorer.readers.record import Records
from explorer.texts.opened import open_stream, read_kind, translated


def whole_text(path: Path) -> str:
    """Read a file as one text; the documents of a file that has several are separated by an empty line.

    Raises `SourceError` if it cannot be read, or is not text.
    """
    opened = open_stream(path)
    try:
        with translated(opened.name):
            kind = kind_of(opened.stream.peek(PEEKED)[:PEEKED], inner_name(opened.name))
            found = read_kind(opened, PLAIN if kind.has_records else kind, lambda change, reason: None)
            documents = () if isinstance(found, Records) else found
            return "\n\n".join(document.text for document in documents if not document.problem)
    finally:
        opened.close()
