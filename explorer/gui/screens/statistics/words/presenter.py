"""What the tab of words and n-grams does. No Qt."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import ClassVar

from explorer.analyses.wordlist.chart import rank_chart
from explorer.api import Corpus
from explorer.chart import Chart
from explorer.export.provenance import with_facts
from explorer.gui.asking.presenter import LinesTabPresenter
from explorer.gui.found_lines.work import LinesOf
from explorer.gui.presenter import Services
from explorer.gui.requests import DocumentRequest, Saved
from explorer.gui.screens.statistics.words.state import WordsState
from explorer.gui.screens.statistics.words.work import ListAnswer, ListRule, ngrams_of, run_list
from explorer.i18n import tr


class WordsPresenter(LinesTabPresenter[WordsState]):
    """The tab without its widgets.

    saved: Called with a file that was written.
    """

    LIMITS: ClassVar = {"n": (1, 8), "min_count": (1, 999_999), "min_documents": (1, 999_999)}

    def __init__(
        self,
        services: Services,
        show: Callable[[DocumentRequest], None] = lambda request: None,
        saved: Callable[[Saved], None] = lambda request: None,
    ) -> None:
        super().__init__(WordsState(ListRule()), services, "words", show, saved)

    def start(self, corpus: Corpus, make: bool) -> None:
        """List what is asked for."""
        rule = self.state.rule
        self.ask(make, tr("Word list"), lambda report, cancel: run_list(corpus, rule, make, report, cancel))

    def sort(self, column: int, down: bool) -> None:
        """Show the rows in another order."""
        if (column, down) != self.state.sort:
            self.change(sort=(column, down))

    def choose(self, place: int) -> None:
        """Show the lines of the row at a place of the table."""
        state, order = self.state, self.state.order
        answer = state.found
        if answer is None or not 0 <= place < len(order) or order[place] == state.row:
            return
        row = order[place]
        self.change(row=row, error=None)
        assert state.corpus is not None and answer.corpus is not None and answer.found is not None
        record, ids = answer.rows[row], tuple(answer.found.ids[row].tolist())
        self.lines.read(
            LinesOf(state.corpus, answer.corpus, ids, record.form or "", record.count, source=answer.listed)
        )

    def save(self, path: Path) -> None:
        """Write all rows to a file, not only those of the table."""
        answer = self.state.found
        if answer is None or answer.corpus is None or answer.found is None:
            return
        listed, rule = answer.corpus, answer.rule
        # The most frequent first, as in the table: as many as there are different ones.
        most = max(1, answer.found.types)
        self.file.write(
            path, tr("Word list to a file"), lambda report, cancel: ngrams_of(listed, rule, most, report, cancel)
        )

    def charts(self) -> Callable[[], tuple[Chart, ...]] | None:
        """What makes the figure of the list; None if there is none."""
        found, corpus = self.state.found, self.state.corpus
        return None if found is None or corpus is None else partial(_charts, found, corpus)


def _charts(answer: ListAnswer, corpus: Corpus) -> tuple[Chart, ...]:
    assert answer.listed is not None and answer.found is not None
    chart = rank_chart(
        tr("Rank and frequency in {name}", name=corpus.index.name), answer.points, answer.rows, answer.slope
    )
    slope = () if answer.slope is None else (("zipf slope", f"{answer.slope.exponent:.4f}"),)
    found = answer.found
    figures = (("total", str(found.total)), ("types", str(found.types)), ("hapaxes", str(found.hapaxes)))
    return with_facts((chart,), (*answer.listed.provenance, *figures, *slope))
