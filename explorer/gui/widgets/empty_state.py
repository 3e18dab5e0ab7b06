"""The content of a screen that has nothing to show."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from explorer.gui.icons import icon
from explorer.gui.surfaces import when_restyled
from explorer.gui.theme import scaled
from explorer.gui.untrusted import Label


class EmptyState(QWidget):
    """An icon, a sentence, and what to do next."""

    def __init__(self, icon_name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icon_name = icon_name
        self._picture, self._title, self._hint = Label(), Label(), Label()
        self._title.setProperty("role", "heading")
        self._hint.setProperty("role", "muted")
        self._hint.setWordWrap(True)
        layout = QVBoxLayout(self)
        layout.addStretch(1)
        for part in (self._picture, self._title, self._hint):
            part.setAlignment(Qt.AlignmentFlag.AlignCenter)
            layout.addWidget(part)
        layout.addStretch(2)
        when_restyled(self, self._draw)

    def _draw(self) -> None:
        """The icon in the theme's color, in a size that follows the text."""
        ratio, side = self.devicePixelRatioF(), scaled(40)
        pixmap = icon(self._icon_name).pixmap(round(side * ratio), round(side * ratio))
        pixmap.setDevicePixelRatio(ratio)
        self._picture.setPixmap(pixmap)

    def say(self, title: str, hint: str) -> None:
        """Show another text.

        Parameters
        ----------
        title
            The large line.
        hint
            The smaller text below it.
        """
        self._draw()
        self._title.setText(title)
        self._hint.setText(hint)
