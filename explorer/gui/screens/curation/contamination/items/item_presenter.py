"""One item beside the document that has most of it. No Qt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from explorer.corpus import Corpus
from explorer.errors import CorpusError
from explorer.gui.presenting.answer import Answer
from explorer.gui.presenting.presenter import Presenter, Services
from explorer.gui.presenting.requests import DocumentRequest
from explorer.gui.screens.curation.contamination.work import BenchAnswer, ItemView, run_item
from explorer.i18n import numeral, tr, trn


@dataclass(frozen=True, eq=False)
class ItemState:
    """The item that is shown.

    row: Its number among all items; -1 for none.
    """

    row: int = -1
    view: Answer[ItemView] = field(default_factory=Answer[ItemView])

    @property
    def told(self) -> str:
        """What was found of it."""
        if (view := self.view.value) is None:
            return tr("Choose an item to see what it shares with the texts")
        found = view.found
        parts = [
            tr("longest match {longest} of {units}", longest=numeral(found.longest), units=numeral(found.units)),
            trn("which occurs {n:,} time", "which occurs {n:,} times", found.count),
        ]
        if found.template:
            parts.append(tr("template: shared by several items"))
        where = found.evidence
        if where is not None:
            share = numeral(100 * where.chained, ".0f")
            parts.insert(2, tr("{share} % of it in order, up to 4 others between matches", share=share))
        if where is not None and where.answer_near is not None:
            parts.append(tr("the answer is near") if where.answer_near else tr("the answer is not near"))
        if where is not None and where.sampled:
            parts.append(tr("not all documents were looked at: a match is too frequent"))
        return " · ".join(parts)

    @property
    def document(self) -> int | None:
        """The number of the document; None if nothing occurs."""
        view = self.view.value
        return None if view is None or view.found.evidence is None else view.found.evidence.document


class ItemPresenter(Presenter[ItemState]):
    """Reads an item and its document.

    failed: Called with why it could not be read.
    """

    def __init__(
        self,
        services: Services,
        show: Callable[[DocumentRequest], None],
        failed: Callable[[CorpusError], None],
    ) -> None:
        super().__init__(ItemState())
        self.reading = services.slot("contamination item")
        self._show, self._told = show, failed

    def clear(self) -> None:
        """Show no item."""
        self.reading.cancel()
        self.change(row=-1, view=Answer())

    def read(self, corpus: Corpus, answer: BenchAnswer, row: int) -> None:
        """Show an item."""
        if row == self.state.row:
            return
        self.change(row=row, view=self.state.view.asked())
        self.reading.run(
            lambda cancel: run_item(corpus, answer, row, cancel),
            lambda view: self.change(view=self.state.view.arrived(view)),
            self._failed,
        )

    def _failed(self, error: CorpusError) -> None:
        self.change(view=self.state.view.failed(error))
        self._told(error)

    def open_document(self) -> None:
        """Open the document at the match."""
        view, document = self.state.view.current, self.state.document
        if view is not None and document is not None:
            self._show(DocumentRequest(document, view.token, view.tokens))
