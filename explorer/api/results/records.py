"""Results that are tables of records."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator

from explorer.api.results.origin import Origin
from explorer.api.tabular import Tabular
from explorer.export.columns import Batch, Column, columns_of, record_table
from explorer.export.provenance import Facts


class RecordsResult(Tabular):
    """A result that is a table of records.

    Parameters
    ----------
    origin
        The index that was asked, and how.
    """

    _record: type

    def __init__(self, origin: Origin) -> None:
        self._origin = origin

    @abstractmethod
    def _made(self) -> Iterator[object]:
        """The records, from the first one on."""

    def _columns(self) -> tuple[Column, ...]:
        return columns_of(self._record)

    def _batches(self) -> Iterator[Batch]:
        return record_table(self._record, self._made).batches()

    def _facts(self) -> Facts:
        return self._origin.facts
