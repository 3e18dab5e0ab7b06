"""What the tab for a file of answers shows. No Qt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from explorer.api import Corpus
from explorer.gui.answer import Answer, Freshness
from explorer.gui.cells import Cell
from explorer.gui.hints import told
from explorer.gui.text_positions import cell_text, one_line
from explorer.i18n import mark, numeral, tr, trn
from explorer.jobs import Progress
from explorer.trace.batch import AnswerFile, BatchRow
from explorer.trace.settings import TraceSettings

_HEADER = (
    mark("Line"),
    mark("Text"),
    mark("Tokens"),
    mark("Longest match"),
    mark("Covered"),
    mark("Novelty"),
    mark("Most relevant source"),
)
ORDERS: tuple[tuple[str, Callable[[BatchRow], Any]], ...] = (
    (mark("Longest match first"), lambda row: -row.longest_match),
    (mark("Most covered first"), lambda row: -row.coverage),
    (mark("Least novel first"), lambda row: row.novelty),
    (mark("Most novel first"), lambda row: -row.novelty),
    (mark("By source"), lambda row: (row.source == "", row.source)),
    (mark("File order"), lambda row: row.line),
)
"""The orders of the rows: the name of each, and what it compares."""
_SHOWN = 90
_TIP = 1000


@dataclass(frozen=True)
class Saved:
    """A table that was written: where, and its rows."""

    path: Path
    rows: int


@dataclass(frozen=True, eq=False)
class BatchState:
    """A file of answers, and what each of them has from the corpus.

    Attributes
    ----------
    corpus
        The open index.
    settings
        The settings of every trace.
    path
        The file that was chosen last.
    source
        Its fields.
    text_field, prompt_field
        The fields that are traced; no prompt field: "".
    order
        The place of the chosen order in `ORDERS`.
    rows
        The table, in the order of the file.
    shown
        Its rows in the chosen order.
    progress
        How far the trace of the file is.
    saved
        The file that the table was written to.
    """

    corpus: Corpus | None = None
    settings: TraceSettings = field(default_factory=TraceSettings)
    path: Path | None = None
    source: Answer[AnswerFile] = field(default_factory=Answer)
    text_field: str = ""
    prompt_field: str = ""
    order: int = 0
    rows: Answer[tuple[BatchRow, ...]] = field(default_factory=Answer)
    shown: tuple[BatchRow, ...] = ()
    progress: Progress | None = None
    saved: Answer[Saved] = field(default_factory=Answer)

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields of the file that can be traced."""
        return () if self.source.value is None else self.source.value.fields

    @property
    def can_run(self) -> bool:
        """Whether there is a file to trace and an index to trace it in."""
        return self.source.value is not None and self.corpus is not None

    @property
    def working(self) -> bool:
        """Whether something runs that can be stopped."""
        return self.source.awaited or self.rows.awaited or self.saved.awaited

    @property
    def notice(self) -> str:
        """What went wrong last; "" for nothing."""
        error = self.source.error or self.rows.error or self.saved.error
        return "" if error is None else told(error)

    @property
    def header(self) -> tuple[str, ...]:
        """The names of the columns; none without rows."""
        return tuple(map(tr, _HEADER)) if self.shown else ()

    @property
    def summary(self) -> str:
        """What happened last, or what to do."""
        saved, rows, source = self.saved.current, self.rows, self.source.value
        if saved is not None:
            return trn("Wrote {n:,} row to {path}.", "Wrote {n:,} rows to {path}.", saved.rows, path=saved.path)
        # Rows of another file stay until this one is traced; the sentence is about this one.
        if rows.value and rows.freshness is not Freshness.UNASKED:
            return _summary(rows.value)
        if source is None:
            return tr("Open a JSON Lines file with one answer per line and its text in a field.")
        return trn(
            "{name}: {n:,} byte. Choose the fields, then click “Trace all”.",
            "{name}: {n:,} bytes. Choose the fields, then click “Trace all”.",
            source.size,
            name=source.path.name,
        )


def _summary(rows: tuple[BatchRow, ...]) -> str:
    wrong = sum(bool(row.problem) for row in rows)
    mean = sum(row.coverage for row in rows) / len(rows)
    return (
        trn(
            "{n:,} answer · {mean:.0%} of its tokens in matches of 5 or more · ",
            "{n:,} answers · on average {mean:.0%} of their tokens in matches of 5 or more · ",
            len(rows),
            mean=mean,
        )
        + (tr("{wrong:,} could not be traced · ", wrong=wrong) if wrong else "")
        + tr("press Enter on a row to trace its answer")
    )


def in_order(rows: tuple[BatchRow, ...], order: int) -> tuple[BatchRow, ...]:
    """Sort rows.

    Parameters
    ----------
    rows
        The rows.
    order
        The place of the order in `ORDERS`.

    Returns
    -------
    tuple[BatchRow, ...]
        The sorted rows; equal ones keep their order.
    """
    return tuple(sorted(rows, key=ORDERS[order][1]))


def row_cells(row: BatchRow) -> tuple[Cell, ...]:
    """Write a row as cells, one for each column."""
    line = Cell(numeral(row.line), right=True, muted=True)
    if row.problem:
        return (line, Cell(row.problem, muted=True), *(Cell(""),) * 5)
    return (
        line,
        Cell(one_line(row.text)[:_SHOWN], tip=row.text[:_TIP]),
        Cell(numeral(row.tokens), right=True, muted=True),
        Cell(numeral(row.longest_match), right=True),
        Cell(numeral(row.coverage, ".0%"), right=True),
        Cell(numeral(row.novelty, ".0%"), right=True),
        Cell(cell_text(row.source), tip=row.source),
    )
