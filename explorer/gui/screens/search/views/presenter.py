"""Asks for the views of the lines besides their list, when they are opened: by field, and along the corpus. No Qt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from explorer.analyses.breakdown.facets import Dispersion, Facet
from explorer.analyses.metadata.values import FieldFilter
from explorer.core.jobs import Kind
from explorer.errors import CorpusError
from explorer.gui.presenting.answer import Answer
from explorer.gui.presenting.presenter import Presenter, Services
from explorer.gui.screens.search.lines.counting import spread
from explorer.gui.screens.search.views.field_answer import FieldAnswer, lines_by_field, tokens_by_field, values_with
from explorer.gui.screens.search.views.state import BreakdownState, DispersionState, Grouped, Spread
from explorer.gui.screens.search.work import LinesAnswer

_GROUPED = 2
"""Documents per value, at least, for a field that groups them: the others are titles, addresses and numbers."""


class BreakdownPresenter(Presenter[BreakdownState]):
    """Lines by the values of a field: first their number, then the tokens of the values, which take longer.

    filtered: Called with a condition that keeps only the lines of one value.
    """

    def __init__(self, services: Services, filtered: Callable[[FieldFilter], None]) -> None:
        super().__init__(BreakdownState())
        self._filtered = filtered
        # Whether the field stays, since it was chosen by a person, or is the first that groups the lines.
        self._picked = False
        # The values of the fields that were passed over.
        self._passed: dict[str, int] = {}
        # Three slots: the sizes are paused by themselves whenever lines are asked for, and a text that is sought
        # must not wait for either count.
        self._counter = services.slot("breakdown")
        self._sizer = services.slot("sizes", kind=Kind.LATER)
        self._seeker = services.slot("values of a breakdown", timed=False, kind=Kind.QUICK)

    def use_fields(self, fields: tuple[str, ...]) -> None:
        """Offer the fields of another index; the chosen one stays if it is among them."""
        self._picked = self._picked and self.state.chosen in fields
        self._passed.clear()
        chosen = self.state.chosen if self.state.chosen in fields else next(iter(fields), "")
        self.use_lines(None)
        self.change(fields=fields, chosen=chosen)

    def use_lines(self, lines: LinesAnswer | None) -> None:
        """Take other lines, which are counted when the view is opened; None: there are none."""
        self._cancel()
        # An awaited answer was canceled above. A finished one is dimmed by having other lines: see `current`.
        answer = Answer[Grouped]() if lines is None else self.state.answer.stopped()
        self.change(lines=lines, answer=replace(answer, error=None), sizing=False, error=None)

    def choose(self, field: str) -> None:
        """Count by another field."""
        self._picked = True
        if field and field != self.state.chosen:
            self.change(chosen=field)
            self.open()

    def restore(self, field: object) -> None:
        """Count by the field of a session, if the index has it."""
        if isinstance(field, str) and field in self.state.fields:
            self._picked = True
            self.change(chosen=field)

    def open(self) -> None:
        """Count the lines by the chosen field, unless they are counted."""
        state = self.state
        # A breakdown whose sizes were paused is counted again as a whole.
        if state.lines is None or not state.chosen or (state.current and (state.sized or state.sizing)):
            return
        lines, field, report = state.lines, state.chosen, self._counter.reporter()
        self._sizer.cancel()
        self.change(answer=state.answer.asked(), sizing=False)
        self._counter.run(
            lambda cancel: lines_by_field(lines, field, report, cancel),
            lambda found: self._take(Grouped(lines, found)),
            self._fail,
        )

    def pause(self) -> None:
        """Release the lock on the metadata, which other work needs: the tokens of the values stay unknown."""
        self._sizer.cancel()
        self.change(sizing=False)

    def stop(self) -> None:
        """Stop counting: what is known stays."""
        self._cancel()
        self.change(answer=self.state.answer.stopped(), sizing=False)

    def filter_by(self, number: int) -> None:
        """Keep only the lines of one value, by the number of its bar in the answer."""
        facet = self.state.facet
        if facet is not None and 0 <= number < len(facet.bars):
            self._filtered(facet.condition(facet.bars[number]))

    def sort(self, column: int, descending: bool) -> None:
        """Sort the table by a column; -1 for the usual order."""
        self.change(sorting=self.state.sorting.by(column, descending))

    def seek(self, text: str) -> None:
        """List only the values that contain a text, in any case; "" for all."""
        self.change(sought=text)
        found = self.state.facet
        # Without an answer, the text waits in the state: `_take` looks for it in the next one.
        if not text.strip() or found is None:
            self._seeker.cancel()
            self.change(kept=None)
            return
        self._seeker.run(lambda cancel: values_with(found, text), lambda kept: self._keep(found, kept), self._fail)

    def _keep(self, found: Facet, kept: NDArray[np.int64]) -> None:
        # The numbers are those of the answer that was looked through.
        if self.state.facet is found:
            self.change(kept=kept)

    def _take(self, grouped: Grouped) -> None:
        if not self._picked and (better := self._better(grouped.found.facet)):
            self.change(chosen=better)
            self.open()
            return
        # Once: a view that is being read does not turn to another field by itself.
        self._picked = True
        self.change(answer=self.state.answer.arrived(grouped), sizing=True, sized=False, error=None, kept=None)
        # The numbers of the values are others now, although the text is the same.
        self.seek(self.state.sought)
        report = self._sizer.reporter()
        self._sizer.run(
            lambda cancel: tokens_by_field(grouped.lines, grouped.found.facet, report, cancel),
            lambda found: self._take_sizes(grouped, found),
            self._fail_sizes,
        )

    def _better(self, found: Facet) -> str:
        """The field to look at instead of one whose values group no lines; "" for none."""
        fields, values, chosen = self.state.fields, len(found.bars), self.state.chosen
        if 1 < values <= sum(bar.documents for bar in found.bars) / _GROUPED or chosen not in fields:
            return ""
        self._passed[chosen] = values
        following = fields[fields.index(chosen) + 1 :]
        if following:
            return following[0]
        # No field groups the lines: rather the one with the fewest values than the last one.
        self._picked = True
        several = [name for name, number in self._passed.items() if number > 1]
        best = min(several or [fields[0]], key=lambda name: self._passed.get(name, 0))
        return best if best != chosen else ""

    def _fail(self, error: CorpusError) -> None:
        self.change(answer=self.state.answer.failed(error))

    def _take_sizes(self, grouped: Grouped, found: FieldAnswer) -> None:
        # Whatever asks for another breakdown cancels this request first, so these are the sizes of what is shown.
        self.change(answer=self.state.answer.arrived(Grouped(grouped.lines, found)), sizing=False, sized=True)
        # Once more: `_keep` drops what is still being looked for in the answer without sizes.
        self.seek(self.state.sought)

    def _fail_sizes(self, error: CorpusError) -> None:
        self.change(sizing=False, error=error)

    def _cancel(self) -> None:
        # Not the seeker: it reads nothing but the answer it was given, and `_keep` drops what is about another.
        for slot in (self._counter, self._sizer):
            slot.cancel()


class DispersionPresenter(Presenter[DispersionState]):
    """Lines along the corpus."""

    def __init__(self, services: Services) -> None:
        super().__init__(DispersionState())
        self._counter = services.slot("dispersion")

    def use_lines(self, lines: LinesAnswer | None) -> None:
        """Take other lines, which are counted when the view is opened; None: there are none."""
        self._counter.cancel()
        answer = Answer[Spread]() if lines is None else self.state.answer.stopped()
        self.change(lines=lines, answer=replace(answer, error=None))

    def open(self) -> None:
        """Count the lines along the corpus, unless they are counted."""
        lines = self.state.lines
        if lines is None or self.state.current:
            return
        self.change(answer=self.state.answer.asked())
        self._counter.run(
            lambda cancel: spread(lines.lines, cancel), lambda found: self._take(Spread(lines, found)), self._fail
        )

    def stop(self) -> None:
        """Stop counting: what is known stays."""
        self._counter.cancel()
        self.change(answer=self.state.answer.stopped())

    def document(self, row: int) -> int | None:
        """The number of the document in a row of those with the most hits; None if there is no such row."""
        found: Dispersion | None = self.state.shown
        # Of the answer that is shown, old or new: the row is one of its table.
        return found.most[row].number if found is not None and 0 <= row < len(found.most) else None

    def _take(self, answer: Spread) -> None:
        self.change(answer=self.state.answer.arrived(answer))

    def _fail(self, error: CorpusError) -> None:
        self.change(answer=self.state.answer.failed(error))
