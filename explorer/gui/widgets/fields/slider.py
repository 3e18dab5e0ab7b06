"""A slider whose filled part begins where lines begin."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QSlider, QWidget


class Slider(QSlider):
    """A horizontal slider."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        # A property, since the style sheet cannot ask for the direction: it calls the part at the left `sub-page`.
        self.setProperty("mirrored", self.isRightToLeft())

    def changeEvent(self, event: QEvent) -> None:
        """Fill the other part in the other direction."""
        super().changeEvent(event)
        mirrored = self.isRightToLeft()
        if event.type() == QEvent.Type.LayoutDirectionChange and mirrored != self.property("mirrored"):
            self.setProperty("mirrored", mirrored)
            # Qt looks for the rules of a widget once, when it is polished.
            self.style().unpolish(self)
            self.style().polish(self)
