"""Conditions on lines: which there are, words near the match that are looked up, and values to choose. No Qt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from explorer.analyses.breakdown.facets import Bar, Facet
from explorer.analyses.metadata.values import FieldFilter
from explorer.analyses.search.arrange import Filter, NearFilter
from explorer.analyses.search.concordance import Concordance
from explorer.analyses.search.find import QueryOptions, near_filter
from explorer.backends.metadata import texts_first
from explorer.corpus import Corpus
from explorer.errors import CorpusError
from explorer.gui.presenting.answer import Answer
from explorer.gui.presenting.hints import why_no_fields
from explorer.gui.presenting.presenter import Presenter, Services
from explorer.gui.screens.search.lines.counting import count_field
from explorer.i18n import counted, tr

USUAL_DISTANCE = 10
BETWEEN = "between"
"""In place of an operator: two conditions, at least and at most."""
Near = tuple[str, int, bool]
"""Words near the match, their greatest distance in tokens, and whether they must occur."""


@dataclass(frozen=True, eq=False)
class Draft:
    """A condition that is being made.

    by_words: Whether it is on words near the match; otherwise on a field.
    field, operator, value: The condition on a field, as typed.
    picked: The value that was picked from the list and not changed since; None if it was typed.
    words, distance, wanted: The words, the most tokens between match and words, and whether they must occur.
    upper: The largest value, where `operator` is `BETWEEN`.
    missing: What has to be typed before it can be added; "" for nothing.
    """

    by_words: bool = False
    field: str = ""
    operator: str = "="
    value: str = ""
    picked: Bar | None = None
    words: str = ""
    distance: int = USUAL_DISTANCE
    wanted: bool = True
    upper: str = ""
    missing: str = ""

    def conditions(self, facet: Facet | None) -> tuple[FieldFilter, ...]:
        """The conditions on the field; `facet`: its values, if they are known."""
        if self.operator == BETWEEN:
            return FieldFilter(self.field, ">=", self.value), FieldFilter(self.field, "<=", self.upper)
        # A value picked from the list, compared by "is", means only this value.
        if self.operator == "=" and self.picked is not None and facet is not None:
            return (facet.condition(self.picked),)
        return (FieldFilter(self.field, self.operator, self.value),)


@dataclass(frozen=True, eq=False)
class FiltersState:
    """The conditions.

    lines: The lines whose values are offered; None without lines.
    options: How words near the match are matched: as the query is.
    filters: The conditions that hold.
    pending: Words near the match that are being looked up.
    values: The values of the field that was chosen for a new condition.
    draft: The condition that is being made.
    """

    corpus: Corpus | None = None
    lines: Concordance | None = None
    options: QueryOptions = field(default_factory=QueryOptions)
    filters: tuple[Filter, ...] = ()
    pending: tuple[Near, ...] = ()
    values: Answer[Facet] = field(default_factory=Answer)
    draft: Draft = field(default_factory=Draft)

    @property
    def fields(self) -> tuple[str, ...]:
        """The metadata fields of the index, those of the texts first."""
        return () if self.corpus is None else texts_first(self.corpus.metadata_fields)

    @property
    def without_value(self) -> str:
        """How many documents with a line lack the field; "" for none."""
        facet = self.values.current
        bar = None if facet is None else next((bar for bar in facet.bars if bar.value is None), None)
        return "" if bar is None else tr("No value: {documents}", documents=counted("document", bar.documents))

    @property
    def why_no_fields(self) -> str:
        """Why no field can be a condition; "" if one can."""
        none = tr("This index has no metadata to filter by.")
        return none if self.corpus is None else why_no_fields(self.corpus, none)


class FiltersPresenter(Presenter[FiltersState]):
    """The conditions on the lines.

    changed: Called with other conditions, and whether to ask for the lines that meet them.
    failed: Called with the reason why words near the match cannot be looked up.
    """

    def __init__(
        self,
        services: Services,
        changed: Callable[[tuple[Filter, ...], bool], None],
        failed: Callable[[CorpusError], None],
    ) -> None:
        super().__init__(FiltersState())
        self._changed, self._failed = changed, failed
        self._counter, self._finder = services.slot("values"), services.slot("near")

    def use_corpus(self, corpus: Corpus | None) -> None:
        """Use another index, without filters."""
        self.stop()
        self.change(corpus=corpus, lines=None, filters=(), values=Answer[Facet]())

    def use_lines(self, lines: Concordance | None) -> None:
        """The lines whose values are offered."""
        self.change(lines=lines)

    def use_options(self, options: QueryOptions) -> None:
        """Match words near the match as the query is matched; existing conditions are looked up again."""
        before = self.state.options
        self.change(options=options)
        near = any(isinstance(condition, NearFilter) for condition in self.state.filters) or self.state.pending
        if near and _matching(options) != _matching(before):
            self.restore(self.state.filters)

    def put(self, filters: tuple[Filter, ...], ask: bool = True) -> None:
        """Keep the lines that meet these conditions."""
        self.change(filters=filters)
        self._changed(filters, ask)

    def restore(self, filters: tuple[Filter, ...], ask: bool = True) -> None:
        """Restore conditions; words near the match are looked up again in this index.

        ask: Whether to ask for the lines at once.
        """
        self.put(tuple(known for known in filters if isinstance(known, FieldFilter)), ask)
        near = (known for known in filters if isinstance(known, NearFilter))
        self._look_up(tuple((known.text, known.distance, known.wanted) for known in near))

    def replace(self, filters: tuple[Filter, ...], options: QueryOptions) -> None:
        """Take the conditions of an earlier query in place of these; the query is asked next."""
        self.stop()
        self.change(options=options)
        self.restore(filters, ask=False)

    def begin(self) -> None:
        """Make a new condition; the values of its field are counted."""
        fields = self.state.fields
        # Without metadata, there is no field to choose.
        self.change(draft=Draft(by_words=not fields, field=next(iter(fields), "")))
        if fields:
            self.offer_values(fields[0])

    def draft(self, **changes: Any) -> None:
        """Change the condition that is being made."""
        # A value belongs to its field, and goes with it.
        before = self.state.draft
        made = replace(before, missing="", **changes)
        if made.field != before.field:
            made = replace(made, value="", upper="", picked=None)
        self.change(draft=made)
        if made.field != before.field:
            self.offer_values(made.field)

    def confirm(self) -> bool:
        """Add the condition that was made; returns False if something is missing in it."""
        draft, missing = self.state.draft, ""
        if draft.by_words and not draft.words.strip():
            missing = tr("Type the words to look for near the match.")
        elif not draft.by_words and draft.operator == BETWEEN and not (draft.value.strip() and draft.upper.strip()):
            missing = tr("Type both values.")
        if missing:
            self.change(draft=replace(draft, missing=missing))
        elif draft.by_words:
            self.add_near(draft.words, draft.distance, draft.wanted)
        else:
            # Only current values: those of another field would make another condition.
            self.add(*draft.conditions(self.state.values.current))
        return not missing

    def add(self, *conditions: Filter) -> None:
        """Add conditions, unless they are there already."""
        known = self.state.filters
        new = tuple(each for each in conditions if not any(_alike(other, each) for other in known))
        if new:
            self.put((*known, *new))

    def add_near(self, text: str, distance: int, wanted: bool) -> None:
        """Add a condition on the words near the match, which are looked up first.

        wanted: Whether they must occur; otherwise they must not.
        """
        self._look_up(((text, distance, wanted),))

    def remove(self, condition: Filter) -> None:
        """Remove a condition."""
        self.put(tuple(known for known in self.state.filters if not _alike(known, condition)))

    def offer_values(self, name: str) -> None:
        """Count the values of a field in the lines, for the dialog."""
        corpus, lines = self.state.corpus, self.state.lines
        # Values of another field are never offered, not even dimmed.
        self.change(values=Answer[Facet]())
        if corpus is None or lines is None:
            return
        report = self._counter.reporter()
        self.change(values=self.state.values.asked())
        self._counter.run(
            lambda cancel: count_field(corpus, lines, name, report, cancel), self._take_values, self._fail_values
        )

    def stop(self) -> None:
        """Stop looking up and counting."""
        for slot in (self._counter, self._finder):
            slot.cancel()
        self.change(pending=(), values=self.state.values.stopped())

    def _take_values(self, found: Facet) -> None:
        self.change(values=self.state.values.arrived(found))

    def _fail_values(self, error: CorpusError) -> None:
        self.change(values=self.state.values.failed(error))
        self._failed(error)

    def _look_up(self, near: tuple[Near, ...]) -> None:
        """Look up words near the match, and add the conditions."""
        corpus, options = self.state.corpus, self.state.options
        if corpus is None or not (near or self.state.pending):
            return
        # A slot keeps only its newest request, which therefore includes what the one before was asked.
        pending = tuple(dict.fromkeys((*self.state.pending, *near)))
        self.change(pending=pending)
        # On another thread: words near the match are looked up in the whole index.
        self._finder.run(
            lambda cancel: tuple(near_filter(corpus.index, *words, options) for words in pending),
            self._take_near,
            self._fail_near,
        )

    def _take_near(self, found: tuple[NearFilter, ...]) -> None:
        self.change(pending=())
        known = self.state.filters
        new = tuple(condition for condition in found if not any(_alike(condition, other) for other in known))
        if new:
            self.put((*known, *new))

    def _fail_near(self, error: CorpusError) -> None:
        self.change(pending=())
        self._failed(error)


def _matching(options: QueryOptions) -> tuple[object, ...]:
    """What words near the match depend on."""
    return options.match, options.ignore_case, options.whole_words, options.equate, options.variants


def _alike(one: Filter, other: Filter) -> bool:
    """Whether two conditions are the same; the n-grams that were looked up for them are not compared."""
    if isinstance(one, FieldFilter) or isinstance(other, FieldFilter):
        return one == other
    return (one.text, one.distance, one.wanted) == (other.text, other.distance, other.wanted)
