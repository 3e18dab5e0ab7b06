"""Results that are tables of records."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from os import PathLike
from pathlib import Path
from typing import Generic, TypeVar

from explorer.core.jobs import CancelToken, Report, no_report
from explorer.corpus.results.origin import Origin
from explorer.corpus.tabular import Tabular
from explorer.export.columns import Batch, Column, columns_of, record_table
from explorer.export.provenance import Facts

Row = TypeVar("Row")


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

    def write(
        self,
        path: str | PathLike[str],
        *,
        about: bool = True,
        report: Report = no_report,
        cancel: CancelToken | None = None,
    ) -> None:
        """Write the table to a file, completely or not at all.

        Parameters
        ----------
        path
            The file; one that exists is replaced. Its ending decides the format: .parquet, .csv, .tsv, .jsonl or .xlsx.
        about
            Whether to write what the table was computed from: into the metadata of a Parquet file, onto a second sheet
            of a workbook, and for other formats into PATH.about.json.
        report
            Called with the rows that were written.
        cancel
            Stops the writing; the file is then as before.

        Raises
        ------
        QueryError
            If the ending is unknown, or a workbook cannot hold as many rows.
        ExportError
            If the file cannot be written.
        Cancelled
            If it was cancelled.
        """
        from explorer.export.saving import save_records

        save_records(Path(path), self._table(self.provenance if about else ()), report, cancel, about)

    @abstractmethod
    def _made(self) -> Iterator[object]:
        """The records, from the first one on."""

    def _columns(self) -> tuple[Column, ...]:
        return columns_of(self._record)

    def _batches(self) -> Iterator[Batch]:
        return record_table(self._record, self._made).batches()

    @property
    def provenance(self) -> Facts:
        """What the rows were computed from, by name; see `Tabular.provenance`."""
        return self._origin.facts


class RowsResult(RecordsResult, Generic[Row]):
    """A result whose records are all in memory: each has a number, from 0."""

    _rows: tuple[Row, ...]

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[Row]:
        return iter(self._rows)

    def __getitem__(self, row: int) -> Row:
        return self._rows[row]

    def _made(self) -> Iterator[Row]:
        return iter(self._rows)
