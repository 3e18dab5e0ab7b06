"""The middle of the window: one screen at a time, and the document beside it.

The window starts without the panel of the document, whose fifty parts nobody sees then. It is made when all screens
exist, a part per turn of the event loop, or when it is first shown.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from explorer.gui.chrome.unreadable import Unreadable
from explorer.gui.presenting.requests import DocumentListed, DocumentRequest, FindInDocument, Request, TogglePanel
from explorer.gui.screens.screen import Screen
from explorer.gui.style.surfaces import apply_stylesheet, style_next_part, when_restyled
from explorer.gui.style.theme import scaled, text_size
from explorer.gui.widgets.layouts.splitter import Splitter
from explorer.gui.widgets.layouts.stack import Stack

if TYPE_CHECKING:
    from explorer.corpus import Corpus
    from explorer.gui.document.panel import DocumentPanel

_PANEL_MODULE = "explorer.gui.document.panel"
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


class Pages(Stack):
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
    """Holds the screens that were created, and the document panel: beside them, or over them in a narrow window.

    adopt: Called with the document panel when it is made, before it gets the open index.
    """

    def __init__(self, adopt: Callable[[DocumentPanel], object]) -> None:
        super().__init__()
        self._adopt = adopt
        # Made ahead, and not in its place yet: parts of it have no style.
        self._begun: DocumentPanel | None = None
        self._corpus: Corpus | None = None
        self.stack = Pages()
        self.room = Room(self.stack)
        self.splitter = Splitter(Qt.Orientation.Horizontal)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.addWidget(self.room)
        self.splitter.setStretchFactor(0, 1)
        self._width = 0
        self._readable = True
        self.unreadable = Unreadable()
        self.unreadable.hide()
        around = QVBoxLayout(self)
        around.setContentsMargins(0, 0, 0, 0)
        around.addWidget(self.splitter)
        around.addWidget(self.unreadable)
        self.stack.currentChanged.connect(lambda _: self._cover())
        self.splitter.splitterMoved.connect(lambda *_: self._remember())
        self._fit_to_text()
        when_restyled(self, self._fit_to_text)

    @cached_property
    def panel(self) -> DocumentPanel:
        """The document, which is made if nobody has asked for it before."""
        panel = self._begun or self._load_panel()()
        panel.hide()
        self.splitter.addWidget(panel)
        self.splitter.setStretchFactor(1, 0)
        panel.setMinimumWidth(scaled(_PANEL_LEAST))
        panel.closed.connect(panel.hide)
        self._adopt(panel)
        panel.set_corpus(self._corpus)
        return panel

    @property
    def made_panel(self) -> DocumentPanel | None:
        """The document, if it was made."""
        return self.__dict__.get("panel")

    @property
    def shows_panel(self) -> bool:
        """Whether the document is visible."""
        return self.made_panel is not None and self.panel.isVisible()

    def set_corpus(self, corpus: Corpus | None) -> None:
        """Give the document's panel the open index, now or when it is made."""
        self._corpus = corpus
        if self.made_panel is not None:
            self.panel.set_corpus(corpus)

    def _load_panel(self) -> type[DocumentPanel]:
        found: type[DocumentPanel] = import_module(_PANEL_MODULE).DocumentPanel
        return found

    def prepare_next(self) -> bool:
        """Import or make the document, or style one more part of it, before it is shown. False if it is there."""
        if self.made_panel is not None:
            return False
        if _PANEL_MODULE not in sys.modules:
            self._load_panel()
        elif self._begun is None:
            # With a parent, it is deleted with the window if that is closed meanwhile.
            self._begun = self._load_panel()(self)
        elif not style_next_part(self._begun):
            self._place_panel(self.panel)
        return True

    def _fit_to_text(self) -> None:
        # The pages' minimum width is that of the widest page; next to a document they may be narrower.
        self.room.setMinimumWidth(min(_STACK_MOST, round(_STACK_EMS * text_size())))
        if self.made_panel is not None:
            self.panel.setMinimumWidth(scaled(_PANEL_LEAST))
            self._place_panel(self.panel)

    @property
    def over(self) -> bool:
        """Whether the document covers a part of the screen, since the window is too narrow for both."""
        return self.made_panel is not None and self.panel.parentWidget() is self

    @property
    def panel_width(self) -> int:
        """The width of the document in pixels at a text size of 10 points: the usual one, or as it was dragged."""
        return self._width or _PANEL

    def set_panel_width(self, width: int) -> None:
        """Give the document the width that it had before, in pixels at a text size of 10 points."""
        self._width = min(max(width, _PANEL_LEAST), _PANEL_MOST)
        if self.made_panel is not None:
            self._place_panel(self.panel)

    def _remember(self) -> None:
        # Over the screen, the width follows from the window and was not chosen.
        if not self.over and self.shows_panel:
            self._width = min(round(self.panel.width() * _DESIGNED / scaled(_DESIGNED)), _PANEL_MOST)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the document beside the screen or over it."""
        super().resizeEvent(event)
        if self.made_panel is not None:
            self._place_panel(self.panel)

    def _place_panel(self, panel: DocumentPanel) -> None:
        """Give the document its place and its width."""
        # Not by `isVisible`: the window may be hidden while it is laid out.
        over, shown = self.width() < scaled(_OVER_BELOW), not panel.isHidden()
        if over != self.over:
            # Out of the splitter, or back: each change of the parent hides it.
            if over:
                panel.setParent(self)
            else:
                self.splitter.addWidget(panel)
            panel.setVisible(shown)
        # A strip of the screen stays: it shows what the document belongs to.
        wide = min(scaled(self.panel_width), max(panel.minimumWidth(), self.width() - scaled(_LEFT_FREE)))
        if over:
            left = 0 if self.isRightToLeft() else self.width() - wide
            panel.setGeometry(left, 0, wide, self.height())
            panel.raise_()
        elif shown:
            self.splitter.setSizes([self.width() - wide, wide])

    def show_index(self, name: str, readable: bool) -> None:
        """Cover the screens that need the tokenizer of the open index, if it has none.

        readable: Whether it has a tokenizer; also if none is open.
        """
        self._readable = readable
        self.unreadable.show_name(name)
        if not readable and self.made_panel is not None:
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
            self._place_panel(self.panel)
        self.panel.open(request)

    def toggle_panel(self) -> None:
        """Show or hide the document."""
        self.panel.setVisible(not self.panel.isVisible())
        self._place_panel(self.panel)

    def open_find_bar(self) -> None:
        """Look for a text in the document; without one, go to the main input of the screen."""
        # The same key for both: whoever presses it wants to look for something.
        if self.shows_panel:
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
