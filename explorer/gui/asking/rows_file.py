"""Writes all rows of a result to a file in the background. No Qt."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from explorer.core.jobs import CancelToken, Report
from explorer.errors import CorpusError
from explorer.gui.presenting.job import Job
from explorer.gui.presenting.presenter import Slot
from explorer.gui.presenting.requests import Saved
from explorer.i18n import trn


class Rows(Protocol):
    """A result with rows."""

    def __len__(self) -> int: ...

    def write(self, path: Path, /, *, report: Report, cancel: CancelToken) -> object:
        """Write all rows; the ending of the path decides the format."""


class RowsFile:
    """Writes one file at a time.

    failed: Called with why a file could not be written.
    """

    def __init__(self, slot: Slot, saved: Callable[[Saved], None], failed: Callable[[CorpusError], None]) -> None:
        self._slot, self._saved, self._failed = slot, saved, failed

    def write(self, path: Path, title: str, rows: Callable[[Report, CancelToken], Rows]) -> None:
        """Write a file.

        path: The file; its ending is that of one of the formats of tables.
        rows: Gives all rows. Runs off the interface thread.
        """
        report = self._slot.reporter()

        def work(cancel: CancelToken) -> int:
            found = rows(report, cancel)
            found.write(path, report=report, cancel=cancel)
            return len(found)

        def done(count: int) -> None:
            self._saved(Saved(path, trn("Saved {n:,} row", "Saved {n:,} rows", count)))

        self._slot.run(work, done, self._failed, Job(title, self.cancel))

    def cancel(self) -> None:
        """Stop writing; no file is left then."""
        self._slot.cancel()
