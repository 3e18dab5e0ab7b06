"""What the Statistics screen does. No Qt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, replace
from functools import partial
from typing import Any

from explorer.api import Corpus
from explorer.chart import Chart
from explorer.errors import CorpusError
from explorer.export.provenance import with_facts
from explorer.export.word_charts import rank_chart
from explorer.gui.answer import Answer
from explorer.gui.job import Job
from explorer.gui.presenter import Presenter, Services
from explorer.gui.requests import DocumentRequest
from explorer.gui.screens.statistics.state import StatisticsState
from explorer.gui.screens.statistics.work import LINES, ListAnswer, run_lines, run_list
from explorer.i18n import tr
from explorer.jobs import Kind

LIMITS = {"n": (1, 8), "min_count": (1, 999_999), "min_documents": (1, 999_999)}
"""The ranges of the fields, by the names in `ListRule`."""
_DEBOUNCE_MS = 400


class StatisticsPresenter(Presenter[StatisticsState]):
    """The screen without its widgets.

    Parameters
    ----------
    services
        Slots and delays.
    show
        Called with a document that is to be opened.
    """

    def __init__(self, services: Services, show: Callable[[DocumentRequest], None] = lambda request: None) -> None:
        super().__init__(StatisticsState())
        # Minutes, where the words are made.
        self.counting = services.slot("statistics list", kind=Kind.APART)
        self.reading = services.slot("statistics lines")
        self.typing = services.delay(_DEBOUNCE_MS, self.run)
        self._show = show
        # While the words are made: another list has to wait, or their index would begin again.
        self._making = False
        # A list costs a walk over the whole index: not while nobody sees it.
        self._seen, self._due = False, False

    def appear(self, seen: bool) -> None:
        """The screen came to the front, or left it."""
        self._seen = seen
        if seen and self._due:
            self.run()

    def _run_if_seen(self) -> None:
        self._due = True
        if self._seen:
            self.run()

    def use_corpus(self, corpus: Corpus | None) -> None:
        """List the same of another index."""
        self.counting.cancel()
        self.reading.cancel()
        self._making = False
        self.change(corpus=corpus, answer=Answer(), lines=Answer(), row=-1, first=0, error=None)
        self._run_if_seen()

    def set(self, **values: Any) -> None:
        """Change what is listed, by the names in `ListRule`."""
        changed = replace(self.state.rule, **values)
        if changed != self.state.rule:
            # The wheel turns a number through many values: only the last one is asked about.
            self.change(rule=changed)
            self.typing.start()

    def make_words(self) -> None:
        """Make the index of words, then list."""
        self.run(make=True)

    def run(self, make: bool = False) -> None:
        """List what is asked for."""
        self.typing.stop()
        corpus, rule = self.state.corpus, self.state.rule
        if corpus is None or self._making:
            return
        self._making, self._due = make, False
        self.change(answer=self.state.answer.asked(), error=None)
        report = self.counting.reporter()
        self.counting.run(
            lambda cancel: run_list(corpus, rule, make, report, cancel),
            self._arrived,
            self._failed,
            Job(tr("Word list"), self.stop),
        )

    def _arrived(self, answer: ListAnswer) -> None:
        self.reading.cancel()
        self._making = False
        self.change(answer=self.state.answer.arrived(answer), row=-1, first=0, lines=Answer())
        # What was chosen while the words were made.
        if answer.rule != self.state.rule:
            self.run()

    def _failed(self, error: CorpusError) -> None:
        self._making = False
        self.change(answer=self.state.answer.failed(error))

    def stop(self) -> None:
        """End the count; the last list stays dimmed."""
        self.counting.cancel()
        self._making = False
        self.change(answer=self.state.answer.stopped())

    def choose(self, row: int) -> None:
        """Show the lines of a row."""
        answer = self.state.listed
        if answer is not None and 0 <= row < len(answer.rows) and row != self.state.row:
            self.change(row=row, first=0, lines=Answer())
            self._read()

    def turn(self, pages: int) -> None:
        """Show the lines that follow, or those before."""
        first = self.state.first + pages * LINES
        if 0 <= first < self.state.count:
            self.change(first=first)
            self._read()

    def _read(self) -> None:
        corpus, answer, first = self.state.corpus, self.state.listed, self.state.first
        if corpus is None or answer is None or answer.corpus is None or answer.found is None:
            return
        listed, ids = answer.corpus, tuple(answer.found.ids[self.state.row].tolist())
        self.change(lines=self.state.lines.asked())
        self.reading.run(
            lambda cancel: run_lines(corpus, listed, ids, first, cancel),
            lambda lines: self.change(lines=self.state.lines.arrived(lines)),
            lambda error: self.change(lines=self.state.lines.failed(error)),
        )

    def open_line(self, row: int) -> None:
        """Open the document of a line."""
        lines = self.state.lines.current or ()
        if 0 <= row < len(lines):
            line = lines[row]
            self._show(DocumentRequest(line.document, line.offset, line.length))

    def fail_beside(self, error: CorpusError) -> None:
        """Show why something failed that leaves the list as it is."""
        self.change(error=error)

    def charts(self) -> Callable[[], tuple[Chart, ...]] | None:
        """What makes the figure of the list; None if there is none."""
        found, corpus = self.state.listed, self.state.corpus
        return None if found is None or corpus is None else partial(_charts, found, corpus)

    def session(self) -> dict[str, Any]:
        """What is listed, as JSON values."""
        return asdict(self.state.rule)

    def restore(self, values: dict[str, Any]) -> None:
        """List the same again; missing or invalid values are left unchanged."""
        found: dict[str, Any] = {}
        for name, usual in asdict(self.state.rule).items():
            value = values.get(name)
            # A truth value would pass for a number.
            if type(value) is type(usual) and (name not in LIMITS or _fits(name, value)):
                found[name] = value
        self.change(rule=replace(self.state.rule, **found))
        self._run_if_seen()


def _fits(name: str, value: Any) -> bool:
    low, high = LIMITS[name]
    return bool(low <= value <= high)


def _charts(answer: ListAnswer, corpus: Corpus) -> tuple[Chart, ...]:
    assert answer.found is not None
    chart = rank_chart(tr("Rank and frequency in {name}", name=corpus.index.name), answer.points, answer.rows)
    rule = tuple((name, str(value)) for name, value in asdict(answer.rule).items())
    figures = (("total", answer.found.total), ("types", answer.found.types), ("hapaxes", answer.found.hapaxes))
    return with_facts((chart,), corpus.index, (*rule, *((name, str(value)) for name, value in figures)))
