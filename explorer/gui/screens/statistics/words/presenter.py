"""What the tab of words and n-grams does. No Qt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Any

from explorer.api import Corpus
from explorer.chart import Chart
from explorer.errors import CorpusError
from explorer.export.provenance import with_facts
from explorer.export.word_charts import rank_chart
from explorer.gui.answer import Answer
from explorer.gui.found_lines.presenter import LinesPresenter
from explorer.gui.found_lines.work import LinesOf
from explorer.gui.job import Job
from explorer.gui.presenter import Presenter, Services
from explorer.gui.requests import DocumentRequest, Saved
from explorer.gui.screens.statistics.words.state import WordsState
from explorer.gui.screens.statistics.words.work import ListAnswer, ngrams_of, run_list
from explorer.i18n import tr, trn
from explorer.jobs import CancelToken, Kind

LIMITS = {"n": (1, 8), "min_count": (1, 999_999), "min_documents": (1, 999_999)}
"""The ranges of the fields, by the names in `ListRule`."""
_DEBOUNCE_MS = 400


class WordsPresenter(Presenter[WordsState]):
    """The tab without its widgets.

    Parameters
    ----------
    services
        Slots and delays.
    show
        Called with a document that is to be opened.
    saved
        Called with a file that was written.
    """

    def __init__(
        self,
        services: Services,
        show: Callable[[DocumentRequest], None] = lambda request: None,
        saved: Callable[[Saved], None] = lambda request: None,
    ) -> None:
        super().__init__(WordsState())
        # Minutes, where the words are made.
        self.counting = services.slot("words list", kind=Kind.APART)
        self.writing = services.slot("words file", kind=Kind.APART)
        self._saved = saved
        self.lines = LinesPresenter(services, "words lines", show, saved, self.fail_beside)
        self.typing = services.delay(_DEBOUNCE_MS, self.run)
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
        self.lines.clear()
        self._making = False
        self.change(corpus=corpus, answer=Answer(), row=-1, error=None)
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
        self.lines.clear()
        self._making = False
        self.change(answer=self.state.answer.arrived(answer), row=-1)
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

    def sort(self, column: int, down: bool) -> None:
        """Show the rows in another order."""
        if (column, down) != self.state.sort:
            self.change(sort=(column, down))

    def choose(self, place: int) -> None:
        """Show the lines of the row at a place of the table."""
        state, order = self.state, self.state.order
        answer = state.listed
        if answer is None or not 0 <= place < len(order) or order[place] == state.row:
            return
        row = order[place]
        self.change(row=row, error=None)
        assert state.corpus is not None and answer.corpus is not None and answer.found is not None
        record, ids = answer.rows[row], tuple(answer.found.ids[row].tolist())
        self.lines.read(LinesOf(state.corpus, answer.corpus, ids, record.form or "", record.count))

    def fail_beside(self, error: CorpusError) -> None:
        """Show why something failed that leaves the list as it is."""
        self.change(error=error)

    def save(self, path: Path) -> None:
        """Write all rows to a file, not only those of the table."""
        answer = self.state.listed
        if answer is None or answer.corpus is None or answer.found is None:
            return
        listed, rule, report = answer.corpus, answer.rule, self.writing.reporter()
        # The most frequent first, as in the table: as many as there are different ones.
        most = max(1, answer.found.types)

        def write(cancel: CancelToken) -> tuple[Path, int]:
            found = ngrams_of(listed, rule, most, report, cancel)
            found.write(path, report=report, cancel=cancel)
            return path, len(found)

        self.writing.run(write, self._wrote, self.fail_beside, Job(tr("Word list to a file"), self.writing.cancel))

    def _wrote(self, written: tuple[Path, int]) -> None:
        path, rows = written
        self._saved(Saved(path, trn("Saved {n:,} row", "Saved {n:,} rows", rows)))

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
    chart = rank_chart(
        tr("Rank and frequency in {name}", name=corpus.index.name), answer.points, answer.rows, answer.slope
    )
    rule = tuple((name, str(value)) for name, value in asdict(answer.rule).items())
    figures = (("total", answer.found.total), ("types", answer.found.types), ("hapaxes", answer.found.hapaxes))
    slope = () if answer.slope is None else (("zipf slope", f"{answer.slope.exponent:.4f}"),)
    return with_facts((chart,), corpus.index, (*rule, *((name, str(value)) for name, value in figures), *slope))
