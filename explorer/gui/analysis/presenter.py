"""What the tab of an analysis asks, and what it shows. No Qt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from explorer.analyses.registry import AnalysisRow
from explorer.chart import Chart
from explorer.core.jobs import CancelToken, Report
from explorer.corpus import Corpus
from explorer.corpus.analyses import ask
from explorer.corpus.results.analysis import AnalysisTable
from explorer.derive.question import Question
from explorer.derive.table import columns_of
from explorer.gui.asking.presenter import TablePresenter
from explorer.gui.asking.table import ShownColumn, TableState, declared
from explorer.gui.found_lines.work import LinesOf
from explorer.gui.index.word_index import bytes_to_ask
from explorer.gui.presenting.cells import Cell
from explorer.gui.presenting.presenter import Services
from explorer.gui.presenting.requests import DocumentRequest, Saved
from explorer.gui.style.text_positions import cell_text
from explorer.i18n import tr

MOST_ROWS = 1_000
"""Rows of the table; a file has all of them."""


@dataclass(frozen=True, eq=False)
class AnalysisAnswer:
    """What was computed.

    bytes: How large the index of words becomes at most, where it is not there yet.
    found: All rows; None without words.
    rows, table: The first ones, also as cells in the language of the window.
    counted: What was counted: the index or its words.
    """

    rule: Question
    bytes: int = 0
    found: AnalysisTable[Any, Any, Any] | None = None
    rows: tuple[Any, ...] = ()
    table: tuple[tuple[Cell, ...], ...] = ()
    counted: Corpus | None = None
    chart: Chart | None = None


@dataclass(frozen=True, eq=False, kw_only=True)
class AnalysisState(TableState[Question, AnalysisAnswer]):
    """The settings of an analysis, and its rows."""

    analysis: AnalysisRow
    sort: tuple[int, bool] = (-1, False)

    @property
    def headline(self) -> tuple[str, str, str]:
        """What describes all rows, the first of it large; see `Headline`."""
        if (answer := self.found) is None or answer.found is None:
            return "", "", ""
        facts = answer.found.facts
        shown = [(tr(each.label), each.text(getattr(facts, name))) for name, each in _labeled(type(facts))]
        first, *others = [f"{name}: {text}" for name, text in shown] or [""]
        return first, shown[0][1] if shown else "", " · ".join(others)

    @property
    def columns(self) -> tuple[ShownColumn, ...]:
        """The columns with a label."""
        record = self.analysis.analysis.record
        return declared(record, (name for name, _ in _labeled(record)))


class AnalysisPresenter(TablePresenter[AnalysisState]):
    """The tab without its widgets.

    saved: Called with a file that was written.
    """

    def __init__(
        self,
        row: AnalysisRow,
        services: Services,
        show: Callable[[DocumentRequest], None] = lambda request: None,
        saved: Callable[[Saved], None] = lambda request: None,
    ) -> None:
        super().__init__(AnalysisState(row.analysis.question(), analysis=row), services, row.name, show, saved)

    def start(self, corpus: Corpus, make: bool) -> None:
        """Compute what the settings ask for."""
        row, rule = self.state.analysis, self.state.rule
        self.ask(make, tr(row.title), lambda report, cancel: run(corpus, row, rule, make, report, cancel))

    def lines_of(self, row: int) -> LinesOf | None:
        """Each occurrence of the text of a row, if rows are texts."""
        corpus, answer, lines = self.state.corpus, self.state.found, self.state.analysis.analysis.lines
        if lines is None or corpus is None or answer is None or answer.counted is None:
            return None
        form, count = lines(answer.rows[row])
        return LinesOf(corpus, answer.counted, tuple(answer.counted.encode(form)), form, count, source=answer.found)

    def save(self, path: Path) -> None:
        """Write all rows to a file."""
        if (answer := self.state.found) is not None and answer.found is not None:
            found = answer.found
            self.file.write(path, tr(self.state.analysis.title), lambda report, cancel: found)

    def charts(self) -> Callable[[], tuple[Chart, ...]] | None:
        """What makes the figure; None if there is none."""
        answer = self.state.found
        chart = None if answer is None else answer.chart
        return None if chart is None else lambda: (chart,)


def run(
    corpus: Corpus, row: AnalysisRow, rule: Question, make: bool, report: Report, cancel: CancelToken
) -> AnalysisAnswer:
    """Compute an analysis. Runs off the interface thread.

    make: Whether the index of words may be made.
    Raises `CorpusError` if it cannot be computed.
    """
    analysis = row.analysis
    if analysis.unit == "words" and not make and (most := bytes_to_ask(corpus.index)):
        return AnalysisAnswer(rule, most)
    found = ask(corpus.index, analysis, rule, report, cancel)
    title = tr("{title} of {name}", title=tr(row.title), name=corpus.index.name)
    rows = tuple(islice(found, MOST_ROWS))
    table = tuple(_cells(analysis.record, each) for each in rows)
    counted = corpus.words(report=report, cancel=cancel) if analysis.unit == "words" else corpus
    return AnalysisAnswer(rule, 0, found, rows, table, counted, found.chart(title) if len(found) else None)


def _cells(record: type, row: Any) -> tuple[Cell, ...]:
    values = ((each, getattr(row, name)) for name, each in _labeled(record))
    return tuple(Cell(cell_text(each.text(value)), right=not isinstance(value, str | tuple)) for each, value in values)


def _labeled(kind: type) -> list[tuple[str, Any]]:
    """The columns that the window shows."""
    return [(name, each) for name, each in columns_of(kind).items() if each.label]
