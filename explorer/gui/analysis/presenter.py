"""What the tab of an analysis asks, and what it shows. No Qt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from explorer.analyses.registry import AnalysisRow
from explorer.api import Corpus
from explorer.api.analyses import ask
from explorer.api.results.analysis import AnalysisTable
from explorer.chart import Chart
from explorer.derive.question import Question
from explorer.derive.table import columns_of
from explorer.gui.asking.presenter import TabPresenter
from explorer.gui.asking.state import TabState
from explorer.gui.cells import Cell
from explorer.gui.hints import no_index
from explorer.gui.presenter import Services
from explorer.gui.requests import Saved
from explorer.gui.text_positions import cell_text
from explorer.gui.word_index import bytes_to_ask, offer
from explorer.i18n import tr
from explorer.jobs import CancelToken, Report

MOST_ROWS = 1_000
"""Rows of the table; a file has all of them."""


@dataclass(frozen=True, eq=False)
class AnalysisAnswer:
    """What was computed.

    bytes: How large the index of words becomes at most, where it is not there yet.
    found: The rows; None without words.
    table: The first rows as cells, in the language of the window.
    """

    rule: Question
    bytes: int = 0
    found: AnalysisTable[Any, Any, Any] | None = None
    table: tuple[tuple[Cell, ...], ...] = ()
    chart: Chart | None = None


@dataclass(frozen=True, eq=False, kw_only=True)
class AnalysisState(TabState[Question, AnalysisAnswer]):
    """The settings of an analysis, and its rows."""

    row: AnalysisRow

    @property
    def invitation(self) -> tuple[str, str]:
        """What takes the place of the rows: a line, and what to do."""
        if self.corpus is None:
            return no_index()
        if not self.missing:
            return (tr("Counting …"), "") if self.answer.awaited else ("", "")
        return offer(self.most_bytes)

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
    def header(self) -> tuple[str, ...]:
        """The headings of the columns."""
        return tuple(tr(each.label) for _, each in _labeled(self.row.analysis.record))

    @property
    def tips(self) -> tuple[str, ...]:
        """The meanings of the columns."""
        return tuple(tr(each.help) for _, each in _labeled(self.row.analysis.record))


class AnalysisPresenter(TabPresenter[AnalysisState]):
    """The tab without its widgets.

    saved: Called with a file that was written.
    """

    def __init__(
        self, row: AnalysisRow, services: Services, saved: Callable[[Saved], None] = lambda request: None
    ) -> None:
        super().__init__(AnalysisState(row.analysis.question(), row=row), services, row.name, saved)

    def start(self, corpus: Corpus, make: bool) -> None:
        """Compute what the settings ask for."""
        row, rule = self.state.row, self.state.rule
        self.ask(make, tr(row.title), lambda report, cancel: run(corpus, row, rule, make, report, cancel))

    def save(self, path: Path) -> None:
        """Write all rows to a file."""
        if (answer := self.state.found) is not None and answer.found is not None:
            found = answer.found
            self.file.write(path, tr(self.state.row.title), lambda report, cancel: found)

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
    table = tuple(_cells(analysis.record, each) for each in list(found)[:MOST_ROWS])
    return AnalysisAnswer(rule, 0, found, table, found.chart(title) if len(found) else None)


def _cells(record: type, row: Any) -> tuple[Cell, ...]:
    values = ((each, getattr(row, name)) for name, each in _labeled(record))
    return tuple(Cell(cell_text(each.text(value)), right=not isinstance(value, str | tuple)) for each, value in values)


def _labeled(kind: type) -> list[tuple[str, Any]]:
    """The columns that the window shows."""
    return [(name, each) for name, each in columns_of(kind).items() if each.label]
