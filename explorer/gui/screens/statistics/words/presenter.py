"""What the tab of words and n-grams does. No Qt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from explorer.analyses.wordlist.chart import rank_chart
from explorer.analyses.wordlist.question import WordlistQuestion
from explorer.chart import Chart
from explorer.corpus import Corpus
from explorer.corpus.statistics.ngrams import ngrams_of
from explorer.export.provenance import with_facts
from explorer.gui.asking.presenter import TablePresenter
from explorer.gui.found_lines.work import LinesOf
from explorer.gui.presenting.presenter import Services
from explorer.gui.presenting.requests import DocumentRequest, Saved
from explorer.gui.screens.statistics.words.state import WordsState
from explorer.gui.screens.statistics.words.work import MOST_ROWS, ListAnswer, run_list
from explorer.i18n import tr


class WordsPresenter(TablePresenter[WordsState]):
    """The tab without its widgets.

    saved: Called with a file that was written.
    """

    def __init__(
        self,
        services: Services,
        show: Callable[[DocumentRequest], None] = lambda request: None,
        saved: Callable[[Saved], None] = lambda request: None,
    ) -> None:
        super().__init__(WordsState(WordlistQuestion(top=MOST_ROWS)), services, "words", show, saved)

    def start(self, corpus: Corpus, make: bool) -> None:
        """List what is asked for."""
        rule = self.state.rule
        self.ask(make, tr(WordlistQuestion.title), lambda report, cancel: run_list(corpus, rule, make, report, cancel))

    def set(self, **values: Any) -> None:
        """Change settings. Of the two phrases, the one that is typed takes the place of the other."""
        for one, other in (("begins_with", "contains"), ("contains", "begins_with")):
            if values.get(one):
                values[other] = None
        super().set(**values)

    def lines_of(self, row: int) -> LinesOf:
        """Each occurrence of the form of a row."""
        corpus, answer = self.state.corpus, self.state.found
        assert corpus is not None and answer is not None and answer.counted is not None
        record = answer.rows[row]
        return LinesOf(corpus, answer.counted, record.ids, record.form or "", record.count, source=answer.found)

    def save(self, path: Path) -> None:
        """Write all rows to a file, not only those of the table."""
        answer = self.state.found
        if answer is None or answer.counted is None or answer.found is None:
            return
        # The most frequent first, as in the table: as many as there are different ones.
        index, rule = answer.counted.index, replace(answer.rule, top=max(1, answer.found.figures[0].types))
        self.file.write(path, tr("Word list to a file"), lambda report, cancel: ngrams_of(index, rule, report, cancel))

    def charts(self) -> Callable[[], tuple[Chart, ...]] | None:
        """What makes the figure of the list; None if there is none."""
        found, corpus = self.state.found, self.state.corpus
        return None if found is None or corpus is None else partial(_charts, found, corpus)


def _charts(answer: ListAnswer, corpus: Corpus) -> tuple[Chart, ...]:
    assert answer.found is not None
    chart = rank_chart(
        tr("Rank and frequency in {name}", name=corpus.index.name), answer.points, answer.rows, answer.slope
    )
    slope = () if answer.slope is None else (("zipf slope", f"{answer.slope.exponent:.4f}"),)
    [whole] = answer.found.figures
    figures = (("total", str(whole.total)), ("types", str(whole.types)), ("hapaxes", str(whole.hapaxes)))
    return with_facts((chart,), (*answer.found.provenance, *figures, *slope))
