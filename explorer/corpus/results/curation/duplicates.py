"""Copies in a corpus, as the library returns them."""

from __future__ import annotations

from collections.abc import Iterator

from explorer.analyses.duplicates.compute import Duplicates
from explorer.analyses.duplicates.table import DuplicateRecord
from explorer.backends.places import Places
from explorer.backends.ranges import Ranges
from explorer.corpus.results.origin import Origin
from explorer.corpus.results.records import RecordsResult


class DuplicateTable(RecordsResult):
    """What is to be cut so that no passage of a length is left twice; also a table with one row per range.

    Examples
    --------
    >>> found = corpus.duplicates(4)
    >>> found.tokens_removed, len(found), found.documents_touched
    (9, 2, 2)
    >>> found[0]
    DuplicateRecord(document=1, start=0, end=5, first_document=0, first_start=0)
    """

    _record = DuplicateRecord

    def __init__(self, found: Duplicates, origin: Origin) -> None:
        super().__init__(origin)
        self._found = found

    def __len__(self) -> int:
        return len(self.ranges)

    def __iter__(self) -> Iterator[DuplicateRecord]:
        return self._made()

    def __getitem__(self, row: int) -> DuplicateRecord:
        ranges, first = self.ranges, self._found.first
        place: tuple[int, int] | tuple[None, None] = None, None
        if first is not None and first.documents[row] >= 0:
            place = int(first.documents[row]), int(first.offsets[row])
        return DuplicateRecord(int(ranges.documents[row]), int(ranges.starts[row]), int(ranges.ends[row]), *place)

    @property
    def ranges(self) -> Ranges:
        """The tokens to cut, as `Corpus.export_cuts` takes them."""
        return self._found.ranges

    @property
    def first(self) -> Places | None:
        """For each range, where what it begins with occurs first, -1 for nowhere; `Corpus.export_cuts` takes it."""
        return self._found.first

    @property
    def tokens(self) -> int:
        """All tokens of the corpus, without separators."""
        return self._found.tokens

    @property
    def tokens_removed(self) -> int:
        """The tokens that are cut."""
        return self.ranges.tokens

    @property
    def bytes_removed(self) -> int | None:
        """The bytes of text that they spell; None without a tokenizer."""
        return self._found.bytes_removed

    @property
    def documents_touched(self) -> int:
        """Documents of which something is cut."""
        return self.ranges.documents_touched

    @property
    def documents_emptied(self) -> int:
        """Documents of which nothing is left."""
        return self._found.documents_emptied

    @property
    def asked(self) -> tuple[tuple[str, str], ...]:
        """How they were found, as names and values."""
        return self._origin.asked

    def _made(self) -> Iterator[DuplicateRecord]:
        return map(self.__getitem__, range(len(self)))

    def __repr__(self) -> str:
        return f"DuplicateTable({self.tokens_removed:,} of {self.tokens:,} tokens in {len(self):,} ranges)"
