"""The first row of the Agreement screen: sources, how much of them is analyzed, and what can be saved."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from explorer.gui.charts.export.button import ExportButton
from explorer.gui.style.theme import em
from explorer.gui.style.untrusted import tip
from explorer.i18n import tr

_WIDE, _NARROW = 84, 48
"""Width in em from which the buttons have all their words, and below which they have none."""


class TopRow(QWidget):
    """Sources, and two buttons, whose words are shorter where there is little room.

    export: The button of what can be saved and copied.
    """

    def __init__(self, sources: QWidget, sampling: QPushButton, export: ExportButton) -> None:
        super().__init__()
        self._sampling, self._export, self._words = sampling, export, ""
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(sources, 1)
        for button in (sampling, export):
            row.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)

    def say(self, sampling: str) -> None:
        """Show how much is analyzed."""
        self._words = sampling
        self._sampling.setToolTip(tip(sampling))
        # All words, also while the button has room for one only.
        self._sampling.setAccessibleName(sampling)
        self._shorten()

    def _shorten(self) -> None:
        wide, narrow = self.width() >= em(_WIDE), self.width() < em(_NARROW)
        self._sampling.setText(self._words if wide else "" if narrow else tr("Sampling"))
        self._export.shorten(narrow)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Choose the words that fit."""
        super().resizeEvent(event)
        self._shorten()
