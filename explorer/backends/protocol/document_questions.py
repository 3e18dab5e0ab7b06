"""What a backend is asked about documents by their number."""

from __future__ import annotations

from typing import Any, Protocol

from explorer.backends.protocol.values import FieldNames, Numbers
from explorer.core.jobs import CancelToken


class DocumentQuestions(Protocol):
    """What `explorer.backends.protocol.protocol.Backend.documents` answers."""

    def numbers(self) -> Numbers:
        """The numbers of all documents, ascending."""

    def sizes(self) -> Numbers:
        """Tokens of the document of each number, its separator included; 0 for a number without a document.

        Returns: `document_slots` entries, whose sum is `token_count`.
        """

    def check(self, number: int) -> None:
        """Raise QueryError for a number without a document."""

    def lengths(self, documents: Numbers) -> Numbers:
        """Tokens of these documents, separators not counted; raises QueryError for a number without a document."""

    def windows(self, documents: Numbers, firsts: Numbers, lasts: Numbers) -> list[Numbers]:
        """Read some tokens of each of some documents, in reading order; what is outside a document is cut off.

        firsts: The first token of each window; may be negative, or beyond the document's end.
        Returns: One array per window; empty where nothing is left.
        Raises `QueryError` for a number without a document.
        """

    def tokens_at(self, documents: Numbers, offsets: Numbers) -> Numbers:
        """Read one token of each of some documents.

        Returns: Token ids; the separator where a document has no such token.
        """

    def metadata(self, documents: Numbers) -> list[dict[str, Any]]:
        """The metadata lines of these documents; {} where there is none."""

    def field_names(self) -> FieldNames:
        """Which metadata fields documents have.

        Cost: reading, once, some documents of each part of the index that does not list its fields.
        """

    def has_field(self, name: str, cancel: CancelToken | None = None) -> bool:
        """Tell whether any document has a metadata field.

        Notes
        -----
        Reads all metadata if the names are not complete.
        """

    def like(self, number: int) -> list[int]:
        """A document and every other of the same tokens, ascending."""
