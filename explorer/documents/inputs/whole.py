"""A file as one text: what its kind reads as text, and records as they are written."""

from __future__ import annotations

from pathlib import Path

from explorer.core.files.streams import inner_name
from explorer.documents.content import PEEKED
from explorer.documents.inputs.opened import open_stream, read_kind, translated
from explorer.documents.kinds import PLAIN, kind_of
from explorer.documents.record import Records


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
