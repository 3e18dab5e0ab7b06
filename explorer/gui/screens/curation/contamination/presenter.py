"""What the tab of contamination does. No Qt."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from explorer.analyses.contamination.chart import curves_chart, longest_chart
from explorer.analyses.contamination.item_matches import Thresholds
from explorer.analyses.contamination.question import ContaminationQuestion
from explorer.chart import Chart
from explorer.corpus import Corpus
from explorer.export.provenance import index_facts, with_facts
from explorer.gui.asking.presenter import TabPresenter
from explorer.gui.presenting.answer import Answer
from explorer.gui.presenting.presenter import Services
from explorer.gui.presenting.requests import DocumentRequest, ExportCuts, Saved
from explorer.gui.screens.curation.contamination.beside import Beside
from explorer.gui.screens.curation.contamination.items.item_presenter import ItemPresenter
from explorer.gui.screens.curation.contamination.items.items_table import bench_facts, items_table
from explorer.gui.screens.curation.contamination.items.marking import marks_of
from explorer.gui.screens.curation.contamination.items.verdicts import Verdicts
from explorer.gui.screens.curation.contamination.outputs import BenchOutputs
from explorer.gui.screens.curation.contamination.state import GAIN_BY, BenchState
from explorer.gui.screens.curation.contamination.work import run_bench
from explorer.i18n import tr

_OLDER = {"flagged": "flag_at", "suspicious": "suspect_at"}
"""What thresholds were called in sessions of version 0.2, as percentages."""
_PERCENT = range(1, 101)


class ContaminationPresenter(TabPresenter[BenchState]):
    """The tab without its widgets.

    saved: Called with a file that was written.
    """

    def __init__(
        self,
        services: Services,
        show: Callable[[DocumentRequest], None] = lambda request: None,
        saved: Callable[[Saved], None] = lambda request: None,
        hand_over: Callable[[ExportCuts], None] = lambda request: None,
    ) -> None:
        super().__init__(BenchState(ContaminationQuestion()), services, "contamination", saved)
        self.choices.include(self, "thresholds", "marks")
        self.item = ItemPresenter(services, show, self.fail_beside)
        self.outputs = BenchOutputs(services, saved, hand_over, self.fail_beside)
        self.verdicts, self.beside = Verdicts(self), Beside(self)

    def add_files(self, paths: Sequence[Path]) -> None:
        """Look for the items of these files, too."""
        files = tuple(dict.fromkeys((*self.state.rule.files, *map(str, paths))))
        if files != self.state.rule.files:
            with self.choices.step():
                self.change(rule=replace(self.state.rule, files=files))
            self.run()

    def start(self, corpus: Corpus, make: bool) -> None:
        """Look for the items."""
        rule = self.state.rule
        if rule.files:
            self.ask(make, tr("Contamination"), lambda report, cancel: run_bench(corpus, rule, make, report, cancel))
        else:
            self.asking.cancel()
            self.change(answer=Answer(), error=None, **self.row_forgotten())

    def row_forgotten(self) -> dict[str, Any]:
        """Show no item until one is chosen, of the first benchmark."""
        self.item.clear()
        return {"file": 0}

    def choose_file(self, file: int) -> None:
        """List the items of another benchmark."""
        if 0 <= file < len(self.state.files) and file != self.state.file:
            self.item.clear()
            self.change(file=file)

    def choose(self, place: int) -> None:
        """Show the item at a place of the table."""
        state = self.state
        answer, order = state.answer.current, None if state.items is None else state.items[1].order
        if answer is not None and state.corpus is not None and order is not None and 0 <= place < len(order):
            self.item.read(state.corpus, answer, state.first + int(order[place]))

    def save(self, path: Path) -> None:
        """Write all items to a file: verdicts by the thresholds, and marks in a column of their own."""
        answer, state = self.state.answer.current, self.state
        corpus = state.corpus
        if answer is not None and corpus is not None and answer.found is not None:
            title, judged = tr("Contamination to a file"), state.judged
            thresholds, marks = state.thresholds, state.marks
            self.file.write(path, title, lambda report, cancel: items_table(corpus, answer, judged, thresholds, marks))

    def charts(self) -> Callable[[], tuple[Chart, ...]] | None:
        """What makes the figure of the longest matches; None if there is none."""
        found, corpus = self.state.found, self.state.corpus
        return None if found is None or corpus is None else partial(_charts, self.state, corpus)

    def session(self) -> dict[str, Any]:
        """What is asked for, as JSON values."""
        state = self.state
        return {**super().session(), "limits": state.thresholds.session, "marks": state.marks.as_session()}

    def restore(self, values: dict[str, Any]) -> None:
        """Ask for the same again; missing or invalid values are left unchanged."""
        self.change(thresholds=_thresholds(values.get("limits"), self.state.thresholds))
        if "marks" in values:
            self.change(marks=marks_of(values["marks"]))
        # Parts have no control: whoever does not see them would take the items for whole ones.
        super().restore({name: value for name, value in values.items() if name != "parts"})


def _thresholds(values: object, usual: Thresholds) -> Thresholds:
    """Thresholds as a file has them, of the shares that the bars show; percentages in one of version 0.2."""
    given = values if isinstance(values, dict) else {}
    older = {new: given[old] / 100 for old, new in _OLDER.items() if given.get(old) in _PERCENT}
    return usual.restored({name: value for name, value in {**older, **given}.items() if name in _OLDER.values()})


def _charts(state: BenchState, corpus: Corpus) -> tuple[Chart, ...]:
    assert state.shown is not None
    name = Path(state.shown.file).name
    title = tr("{benchmark} in {name}", benchmark=name, name=corpus.index.name)
    assert state.found is not None
    chart = longest_chart(title, [row.longest for row in state.shown.rows], state.found.rule.unit)
    shown = (("benchmark drawn", state.shown.file), ("items", str(state.shown.items)))
    facts = (*index_facts(corpus.index), *bench_facts(state.found, state.thresholds), *shown)
    curves = (curves_chart(title, state.gains, GAIN_BY),) if state.gains else ()
    return with_facts((chart, *curves), facts)
