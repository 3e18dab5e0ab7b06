"""Asks for the lines of the hits, their pages, and what is shown with them. No Qt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from explorer.analyses.search.arrange import Filter
from explorer.core.jobs import Kind
from explorer.corpus import Corpus
from explorer.errors import CorpusError
from explorer.gui.presenting.answer import Answer
from explorer.gui.presenting.job import Job
from explorer.gui.presenting.presenter import Presenter, Services
from explorer.gui.screens.search.lines.sorting import CUSTOM, SortOrder, header_preset, needs_words
from explorer.gui.screens.search.lines.state import WIDTHS, LinesState, ListOptions, Page, steps_of_room
from explorer.gui.screens.search.query.state import Found
from explorer.gui.screens.search.work import (
    Handled,
    LinesAnswer,
    LinesRequest,
    PageRequest,
    Row,
    arrange_lines,
    fetch_rows,
    leave_out,
)
from explorer.i18n import trn

_PAUSE_MS = 150
_LOOKS = {"fixed", "rows"}
"""Options for which nothing is asked."""
_LAYOUT = {"width", "unit"}
"""Options for which the rows are read again."""


class LinesPresenter(Presenter[LinesState]):
    """The lines of the newest hits.

    handled: Gives what the user did with lines.
    """

    def __init__(
        self,
        services: Services,
        asking: Callable[[], None],
        arrived: Callable[[LinesAnswer], None],
        handled: Callable[[], Handled] = Handled,
    ) -> None:
        super().__init__(LinesState())
        self._asking, self._arrived, self._handled = asking, arrived, handled
        self._arranger = services.slot("arrange")
        self._fetcher = services.slot("lines", kind=Kind.QUICK)
        self._pause = services.delay(_PAUSE_MS, self.arrange)

    def use_corpus(self, corpus: Corpus | None) -> None:
        """Take another index: without lines, and without what depends on its fields."""
        self.list_hits(None)
        fields = () if corpus is None else corpus.metadata_fields
        self.change(corpus=corpus, filters=(), opened=-1, order=self.state.order.within(fields))

    def list_hits(self, found: Found | None) -> None:
        """Ask for the lines of these hits; None: there is no query."""
        self.change(found=found)
        if found is not None:
            self.arrange()
            return
        self._cancel()
        self.change(answer=Answer[LinesAnswer](), page=None)

    def sort_by(self, preset: str) -> None:
        """Sort by one of `PRESETS`."""
        # What an index without words shows in place of the choice is not chosen by being shown.
        if preset != self.state.sort.preset:
            self.change(order=replace(self.state.order, preset=preset, descending=False))
            self.arrange()

    def sort_by_header(self, key: str) -> None:
        """Sort by a column; by the one that lines are sorted by already, in the other direction."""
        state = self.state
        preset = header_preset(key, state.right_to_left)
        if not preset or (needs_words(preset) and state.why_no_words):
            return
        order = state.order.by(preset)
        if order != state.order:
            self.change(order=order)
            self.arrange()

    def sort_level(self, number: int, key: str, descending: bool) -> None:
        """Sort by another key on one level; the others stay as they are in force.

        key: The key of `SortLevel`; "" leaves the level out.
        descending: Whether the order is reversed.
        """
        # The others are those that are in force: of an order with a name, one level is changed.
        before = replace(self.state.order, preset=CUSTOM, levels=self.state.levels)
        order = before.with_level(number, key, descending)
        if order != self.state.order:
            self.change(order=order)
            self.arrange()

    def restore(self, order: SortOrder, options: ListOptions) -> None:
        """Take how lines are chosen and ordered, without asking.

        options: Sample, merging, and looks.
        """
        self._pause.stop()
        self.change(order=order, options=options)

    def filter_by(self, filters: tuple[Filter, ...], ask: bool = True) -> None:
        """Keep the lines that meet these conditions."""
        self.change(filters=filters)
        if ask:
            self.arrange()

    def choose(self, **changes: Any) -> None:
        """Choose other options.

        changes: New values by the fields of `ListOptions`. Another unit of the context brings its usual width.
        """
        options = replace(self.state.options, **changes)
        if options == self.state.options:
            return
        if options.unit != self.state.options.unit:
            options = replace(options, width=WIDTHS[options.unit])
        self.change(options=options)
        if _LAYOUT & changes.keys():
            self._lay_out()
        elif not changes.keys() <= _LOOKS:
            self._pause.start()

    def show_fields(self, fields: tuple[str, ...]) -> None:
        """Show these metadata fields as columns."""
        if fields != self.state.columns:
            self.change(columns=fields)
            self._lay_out()

    def make_room(self, characters: int) -> None:
        """Read contexts that fill their columns, which have room for this many characters."""
        # Called by the table while it is resized, often for the same width.
        room = steps_of_room(characters)
        # Narrower columns show a part of what was read.
        if room > self.state.room:
            self.change(room=room)
            if self.state.options.unit == "fill":
                self._lay_out()

    def arrange(self) -> None:
        """Ask for the lines."""
        self._pause.stop()
        state = self.state
        if state.found is None:
            return
        found = state.found
        request = LinesRequest(
            found.request.corpus, found.result, found.request.options, state.settings, state.layout, self._handled()
        )
        report = self._arranger.reporter()
        self._asking()
        self.change(answer=state.answer.asked())
        job = Job(trn("Sort of {n:,} line", "Sort of {n:,} lines", found.result.count), self.stop)
        self._arranger.run(lambda cancel: arrange_lines(request, report, cancel), self._take, self._fail, job)

    def relist(self, handled: Handled) -> None:
        """List the same lines again, without those that are deleted now."""
        answer = self.state.answer.value
        # What is asked for already knows of it, or is about another query.
        if self.state.answer.awaited or answer is None or answer.full is None:
            self.arrange()
            return
        request, full = replace(answer.request, layout=self.state.layout, handled=handled), answer.full
        self.change(answer=self.state.answer.asked())
        self._arranger.run(lambda cancel: leave_out(request, full, cancel), self._take, self._fail)

    def fetch(self, request: PageRequest) -> None:
        """Read the rows that are in view."""
        self._fetcher.run(
            lambda cancel: fetch_rows(request), lambda rows: self._take_rows(request, rows), self._fail_rows
        )

    def open(self, document: int) -> None:
        """Note which document was opened."""
        self.change(opened=document)

    def stop(self) -> None:
        """Stop asking: the lines that are shown belong to an earlier question."""
        self._pause.stop()
        # Rows of the lines that stay are still read: the table has asked for them, and does not ask again.
        self._arranger.cancel()
        self.change(answer=self.state.answer.stopped())

    def _take(self, answer: LinesAnswer) -> None:
        rows = answer.first_rows
        right_to_left = all(row.right_to_left for row in rows) if rows else self.state.right_to_left
        self.change(answer=self.state.answer.arrived(answer), page=None, right_to_left=right_to_left)
        if answer.request.layout != self.state.layout:
            # Another layout was chosen while the lines were on their way.
            self._lay_out()
        self._arrived(answer)

    def _fail(self, error: CorpusError) -> None:
        self.change(answer=self.state.answer.failed(error))

    def _take_rows(self, request: PageRequest, rows: tuple[Row, ...]) -> None:
        # The table may have asked for rows of lines that were replaced since.
        answer = self.state.answer.value
        if answer is None or request.concordance is not answer.lines or request.layout != answer.request.layout:
            return
        self.change(page=Page(request, rows))

    def _fail_rows(self, error: CorpusError) -> None:
        self.change(answer=replace(self.state.answer, error=error))

    def _lay_out(self) -> None:
        """Show the same lines in another layout: all rows are read again."""
        answer = self.state.answer
        if answer.value is not None:
            # While the lines of another query are on their way, the old ones keep the marks of their own query.
            layout = replace(self.state.layout, nearby=answer.value.request.layout.nearby)
            request = replace(answer.value.request, layout=layout)
            shown = replace(answer.value, request=request, first_rows=())
            self.change(answer=replace(answer, value=shown), page=None)

    def _cancel(self) -> None:
        self._pause.stop()
        for slot in (self._arranger, self._fetcher):
            slot.cancel()
