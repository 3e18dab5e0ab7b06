"""One set of SVG icons, drawn in the theme's colors at any scale."""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtCore import QByteArray, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QIcon, QIconEngine, QImage, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from explorer.gui.theme import colors
from explorer.resources import resource_text


@lru_cache(maxsize=128)
def _renderer(name: str, color: str) -> QSvgRenderer:
    svg = resource_text(f"icons/{name}.svg").replace("currentColor", color)
    return QSvgRenderer(QByteArray(svg.encode("utf-8")))


class _ThemedIcon(QIconEngine):
    """Paints an icon in the current color of the theme."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._name = name

    def clone(self) -> QIconEngine:
        """Another engine for the same icon."""
        return _ThemedIcon(self._name)

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        """Draw into the rectangle."""
        theme = colors()
        color = theme.accent if state == QIcon.State.On else theme.muted
        if mode == QIcon.Mode.Active and state != QIcon.State.On:
            color = theme.text
        _renderer(self._name, color).render(painter, QRectF(rect))

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        """The icon as a picture of this size; empty for a button without any area."""
        if size.isEmpty():
            return QPixmap()
        image = QImage(size, QImage.Format.Format_ARGB32_Premultiplied)
        image.fill(Qt.GlobalColor.transparent)
        painter = QPainter(image)
        self.paint(painter, QRect(0, 0, size.width(), size.height()), mode, state)
        painter.end()
        return QPixmap.fromImage(image)


def icon(name: str) -> QIcon:
    """The icon `resources/icons/NAME.svg`."""
    return QIcon(_ThemedIcon(name))
