"""Asks the query: what was typed and chosen, and what was found. No Qt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from explorer.analyses.search.find import QueryResult
from explorer.corpus import Corpus
from explorer.errors import CorpusError
from explorer.gui.presenting.answer import Answer
from explorer.gui.presenting.presenter import Presenter, Services
from explorer.gui.screens.search.query.state import Found, QueryState
from explorer.gui.screens.search.work import QueryRequest, find, prepare
from explorer.gui.settings.matching import CASES, Matching

# Milliseconds after the last key until the query is asked.
DEBOUNCE_MS = 50


class QueryPresenter(Presenter[QueryState]):
    """The query and its hits.

    asking: Called before a query is asked, with its request; None: there is no query any more.
    found: Called with the hits of the newest query.
    chosen: Called when a person chose another option: what depends on it is to be asked again.
    """

    def __init__(
        self,
        services: Services,
        asking: Callable[[QueryRequest | None], None],
        found: Callable[[Found], None],
        chosen: Callable[[], None],
    ) -> None:
        super().__init__(QueryState())
        self._asking, self._found, self._chosen = asking, found, chosen
        # How phrases are matched again when another query is typed than the one that a screen asked in its own way.
        self._own: Matching | None = None
        self._asker = services.slot("search")
        self._typing = services.delay(DEBOUNCE_MS, self.run)

    def use_corpus(self, corpus: Corpus | None) -> None:
        """Take another index, in which nothing is asked yet; the query and its options stay."""
        # `SearchPresenter` asks once all parts have the new index: an answer is passed on to all of them.
        self._forget()
        self.change(corpus=corpus)

    def typed(self, text: str) -> None:
        """Take another query. It is asked when nothing was typed for a moment."""
        if text != self.state.text:
            if self._own is not None:
                self.set_options(self._own, None)
            self.put(text)
            self._typing.start()

    def put(self, text: str) -> None:
        """Take another query without asking it. The lines are centered on its first clause."""
        if text != self.state.text:
            self.change(text=text, node=0, edited=True)

    def restore(self, text: str, node: int, exact: bool) -> None:
        """Ask a query as a session has it.

        node: The clause whose occurrences are listed, from 0.
        exact: Whether every occurrence is checked.
        """
        self.change(text=text, node=node, edited=True)
        self.run(exact)

    def choose(self, **changes: Any) -> None:
        """Match phrases in another way, and ask again."""
        self._forget_own()
        if self._match(replace(self.state.matching, **changes)):
            self._chosen()

    def lend(self, matching: Matching) -> None:
        """Match phrases in the way of another screen, without asking, until another query is typed."""
        own = self._own or self.state.matching
        self.set_options(matching, None)
        self._own = own
        self.change(lent=True)

    def match_text(self) -> None:
        """Match the text of a query that another screen lent, also within words, and ask again."""
        self.lend(Matching("text", whole_words=False, equate=()))
        self._chosen()

    def _forget_own(self) -> None:
        self._own = None
        if self.state.lent:
            self.change(lent=False)

    def vary(self, space: bool | None = None, cases: bool | None = None) -> None:
        """Count other variants of tokens, too, and ask again.

        space: Whether to count them with a leading space; None: as before.
        cases: Whether to count them in lower, UPPER and Title case; None: as before.
        """
        state = self.state
        with_space = state.with_space if space is None else space
        in_cases = state.in_cases if cases is None else cases
        self.choose(variants=(("space",) if with_space else ()) + (CASES if in_cases else ()))

    def choose_distance(self, distance: int) -> None:
        """Join phrases by AND within this many tokens, and ask again."""
        if distance != self.state.distance:
            self.change(distance=distance)
            self._chosen()

    def choose_center(self, node: int) -> None:
        """List the occurrences of this clause, from 0, and ask again."""
        if 0 <= node != self.state.node:
            self.change(node=node)
            self._chosen()

    def _match(self, matching: Matching) -> bool:
        """Match phrases so; returns whether that is another way."""
        changed = matching != self.state.matching
        if changed:
            self.change(matching=matching, edited=True)
        return changed

    def set_options(self, matching: Matching | None, distance: int | None) -> None:
        """Choose options without asking.

        matching: How phrases match; None leaves it unchanged.
        distance: The most tokens between phrases joined by AND; None leaves it unchanged.
        """
        if matching is not None:
            self._forget_own()
            self._match(matching)
        if distance is not None:
            self.change(distance=distance)

    def run(self, exact: bool = False) -> None:
        """Ask; exact: check every occurrence, however long that takes."""
        # Enter may come while the delay waits, which would ask the same query again.
        self._typing.stop()
        state = self.state
        if state.corpus is None or not state.asks:
            # Nothing is shown without a query, unlike after `stop`, which leaves the old hits.
            self._forget()
            self._asking(None)
            self._prepare()
            return
        # Made on this thread: what is typed and chosen may change before the work begins.
        request = QueryRequest(state.corpus, state.text, state.options(exact or None))
        report = self._asker.reporter()
        self.change(answer=state.answer.asked())
        self._asking(request)
        self._asker.run(
            lambda cancel: find(request, report, cancel), lambda result: self._take(request, result), self._fail
        )

    def stop(self) -> None:
        """Stop asking: what is shown belongs to an earlier query."""
        self._typing.stop()
        self._asker.cancel()
        self.change(answer=self.state.answer.stopped())

    def _take(self, request: QueryRequest, result: QueryResult) -> None:
        # With its own request: the text in the field may be newer than the one that was asked.
        found = Found(request, result)
        # There may be fewer clauses than the number that was chosen.
        self.change(answer=self.state.answer.arrived(found), edited=False, node=result.node)
        self._found(found)

    def _fail(self, error: CorpusError) -> None:
        self.change(answer=self.state.answer.failed(error), edited=False)

    def _prepare(self) -> None:
        """Read the vocabulary before the first query is typed."""
        # On the slot of the queries: the first one takes its place there, and reads what is still missing.
        corpus, report = self.state.corpus, self._asker.reporter()
        if corpus is not None and not self.state.why_no_text:
            self._asker.run(lambda cancel: prepare(corpus.index, report, cancel), lambda _: None, self._fail)

    def _forget(self) -> None:
        self._typing.stop()
        self._asker.cancel()
        self.change(answer=Answer[Found](), edited=False)
