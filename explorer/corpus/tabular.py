"""Results as tables: for Arrow, pandas and everything that reads Arrow, and as files."""

from __future__ import annotations

import importlib
from abc import ABC, abstractmethod
from collections.abc import Iterator
from os import PathLike
from pathlib import Path
from typing import Any

from explorer.export.columns import Batch, Column, RecordTable
from explorer.export.provenance import Facts


class Tabular(ABC):
    """A result that is also a table.

    polars, DuckDB, pyarrow and pandas read it as it is, by `__arrow_c_stream__`. Rows are computed in batches, so a
    table of millions of rows is never held as Python objects.
    """

    @abstractmethod
    def _columns(self) -> tuple[Column, ...]:
        """The columns of the table."""

    @abstractmethod
    def _batches(self) -> Iterator[Batch]:
        """The rows from the first one on, a few thousand at a time."""

    @property
    def provenance(self) -> Facts:
        """What the rows were computed from, by name, as it is written beside a file; reads the index's fingerprint."""
        return ()

    def _table(self, facts: Facts = ()) -> RecordTable:
        return RecordTable(self._columns(), self._batches, facts)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Hand over the table by the Arrow PyCapsule interface; see `to_arrow`."""
        # What writes tables is imported when one is made: a script that only counts does without.
        from explorer.export.arrow import arrow_reader

        return arrow_reader(self._table()).__arrow_c_stream__(requested_schema)

    def to_arrow(self) -> Any:
        """Make a table of Arrow.

        Returns
        -------
        pyarrow.Table
            The table.

        Notes
        -----
        The whole table is in memory, as arrays. `__arrow_c_stream__` hands it over in batches. Its type is Any, since
        pyarrow has none that checkers know: annotate the variable, if you have stubs.
        """
        from explorer.export.arrow import arrow_reader

        return arrow_reader(self._table()).read_all()

    def to_pandas(self) -> Any:
        """Make a table of pandas, which must be installed.

        Returns
        -------
        pandas.DataFrame
            The table.

        Raises
        ------
        ModuleNotFoundError
            If pandas is not installed.
        """
        try:
            importlib.import_module("pandas")
        except ImportError as error:
            raise ModuleNotFoundError("This needs the package pandas: pip install pandas", name="pandas") from error
        return self.to_arrow().to_pandas()

    def write(self, path: str | PathLike[str], *, about: bool = True) -> None:
        """Write the table to a file, completely or not at all.

        Parameters
        ----------
        path
            The file; one that exists is replaced. Its ending decides the format: .parquet, .csv, .tsv, .jsonl or .xlsx.
        about
            Whether to write what the table was computed from: into the metadata of a Parquet file, onto a second sheet
            of a workbook, and for other formats into PATH.about.json.

        Raises
        ------
        QueryError
            If the ending is unknown, or a workbook cannot hold as many rows.
        ExportError
            If the file cannot be written.
        """
        from explorer.export.saving import save_records

        save_records(Path(path), self._table(self.provenance if about else ()), about=about)
