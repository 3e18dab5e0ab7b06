"""What the tab of exports does. No Qt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

from explorer.corpus import Corpus
from explorer.export.cuts.cuts import CUT_FORMATS
from explorer.gui.asking.presenter import TabPresenter
from explorer.gui.presenting.answer import Answer
from explorer.gui.presenting.presenter import Services
from explorer.gui.presenting.requests import ExportCuts, Saved
from explorer.gui.screens.curation.export.handed import Handed
from explorer.gui.screens.curation.export.keeping import restored
from explorer.gui.screens.curation.export.state import ExportState
from explorer.gui.screens.curation.export.work import ExportRule, ranges_table, run_preview, run_union
from explorer.gui.screens.curation.export.writing import CutWriter
from explorer.i18n import tr


class ExportPresenter(TabPresenter[ExportState]):
    """The tab without its widgets."""

    LIMITS: ClassVar = {"gap": (0, 10_000)}
    ASKED: ClassVar = ("rule", "handed")

    def __init__(self, services: Services, saved: Callable[[Saved], None] = lambda request: None) -> None:
        super().__init__(ExportState(ExportRule()), services, "export", saved)
        self.previewing = services.slot("export preview")
        self.reading = services.slot("export kept")
        self.writer = CutWriter(services, saved, self.fail_beside)

    def use_corpus(self, corpus: Corpus | None) -> None:
        """Forget what was handed over: ranges are those of one index."""
        self.previewing.cancel()
        self.reading.cancel()
        self.change(handed=())
        super().use_corpus(corpus)

    def session(self) -> dict[str, Any]:
        """How texts are written, and what was handed over."""
        answer = self.state.answer.value
        cuts = {} if answer is None or not self.state.handed else {"handed": answer.kept}
        return {**super().session(), **cuts}

    def restore(self, values: dict[str, Any]) -> None:
        """Write as before; what was handed over is cut again, if it is of the open index."""
        super().restore(values)
        corpus, cuts = self.state.corpus, values.get("handed")

        def take(handed: tuple[Handed, ...]) -> None:
            # What was handed over meanwhile is newer.
            new = {each.title for each in self.state.handed}
            self.change(handed=(*(each for each in handed if each.title not in new), *self.state.handed))
            # Steps before have nothing of it, and would take it away unseen.
            self.choices.forget()
            self.run_if_seen()

        if corpus is not None and cuts is not None:
            self.reading.run(lambda cancel: restored(corpus, cuts), take, self.fail_beside)

    def add(self, request: ExportCuts) -> None:
        """Cut this, too; the same title once more takes the place of the first."""
        others = tuple(each for each in self.state.handed if each.title != request.title)
        self.hand((*others, Handed(request.title, request.ranges, request.asked, length=request.length)))

    def switch(self, place: int, on: bool) -> None:
        """Cut what was handed over, or leave it."""
        handed = list(self.state.handed)
        # Check boxes signal what an undo sets in them.
        if handed[place].on != on:
            handed[place] = replace(handed[place], on=on)
            self.hand(tuple(handed))

    def hand(self, handed: tuple[Handed, ...]) -> None:
        """Cut these and nothing else."""
        with self.choices.step():
            self.change(handed=handed, error=None)
        self.run()

    def row_forgotten(self) -> dict[str, Any]:
        """Show no document until one is chosen."""
        self.previewing.cancel()
        return {"row": -1, "preview": Answer()}

    def start(self, corpus: Corpus, make: bool) -> None:
        """Put together what goes."""
        rule, handed = self.state.rule, self.state.handed
        if handed:
            self.ask(False, tr("Cuts"), lambda report, cancel: run_union(corpus, rule, handed, cancel))
        else:
            self.asking.cancel()
            self.change(answer=Answer(), **self.row_forgotten())

    def choose(self, row: int) -> None:
        """Show the document of a row with what goes."""
        answer, corpus = self.state.answer.current, self.state.corpus
        if answer is None or corpus is None or not 0 <= row < len(answer.rows) or row == self.state.row:
            return
        self.change(row=row, preview=self.state.preview.asked(), error=None)
        self.previewing.run(
            lambda cancel: run_preview(corpus, answer, answer.rows[row].number, cancel),
            lambda seen: self.change(preview=self.state.preview.arrived(seen)),
            self.fail_beside,
        )

    def save(self, path: Path) -> None:
        """Write all ranges to a table."""
        answer, corpus = self.state.answer.current, self.state.corpus
        if answer is not None and corpus is not None:
            self.file.write(path, tr("Cuts to a file"), lambda report, cancel: ranges_table(corpus, answer))

    def fits(self, name: str, value: Any) -> bool:
        """Whether a value can be restored."""
        return value in CUT_FORMATS if name == "format" else super().fits(name, value)
