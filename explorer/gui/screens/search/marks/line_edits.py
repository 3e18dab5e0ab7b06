"""Marks, annotates and deletes the lines that a person chose by their numbers. No Qt."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from explorer.backends.places import HitPlace
from explorer.core.jobs import Kind
from explorer.errors import CorpusError
from explorer.gui.presenting.presenter import Services
from explorer.gui.screens.search.marks.presenter import Change, MarksPresenter, Placed
from explorer.gui.screens.search.marks.state import MOST_LINES
from explorer.gui.screens.search.work import LinesAnswer, places_of
from explorer.i18n import tr
from explorer.project import KeptLines


@dataclass(frozen=True, eq=False)
class _Waiting:
    """Lines whose places are being looked up. answer: the list in which they have these numbers."""

    answer: LinesAnswer
    numbers: tuple[int, ...]
    then: Callable[[Placed], None]


class LineEdits:
    """Looks up where chosen lines are, and has something done with them. What was asked first is done first.

    marks: What was done with the lines so far.
    say, failed: Shows a message, or why something failed.
    """

    def __init__(
        self,
        services: Services,
        marks: MarksPresenter,
        say: Callable[[str], None],
        failed: Callable[[CorpusError], None],
    ) -> None:
        self._finder = services.slot("marks", timed=False, kind=Kind.QUICK)
        self._marks, self._say, self._failed = marks, say, failed
        self._waiting: list[_Waiting] = []

    def forget(self) -> None:
        """Do nothing more with lines of another index: their places mean other lines in the new one."""
        self._finder.cancel()
        self._waiting.clear()

    def toggle_mark(self, lines: Sequence[int]) -> None:
        """Mark lines; if all of them are marked, remove their marks."""

        def toggled(kept: KeptLines, places: Sequence[HitPlace]) -> KeptLines:
            # Decided when the places are known: what was asked before this may have marked some of them.
            return kept.with_mark(places, not all(kept.at(place).marked for place in places))

        self._change(lines, toggled)

    def note(self, lines: Sequence[int], text: str) -> None:
        """Write a note on lines.

        lines: Their numbers, from 0.
        text: The note, which is stripped; "" removes it.
        """
        self._change(lines, lambda kept, places: kept.with_note(places, text.strip()))

    def delete(self, lines: Sequence[int]) -> None:
        """Delete lines from the list. Marks and notes on them come back if it is undone."""
        state = self._marks.state
        if state.why_not_delete:
            self._say(state.why_not_delete)
        else:
            self._change(lines, KeptLines.without, stay=min(lines, default=-1))

    def _change(self, lines: Sequence[int], change: Change, stay: int = -1) -> None:
        subject = self._marks.state.subject
        self.look_up(lines, lambda placed: self._marks.do(subject, placed, change, stay))

    def look_up(self, lines: Sequence[int], then: Callable[[Placed], None]) -> None:
        """Look up where lines of the present list are.

        lines: Their numbers in the list, from 0. None, or too many, are refused with a message.
        """
        state = self._marks.state
        if state.answer is None or not lines:
            self._say(tr("Select lines first."))
        elif state.why_not:
            self._say(state.why_not)
        elif len(lines) > MOST_LINES:
            self._say(tr("Select at most {most:,} lines.", most=MOST_LINES))
        else:
            # With its own list: until its places are known, the lines may be listed in another order.
            self._waiting.append(_Waiting(state.answer, tuple(lines), then))
            asked = tuple(self._waiting)
            # One request for all that waits: a newer one takes the place of the older.
            self._finder.run(
                lambda cancel: tuple(places_of(each.answer.lines, each.numbers) for each in asked),
                self._take_places,
                self._fail,
            )

    def _take_places(self, found: tuple[Placed, ...]) -> None:
        # Each request includes all that waited before it, so the newest answer is about the first of the list.
        waiting, self._waiting = self._waiting[: len(found)], self._waiting[len(found) :]
        for placed, each in zip(found, waiting, strict=True):
            each.then(placed)

    def _fail(self, error: CorpusError) -> None:
        self._waiting.clear()
        self._failed(error)
