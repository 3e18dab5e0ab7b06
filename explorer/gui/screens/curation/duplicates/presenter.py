"""What the tab of duplicates does. No Qt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from explorer.analyses.duplicates.chart import duplicates_chart
from explorer.analyses.duplicates.question import DuplicatesQuestion
from explorer.chart import Chart
from explorer.corpus import Corpus
from explorer.export.provenance import index_facts, with_facts
from explorer.gui.asking.presenter import TabPresenter
from explorer.gui.found_lines.presenter import LinesPresenter
from explorer.gui.presenting.answer import Answer
from explorer.gui.presenting.presenter import Services
from explorer.gui.presenting.requests import DocumentRequest, Saved
from explorer.gui.screens.curation.duplicates.list_presenter import RepeatsPresenter
from explorer.gui.screens.curation.duplicates.state import LISTED, RUNS, CopiesState
from explorer.gui.screens.curation.duplicates.work import (
    LENGTHS,
    CopiesCurve,
    run_copies,
    run_curve,
)
from explorer.i18n import tr


class DuplicatesPresenter(TabPresenter[CopiesState]):
    """The tab without its widgets.

    saved: Called with a file that was written.
    """

    ASKED = ("rule", "listed")

    def __init__(
        self,
        services: Services,
        show: Callable[[DocumentRequest], None] = lambda request: None,
        saved: Callable[[Saved], None] = lambda request: None,
    ) -> None:
        super().__init__(CopiesState(DuplicatesQuestion()), services, "duplicates", saved)
        self.drawing = services.slot("duplicates curve")
        self.lines = LinesPresenter(services, "duplicates lines", show, saved, self.fail_beside)
        self.list = RepeatsPresenter(services, self.lines, self.fail_beside, self.choices)
        self.choices.include(self.list, "filter")

    def use_corpus(self, corpus: Corpus | None) -> None:
        """Ask the same of another index; passages that are never removed are those of one index."""
        self.drawing.cancel()
        self.lines.clear()
        self.list.use_corpus(corpus)
        before = self.state.corpus
        # Not by the name, which two indexes can share.
        other = corpus is None or before is None or corpus.index.sources != before.index.sources
        rule = replace(self.state.rule, never=()) if other else self.state.rule
        self.change(rule=rule, curve=Answer())
        super().use_corpus(corpus)

    def start(self, corpus: Corpus, make: bool) -> None:
        """Find what goes; draw the curve and list the passages, where they are other ones."""
        self._find(corpus)
        self._measure(corpus)
        self._list()

    def move(self, length: int) -> None:
        """Choose a length while it changes with every move: what goes is found at once, the list follows."""
        if length != self.state.rule.length:
            self.set(length=length)
            if self.state.corpus is not None:
                self._find(self.state.corpus)

    def show(self, listed: str) -> None:
        """Choose what is listed, one of `LISTED`."""
        with self.choices.step():
            self.change(listed=listed)
        self._list()

    def _list(self) -> None:
        self.list.ask(self.state.repeats, self.state.listed == RUNS)

    def _find(self, corpus: Corpus) -> None:
        rule, known = self.state.rule, self.state.answer.current
        if known is None or known.rule.in_force != rule.in_force:
            self.ask(False, tr("Duplicates"), lambda report, cancel: run_copies(corpus, rule, report, cancel))

    def _arrived(self, answer: Any) -> None:
        # The list and its lines are of their own.
        self.change(answer=self.state.answer.arrived(answer))

    def _measure(self, corpus: Corpus) -> None:
        asked, known = self.state.rule.in_force, self.state.curve.current
        if known is not None and (known.rule.rule, known.rule.across) == (asked.rule, asked.across):
            return
        self.change(curve=self.state.curve.asked())
        report = self.drawing.reporter()
        self.drawing.run(
            lambda cancel: run_curve(corpus, asked, report, cancel),
            lambda curve: self.change(curve=self.state.curve.arrived(curve)),
            lambda error: self.change(curve=self.state.curve.failed(error), error=error),
        )

    def keep(self) -> None:
        """Never remove the chosen passage."""
        self.list.read_chosen(lambda ids: self.set(never=tuple(dict.fromkeys((*self.state.rule.never, ids)))))

    def save(self, path: Path) -> None:
        """Write all passages to a file, not only those of the list."""
        corpus, asked = self.state.corpus, self.state.repeats.arguments("top")
        if corpus is not None:
            self.file.write(
                path,
                tr("Repeats to a file"),
                lambda report, cancel: corpus.repeats(**asked, top=None, report=report, cancel=cancel),
            )

    def charts(self) -> Callable[[], tuple[Chart, ...]] | None:
        """What makes the figure of the curve; None if there is none."""
        curve, answer, corpus = self.state.curve.current, self.state.answer.value, self.state.corpus
        if curve is None or answer is None or corpus is None:
            return None
        return partial(_charts, curve, answer.found.tokens, corpus)

    def session(self) -> dict[str, Any]:
        """What is asked for, as JSON values."""
        return {**super().session(), "listed": self.state.listed}

    def restore(self, values: dict[str, Any]) -> None:
        """Ask for the same again; missing or invalid values are left unchanged."""
        if (listed := values.get("listed")) in list(LISTED):
            self.change(listed=listed)
        super().restore(values)


def _charts(curve: CopiesCurve, total: int, corpus: Corpus) -> tuple[Chart, ...]:
    title = tr("Repeats in {name}", name=corpus.index.name)
    chart = duplicates_chart(title, LENGTHS, curve.kept.tolist(), curve.every.tolist(), total)
    stated = dict(curve.rule.facts)
    asked = tuple((name, stated[name]) for name in ("rule", "only copies of another document"))
    return with_facts((chart,), (*index_facts(corpus.index), *asked, ("tokens", str(total))))
