"""Parts of a screen that are made when they are first needed, or ahead of that in turns of the event loop of their own.

To make a screen with all its pages and pop-overs takes up to a tenth of a second, in which the window would not answer.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from PySide6.QtCore import QObject
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from explorer.gui.surfaces import apply_stylesheet_to_parts, style_in_turns, style_next_part
from explorer.gui.widgets.popover import Popover

PageT = TypeVar("PageT", bound=QWidget)
PopoverT = TypeVar("PopoverT", bound=Popover)


class LaterPage(QWidget, Generic[PageT]):
    """The place of a widget that is made at its first use, at the latest when the place is shown.

    Parameters
    ----------
    make
        Makes the widget and draws the state of that moment.
    parent
        Qt's parent.

    Notes
    -----
    Whoever draws changes into the widget asks `made` first, so that a change does not make it.
    """

    def __init__(self, make: Callable[[], PageT], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._make = make
        # Begun: it exists, and only some of its parts have their style.
        self._begun: PageT | None = None
        self._page: PageT | None = None
        # Whether the parts get their styles ahead, each in a turn.
        self._styling = False
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)

    @property
    def made(self) -> PageT | None:
        """The widget, if there is one to draw into."""
        return self._page or self._begun

    @property
    def page(self) -> PageT:
        """The widget, which is made if it does not exist."""
        if self._page is None:
            page = self._begin()
            # Those parts that had no turn yet; without a window, they get their style with the place.
            if self._styling:
                apply_stylesheet_to_parts(page)
            self._place(page)
        assert self._page is not None
        return self._page

    def prepare_next(self) -> bool:
        """Make the widget, or style one more part of it. False if it is complete."""
        if self._page is not None:
            return False
        if self._begun is None:
            self._styling = True
            self._begin()
            return True
        if not style_next_part(self._begun):
            self._place(self._begun)
        return True

    def showEvent(self, event: QShowEvent) -> None:
        """Make the widget at the latest now."""
        super().showEvent(event)
        _ = self.page

    def _begin(self) -> PageT:
        if self._begun is None:
            self._begun = self._make()
            if self._styling:
                style_in_turns(self._begun)
            # Deleted with the place if that goes first. Hidden: Qt shows all children of a place that were not.
            self._begun.setParent(self)
            self._begun.hide()
        return self._begun

    def _place(self, page: PageT) -> None:
        self._page, self._begun = page, None
        layout = self.layout()
        assert layout is not None
        layout.addWidget(page)
        page.show()


class LaterPopover(QObject, Generic[PopoverT]):
    """A pop-over that is made when it is first needed.

    Parameters
    ----------
    make
        Makes the pop-over and draws the state of that moment.
    anchor
        The button that it belongs to.
    """

    def __init__(self, make: Callable[[], PopoverT], anchor: QWidget) -> None:
        super().__init__(anchor)
        self._make = make
        self._popover: PopoverT | None = None

    @property
    def made(self) -> PopoverT | None:
        """The pop-over, if there is one to draw into."""
        return self._popover

    @property
    def popover(self) -> PopoverT:
        """The pop-over, which is made if it does not exist."""
        if self._popover is None:
            self._popover = self._make()
        return self._popover

    def open(self) -> None:
        """Open it."""
        self.popover.open()

    def prepare_next(self) -> bool:
        """Make it. False if it exists."""
        missing = self._popover is None
        _ = self.popover
        return missing
