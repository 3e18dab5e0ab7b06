"""What the tab of dispersion does. No Qt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from explorer.analyses.dispersion.chart import strip_chart
from explorer.backends.metadata import texts_first
from explorer.chart import Chart
from explorer.corpus import Corpus
from explorer.export.provenance import with_facts
from explorer.gui.asking.presenter import TablePresenter
from explorer.gui.found_lines.work import LinesOf
from explorer.gui.presenting.answer import Answer
from explorer.gui.presenting.presenter import Services
from explorer.gui.presenting.requests import DocumentRequest, Saved
from explorer.gui.screens.statistics.dispersion.state import SpreadState
from explorer.gui.screens.statistics.dispersion.work import SpreadAnswer, SpreadRule, run_spread
from explorer.i18n import tr


class SpreadPresenter(TablePresenter[SpreadState]):
    """The tab without its widgets.

    saved: Called with a file that was written.
    """

    def __init__(
        self,
        services: Services,
        show: Callable[[DocumentRequest], None] = lambda request: None,
        saved: Callable[[Saved], None] = lambda request: None,
    ) -> None:
        super().__init__(SpreadState(SpreadRule()), services, "dispersion", show, saved)

    def use_corpus(self, corpus: Corpus | None) -> None:
        """Measure another index; a field that it lacks gives way to its first one."""
        if corpus is not None and self.state.rule.field not in corpus.metadata_fields:
            first = next(iter(texts_first(corpus.metadata_fields)), "")
            self.change(rule=replace(self.state.rule, field=first))
        super().use_corpus(corpus)

    def start(self, corpus: Corpus, make: bool) -> None:
        """Measure what is asked for."""
        rule = self.state.rule
        if rule.complete:
            self.ask(make, tr("Dispersion"), lambda report, cancel: run_spread(corpus, rule, make, report, cancel))
        else:
            self.asking.cancel()
            self.change(answer=Answer(), error=None, **self.row_forgotten())

    def lines_of(self, row: int) -> LinesOf:
        """Each occurrence of the word of a row."""
        corpus, answer = self.state.corpus, self.state.found
        assert corpus is not None and answer is not None and answer.corpus is not None
        record = answer.rows[row]
        ids = tuple(answer.corpus.encode(record.form))
        return LinesOf(corpus, answer.corpus, ids, record.form, record.count, source=answer.found)

    def save(self, path: Path) -> None:
        """Write all words to a file, not only those of the table; of typed words, these."""
        answer, corpus = self.state.found, self.state.corpus
        if answer is None or corpus is None or answer.found is None:
            return
        rule, found = answer.rule, answer.found
        asked = replace(rule.question, top=None).arguments()
        self.file.write(
            path,
            tr("Dispersion to a file"),
            lambda report, cancel: found if rule.forms else corpus.dispersion(**asked, report=report, cancel=cancel),
        )

    def charts(self) -> Callable[[], tuple[Chart, ...]] | None:
        """What makes the figure of the typed words; None if there is none."""
        found, corpus = self.state.found, self.state.corpus
        return None if found is None or corpus is None or not found.strips else partial(_charts, found, corpus)

    def restore(self, values: dict[str, Any]) -> None:
        """Measure the same again; a field has to be one of the index."""
        known = self.state.corpus is None or values.get("field") in self.state.fields
        super().restore(values if known else {name: value for name, value in values.items() if name != "field"})


def _charts(answer: SpreadAnswer, corpus: Corpus) -> tuple[Chart, ...]:
    rule = answer.rule
    title = tr("Dispersion in {name}: {words}", name=corpus.index.name, words=", ".join(rule.forms))
    chart = strip_chart(title, rule.forms, answer.strips, answer.met)
    assert answer.found is not None
    return with_facts((chart,), (*answer.found.provenance, ("parts with hits", str(answer.met))))
