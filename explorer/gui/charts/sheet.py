"""A part of a chart without axes in the window, drawn by what draws it on paper."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QPicture
from PySide6.QtWidgets import QSizePolicy, QWidget

from explorer.chart import Part, StripPlot, part_height
from explorer.export.drawing.drawer import Area, Spot
from explorer.export.drawing.panels import draw_part
from explorer.gui.charts.ink import pixels_per_point, window_pens
from explorer.gui.style.theme import em
from explorer.gui.widgets.painting import ring, rounded

_AROUND = 2.0
"""Pixels between an item and the frame that sets it off."""


class ChartSheet(QWidget):
    """A network or strips. Signals: `pointed(int)` and `chosen(int)`, the number of an item; -1 for none."""

    pointed = Signal(int)
    chosen = Signal(int)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMouseTracking(True)
        # A drawing has its sides everywhere, and signs and units are on the same side of their digits.
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self._part: Part | None = None
        self._set_off = self._last = -1
        self._spots: tuple[Spot, ...] = ()
        self._placed_for = QSize()

    def draw(self, part: Part | None) -> None:
        """Draw another part; None for none."""
        # The window has its titles above its widgets.
        self._part = None if part is None else replace(part, title="")
        self._set_off, self._last, self._placed_for = -1, -1, QSize()
        self.setVisible(part is not None)
        self.updateGeometry()
        self.update()

    def set_off(self, place: int) -> None:
        """Set off an item by its number; -1 for none."""
        self._set_off = place
        self.update()

    def minimumSizeHint(self) -> QSize:
        """All lines of strips, which scroll, and else room for some labels."""
        high = em(16)
        if isinstance(self._part, StripPlot):
            high = round(part_height(self._part) * pixels_per_point())
        return QSize(em(18), high)

    @property
    def spots(self) -> tuple[Spot, ...]:
        """Where the items are, in points."""
        if self._part is not None and self._placed_for != self.size():
            self._placed_for, picture = self.size(), QPicture()
            painter = QPainter(picture)
            self._spots = self._draw_part(painter, self._part)
            painter.end()
        return self._spots if self._part is not None else ()

    def _draw_part(self, painter: QPainter, part: Part) -> tuple[Spot, ...]:
        point = pixels_per_point()
        return draw_part(window_pens(painter), Area(0, 0, self.width() / point, self.height() / point), part)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The part, and a frame around the item that is set off."""
        if self._part is None:
            return
        painter = QPainter(self)
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        around = [_pixels(spot.area) for spot in self.spots if spot.number == self._set_off]
        for area in around:
            rounded(painter, area, _radius(area), "select")
        painter.save()
        self._draw_part(painter, self._part)
        painter.restore()
        for area in around:
            ring(painter, area, _radius(area))
        painter.end()

    def pixel_of(self, place: int) -> QPoint:
        """Where an item is, in pixels of this widget."""
        area = next(spot.area for spot in self.spots if spot.number == place)
        return _pixels(area).center().toPoint()

    def place_at(self, at: QPointF) -> int:
        """The number of the item at a point in pixels; -1 if there is none."""
        return next((spot.number for spot in self.spots if _pixels(spot.area).contains(at)), -1)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Point at what is below the pointer."""
        self._point(self.place_at(event.position()))

    def _point(self, place: int) -> None:
        if place != self._last:
            self._last = place
            self.pointed.emit(place)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose the item that is pressed."""
        place = self.place_at(event.position())
        if event.button() == Qt.MouseButton.LeftButton and place >= 0:
            self.chosen.emit(place)
        # The view around it takes the focus.
        event.ignore()

    def leaveEvent(self, event: QEvent) -> None:
        """Forget the item under the pointer."""
        self._point(-1)
        super().leaveEvent(event)


def _pixels(area: Area) -> QRectF:
    point = pixels_per_point()
    made = QRectF(area.left * point, area.top * point, area.width * point, area.height * point)
    return made.adjusted(-_AROUND, -_AROUND, _AROUND, _AROUND)


def _radius(area: QRectF) -> float:
    # A disc is as wide as high, and gets a circle; a label gets a frame with round corners.
    return area.height() / 2 if abs(area.width() - area.height()) < 1 else 4.0
