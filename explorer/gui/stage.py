"""The middle of the window: one screen at a time, and the document beside it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QStackedWidget, QVBoxLayout, QWidget

from explorer.gui.document_panel import DocumentPanel
from explorer.gui.requests import DocumentListed, DocumentRequest, FindInDocument, Request, TogglePanel
from explorer.gui.screen import Screen
from explorer.gui.surfaces import apply_stylesheet, when_restyled
from explorer.gui.theme import scaled, text_size
from explorer.gui.unreadable import Unreadable
from explorer.gui.widgets.splitter import Splitter

_STACK_EMS = 56
"""The least width of screens, in sizes of the text."""
_PANEL, _PANEL_LEAST, _PANEL_MOST = 352, 240, 900
"""Widths of the document at a text size of 10 points: the usual one, and the limits of what can be chosen."""
_OVER_BELOW, _LEFT_FREE = 1020, 48
"""The document covers a part of a narrower screen; a strip stays free, to be clicked."""
_DESIGNED = 100
_LOWEST = 240
"""The least height of screens in pixels; those that need more scroll."""
_STACK_MOST = 760
"""The limit of the screens' minimum width in pixels: with large text the window would not fit on the display."""


def below_each_other(*widgets: QWidget) -> QWidget:
    """Stack widgets without room between them; the last one gets the height that is left."""
    whole = QWidget()
    layout = QVBoxLayout(whole)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(0)
    for widget in widgets:
        layout.addWidget(widget, 1 if widget is widgets[-1] else 0)
    return whole


class Pages(QStackedWidget):
    """The screens, of which only the visible one decides how high they must be."""

    def __init__(self) -> None:
        super().__init__()
        self.currentChanged.connect(lambda _: self.updateGeometry())

    def minimumSizeHint(self) -> QSize:
        """The height of the visible screen; no width: a screen folds its parts when it becomes narrower."""
        shown = self.currentWidget()
        return QSize(0, 0 if shown is None else shown.minimumSizeHint().height())

    def heightForWidth(self, width: int) -> int:
        """That of the visible screen: Qt would lay out the texts of all the others, whenever one part changes."""
        shown = self.currentWidget()
        return -1 if shown is None else shown.heightForWidth(width)


class Room(QScrollArea):
    """Scrolls a screen for which the window has no room: with large text, a window could not be made small enough."""

    def __init__(self, pages: Pages) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        # The screens take the keyboard.
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidget(pages)
        # Not on the area itself: a style sheet would keep the palette from the screens, see `surfaces`.
        for bar in (self.verticalScrollBar(), self.horizontalScrollBar()):
            apply_stylesheet(bar)

    def minimumSizeHint(self) -> QSize:
        """As low as a window may be; see `Stage` for the width."""
        return QSize(0, _LOWEST)


