"""The lines of a query: how they are chosen, ordered and laid out, and their answer. No Qt."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from explorer.api import Corpus
from explorer.gui.answer import Answer
from explorer.gui.screens.search.query_state import Found
from explorer.gui.screens.search.sorting import CUSTOM, SortOrder
from explorer.gui.screens.search.work import Layout, LinesAnswer, PageRequest, Row
from explorer.search.arrange import Filter, LineSettings, merge_views
from explorer.search.nearby import others_of

WIDTHS = {False: 14, True: 70}
"""The usual context on each side in tokens (False) and in characters (True)."""


@dataclass(frozen=True)
class ListOptions:
    """What is listed and how it looks.

    Attributes
    ----------
    width, characters
        The context on each side, in tokens or in characters.
    fixed
        Whether the font has a fixed width.
    sample, seed
        How many lines are drawn at random, 0 for all, and what decides which.
    collapse
        Lines with the same context of this many tokens on each side are merged; 0 merges none.
    document, position
        Whether these columns are shown.
    """

    width: int = WIDTHS[False]
    characters: bool = False
    fixed: bool = True
    sample: int = 0
    seed: int = 0
    collapse: int = 0
    document: bool = True
    position: bool = False


@dataclass(frozen=True, eq=False)
class Page:
    """Rows that were fetched, and what was asked for."""

    request: PageRequest
    rows: tuple[Row, ...]


@dataclass(frozen=True, eq=False)
class LinesState:
    """The lines.

    Attributes
    ----------
    corpus
        The open index.
    found
        The hits whose lines are shown or asked for; None without a query.
    order
        As it was chosen; see `sort` for what the index can do.
    options
        Sample, merging, and looks.
    columns
        Metadata fields that are columns.
    filters
        Conditions that the lines meet.
    choosing
        Whether the options are shown.
    answer
        The lines and their first page.
    page
        The rows that were fetched last, always of the lines in `answer`.
    right_to_left
        Whether all rows of the first page run from right to left.
    opened
        The document that was opened last from these lines; -1 for none.
    """

    corpus: Corpus | None = None
    found: Found | None = None
    order: SortOrder = field(default_factory=SortOrder)
    options: ListOptions = field(default_factory=ListOptions)
    columns: tuple[str, ...] = ()
    filters: tuple[Filter, ...] = ()
    choosing: bool = False
    answer: Answer[LinesAnswer] = field(default_factory=Answer)
    page: Page | None = None
    right_to_left: bool = False
    opened: int = -1

    @property
    def fields(self) -> tuple[str, ...]:
        """The metadata fields of the index."""
        return () if self.corpus is None else self.corpus.metadata_fields

    @property
    def why_no_words(self) -> str:
        """Why the index cannot sort by words or merge lines; "" if it can, or if none is open."""
        return "" if self.corpus is None else self.corpus.index.capabilities.missing("sorting")

    @property
    def sort(self) -> SortOrder:
        """The order that is used."""
        return self.order.available(words=not self.why_no_words)

    @property
    def custom(self) -> bool:
        """Whether lines are sorted by levels."""
        return self.sort.preset == CUSTOM

    @property
    def settings(self) -> LineSettings:
        """How lines are chosen and ordered."""
        options = self.options
        rest = LineSettings(filters=self.filters, sample=options.sample, collapse=options.collapse, seed=options.seed)
        return merge_views(self.sort.settings, rest)

    @property
    def layout(self) -> Layout:
        """How lines are shown."""
        layout = Layout(self.options.width, self.options.characters, self.columns)
        if self.found is None:
            return layout
        nearby = others_of(self.found.result, self.found.request.options.max_distance)
        return replace(layout, nearby=nearby)

    @property
    def some(self) -> bool:
        """Whether there is a line to show, old or new."""
        return self.answer.value is not None and len(self.answer.value.lines) > 0

    @property
    def marked_places(self) -> tuple[int, ...]:
        """The places of the words that the shown lines are sorted by, first level first."""
        answer = self.answer.value
        if answer is None or answer.lines.arranged.unsorted:
            return ()
        return tuple(level.place for level in answer.request.view.sort if level.place is not None)
