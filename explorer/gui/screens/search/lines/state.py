"""The lines of a query: how they are chosen, ordered and laid out, and their answer. No Qt."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from explorer.analyses.search.arrange import MOST_LEVELS, Filter, LineSettings, SortLevel, merge_views
from explorer.analyses.search.nearby import others_of
from explorer.backends.metadata import texts_first
from explorer.corpus import Corpus
from explorer.gui.presenting.answer import Answer
from explorer.gui.screens.search.lines.column_layout import NUMBER
from explorer.gui.screens.search.lines.sorting import CUSTOM, SortOrder, sorted_column
from explorer.gui.screens.search.query.state import Found
from explorer.gui.screens.search.work import Layout, LinesAnswer, PageRequest, Row, Unit

WIDTHS: dict[Unit, int] = {"fill": 0, "words": 10, "characters": 60}
"""The usual context on each side, by its unit; one that fills its column has no width of its own."""
MOST_ROWS = 5
_STEP = 40
"""Characters by which a context that fills its column is read farther."""


@dataclass(frozen=True)
class ListOptions:
    """What is listed and how it looks.

    unit, width: The context on each side: as much as its column has room for, or a number of words or characters.
    rows: The lines of text that a context may take in its row.
    fixed: Whether the font has a fixed width.
    sample, seed: How many lines are drawn at random, 0 for all, and what decides which.
    collapse: Lines with the same context of this many tokens on each side are merged; 0 merges none.
    """

    unit: Unit = "fill"
    width: int = WIDTHS["fill"]
    rows: int = 1
    fixed: bool = False
    sample: int = 0
    seed: int = 0
    collapse: int = 0


@dataclass(frozen=True, eq=False)
class Page:
    """Rows that were fetched, and what was asked for."""

    request: PageRequest
    rows: tuple[Row, ...]


@dataclass(frozen=True, eq=False)
class LinesState:
    """The lines.

    found: The hits whose lines are shown or asked for; None without a query.
    order: As it was chosen; see `sort` for what the index can do.
    options: Sample, merging, and looks.
    columns: Metadata fields that are columns.
    room: The most characters that a context has room for.
    filters: Conditions that the lines meet.
    answer: The lines and their first page.
    page: The rows that were fetched last, always of the lines in `answer`.
    right_to_left: Whether all rows of the first page run from right to left.
    opened: The document that was opened last from these lines; -1 for none.
    """

    corpus: Corpus | None = None
    found: Found | None = None
    order: SortOrder = field(default_factory=SortOrder)
    options: ListOptions = field(default_factory=ListOptions)
    columns: tuple[str, ...] = ()
    room: int = 4 * _STEP
    filters: tuple[Filter, ...] = ()
    answer: Answer[LinesAnswer] = field(default_factory=Answer)
    page: Page | None = None
    right_to_left: bool = False
    opened: int = -1

    @property
    def fields(self) -> tuple[str, ...]:
        """The metadata fields of the index, those of the texts first."""
        return () if self.corpus is None else texts_first(self.corpus.metadata_fields)

    @property
    def why_no_words(self) -> str:
        """Why the index cannot sort by words or merge lines; "" if it can, or if none is open."""
        # Without an index nothing is grayed out: the choice is kept for the next one.
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
    def levels(self) -> tuple[SortLevel, ...]:
        """The levels that are in force: those of a custom sort, or what the order with a name means."""
        if self.custom:
            return self.order.levels
        used = self.sort.settings.sort
        # Always `MOST_LEVELS`, as many as the form has rows.
        return (*used, *[SortLevel("")] * (MOST_LEVELS - len(used)))

    @property
    def settings(self) -> LineSettings:
        """How lines are chosen and ordered."""
        options = self.options
        rest = LineSettings(filters=self.filters, sample=options.sample, collapse=options.collapse, seed=options.seed)
        return merge_views(self.sort.settings, rest)

    @property
    def layout(self) -> Layout:
        """How lines are shown."""
        # Phrases that are joined by AND are read as far as they reach, however narrow the column is.
        options = self.options
        layout = Layout(self.room if options.unit == "fill" else options.width, options.unit, self.columns)
        if self.found is None:
            return layout
        nearby = others_of(self.found.result, self.found.request.options.max_distance)
        return replace(layout, nearby=nearby)

    @property
    def sorted_by(self) -> tuple[str, bool]:
        """The column whose header shows the order of the shown lines, "" for none, and whether it is reversed."""
        answer = self.answer.value
        # What the lines are in, not what was asked for.
        if answer is None or answer.lines.arranged.unsorted:
            return (NUMBER, False) if answer is not None else ("", False)
        return sorted_column(self.sort, self.right_to_left)

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


def steps_of_room(characters: int) -> int:
    """The characters that are read where a column has room for some: in steps, so that rows are seldom read again."""
    # Up and not down: the table cuts what is too long, but cannot fill a gap.
    return -(-characters // _STEP) * _STEP
