"""What the tab for a file of answers shows. No Qt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from explorer.analyses.overlap.self_match import is_most
from explorer.analyses.trace.batch import AnswerFile, BatchRow
from explorer.analyses.trace.settings import TraceSettings
from explorer.core.jobs import Progress
from explorer.corpus import Corpus
from explorer.errors import CorpusError
from explorer.gui.presenting.answer import Answer, Freshness
from explorer.gui.presenting.cells import Cell
from explorer.gui.presenting.hints import told
from explorer.gui.style.text_positions import cell_text, one_line
from explorer.i18n import mark, numeral, tr, trn
from explorer.text.graphemes import beginning

COLUMNS: tuple[tuple[str, Callable[[BatchRow], Any], bool], ...] = (
    (mark("Line"), lambda row: row.line, False),
    (mark("Text"), lambda row: row.text.casefold(), False),
    (mark("Tokens"), lambda row: row.tokens, True),
    (mark("Longest match"), lambda row: row.longest_match, True),
    (mark("In matches of 5+"), lambda row: row.coverage, True),
    (mark("Novelty"), lambda row: row.novelty, True),
    (mark("In the corpus"), lambda row: row.longest_match / row.tokens if row.tokens else 0, True),
    (mark("Most relevant source"), lambda row: (row.source == "", row.source.casefold()), False),
    (mark("Model"), lambda row: model_of(row).casefold(), False),
)
MODEL = len(COLUMNS) - 1
"""The column of the model that wrote an answer, which not every file names."""
_MODEL_FIELDS = ("model", "generator", "model_name", "model_id")
"""The columns: the name of each, what it is sorted by, and whether the first click sorts the largest first."""
EDGES = (0, 5, 10, 20, 40, 80, 160)
"""The first length of each bar of the histogram; the last bar has no end."""
_SHOWN = 240
_TIP = 1000


@dataclass(frozen=True)
class Order:
    """How the rows are sorted: by a column of `COLUMNS`, or None for the order of the file."""

    column: int | None = None
    largest_first: bool = False

    @property
    def sentence(self) -> str:
        """The order, to follow other facts."""
        if self.column is None:
            return tr(" · in the order of the file")
        return tr(" · sorted by “{column}”", column=tr(COLUMNS[self.column][0]))


@dataclass(frozen=True)
class Bin:
    """A bar of the histogram: answers whose longest match has `low` tokens to `high`; high: None for no end."""

    low: int
    high: int | None
    count: int
    chosen: bool

    @property
    def name(self) -> str:
        """The lengths."""
        if self.high is None:
            return tr("{low:,} or more", low=self.low)
        return tr("{low:,}–{high:,}", low=self.low, high=self.high)

    @property
    def short(self) -> str:
        """The lengths, where there is little room."""
        return tr("{low:,}+", low=self.low) if self.high is None else self.name


@dataclass(frozen=True, eq=False)
class BatchState:
    """A file of answers, and what each of them has from the corpus.

    path: The file that was chosen last.
    count: The answers of the file; None while they are not counted.
    text_field, prompt_field: The fields that are traced; no prompt field: "".
    order: How the rows are sorted.
    length: The bar of the histogram whose answers are shown, by its number; None for all.
    rows: The table, in the order of the file; while answers are traced, those that are done.
    shown: Its rows that pass the filter, sorted.
    used: The settings with which the rows were traced; None without rows.
    progress: How far the trace of the file is.
    opened: The row whose answer is shown on the first tab; None for none.
    error: Why the table could not be saved.
    """

    corpus: Corpus | None = None
    settings: TraceSettings = field(default_factory=TraceSettings)
    path: Path | None = None
    source: Answer[AnswerFile] = field(default_factory=Answer)
    count: int | None = None
    text_field: str = ""
    prompt_field: str = ""
    order: Order = field(default_factory=Order)
    length: int | None = None
    # While answers are traced, this is awaited and yet holds the rows of this run, which `working` tells apart.
    rows: Answer[tuple[BatchRow, ...]] = field(default_factory=Answer)
    shown: tuple[BatchRow, ...] = ()
    used: TraceSettings | None = None
    progress: Progress | None = None
    opened: BatchRow | None = None
    error: CorpusError | None = None

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields of the file that can be traced."""
        return () if self.source.value is None else self.source.value.fields

    @property
    def chosen_source(self) -> AnswerFile:
        """The file, with the fields that are traced; there must be one."""
        assert self.source.value is not None
        return replace(self.source.value, text_field=self.text_field, prompt_field=self.prompt_field)

    @property
    def why_not_run(self) -> str:
        """Why no file can be traced now; "" if one can."""
        if self.corpus is None:
            return tr("No index is open.")
        return tr("Open a file of answers first.") if self.source.value is None else ""

    @property
    def working(self) -> bool:
        """Whether answers are being traced."""
        return self.rows.awaited

    @property
    def notice(self) -> str:
        """What went wrong last; "" for nothing."""
        # The file first: while it cannot be read, an older reason about its rows is of no use.
        error = self.source.error or self.rows.error or self.error
        return "" if error is None else told(error)

    @property
    def outdated(self) -> bool:
        """Whether the settings were changed after the file was traced."""
        # Not while it runs: the rows that arrive have the settings of its beginning, and `used` holds those.
        return self.used is not None and self.used != self.settings and not self.working

    @property
    def in_words(self) -> bool:
        """Whether the lengths of the rows are in words."""
        return self.used is not None and self.used.match == "words"

    @property
    def bins(self) -> tuple[Bin, ...]:
        """The histogram of the longest match over all rows that could be traced; no bars without rows."""
        return bins_of(self.rows.value or (), self.length)

    @property
    def summary(self) -> str:
        """What the table shows, or what to do."""
        rows, source = self.rows, self.source.value
        # Rows of another file stay until this one is traced; the sentence is about this one.
        if rows.value and rows.freshness is not Freshness.UNASKED:
            return _summary(rows, self.progress) + self.order.sentence
        if source is None:
            return ""
        if self.count is None:
            return tr("{name}. Choose the fields, then click “Trace all”.", name=source.path.name)
        return trn(
            "{name}: {n:,} answer. Choose the fields, then click “Trace all”.",
            "{name}: {n:,} answers. Choose the fields, then click “Trace all”.",
            self.count,
            name=source.path.name,
        )

    @property
    def kept(self) -> bool:
        """Whether the rows are those that were done when the trace of this file was stopped."""
        return self.rows.freshness is Freshness.STOPPED

    @property
    def run_words(self) -> str:
        """What the button does."""
        return tr("Continue") if self.kept and not self.outdated else tr("Trace all")

    @property
    def invitation(self) -> tuple[str, str]:
        """What takes the place of the table: a line, and what to do."""
        if self.working:
            return tr("Tracing"), tr("The first answers appear here in a moment.")
        if self.source.value is not None:
            return self.source.value.path.name, tr("Choose the fields, then click “Trace all”.")
        return tr("Reading the file"), ""

    @property
    def begun(self) -> bool:
        """Whether a file was opened, or is being opened."""
        return self.source.value is not None or self.source.awaited or self.working

    @property
    def filter_text(self) -> str:
        """The filter that holds, with the number of rows that pass; "" for none."""
        if self.length is None:
            return ""
        return tr(
            "Longest match {lengths}: {count}",
            lengths=bins_of((), self.length)[self.length].name,
            count=trn("{n:,} answer", "{n:,} answers", len(self.shown)),
        )

    @property
    def place(self) -> str:
        """Which row is shown on the first tab; "" for none."""
        # A filter may hide the row that is open: then its place among those that are shown does not exist.
        if self.opened is None or self.opened not in self.shown:
            return ""
        return tr(
            "Answer {number:,} of {count:,} · line {line:,}",
            number=self.shown.index(self.opened) + 1,
            count=len(self.shown),
            line=self.opened.line,
        )


