"""One set of SVG icons, drawn in the theme's colors at any scale."""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtCore import QByteArray, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QGuiApplication, QIcon, QIconEngine, QImage, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from explorer.gui.style.theme import colors, qcolor
from explorer.resources import resource_text

_MIRRORED = {"chevron-left": "chevron-right", "chevron-right": "chevron-left"}
"""Icons that point forward or back, and what they are where text runs from right to left."""


@lru_cache(maxsize=256)
def _svg(name: str) -> str:
    """The picture in no color yet: each color of each theme needs it again, while something is drawn."""
    return resource_text(f"icons/{name}.svg")


# By the color itself and not by its name: after a change of theme, the names mean other colors.
@lru_cache(maxsize=256)
def _renderer(name: str, color: str) -> QSvgRenderer:
    svg = _svg(name).replace("currentColor", color)
    return QSvgRenderer(QByteArray(svg.encode("utf-8")))


def _flipped() -> bool:
    """Whether words follow an icon on its left."""
    return QGuiApplication.layoutDirection() == Qt.LayoutDirection.RightToLeft


def _turned(name: str, flipped: bool) -> str:
    """The icon that points the same way for the reader."""
    return _MIRRORED.get(name, name) if flipped else name


def _square(rect: QRect, flipped: bool) -> QRectF:
    """The part of a rectangle in which an icon is drawn."""
    # Wider than high where words follow: the rest is the gap between them.
    side = min(rect.width(), rect.height())
    area = QRectF(rect.x(), rect.y() + (rect.height() - side) / 2, side, side)
    if flipped:
        area.moveRight(rect.x() + rect.width())
    return area


# Buttons ask for their picture each time they are drawn. An image, since Qt's pixmaps must not outlive the application.
@lru_cache(maxsize=512)
def _picture(name: str, color: str, width: int, height: int, flipped: bool) -> QImage:
    image = QImage(width, height, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    _renderer(name, color).render(painter, _square(QRect(0, 0, width, height), flipped))
    painter.end()
    return image


class _ThemedIcon(QIconEngine):
    """Paints an icon in the current color of the theme; `color` is the name of one, "" for that of the state."""

    def __init__(self, name: str, color: str) -> None:
        super().__init__()
        self._name = name
        self._color = color

    def clone(self) -> QIconEngine:
        """Another engine for the same icon."""
        return _ThemedIcon(self._name, self._color)

    def _ink(self, mode: QIcon.Mode, state: QIcon.State) -> str:
        if mode == QIcon.Mode.Disabled:
            return colors().faint
        if self._color:
            return qcolor(self._color).name()
        if state == QIcon.State.On:
            return colors().accent
        return colors().text if mode == QIcon.Mode.Active else colors().muted

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        """Draw into the rectangle."""
        flipped = _flipped()
        _renderer(_turned(self._name, flipped), self._ink(mode, state)).render(painter, _square(rect, flipped))

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        """The icon as a picture of this size; empty for a button without any area."""
        if size.isEmpty():
            return QPixmap()
        name, flipped = _turned(self._name, _flipped()), _flipped()
        return QPixmap.fromImage(_picture(name, self._ink(mode, state), size.width(), size.height(), flipped))


def icon(name: str, color: str = "") -> QIcon:
    """The icon `resources/icons/NAME.svg`.

    name: The name of its file, without the ending.
    color: A field of `Colors`; "" for muted, and for the accent while a button is checked.
    Returns: The icon; it is drawn again for each theme and size.
    """
    return QIcon(_ThemedIcon(name, color))


def draw_icon(painter: QPainter, name: str, area: QRectF, color: str) -> None:
    """Draw an icon, for widgets that paint themselves.

    painter: Its layout direction decides where arrows point.
    name: The name of the icon's file, without the ending.
    area: Where, in the painter's units.
    """
    flipped = painter.layoutDirection() == Qt.LayoutDirection.RightToLeft
    _renderer(_turned(name, flipped), qcolor(color).name()).render(painter, area)