class Stage(QWidget):
    """Holds the screens that were created, and the document panel: beside them, or over them in a narrow window."""

    def __init__(self) -> None:
        super().__init__()
        self.stack = Pages()
        self.room = Room(self.stack)
        self.panel = DocumentPanel()
        self.splitter = Splitter(Qt.Orientation.Horizontal)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.addWidget(self.room)
        self.splitter.addWidget(self.panel)
        self.splitter.setStretchFactor(0, 1)
        self.splitter.setStretchFactor(1, 0)
        self._width = 0
        self._readable = True
        self.unreadable = Unreadable()
        self.unreadable.hide()
        around = QVBoxLayout(self)
        around.setContentsMargins(0, 0, 0, 0)
        around.addWidget(self.splitter)
        around.addWidget(self.unreadable)
        self.panel.hide()
        self.stack.currentChanged.connect(lambda _: self._cover())
        self.panel.closed.connect(self.panel.hide)
        self.splitter.splitterMoved.connect(lambda *_: self._remember())
        self._fit_to_text()
        when_restyled(self, self._fit_to_text)

    def _fit_to_text(self) -> None:
        # The pages' minimum width is that of the widest page; next to a document they may be narrower.
        self.room.setMinimumWidth(min(_STACK_MOST, round(_STACK_EMS * text_size())))
        self.panel.setMinimumWidth(scaled(_PANEL_LEAST))
        self._place_panel()

    @property
    def over(self) -> bool:
        """Whether the document covers a part of the screen, since the window is too narrow for both."""
        return self.panel.parentWidget() is self

    @property
    def panel_width(self) -> int:
        """The width of the document in pixels at a text size of 10 points: the usual one, or as it was dragged."""
        return self._width or _PANEL

    def set_panel_width(self, width: int) -> None:
        """Give the document the width that it had before, in pixels at a text size of 10 points."""
        self._width = min(max(width, _PANEL_LEAST), _PANEL_MOST)
        self._place_panel()

    def _remember(self) -> None:
        # Over the screen, the width follows from the window and was not chosen.
        if not self.over and self.panel.isVisible():
            self._width = min(round(self.panel.width() * _DESIGNED / scaled(_DESIGNED)), _PANEL_MOST)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the document beside the screen or over it."""
        super().resizeEvent(event)
        self._place_panel()

    def _place_panel(self) -> None:
        """Give the document its place and its width."""
        # Not by `isVisible`: the window may be hidden while it is laid out.
        over, shown = self.width() < scaled(_OVER_BELOW), not self.panel.isHidden()
        if over != self.over:
            # Out of the splitter, or back: each change of the parent hides it.
            if over:
                self.panel.setParent(self)
            else:
                self.splitter.addWidget(self.panel)
            self.panel.setVisible(shown)
        # A strip of the screen stays: it shows what the document belongs to.
        wide = min(scaled(self.panel_width), max(self.panel.minimumWidth(), self.width() - scaled(_LEFT_FREE)))
        if over:
            left = 0 if self.isRightToLeft() else self.width() - wide
            self.panel.setGeometry(left, 0, wide, self.height())
            self.panel.raise_()
        elif shown:
            self.splitter.setSizes([self.width() - wide, wide])

    def show_index(self, name: str, readable: bool) -> None:
        """Cover the screens that need the tokenizer of the open index, if it has none.

        Parameters
        ----------
        name
            The name of the index.
        readable
            Whether it has a tokenizer; also if none is open.
        """
        self._readable = readable
        self.unreadable.show_name(name)
        if not readable:
            self.panel.hide()
        self._cover()

    @property
    def covered(self) -> bool:
        """Whether the current screen can do nothing with the open index."""
        return not self._readable and self.stack.count() > 0 and self.current().reads_text

    def _cover(self) -> None:
        self.splitter.setVisible(not self.covered)
        self.unreadable.setVisible(self.covered)

    def focus_input(self) -> None:
        """Put the cursor in the first field of the screen, or on the button that settles what is missing."""
        if self.covered:
            self.unreadable.choose.setFocus()
        else:
            self.current().focus_input()

    def current(self) -> Screen:
        """The current screen, whether it is covered or not."""
        screen = self.stack.currentWidget()
        assert isinstance(screen, Screen)
        return screen

    def open_document(self, request: DocumentRequest) -> None:
        """Show a document in the panel on the right."""
        if not self.panel.isVisible():
            self.panel.show()
            self._place_panel()
        self.panel.open(request)

    def toggle_panel(self) -> None:
        """Show or hide the document."""
        self.panel.setVisible(not self.panel.isVisible())
        self._place_panel()

    def open_find_bar(self) -> None:
        """Look for a text in the document; without one, go to the main input of the screen."""
        # The same key for both: whoever presses it wants to look for something.
        if self.panel.isVisible():
            self.panel.find_bar.open()
        else:
            self.focus_input()

    def routes(self) -> Mapping[type[Request], Callable[[Any], object]]:
        """The requests that are taken here, and what they do."""
        return {
            DocumentRequest: self.open_document,
            DocumentListed: lambda request: self.panel.show_listed(request.number, request.listed),
            TogglePanel: lambda _: self.toggle_panel(),
            FindInDocument: lambda _: self.open_find_bar(),
        }
