"""What the tab of collocates does. No Qt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Any

from explorer.chart import Chart
from explorer.errors import CorpusError
from explorer.export.collocate_charts import network_chart
from explorer.export.provenance import with_facts
from explorer.gui.answer import Answer
from explorer.gui.found_lines.presenter import LinesPresenter
from explorer.gui.job import Job
from explorer.gui.presenter import Presenter, Services
from explorer.gui.requests import Request
from explorer.gui.rows_file import RowsFile
from explorer.gui.screens.search.collocates_state import CollocatesState
from explorer.gui.screens.search.collocates_work import (
    CollocateAnswer,
    CollocateQuestion,
    lines_of,
    question_of,
    run_collocates,
)
from explorer.gui.screens.search.work import LinesAnswer
from explorer.i18n import tr
from explorer.jobs import Kind
from explorer.statistics.association import ASSOCIATIONS

LIMITS = {"left": (0, 100), "right": (0, 100), "min_count": (1, 999_999)}
"""The ranges of the fields, by the names in `CollocateRule`."""
_DEBOUNCE_MS = 400


class CollocatesPresenter(Presenter[CollocatesState]):
    """The tab without its widgets.

    Parameters
    ----------
    services
        Slots and delays.
    request
        Asks for a document to be shown, and reports files.
    """

    def __init__(self, services: Services, request: Callable[[Request], None]) -> None:
        super().__init__(CollocatesState())
        # Minutes, where the words are made.
        self._counter = services.slot("collocates", kind=Kind.APART)
        self._file = RowsFile(services.slot("collocates file", kind=Kind.APART), request, self.fail_beside)
        self.lines = LinesPresenter(services, "collocates lines", request, request, self.fail_beside)
        self._typing = services.delay(_DEBOUNCE_MS, self.open)
        self._request = request
        self._making = False

    def use_lines(self, answer: LinesAnswer | None) -> None:
        """Take another query, whose neighbors are counted when the tab is opened; None: there is none."""
        self._counter.cancel()
        self._making = False
        if answer is None:
            self.lines.clear()
            self.change(question=None, answer=Answer[CollocateAnswer](), row=-1, error=None)
            return
        question, before = question_of(answer), self.state.question
        same = before is not None and before.corpus is question.corpus and _key(before) == _key(question)
        # Sorting the lines asks for them again, which changes nothing here.
        kept = before if same else question
        self.change(question=kept, answer=replace(self.state.answer.stopped(), error=None), error=None)

    def open(self) -> None:
        """Count, unless it is done."""
        # The words may have been made on another screen.
        if (not self.state.current or self.state.missing) and not self._making:
            self.run()

    def set(self, **values: Any) -> None:
        """Change how is counted, by the names in `CollocateRule`."""
        changed = replace(self.state.rule, **values)
        if changed == self.state.rule:
            return
        # A window of nothing has no neighbors: the other side takes over.
        if not changed.left + changed.right:
            changed = replace(changed, right=1) if "left" in values else replace(changed, left=1)
        self.change(rule=changed)
        # The wheel turns a number through many values: only the last one is asked about.
        self._typing.start()

    def make_words(self) -> None:
        """Make the index of words, then count."""
        self.run(make=True)

    def run(self, make: bool = False) -> None:
        """Count what is asked for."""
        self._typing.stop()
        question, rule, before = self.state.question, self.state.rule, self.state.answer.value
        if question is None or question.why_not:
            return
        self._making = make
        self.change(answer=self.state.answer.asked(), error=None)
        report = self._counter.reporter()
        self._counter.run(
            lambda cancel: run_collocates(question, rule, make, before, report, cancel),
            self._arrived,
            self._failed,
            Job(tr("Collocates"), self.stop),
        )

    def _arrived(self, answer: CollocateAnswer) -> None:
        self._making = False
        self.lines.clear()
        self.change(answer=self.state.answer.arrived(answer), row=-1, sort=(0, False), reading=False)
        # What was chosen while the words were made.
        if not self.state.current:
            self.run()

    def _failed(self, error: CorpusError) -> None:
        self._making = False
        self.change(answer=self.state.answer.failed(error))

    def stop(self) -> None:
        """End the count; the last one stays, dimmed."""
        self._counter.cancel()
        self._file.cancel()
        self._making = False
        self.change(answer=self.state.answer.stopped())

    def choose(self, row: int) -> None:
        """Choose a row by its place in the order of the measure."""
        answer = self.state.listed
        if answer is not None and 0 <= row < len(answer.rows) and row != self.state.row:
            self.change(row=row)
            if self.state.reading:
                self._read()

    def choose_shown(self, place: int) -> None:
        """Choose a row by its place in the table."""
        if 0 <= place < len(self.state.order):
            self.choose(self.state.order[place])

    def sort(self, column: int) -> None:
        """Sort the table by a column; the same one once more turns it around."""
        now, down = self.state.sort
        # Numbers from the greatest on, ranks and forms from the first on.
        self.change(sort=(column, not down if column == now else column > 1))

    def read(self, reading: bool = True) -> None:
        """Show the lines of the chosen row beside the table, or the network again."""
        self.change(reading=reading)
        if reading:
            self._read()

    def _read(self) -> None:
        answer = self.state.listed
        if answer is not None and 0 <= self.state.row < len(answer.rows):
            self.lines.read(lines_of(answer, self.state.row))

    def fail_beside(self, error: CorpusError) -> None:
        """Show why something failed that leaves the table as it is."""
        self.change(error=error)

    def save(self, path: Path) -> None:
        """Write all collocates to a file, whose ending decides the format."""
        answer = self.state.listed
        if answer is None or answer.found is None:
            return
        found = answer.found
        self._file.write(path, tr("Export of {name}", name=path.name), lambda report, cancel: found)

    def charts(self) -> Callable[[], tuple[Chart, ...]] | None:
        """What makes the figure of the network; None if there is nothing to draw."""
        answer = self.state.listed
        return partial(_charts, answer, self.state.query) if answer is not None and answer.rows else None

    def session(self) -> dict[str, Any]:
        """How is counted, as JSON values."""
        return asdict(self.state.rule)

    def restore(self, values: Any) -> None:
        """Count in the same way again; missing or invalid values are left unchanged."""
        if not isinstance(values, dict):
            return
        found: dict[str, Any] = {}
        for name, usual in asdict(self.state.rule).items():
            value = values.get(name)
            # A truth value would pass for a number.
            fits = name not in LIMITS or (type(value) is int and LIMITS[name][0] <= value <= LIMITS[name][1])
            if type(value) is type(usual) and fits and (name != "measure" or value in ASSOCIATIONS):
                found[name] = value
        rule = replace(self.state.rule, **found)
        self.change(rule=rule if rule.left + rule.right else self.state.rule)


def _key(question: CollocateQuestion) -> tuple[object, ...]:
    return question.text, question.filters, question.why_not


def _charts(answer: CollocateAnswer, query: str) -> tuple[Chart, ...]:
    assert answer.found is not None
    index = answer.question.corpus.index
    chart = network_chart(tr("Collocates of “{query}” in {name}", query=query, name=index.name), query, answer.rows)
    figures = (("node", answer.found.node_count), ("window", answer.found.window_tokens), ("N", answer.found.total))
    rule = tuple((name, str(value)) for name, value in asdict(answer.rule).items())
    return with_facts((chart,), index, (*rule, *((name, str(value)) for name, value in figures)))
