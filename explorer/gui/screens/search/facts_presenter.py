"""What is counted after the lines are shown: their documents, the hits within words, and cuts. No Qt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from explorer.analyses.search.find import QueryResult
from explorer.core.jobs import Kind
from explorer.errors import CorpusError
from explorer.gui.presenting.presenter import Presenter, Services
from explorer.gui.screens.search.describe import MoreFacts
from explorer.gui.screens.search.lines.counting import LinesFacts, lines_facts
from explorer.gui.screens.search.query.cuts import CutChip
from explorer.gui.screens.search.work import LinesAnswer, count_within_words, cuts_found


@dataclass(frozen=True, eq=False)
class FactsState:
    """Facts about the newest lines, as far as they are known.

    found: The hits that `more.within` and the cuts belong to; None without a query.
    more: Counts that follow after the lines.
    cuts, other_cuts: How the tokenizer split the hits, most frequent first, and the number of ways that are not given.
    error: Why something could not be counted.
    """

    found: QueryResult | None = None
    more: MoreFacts = field(default_factory=MoreFacts)
    cuts: tuple[CutChip, ...] = ()
    other_cuts: int = 0
    error: CorpusError | None = None


class FactsPresenter(Presenter[FactsState]):
    """Counts for one answer at a time.

    listed: Called with a document that is open and whether any of the lines is in it.
    """

    def __init__(self, services: Services, listed: Callable[[int, bool], None]) -> None:
        super().__init__(FactsState())
        self._listed = listed
        # Three slots: another order of the same hits asks for the documents alone, while the others still run.
        self._documents, self._within, self._cuts = (
            services.slot(name, timed=False, kind=Kind.LATER) for name in ("facts", "within words", "cuts")
        )

    def forget(self) -> None:
        """There is a new query, or none. The cuts of the one before stay until its hits are known."""
        self._cancel()
        self.change(found=None, more=MoreFacts(), error=None)

    def clear(self) -> None:
        """There are new hits, or none: the cuts of the ones before are gone, too."""
        self.forget()
        self.change(cuts=(), other_cuts=0)

    def pause(self) -> None:
        """Release the lock on the metadata, which other work needs."""
        self._documents.cancel()

    def count(self, answer: LinesAnswer, opened: int) -> None:
        """Count what is shown after the lines: documents and, once for the same hits, cuts and parts of words.

        opened: The document for which to find out whether a line is in it; -1 for none.
        """
        found = answer.request.found
        # By identity: the same hits have the same cuts, however their lines are filtered and sorted.
        fresh = self.state.found is not found
        more = MoreFacts() if fresh else replace(self.state.more, documents=None)
        self.change(found=found, more=more, error=None)
        self._documents.run(lambda cancel: lines_facts(answer.lines, opened, cancel), self._take, self._fail)
        if fresh:
            self._cuts.run(lambda cancel: cuts_found(answer, cancel), self._take_cuts, self._fail)
            self._count_within(answer)

    def _count_within(self, answer: LinesAnswer) -> None:
        """Count what whole words leave out."""
        found, request = answer.request.found, answer.request
        self._within.cancel()
        if request.options.whole_words and len(found.clauses) == 1 and not found.excluded:
            # A pattern may be too broad without its borders; then there is no such number to show.
            self._within.run(lambda cancel: count_within_words(request, cancel), self._take_within, lambda error: None)

    def _take(self, facts: LinesFacts) -> None:
        self.change(more=replace(self.state.more, documents=facts.documents))
        # With the number of the document: another one may have been opened meanwhile.
        if facts.opened >= 0:
            self._listed(facts.opened, facts.listed)

    def _take_within(self, count: int) -> None:
        # Of the hits in the state: a new query cancels the count before it changes them.
        self.change(more=replace(self.state.more, within=count))

    def _take_cuts(self, cuts: tuple[tuple[CutChip, ...], int]) -> None:
        self.change(cuts=cuts[0], other_cuts=cuts[1])

    def _fail(self, error: CorpusError) -> None:
        self.change(error=error)

    def stop(self) -> None:
        """Stop counting; what is known stays."""
        self._cancel()

    def _cancel(self) -> None:
        for slot in (self._documents, self._within, self._cuts):
            slot.cancel()
