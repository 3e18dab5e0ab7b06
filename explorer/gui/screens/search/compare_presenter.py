"""Several queries in one or several indexes, side by side: what is counted where, and the rows of the table. No Qt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from explorer.api import Corpus, open_index
from explorer.errors import CorpusError
from explorer.gui.answer import Answer
from explorer.gui.cells import Cell
from explorer.gui.choices import Choices
from explorer.gui.hints import told
from explorer.gui.presenter import Presenter, Services
from explorer.gui.text_positions import short_text
from explorer.i18n import mark, numeral, tr
from explorer.jobs import Kind
from explorer.search.compare import Cell as Figure
from explorer.search.compare import Comparison, compare
from explorer.search.find import QueryOptions

HEADER = (mark("Query"), mark("Index"), mark("Per million"), mark("Count"), mark("Log ratio"))


@dataclass(frozen=True, eq=False)
class CompareState:
    """Queries to compare, and their counts.

    Attributes
    ----------
    corpus
        The open index.
    beside
        Other indexes in which the queries are counted, too.
    queries
        The queries, in the order in which they were added.
    answer
        Their counts.
    error
        Why another index cannot be opened.
    refused
        Why another index was not added.
    """

    corpus: Corpus | None = None
    beside: tuple[Corpus, ...] = ()
    queries: tuple[str, ...] = ()
    answer: Answer[Comparison] = field(default_factory=Answer)
    error: CorpusError | None = None
    refused: str = ""

    @property
    def notice(self) -> str:
        """What went wrong last; "" for nothing."""
        error = self.error or self.answer.error
        return told(error) if error is not None else self.refused

    @property
    def shown(self) -> Comparison | None:
        """The counts, old or new; None without any."""
        return self.answer.value

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
        than = tr("in {reference}", reference=reference) if found.by_index else reference
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

    Parameters
    ----------
    services
        Slots.
    options
        Gives the options with which queries are counted.
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
        self.change(corpus=corpus, beside=(), error=None, refused="")
        self.run()

    def run(self) -> None:
        """Count every query in every index."""
        state = self.state
        if state.corpus is None or not state.queries:
            self._counter.cancel()
            self.change(answer=Answer[Comparison]())
            return
        # Read here: the state may be another when a thread begins the work.
        indexes = [corpus.index for corpus in (state.corpus, *state.beside)]
        queries, options, report = state.queries, self._options(), self._counter.reporter()
        self.change(answer=state.answer.asked())
        self._counter.run(lambda cancel: compare(indexes, queries, options, report, cancel), self._take, self._fail)

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
        state = self.state
        known = (*state.beside, *((state.corpus,) if state.corpus is not None else ()))
        # Links to one folder are the same index.
        if any(Path(path).resolve() == folder.resolve() for corpus in known for folder in corpus.folders):
            self.change(refused=tr("{path} is already in the comparison.", path=path), error=None)
            return
        self._opener.run(lambda cancel: open_index(path), self._put_beside, self._fail_opening)

    def only_this_index(self) -> None:
        """Count in the open index only."""
        self.change(beside=())
        self.run()

    def stop(self) -> None:
        """Stop counting and opening; the old counts stay."""
        for slot in (self._counter, self._opener):
            slot.cancel()
        self.change(answer=self.state.answer.stopped())

    def restore(self, queries: Any) -> None:
        """Count the queries of a session; other values are left out."""
        if isinstance(queries, list):
            self.choices.forget()
            self._compare(tuple(query for query in queries if isinstance(query, str) and query.strip()))

    def _take(self, found: Comparison) -> None:
        self.change(answer=self.state.answer.arrived(found))

    def _fail(self, error: CorpusError) -> None:
        self.change(answer=self.state.answer.failed(error))

    def _put_beside(self, corpus: Corpus) -> None:
        self.change(beside=(*self.state.beside, corpus), error=None, refused="")
        self.run()

    def _fail_opening(self, error: CorpusError) -> None:
        self.change(error=error, refused="")


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
