"""Several queries in one or several indexes, side by side: what is counted where, and the rows of the table. No Qt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from explorer.analyses.compare.compare import Cell as Figure
from explorer.analyses.compare.compare import Comparison, compare
from explorer.analyses.search.find import QueryOptions
from explorer.backends.protocol.protocol import Backend
from explorer.core.jobs import Kind
from explorer.corpus import Corpus
from explorer.errors import CorpusError
from explorer.gui.index.beside import Beside, Remedy, open_waiting, read_beside
from explorer.gui.presenting.answer import Answer
from explorer.gui.presenting.cells import Cell
from explorer.gui.presenting.choices import Choices
from explorer.gui.presenting.hints import told
from explorer.gui.presenting.presenter import Presenter, Services
from explorer.gui.style.text_positions import short_text
from explorer.i18n import mark, numeral, tr, trn

HEADER = (mark("Query"), mark("Index"), mark("Per million tokens"), mark("Count"), mark("Log ratio"))


@dataclass(frozen=True, eq=False)
class Counted:
    """A comparison with the indexes in which its queries were counted, and how they were matched."""

    found: Comparison
    indexes: tuple[Backend, ...]
    options: QueryOptions


@dataclass(frozen=True, eq=False)
class CompareState:
    """Queries to compare, and their counts.

    beside: Other indexes in which the queries are counted, too, once they are open.
    opening: Whether some of them are being opened.
    queries: The queries, in the order in which they were added.
    error: Why another index was not added.
    """

    corpus: Corpus | None = None
    beside: tuple[Beside, ...] = ()
    opening: bool = False
    queries: tuple[str, ...] = ()
    answer: Answer[Counted] = field(default_factory=Answer)
    error: CorpusError | None = None

    @property
    def notice(self) -> str:
        """What went wrong last, and what is wrong with indexes of a session; "" for nothing."""
        error = self.error or self.answer.error
        wrong = [each.said for each in self.beside if each.said and not (self.opening and each.waits)]
        # The buttons are for the first one: "it" must not mean two indexes.
        more = [trn("One more index needs attention.", "{n:,} more indexes need attention.", len(wrong) - 1)]
        return " ".join([*([] if error is None else [told(error)]), *wrong[:1], *(more if wrong[1:] else [])])

    @property
    def problem(self) -> Beside | None:
        """The first index beside with which something is wrong: that which `remedies` are for."""
        return next((each for each in self.beside if each.said), None)

    @property
    def remedies(self) -> tuple[Remedy, ...]:
        """What can be done about it."""
        return () if self.opening or self.problem is None else self.problem.remedies

    @property
    def opened(self) -> tuple[Corpus, ...]:
        """The indexes beside that are open: those in which the queries are counted."""
        return tuple(each.corpus for each in self.beside if each.corpus is not None)

    @property
    def session(self) -> list[dict[str, Any]]:
        """The indexes beside, as JSON values; without those that were just chosen, and may not open."""
        return [each.session for each in self.beside if each.kept]

    @property
    def counted(self) -> Counted | None:
        """The counts, old or new, and how they were counted; None without any."""
        return self.answer.value

    @property
    def shown(self) -> Comparison | None:
        """The counts, old or new; None without any."""
        return None if self.counted is None else self.counted.found

    @property
    def can_export(self) -> bool:
        """Whether there are counts of these queries."""
        return self.answer.current is not None

    @property
    def how(self) -> str:
        """How to read the table, or how to fill it."""
        found = self.shown
        if found is None:
            return tr("Add the queries to compare here.")
        reference = found.indexes[0] if found.by_index else f"“{short_text(found.queries[0])}”"
        than = tr("that in {reference}", reference=reference) if found.by_index else reference
        return tr(
            "Log ratio: binary logarithm of the frequency relative to {than}. 1 means twice as frequent, −1 "
            "half as frequent. A count of 0 is treated as 0.5.",
            than=than,
        )

    @property
    def rows(self) -> tuple[tuple[Cell, ...], ...]:
        """One row per query and index, as cells."""
        found = self.shown
        if found is None:
            return ()
        # 1 if nothing occurs anywhere: bars are empty then, and nothing is divided by 0.
        most = max((f.per_million for row in found.cells for f in row), default=0.0) or 1.0
        return tuple(
            _row(query, name, figure, most, show_query=column == 0)
            for query, figures in zip(found.queries, found.cells, strict=True)
            for column, (name, figure) in enumerate(zip(found.indexes, figures, strict=True))
        )

    def query_of(self, row: int) -> str:
        """The query in a row of the table; "" if there is no such row."""
        # Rows are those of the answer that is shown, by query and then by index; the list may be newer.
        found = self.shown
        if found is None or not 0 <= row < len(found.queries) * len(found.indexes):
            return ""
        return found.queries[row // len(found.indexes)]


class ComparePresenter(Presenter[CompareState]):
    """The comparison.

    options: Gives the options with which queries are counted.
    """

    def __init__(self, services: Services, options: Callable[[], QueryOptions]) -> None:
        super().__init__(CompareState())
        self._options = options
        # Not the indexes: one that was left out would stay open.
        self.choices = Choices(services, lambda: self.state.queries, self._compare)
        # Two slots: an index on a slow drive may be opened while queries are counted.
        self._counter = services.slot("compare", kind=Kind.APART)
        self._opener = services.slot("open beside", kind=Kind.APART)

    def use_corpus(self, corpus: Corpus | None) -> None:
        """Count in another index only."""
        # What is being opened was to be compared with the index before.
        self._opener.cancel()
        self.change(corpus=corpus, beside=(), opening=False, error=None)
        self.run()

    def run(self) -> None:
        """Count every query in every index."""
        state = self.state
        if state.corpus is None or not state.queries:
            self._counter.cancel()
            self.change(answer=Answer[Counted]())
            return
        # Read here: the state may be another when a thread begins the work.
        indexes = tuple(corpus.index for corpus in (state.corpus, *state.opened))
        queries, options, report = state.queries, self._options(), self._counter.reporter()
        self.change(answer=state.answer.asked())
        self._counter.run(
            lambda cancel: Counted(compare(indexes, queries, options, report, cancel), indexes, options),
            self._take,
            self._fail,
        )

    def add(self, query: str) -> None:
        """Add a query, unless it is in the list."""
        if query.strip() and query not in self.state.queries:
            with self.choices.step():
                self._compare((*self.state.queries, query))

    def remove(self, row: int) -> None:
        """Remove the query in a row of the table."""
        # The table may still show a query that was just removed.
        gone = self.state.query_of(row)
        if gone in self.state.queries:
            with self.choices.step():
                self._compare(tuple(query for query in self.state.queries if query != gone))

    def _compare(self, queries: tuple[str, ...]) -> None:
        """Count these queries."""
        self.change(queries=queries)
        self.run()

    def add_index(self, path: str) -> None:
        """Open another index to count the same queries in; an index that is open is refused."""
        self.change(error=None)
        self._put((*self.state.beside, Beside(path)))

    def only_this_index(self) -> None:
        """Count in the open index only."""
        self._put(())

    def locate(self, path: str) -> None:
        """Open the index of the notice in another folder."""
        self._mend(lambda each: each.at(path))

    def again(self) -> None:
        """Try once more to open what is not open."""
        self._put(tuple(each.to_open() if each.corpus is None else each for each in self.state.beside))

    def use_anyway(self) -> None:
        """Accept the other contents of the index of the notice."""
        self._mend(lambda each: replace(each, changed=False))

    def leave_out(self) -> None:
        """Compare without the index of the notice; it is not saved any more."""
        problem = self.state.problem
        self._put(tuple(each for each in self.state.beside if each is not problem))

    def _mend(self, change: Callable[[Beside], Beside]) -> None:
        problem = self.state.problem
        self._put(tuple(change(each) if each is problem else each for each in self.state.beside))

    def _put(self, beside: tuple[Beside, ...]) -> None:
        """Count in these indexes; those that wait are opened first."""
        # What is being opened is asked for once more: the newest request knows all that wait.
        self._opener.cancel()
        corpus, before = self.state.corpus, self.state.opened
        opening = corpus is not None and any(each.waits for each in beside)
        self.change(beside=beside, opening=opening)
        if corpus is not None and opening:
            self._opener.run(lambda cancel: open_waiting(beside, corpus, cancel), self._opened, self._fail_opening)
        if not opening or tuple(map(id, self.state.opened)) != tuple(map(id, before)):
            self.run()

    def stop(self) -> None:
        """Stop counting and opening; the old counts stay."""
        for slot in (self._counter, self._opener):
            slot.cancel()
        # Those of a session stay, with a notice: a project that is saved now must still have them.
        beside = tuple(each for each in self.state.beside if each.kept or not each.waits)
        self.change(answer=self.state.answer.stopped(), beside=beside, opening=False)

    def restore(self, queries: Any, beside: Any) -> None:
        """Count the queries of a session in the open index and those beside it; other values are left out."""
        if isinstance(queries, list):
            self.choices.forget()
            self.change(queries=tuple(query for query in queries if isinstance(query, str) and query.strip()))
        found = read_beside(beside, self.state.beside)
        self._put(self.state.beside if found is None else found)
        if self.state.opening:
            # Other queries are counted in what is open: an index on a slow drive may take long to open.
            self.run()

    def _take(self, found: Counted) -> None:
        self.change(answer=self.state.answer.arrived(found))

    def _fail(self, error: CorpusError) -> None:
        self.change(answer=self.state.answer.failed(error))

    def _opened(self, beside: tuple[Beside, ...]) -> None:
        # One that was just chosen and does not open was never compared; one of a session stays until it is left out.
        refused = next((each.error for each in beside if each.error is not None and not each.kept), None)
        there = tuple(each for each in beside if each.corpus is not None or each.kept)
        self.change(beside=there, opening=False, error=refused)
        self.run()

    def _fail_opening(self, error: CorpusError) -> None:
        self.change(opening=False, error=error)


def _row(query: str, index: str, figure: Figure, most: float, show_query: bool) -> tuple[Cell, ...]:
    name = Cell(short_text(query, 80) if show_query else "", tip=query)
    if figure.error:
        return (name, Cell(index, muted=True), Cell(figure.error, muted=True, tip=figure.error), Cell(""), Cell(""))
    about = "" if figure.exact else "≈ "
    return (
        name,
        Cell(index, muted=True),
        Cell(
            tr("{about}{per_million:,.2f}", about=about, per_million=figure.per_million), bar=figure.per_million / most
        ),
        Cell(tr("{about}{count:,}", about=about, count=figure.count), right=True),
        Cell(_log_ratio(figure.log_ratio), right=True),
    )


def _log_ratio(value: float | None) -> str:
    # A minus sign, which is as wide as the plus sign; a hyphen is shorter.
    if value is None:
        return tr("reference")
    # As an island: in a window from right to left, the sign would come after the number.
    return "\u2066" + numeral(value, "+.2f").replace("-", "−") + "\u2069"
