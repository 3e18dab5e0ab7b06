"""Earlier queries: when one is saved, and the entries of their menu. No Qt."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from explorer.gui.presenting.presenter import Presenter, Services
from explorer.gui.screens.search.work import LinesAnswer
from explorer.gui.settings.history import PastQuery, now
from explorer.gui.settings.matching import Matching

REST_MS = 2_000
"""A query is saved after its answer has been shown this long."""


def past_of(answer: LinesAnswer, text: str, matching: Matching) -> PastQuery | None:
    """Give the query of an answer with its result, for the history.

    text: What the field contains now.
    Returns: The query; None if another text has been typed.
    """
    request, found = answer.request, answer.request.found
    if found.query != text:
        return None
    # Deleted lines count, and so do all hits of a query of which only a saved set is shown.
    listed = found.count if request.handled.kept is not None else len(answer.full or answer.lines)
    count = listed if found.exact else found.count
    distance, filters = request.options.max_distance, request.view.filters
    return PastQuery(text.strip(), count, found.exact, now(), matching, distance, filters)


@dataclass(frozen=True, eq=False)
class HistoryState:
    """Earlier queries.

    queries: Newest first, each with whether it is pinned.
    on_the_way: The text that was saved after a pause in typing: a query that continues it replaces it. "" for none.
    wanted: Whether the query is saved as soon as its answer is known.
    """

    queries: tuple[tuple[PastQuery, bool], ...] = ()
    on_the_way: str = ""
    wanted: bool = False

    def listed(self, pinned: bool) -> tuple[PastQuery, ...]:
        """The pinned queries, or the others."""
        return tuple(past for past, is_pinned in self.queries if is_pinned == pinned)

    def is_pinned(self, text: str) -> bool:
        """Whether this query is pinned."""
        return any(past.text == text for past in self.listed(pinned=True))


class HistoryPresenter(Presenter[HistoryState]):
    """Decides which queries are saved: after a pause of two seconds, when a line is opened, or on Enter.

    make: Gives the current query; None while there is no answer.
    keep: Saves a query. It replaces the other one, an intermediate text of the same query, unless that is "".
    """

    def __init__(
        self, services: Services, make: Callable[[], PastQuery | None], keep: Callable[[PastQuery, str], None]
    ) -> None:
        super().__init__(HistoryState())
        self._make, self._save = make, keep
        # It asks nothing, so the screen does not look busy for two seconds after each answer.
        self._rest = services.delay(REST_MS, self._rested, asks=False)

    def show(self, queries: Sequence[tuple[PastQuery, bool]]) -> None:
        """Take the saved queries, newest first, each with whether it is pinned."""
        self.change(queries=tuple(queries))

    def typing(self) -> None:
        """The query was changed: one with a shorter pause is not saved."""
        self._rest.stop()
        self.change(wanted=False)

    def answered(self) -> None:
        """The query has its answer."""
        if self.state.wanted:
            self.keep_now()
        else:
            self._rest.start()

    def keep_now(self) -> None:
        """The user finished typing: save the query, now or as soon as its answer is known."""
        # Otherwise the query would be saved once more, as one that is still being typed.
        self._rest.stop()
        self.change(wanted=self._make() is None)
        if not self.state.wanted:
            self._keep(on_the_way=False)

    def _rested(self) -> None:
        self._keep(on_the_way=True)

    def _keep(self, on_the_way: bool) -> None:
        past, before = self._make(), self.state.on_the_way
        if past is None or not past.text:
            return
        # Typed in steps, “suf” and then “suffix”, the longer text takes the place of the shorter one in the list.
        self._save(past, before if before and past.text.startswith(before) else "")
        self.change(on_the_way=past.text if on_the_way else "")
