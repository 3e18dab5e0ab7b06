"""Plain text, Markdown and source code: a document per file."""

from __future__ import annotations

from collections.abc import Iterator

from explorer.documents.content import Content
from explorer.documents.plain import front_matter
from explorer.documents.record import Document


def read(content: Content) -> Iterator[Document]:
    """Read the text of a file; the front matter of Markdown is metadata."""
    for text in content.texts():
        if not content.name.endswith(front_matter.ENDINGS):
            yield Document(text)
            continue
        fields, rest, problem = front_matter.divide(text)
        if problem:
            content.note(front_matter.NOT_YAML, problem)
        yield Document(rest, fields)
