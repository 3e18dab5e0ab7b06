"""What the tab of keywords does. No Qt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from explorer.analyses.breakdown.facets import Bar
from explorer.analyses.keywords.chart import keyword_chart
from explorer.chart import Chart
from explorer.corpus import Corpus
from explorer.export.provenance import with_facts
from explorer.gui.asking.presenter import TablePresenter
from explorer.gui.found_lines.work import LinesOf
from explorer.gui.presenting.answer import Answer
from explorer.gui.presenting.presenter import Services
from explorer.gui.presenting.requests import DocumentRequest, Saved
from explorer.gui.screens.statistics.keywords.state import KeywordState
from explorer.gui.screens.statistics.keywords.work import (
    KeywordAnswer,
    KeywordRule,
    condition_of,
    keywords_of,
    run_keywords,
    run_values,
    with_known_field,
)
from explorer.i18n import tr


class KeywordsPresenter(TablePresenter[KeywordState]):
    """The tab without its widgets.

    saved: Called with a file that was written.
    """

    def __init__(
        self,
        services: Services,
        show: Callable[[DocumentRequest], None] = lambda request: None,
        saved: Callable[[Saved], None] = lambda request: None,
    ) -> None:
        super().__init__(KeywordState(KeywordRule()), services, "keywords", show, saved)
        self.offering = services.slot("keywords values")
        # The field whose values are offered.
        self._offered = ""

    def use_corpus(self, corpus: Corpus | None) -> None:
        """Compare the same of another index."""
        self.offering.cancel()
        # What is compared has to be one of its fields before the comparison begins.
        self.change(corpus=corpus, values=None)
        self._offer()
        super().use_corpus(corpus)

    def _offer(self) -> None:
        """Offer the values of the field; one that this index lacks gives way to its first one."""
        corpus = self.state.corpus
        rule = self.state.rule if corpus is None else with_known_field(self.state.rule, self.state.fields)
        self.change(rule=rule, values=None)
        field = self._offered = rule.field
        if corpus is not None and field:
            report = self.offering.reporter()
            self.offering.run(
                lambda cancel: run_values(corpus, field, report, cancel),
                lambda values: self.change(values=values),
                self.fail_beside,
            )

    def set(self, **values: Any) -> None:
        """Change what is compared, by the names in `KeywordRule`."""
        if "operator" in values:
            values["condition"] = condition_of(replace(self.state.rule, **values), None)
        super().set(**values)

    def choose_field(self, field: str) -> None:
        """Choose another field, of which no value is chosen yet."""
        if field != self.state.rule.field:
            with self.choices.step():
                self.change(rule=replace(self.state.rule, field=field, value="", condition=""))
            self._offer()

    def choose_value(self, text: str, bar: Bar | None) -> None:
        """Choose a value: as typed, or one of those that are offered."""
        self.set(value=text, condition=condition_of(replace(self.state.rule, value=text), bar))

    def start(self, corpus: Corpus, make: bool) -> None:
        """Compare what is asked for."""
        # An undo brings a field back.
        if self.state.rule.field != self._offered:
            self._offer()
        rule = self.state.rule
        if rule.complete:
            self.ask(make, tr("Keywords"), lambda report, cancel: run_keywords(corpus, rule, make, report, cancel))
        else:
            self.asking.cancel()
            self.change(answer=Answer(), error=None, **self.row_forgotten())

    def lines_of(self, row: int) -> LinesOf:
        """Each occurrence of the word of a row in the documents that are compared."""
        corpus, answer = self.state.corpus, self.state.found
        assert corpus is not None and answer is not None and answer.corpus is not None
        record = answer.rows[row]
        # A word that only the reference has is in no text here.
        ids = tuple(answer.corpus.encode(record.form or "")) if record.count else ()
        form, where = record.form or "", answer.rule.where
        return LinesOf(corpus, answer.corpus, ids, form, record.count, where, source=answer.found)

    def save(self, path: Path) -> None:
        """Write all keywords to a file, with the reference and all that was asked."""
        answer, corpus = self.state.found, self.state.corpus
        if answer is None or corpus is None:
            return
        rule = answer.rule
        self.file.write(
            path, tr("Keywords to a file"), lambda report, cancel: keywords_of(corpus, rule, None, report, cancel)
        )

    def charts(self) -> Callable[[], tuple[Chart, ...]] | None:
        """What makes the figure of the keywords; None if there is none."""
        found, corpus = self.state.found, self.state.corpus
        return None if found is None or corpus is None else partial(_charts, found, corpus)

    def restore(self, values: dict[str, Any]) -> None:
        """Compare the same again; what has no such value is left as it is."""
        super().restore(values)
        self._offer()


def _charts(answer: KeywordAnswer, corpus: Corpus) -> tuple[Chart, ...]:
    assert answer.found is not None
    found, rule = answer.found, answer.rule
    name = f"{corpus.index.name}, {rule.where}" if rule.where else corpus.index.name
    chart = keyword_chart(
        tr("Keywords of {name} against {reference}", name=name, reference=found.reference), answer.rows
    )
    return with_facts((chart,), found.provenance)
