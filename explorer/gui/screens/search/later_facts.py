"""What is counted after the lines are shown: their documents, the hits within words, and cuts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QObject, Signal

from explorer.gui.runner import Runner
from explorer.gui.screens.search.cuts import CutChip
from explorer.gui.screens.search.describe import MoreFacts
from explorer.gui.screens.search.work import LinesAnswer, LinesFacts, count_within_words, cuts_found, lines_facts
from explorer.jobs import Kind
from explorer.search.find import QueryResult


class LaterFacts(QObject):
    """Counts for one answer at a time. `known(LinesAnswer, MoreFacts)`; `cut(chips, int)`; `listed(int, bool)`.

    cut: the cuts, and how many others there are. listed: whether any of the lines is in the open document.
    `failed(error)`.
    """

    known = Signal(object, object)
    cut = Signal(object, int)
    listed = Signal(int, bool)
    failed = Signal(object)

    def __init__(self, make_runner: Callable[[str, bool, Kind], Runner], parent: QObject) -> None:
        super().__init__(parent)
        self._documents, self._within, self._cuts = (
            make_runner(name, False, Kind.LATER) for name in ("facts", "within words", "cuts")
        )
        self._answer: LinesAnswer | None = None
        self._counted: QueryResult | None = None
        self.facts = MoreFacts()

    @property
    def busy(self) -> bool:
        """Whether something is being counted."""
        return any(runner.busy for runner in (self._documents, self._within, self._cuts))

    def forget(self) -> None:
        """There is a new query, or none."""
        self._answer, self._counted, self.facts = None, None, MoreFacts()
        for runner in (self._documents, self._within, self._cuts):
            runner.cancel()

    def pause(self) -> None:
        """Release the lock on the metadata, which other work needs."""
        self._documents.cancel()

    def count(self, answer: LinesAnswer, opened: int) -> None:
        """Count, in the background, what is shown after the lines: documents and cuts.

        Parameters
        ----------
        answer
            The lines.
        opened
            The document for which to find out whether a line is in it; -1 for none.
        """
        found = answer.request.found
        if self._counted is not found:
            self.facts = MoreFacts()
        self._answer, self.facts = answer, replace(self.facts, documents=None)
        self._documents.run(
            lambda cancel: lines_facts(answer.lines, opened, cancel), self._show_documents, self.failed.emit
        )
        if self._counted is not found:
            self._counted = found
            self._cuts.run(lambda cancel: cuts_found(answer, cancel), self._show_cuts, self.failed.emit)
            self._count_within(answer)

    def _count_within(self, answer: LinesAnswer) -> None:
        """Count what whole words leave out."""
        found, request = answer.request.found, answer.request
        self._within.cancel()
        if request.options.whole_words and len(found.clauses) == 1 and not found.excluded:
            # A pattern may be too broad without its borders; then there is no such number to show.
            self._within.run(lambda cancel: count_within_words(request, cancel), self._show_within, lambda error: None)

    def _show_cuts(self, found: tuple[tuple[CutChip, ...], int]) -> None:
        self.cut.emit(*found)

    def _show_documents(self, found: LinesFacts) -> None:
        self._tell(replace(self.facts, documents=found.documents))
        if found.opened >= 0:
            self.listed.emit(found.opened, found.listed)

    def _show_within(self, count: int) -> None:
        self._tell(replace(self.facts, within=count))

    def _tell(self, facts: MoreFacts) -> None:
        self.facts = facts
        if self._answer is not None:
            self.known.emit(self._answer, facts)
