"""Plain text, Markdown and source code: a document per file."""

from __future__ import annotations

from collections.abc import Iterator

from explorer.readers.content import Content
from explorer.readers.record import Document


def read(content: Content) -> Iterator[Document]:
    """Read the text of a file."""
    return map(Document, content.texts())
