"""Benchmarks in several corpora, as the library returns them."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from pathlib import Path

from explorer.analyses.contamination.table import BenchmarkRecord, BoardRecord
from explorer.corpus.results.curation.contamination import ContaminationTable
from explorer.corpus.results.records import RowsResult
from explorer.export.cuts.clean_items import write_clean


class ContaminationBoard(RowsResult[BoardRecord]):
    """Which share of benchmarks is flagged in corpora; also a table with a row per corpus and benchmark.

    Examples
    --------
    >>> from explorer import contamination_board
    >>> board = contamination_board([corpus, corpus], [{"question": "who sat on the mat?"}])
    >>> [(row.items, row.too_short, row.flagged_share) for row in board]
    [(1, 1, None), (1, 1, None)]
    """

    _record = BoardRecord

    def __init__(self, tables: Sequence[ContaminationTable]) -> None:
        super().__init__(tables[0].origin)
        self.tables = tuple(tables)
        """The items, one table per corpus."""
        self._rows = tuple(_board_record(table.name, file) for table in tables for file in table.files)

    def write_clean(self, path: str | PathLike[str], file: int = 0) -> int:
        """Write the records of a benchmark's items that are not flagged in any corpus to a file of JSON Lines.

        Parameters
        ----------
        path
            The file; one that exists is replaced.
        file
            The number of the benchmark.

        Returns
        -------
        int
            How many items it has. Those that are suspicious or too short to tell in a corpus are not among them.

        Raises
        ------
        ExportError
            If it cannot be written.
        """
        found = [table.matches_of(file) for table in self.tables]
        return write_clean(Path(path), found, self.tables[0].thresholds)

    def __repr__(self) -> str:
        return f"ContaminationBoard({len(self.tables):,} corpora, {len(self.tables[0].files):,} benchmarks)"


def _board_record(index: str, file: BenchmarkRecord) -> BoardRecord:
    """What an index has of a benchmark."""
    return BoardRecord(
        index,
        file.file,
        file.items,
        file.items - file.too_short,
        file.flagged,
        file.flagged_share,
        file.flagged_low,
        file.flagged_high,
        file.suspicious,
        file.too_short,
        file.answers_near,
    )