def _summary(rows: Answer[tuple[BatchRow, ...]], progress: Progress | None) -> str:
    found = rows.value or ()
    # Rows with a problem have zeros in place of figures, which must not lower the mean.
    traced = [row for row in found if not row.problem]
    text = trn("{n:,} answer", "{n:,} answers", len(found))
    if rows.freshness is Freshness.STOPPED and progress is not None:
        text = tr("Stopped after {done:,} of {total:,} answers", done=len(found), total=progress.total)
    if traced:
        mean = sum(row.coverage for row in traced) / len(traced)
        text += (
            tr(" · on average {mean:.0%} of the words in matches of 5 or more", mean=mean)
            if traced[0].unit == "words"
            else tr(" · on average {mean:.0%} of the tokens in matches of 5 or more", mean=mean)
        )
    copies = sum(is_copy(row) for row in traced)
    if copies:
        text += trn(
            " · {n:,} is in the corpus, so it matches itself",
            " · {n:,} are in the corpus, so they match themselves",
            copies,
        )
    wrong = len(found) - len(traced)
    return text + (tr(" · {wrong:,} could not be traced", wrong=wrong) if wrong else "")


def is_copy(row: BatchRow) -> bool:
    """Whether one match covers most of an answer: then the answer itself is probably in the corpus."""
    return not row.problem and is_most(row.longest_match, row.tokens)


