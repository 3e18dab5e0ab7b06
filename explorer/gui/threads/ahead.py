"""A page that is made ahead of its first use, a part per turn of the event loop.

To make a page and give all its parts their style takes up to a tenth of a second, in which the window would not answer.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QWidget

from explorer.gui.style.surfaces import apply_stylesheet_to_parts, style_in_turns, style_next_part

PageT = TypeVar("PageT", bound=QWidget)


class Ahead(Generic[PageT]):
    """A page on its way to its place, where nobody sees what has its style in part.

    make: Makes the page, without a parent.
    place: The widget that it is to be put into. If that is deleted first, the page goes with it.
    """

    def __init__(self, make: Callable[[], PageT], place: QWidget) -> None:
        self._make, self._place = make, place
        self._in_turns = False
        self.begun: PageT | None = None
        """The page, if it was made: only some of its parts may have their style."""

    def step(self) -> bool:
        """Make the page, or style one more part of it. False if all its parts have their style."""
        if self.begun is not None:
            return style_next_part(self.begun)
        self._in_turns = True
        self._begin()
        return True

    def complete(self) -> PageT:
        """The page, which is made if it was not, to be put into its place now."""
        page = self.begun or self._begin()
        # Those parts that had no turn yet. What was not made in turns gets its style with the place.
        if self._in_turns:
            apply_stylesheet_to_parts(page)
        return page

    def _begin(self) -> PageT:
        page = self.begun = self._make()
        if self._in_turns:
            style_in_turns(page)
        # Hidden: Qt shows all children of a place that were not.
        page.setParent(self._place)
        page.hide()
        return page


class InTurns(QTimer):
    """Does a step per turn of the event loop, each after the events that wait, then something at the end.

    step: Does one more step. False if there was none left.
    then: Called after the last step.
    """

    def __init__(self, step: Callable[[], bool], then: Callable[[], object], parent: QObject) -> None:
        super().__init__(parent, interval=0)
        self._step, self._then = step, then
        self.timeout.connect(self._do_step)

    def begin(self) -> None:
        """Begin, or continue. Slots of this name take no number, which `start` would take for an interval."""
        self.start()

    def _do_step(self) -> None:
        if not self._step():
            self.stop()
            self._then()
