"""What the tab of diversity and growth does. No Qt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from explorer.analyses.spectrum.chart import growth_chart
from explorer.chart import Chart
from explorer.corpus import Corpus
from explorer.export.provenance import index_facts, with_facts
from explorer.gui.asking.presenter import TablePresenter
from explorer.gui.presenting.presenter import Services
from explorer.gui.presenting.requests import Saved
from explorer.gui.screens.statistics.growth.state import GrowthState
from explorer.gui.screens.statistics.growth.work import GrowthAnswer, GrowthRule, run_growth
from explorer.i18n import tr


class GrowthPresenter(TablePresenter[GrowthState]):
    """The tab without its widgets.

    saved: Called with a file that was written.
    """

    def __init__(self, services: Services, saved: Callable[[Saved], None] = lambda request: None) -> None:
        super().__init__(GrowthState(GrowthRule()), services, "growth", saved=saved)

    def use_corpus(self, corpus: Corpus | None) -> None:
        """Measure another index; a field that it lacks gives way to none."""
        if corpus is not None and self.state.rule.by not in (None, *corpus.metadata_fields):
            self.change(rule=replace(self.state.rule, by=None))
        super().use_corpus(corpus)

    def group_by(self, by: str | None) -> None:
        """Measure the values of a field; None for the whole index."""
        if by != self.state.rule.by:
            with self.choices.step():
                self.change(rule=replace(self.state.rule, by=by))
            self.run_if_seen()

    def start(self, corpus: Corpus, make: bool) -> None:
        """Measure what is asked for."""
        # The growth and the whole are those of any groups.
        rule, known = self.state.rule, self.state.found
        self.ask(
            make,
            tr("Diversity and growth"),
            lambda report, cancel: run_growth(corpus, rule, make, known, report, cancel),
        )

    def lines_of(self, row: int) -> None:
        """Groups have no lines."""

    def save(self, path: Path) -> None:
        """Write all groups to a file."""
        answer = self.state.found
        if answer is not None and answer.found is not None:
            found = answer.found
            self.file.write(path, tr("Diversity to a file"), lambda report, cancel: found)

    def charts(self) -> Callable[[], tuple[Chart, ...]] | None:
        """What makes the figure of the growth; None if there is none."""
        answer, corpus = self.state.found, self.state.corpus
        if answer is None or corpus is None or answer.growth is None or not len(answer.growth.words):
            return None
        return partial(_charts, answer, corpus)

    def restore(self, values: dict[str, Any]) -> None:
        """Measure the same again; a field has to be one of the index."""
        known = self.state.corpus is None or values.get("by") in ("", None, *self.state.fields)
        super().restore(values if known else {name: value for name, value in values.items() if name != "by"})


def _charts(answer: GrowthAnswer, corpus: Corpus) -> tuple[Chart, ...]:
    assert answer.growth is not None
    chart = growth_chart(tr("Growth of the vocabulary of {name}", name=corpus.index.name), answer.growth, answer.heaps)
    law = () if answer.heaps is None else (
        ("heaps exponent", f"{answer.heaps.exponent:.4f}"),
        ("heaps factor", f"{answer.heaps.factor:.4f}"),
    )  # fmt: skip
    # The curve is that of the whole index, whatever the groups of the table are.
    return with_facts((chart,), (*index_facts(corpus.index), ("unit", "words"), ("order", answer.rule.order), *law))