def bins_of(rows: tuple[BatchRow, ...], chosen: int | None) -> tuple[Bin, ...]:
    """Count rows by their longest match.

    rows: The rows; those that could not be traced are not counted.
    chosen: The number of the bar that is the filter; None for none.
    Returns: One bar per range of `EDGES`.
    """
    # Every half second while a file is traced, over all rows: counted by numpy, not row by row.
    lengths = np.array([row.longest_match for row in rows if not row.problem], np.int64)
    places = np.searchsorted(EDGES, lengths, side="right") - 1
    counts = np.bincount(places, minlength=len(EDGES)).tolist()
    # The ends that are shown are inclusive; the last bar is open.
    ends: list[int | None] = [*(edge - 1 for edge in EDGES[1:]), None]
    bars = enumerate(zip(EDGES, ends, counts, strict=True))
    return tuple(Bin(low, high, count, number == chosen) for number, (low, high, count) in bars)


def arranged(rows: tuple[BatchRow, ...], order: Order, length: int | None) -> tuple[BatchRow, ...]:
    """Filter and sort rows.

    rows: The rows in the order of the file.
    length: The bar of the histogram whose answers are wanted; None for all.
    Returns: The rows; equal ones keep the order of the file.
    """
    if length is not None:
        # Half-open as in the bars: a length is in exactly one of them.
        low, high = EDGES[length], EDGES[length + 1] if length + 1 < len(EDGES) else None
        rows = tuple(
            row
            for row in rows
            if not row.problem and row.longest_match >= low and (high is None or row.longest_match < high)
        )
    if order.column is None:
        return rows
    # Python keeps the order of equal rows also with `reverse`, so it is always that of the file.
    return tuple(sorted(rows, key=COLUMNS[order.column][1], reverse=order.largest_first))


def cell_of(row: BatchRow, column: int) -> Cell:
    """Write one cell of the table.

    Returns: The cell; empty for a figure of an answer that could not be traced.
    """
    if column == 0:
        return Cell(numeral(row.line), right=True, muted=True)
    if row.problem:
        return Cell(row.problem, muted=True, tip=row.problem) if column == 1 else Cell("")
    match column:
        case 1:
            # Cut before white space is joined: answers may have a megabyte, and only the beginning is seen.
            return Cell(beginning(one_line(row.text[: 4 * _SHOWN]), _SHOWN), tip=beginning(row.text, _TIP))
        case 2:
            return Cell(numeral(row.tokens), right=True, muted=True)
        case 3:
            return Cell(numeral(row.longest_match), right=True)
        case 4:
            return Cell(numeral(row.coverage, ".0%"), right=True)
        case 5:
            return Cell(numeral(row.novelty, ".0%"), right=True)
        case 6:
            return _copy_cell(row)
        case 8:
            return Cell(cell_text(model_of(row)), tip=model_of(row))
    return Cell(cell_text(row.source), tip=row.source)


def model_of(row: BatchRow) -> str:
    """The model that wrote an answer, if its record names it; otherwise ""."""
    named = (row.extra.get(name) for name in _MODEL_FIELDS)
    return next((value for value in named if isinstance(value, str) and value), "")


def _copy_cell(row: BatchRow) -> Cell:
    if not is_copy(row):
        return Cell("")
    text = (
        tr("{match:,} of {words:,} words", match=row.longest_match, words=row.tokens)
        if row.unit == "words"
        else tr("{match:,} of {tokens:,} tokens", match=row.longest_match, tokens=row.tokens)
    )
    return Cell(text, tip=tr("One match covers most of this answer, so the answer itself is probably in the corpus."))
