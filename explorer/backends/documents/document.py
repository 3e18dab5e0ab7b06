"""A document of an index, read only as far as it is looked at."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.backends.documents.reading import length_of, metadata_of, text_of, tokens_of
from explorer.backends.metadata import flat_metadata
from explorer.backends.protocol.protocol import Backend
from explorer.text.tokens.decode import DecodedText


@dataclass(frozen=True)
class Document:
    """A document of an index; its tokens and text are read on demand.

    Attributes
    ----------
    index
        The index.
    number
        The document's number in it, from 0.
    """

    index: Backend = field(repr=False)
    number: int

    # Works in a frozen class: `cached_property` writes to the instance's dictionary, and assigns nothing.
    @cached_property
    def token_count(self) -> int:
        """Tokens of the document."""
        return length_of(self.index, self.number)

    @cached_property
    def metadata(self) -> dict[str, Any]:
        """The metadata line as it was written; {} where there is none."""
        return metadata_of(self.index, self.number)

    @property
    def tokens(self) -> NDArray[np.int64]:
        """All tokens in reading order."""
        return tokens_of(self.index, self.number)

    @property
    def text(self) -> str:
        """The whole text; for long documents `part` reads less."""
        # In one piece: a character whose bytes are in two tokens would be lost at a border between parts.
        return self.part(0, self.token_count).text

    def part(self, first: int, last: int) -> DecodedText:
        """Decode a part of the document.

        Parameters
        ----------
        first
            The first token, from 0.
        last
            One past the last token; what is outside the document is cut off.

        Returns
        -------
        DecodedText
            The text, with the character at which each token begins.

        Examples
        --------
        >>> corpus.document(0).part(0, 2).text
        'the cat'
        """
        return text_of(self.index, self.number, first, last)


def document_title(record: dict[str, Any], number: int) -> str:
    """Choose the name of a document in a list.

    Returns: Its title, path, address or source, the first of them that it has; otherwise its number, counted from 1.
    """
    # Fields are on the top level or below "metadata", depending on the program that built the index.
    flat = flat_metadata(record)
    for key in ("title", "path", "url", "source"):
        value = flat.get(key)
        if isinstance(value, str) and value:
            # Counted from 0 in the index and from 1 for people. Line 0 is not shown: a file that is one document has
            # it, too.
            line = flat.get("linenum")
            return f"{value}:{line + 1}" if key == "path" and isinstance(line, int) and line else value
    return f"Document {number + 1:,}"


def shown_metadata(record: dict[str, Any]) -> dict[str, Any]:
    """The metadata of a document for a reader: lines, which an index counts from 0, are counted from 1."""
    flat = flat_metadata(record)
    line = flat.get("linenum")
    if not isinstance(line, int) or isinstance(line, bool):
        return flat
    return {("line" if name == "linenum" else name): line + 1 if name == "linenum" else flat[name] for name in flat}
