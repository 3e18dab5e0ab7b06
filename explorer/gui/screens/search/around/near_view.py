"""What the tabs that count around the query look like: settings, a sentence, the table, and something beside it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from explorer.gui.asking.page import Asked
from explorer.gui.asking.table_panel import TableLook, TablePanel
from explorer.gui.found_lines.panel import LinesPanel
from explorer.gui.screens.screen import label
from explorer.gui.screens.search.around.near_presenter import NearPresenter
from explorer.gui.screens.search.around.near_state import NearState
from explorer.gui.style.surfaces import split_page
from explorer.gui.widgets.layouts.splitter import split, turn_where_narrow
from explorer.gui.widgets.notices.dimmed import Dimmer

_NARROW = 68
"""Width in em below which the table is above what is beside it."""


class NearView(QWidget):
    """One tab: its own widgets are the settings on top, and what is beside the table.

    presenter: What the tab does.
    """

    def __init__(self, presenter: NearPresenter[Any], look: TableLook) -> None:
        super().__init__()
        split_page(self)
        self._presenter = presenter
        self.facts = label("", "muted")
        self.facts.setWordWrap(True)
        self.list, self.lines = TablePanel(presenter, look), LinesPanel(presenter.lines)
        self.table = self.list.table

    def showEvent(self, event: QShowEvent) -> None:
        """Count if the words were made on another screen while this one was hidden."""
        super().showEvent(event)
        if self._presenter.state.missing:
            self._presenter.open()

    def frame(self, settings: QWidget, beside: QWidget, sizes: Sequence[int], dimmed: Sequence[QWidget]) -> None:
        """Lay out the tab.

        sizes: How the two share the width: proportions, not pixels.
        dimmed: What becomes pale with the table where it belongs to an earlier question.
        """
        self.halves = split(Qt.Orientation.Horizontal, sizes, self.list, beside)
        self.asked = Asked(self._presenter, settings, self.halves, "list")
        self.empty, self.notice, self.stack = self.asked.empty, self.asked.notice, self.asked.stack
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        for part in (settings, self.facts, self.notice):
            layout.addWidget(part)
        layout.addWidget(self.stack, 1)
        self._stale = Dimmer(self.facts, self.list, *dimmed, parent=self)

    def draw_frame(self, state: NearState[Any, Any], before: NearState[Any, Any] | None) -> bool:
        """Draw what the tabs have alike.

        before: The one that was drawn before; None for the first.
        Returns: Whether there are rows.
        """
        self.facts.setText(state.facts)
        self.facts.setVisible(bool(state.facts))
        self.asked.draw(state, before)
        self.list.draw(state, before)
        self._stale.set_stale(state.dimmed, at_once=not state.answer.awaited)
        return state.answered

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the table above the rest in a narrow window."""
        super().resizeEvent(event)
        turn_where_narrow(self, ((self.halves, _NARROW),))
