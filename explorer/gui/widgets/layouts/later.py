"""Parts of a screen that are made when they are first needed, or ahead of that in turns of the event loop of their own.

To make a screen with all its pages and pop-overs takes up to a tenth of a second, in which the window would not answer.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from PySide6.QtCore import QObject
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from explorer.gui.threads.ahead import Ahead
from explorer.gui.widgets.fields.popover import Popover

PageT = TypeVar("PageT", bound=QWidget)
PopoverT = TypeVar("PopoverT", bound=Popover)


class LaterPage(QWidget, Generic[PageT]):
    """The place of a widget that is made at its first use, at the latest when the place is shown.

    make: Makes the widget and draws the state of that moment.

    Notes
    -----
    Whoever draws changes into the widget asks `made` first, so that a change does not make it.
    """

    def __init__(self, make: Callable[[], PageT], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._ahead = Ahead(make, self)
        self._page: PageT | None = None
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)

    @property
    def made(self) -> PageT | None:
        """The widget, if there is one to draw into."""
        return self._ahead.begun

    @property
    def page(self) -> PageT:
        """The widget, which is made if it does not exist."""
        if self._page is None:
            self._place()
        assert self._page is not None
        return self._page

    def prepare_next(self) -> bool:
        """Make the widget, or style one more part of it. False if it is complete."""
        if self._page is not None:
            return False
        if not self._ahead.step():
            self._place()
        return True

    def showEvent(self, event: QShowEvent) -> None:
        """Make the widget at the latest now."""
        super().showEvent(event)
        _ = self.page

    def _place(self) -> None:
        page = self._page = self._ahead.complete()
        layout = self.layout()
        assert layout is not None
        layout.addWidget(page)
        page.show()


class LaterPopover(QObject, Generic[PopoverT]):
    """A pop-over that is made when it is first needed.

    make: Makes the pop-over and draws the state of that moment.
    anchor: The button that it belongs to.
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
