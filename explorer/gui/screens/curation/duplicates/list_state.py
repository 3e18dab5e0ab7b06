"""The passages that repeat, as the list shows them. No Qt."""

from __future__ import annotations

from dataclasses import dataclass, field

from explorer.analyses.repeats.question import RepeatsQuestion
from explorer.analyses.repeats.table import RepeatRecord, RunRecord
from explorer.corpus import Corpus
from explorer.derive.table import Column, columns_of
from explorer.gui.presenting.answer import Answer
from explorer.gui.presenting.cells import Cell
from explorer.gui.screens.curation.duplicates.work import RepeatList
from explorer.gui.style.text_positions import cell_text
from explorer.i18n import numeral, tr, trn

MOST_ROWS = RepeatsQuestion.top or 0
"""Rows of the list; a file has all of them."""
_PASSAGE = ("text", "tokens", "count", "documents", "tokens_saved")
_RUN = ("text", "period", "times", "document", "tokens")
"""The columns that are shown."""


@dataclass(frozen=True, eq=False)
class RepeatsState:
    """The list and its chosen row.

    listed: The passages and stretches.
    runs: Whether stretches are shown; otherwise passages.
    filter: A text that shown rows contain.
    row: The number of the row whose lines are shown, among those of the list; -1 for none.
    """

    corpus: Corpus | None = None
    listed: Answer[RepeatList] = field(default_factory=Answer[RepeatList])
    runs: bool = False
    filter: str = ""
    row: int = -1

    @property
    def rows(self) -> tuple[RepeatRecord | RunRecord, ...]:
        """All rows of the list."""
        if (shown := self.listed.value) is None:
            return ()
        return shown.found.runs[:MOST_ROWS] if self.runs else shown.rows

    @property
    def places(self) -> tuple[int, ...]:
        """The rows of the list that contain the text of the filter."""
        wanted = self.filter.casefold().strip()
        return tuple(at for at, row in enumerate(self.rows) if wanted in (row.text or "").casefold())

    @property
    def chosen(self) -> RepeatRecord | RunRecord | None:
        """The row whose lines are shown."""
        return self.rows[self.row] if 0 <= self.row < len(self.rows) else None

    @property
    def told(self) -> str:
        """How many passages there are, and how many of them are shown."""
        if (shown := self.listed.value) is None:
            return ""
        found = shown.found
        if self.runs:
            told = trn("{n:,} stretch repeats itself", "{n:,} stretches repeat themselves", len(found.runs))
        else:
            told = trn("{n:,} passage", "{n:,} passages", found.total - found.overlapping)
        if found.overlapping and not self.runs:
            nested = trn(
                "{n:,} more, nested in a stretch that repeats itself, is folded",
                "{n:,} more, nested in stretches that repeat themselves, are folded",
                found.overlapping,
            )
            told = f"{told}; {nested}"
        if len(self.rows) == MOST_ROWS:
            told = tr("{told}; the first {n} are listed", told=told, n=numeral(MOST_ROWS))
        return told

    @property
    def columns(self) -> tuple[Column, ...]:
        """The columns, with their names and meanings."""
        declared, names = (columns_of(RunRecord), _RUN) if self.runs else (columns_of(RepeatRecord), _PASSAGE)
        return tuple(declared[name] for name in names)

    @property
    def table(self) -> tuple[tuple[Cell, ...], ...]:
        """The rows that are shown."""
        most = max((row.tokens_saved for row in self.rows if isinstance(row, RepeatRecord)), default=1)
        chosen = (self.rows[at] for at in self.places)
        return tuple(_passage(row, most) if isinstance(row, RepeatRecord) else _run(row) for row in chosen)


def _passage(row: RepeatRecord, most: int) -> tuple[Cell, ...]:
    return (
        _text(row.text),
        Cell(numeral(row.tokens), right=True),
        Cell(numeral(row.count), right=True),
        Cell(numeral(row.documents), right=True, muted=True),
        Cell(numeral(row.tokens_saved), right=True, bar=row.tokens_saved / most),
    )


def _run(row: RunRecord) -> tuple[Cell, ...]:
    return (
        _text(row.text),
        Cell(numeral(row.period), right=True),
        Cell(numeral(row.times, ",.1f"), right=True),
        Cell(numeral(row.document + 1), right=True, muted=True),
        Cell(numeral(row.tokens), right=True),
    )


def _text(text: str | None) -> Cell:
    return Cell(tr("not known without a tokenizer"), muted=True) if text is None else Cell(cell_text(text))
