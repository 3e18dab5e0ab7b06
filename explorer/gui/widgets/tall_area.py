"""A part of a screen that scrolls up and down where the window has no room for all of it."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

_LEAST = 160


def give_way(widget: QWidget, most: int) -> None:
    """Let a list or table of such an area be so high at most, so that what stands below it is seen."""
    widget.setMaximumHeight(most)


class TallArea(QScrollArea):
    """Shows a widget as wide as it needs, and a part of its height at least."""

    def __init__(self, widget: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown = widget
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidget(widget)

    def minimumSizeHint(self) -> QSize:
        """Never narrower than what it shows: there is no scrolling aside."""
        needed = self._shown.minimumSizeHint()
        return QSize(needed.width() + self.verticalScrollBar().sizeHint().width(), min(_LEAST, needed.height()))
