"""A document of an index, read only as far as it is looked at."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.backends.shards import Index
from explorer.tokens.decode import DecodedText


@dataclass(frozen=True)
class Document:
    """Document `number` of an index; its tokens and text are read on demand."""

    index: Index
    number: int

    @cached_property
    def token_count(self) -> int:
        """Tokens of the document."""
        return self.index.document_length(self.number)

    @cached_property
    def metadata(self) -> dict[str, Any]:
        """The metadata line as it was written; {} where there is none."""
        return self.index.metadata(self.number)

    @property
    def tokens(self) -> NDArray[np.int64]:
        """All tokens in reading order."""
        return self.index.document_tokens(self.number)

    @property
    def text(self) -> str:
        """The whole text; for long documents `part` reads less."""
        return self.part(0, self.token_count).text

    def part(self, first: int, last: int) -> DecodedText:
        """Text of the tokens [first, last), with the character at which each begins."""
        return self.index.document_text(self.number, first, last)


def flat_metadata(record: dict[str, Any]) -> dict[str, Any]:
    """One level of fields: `path`, `linenum`, and what stands under `metadata`."""
    inner = record.get("metadata")
    outer = {key: value for key, value in record.items() if key != "metadata"}
    if isinstance(inner, dict):
        return {**outer, **inner}
    return outer if inner is None else {**outer, "metadata": inner}


def document_title(record: dict[str, Any], number: int) -> str:
    """The name of a document in a list: its path or title, else its number, counted from 1."""
    flat = flat_metadata(record)
    for key in ("title", "path", "url", "source"):
        value = flat.get(key)
        if isinstance(value, str) and value:
            line = flat.get("linenum")
            return f"{value}:{line + 1}" if key == "path" and isinstance(line, int) and line else value
    return f"Document {number + 1:,}"
