"""The text above the lines: how many are listed, of what, and other facts about them."""

from __future__ import annotations

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from explorer.gui.screen import label
from explorer.gui.screens.search.cut_chips import CutChips
from explorer.gui.screens.search.state import SearchState
from explorer.gui.topics import about
from explorer.gui.widgets.dimmed import Dimmer
from explorer.i18n import tr

_GAP = 12


class AnswerLine(QWidget):
    """The large number counts what is listed; the text beside it states its unit."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.count = label("", "figure")
        self.unit = label("", "muted")
        self.details = label("", "muted")
        self.details.setWordWrap(True)
        self.cuts = about(CutChips(), "search#text-and-tokens")
        self.exact = QPushButton(tr("Make exact"))
        self.exact.setToolTip(tr("Check every occurrence of the centered phrase (can be cancelled)"))
        self.compare = QPushButton(tr("Compare"))
        self.compare.setToolTip(tr("Add this query to the comparison"))
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(_GAP)
        layout.addWidget(self.count)
        layout.addWidget(self.unit)
        layout.addWidget(self.details, 1)
        for part in (self.exact, self.cuts, self.compare):
            layout.addWidget(part)
        shown = (self.count, self.unit, self.details, self.cuts)
        self._stale = Dimmer(*shown, parent=self)

    def draw(self, state: SearchState) -> None:
        """Show what was found, as far as it is known."""
        count, unit = state.headline
        self.count.setText(count)
        self.unit.setText(unit)
        self.details.setText(state.details)
        self.cuts.show_cuts(state.facts.cuts, state.facts.other_cuts)
        self.exact.setVisible(state.estimated)
        self.compare.setVisible(state.query.found is not None)
        self._stale.set_stale(state.query.answer.dimmed, at_once=not state.query.answer.awaited)
        self._share()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Distribute the width again."""
        super().resizeEvent(event)
        self._share()

    def _share(self) -> None:
        """Cuts get the room that the text leaves; only their number is shown if the text needs several lines."""
        others = [part for part in (self.count, self.unit, self.exact, self.compare) if not part.isHidden()]
        room = self.width() - sum(part.sizeHint().width() + _GAP for part in others) - _GAP
        self.cuts.set_room(room - self.details.fontMetrics().horizontalAdvance(self.details.text()) - _GAP)
