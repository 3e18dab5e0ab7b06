"""Documents that are exact copies of another, as the library returns them."""

from __future__ import annotations

from collections.abc import Iterator

from explorer.analyses.duplicate_documents.compute import CopiedDocuments
from explorer.analyses.duplicate_documents.table import CopiedDocumentRecord
from explorer.backends.documents.reading import tokens_of
from explorer.backends.protocol.protocol import Backend
from explorer.backends.ranges import Ranges
from explorer.corpus.results.origin import Origin
from explorer.corpus.results.records import RecordsResult
from explorer.corpus.results.statistics.ngrams import form_of

_BEGINNING = 30
"""Tokens of a text that a row has."""


class DuplicateDocuments(RecordsResult):
    """Groups of documents with the same tokens; also a table with one row per group.

    Examples
    --------
    >>> found = corpus.duplicate_documents()
    >>> len(found), found.copies, found.tokens_removed
    (0, 0, 0)
    """

    _record = CopiedDocumentRecord

    def __init__(self, found: CopiedDocuments, index: Backend, origin: Origin) -> None:
        super().__init__(origin)
        self._found = found
        self._index = index

    def __len__(self) -> int:
        return len(self._found)

    def __iter__(self) -> Iterator[CopiedDocumentRecord]:
        return self._made()

    def __getitem__(self, row: int) -> CopiedDocumentRecord:
        found = self._found
        # Negative numbers count from the end, and one too large raises IndexError.
        row = range(len(self))[row]
        kept, *copies = found.documents[found.firsts[row] : found.firsts[row + 1]].tolist()
        beginning = form_of(self._index, tokens_of(self._index, kept, 0, _BEGINNING))
        tokens, count = int(found.tokens[row]), len(copies)
        return CopiedDocumentRecord(beginning, count + 1, tokens, tokens * count, kept, tuple(copies))

    @property
    def copies(self) -> int:
        """How many documents go if one of each group is kept."""
        return len(self._found.documents) - len(self)

    @property
    def tokens_removed(self) -> int:
        """Their tokens."""
        return self.ranges.tokens

    @property
    def ranges(self) -> Ranges:
        """All tokens of these documents, as an export takes them."""
        return self._found.ranges

    def _made(self) -> Iterator[CopiedDocumentRecord]:
        return map(self.__getitem__, range(len(self)))

    def __repr__(self) -> str:
        return f"DuplicateDocuments({len(self):,} groups, {self.copies:,} copies)"
