"""The middle of the window: one screen at a time, and the document beside it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSplitter, QStackedWidget, QVBoxLayout, QWidget

from explorer.gui.document_panel import DocumentPanel
from explorer.gui.requests import DocumentListed, DocumentRequest, FindInDocument, Request, TogglePanel
from explorer.gui.screen import Screen
from explorer.gui.surfaces import when_restyled
from explorer.gui.theme import text_size

_STACK_EMS, _PANEL_EMS = 56, 24
"""Least widths of screens and document, in sizes of the text."""
_STACK_MOST = 760
"""The limit of the screens' minimum width in pixels: with large text the window would not fit on the display."""
_STACK_SHARE = 0.66
"""Of the width, when the document is opened."""


def below_each_other(*widgets: QWidget) -> QWidget:
    """Stack widgets without room between them; the last one gets the height that is left."""
    whole = QWidget()
    layout = QVBoxLayout(whole)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(0)
    for widget in widgets:
        layout.addWidget(widget, 1 if widget is widgets[-1] else 0)
    return whole


class Stage(QSplitter):
    """Holds the screens that were created, and the document panel."""

    def __init__(self) -> None:
        super().__init__(Qt.Orientation.Horizontal, childrenCollapsible=False)
        self.stack = QStackedWidget()
        self.panel = DocumentPanel()
        self.addWidget(self.stack)
        self.addWidget(self.panel)
        self.setStretchFactor(0, 1)
        self.panel.hide()
        self.panel.closed.connect(self.panel.hide)
        self._fit_to_text()
        when_restyled(self, self._fit_to_text)

    def _fit_to_text(self) -> None:
        # The pages' minimum width is that of the widest page; next to a document they may be narrower.
        self.stack.setMinimumWidth(min(_STACK_MOST, round(_STACK_EMS * text_size())))
        self.panel.setMinimumWidth(round(_PANEL_EMS * text_size()))

    def current(self) -> Screen:
        """The visible screen."""
        screen = self.stack.currentWidget()
        assert isinstance(screen, Screen)
        return screen

    def open_document(self, request: DocumentRequest) -> None:
        """Show a document in the panel on the right."""
        if not self.panel.isVisible():
            width = self.width()
            self.panel.show()
            # Only as it opens: sizes that the user has set are kept while it is visible.
            self.setSizes([int(width * _STACK_SHARE), int(width * (1 - _STACK_SHARE))])
        self.panel.open(request)

    def toggle_panel(self) -> None:
        """Show or hide the document."""
        self.panel.setVisible(not self.panel.isVisible())

    def open_find_bar(self) -> None:
        """Look for a text in the document; without one, go to the main input of the screen."""
        if self.panel.isVisible():
            self.panel.find_bar.open()
        else:
            self.current().focus_input()

    def routes(self) -> Mapping[type[Request], Callable[[Any], object]]:
        """The requests that are taken here, and what they do."""
        return {
            DocumentRequest: self.open_document,
            DocumentListed: lambda request: self.panel.show_listed(request.number, request.listed),
            TogglePanel: lambda _: self.toggle_panel(),
            FindInDocument: lambda _: self.open_find_bar(),
        }
