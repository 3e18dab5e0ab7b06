"""Which texts a widget paints, and where: for those that are drawn by hand, and so have no text to be measured."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QPoint, QRectF, QSize
from PySide6.QtGui import (
    QFontMetricsF,
    QPaintDevice,
    QPaintEngine,
    QPaintEngineState,
    QPainter,
    QRegion,
    QTextItem,
    QTransform,
)
from PySide6.QtWidgets import QWidget

_INCH_MM, _COLORS = 25.4, 1 << 24


@dataclass(frozen=True)
class PaintedText:
    """A text, the area that it takes in its widget, and the part of the widget to which painting was limited.

    blank: how much of the area's width is spaces at the ends of the text.
    """

    text: str
    area: QRectF
    limits: QRectF | None
    blank: float

    @property
    def seen(self) -> QRectF:
        """The part of the area that is painted."""
        return self.area if self.limits is None else self.area.intersected(self.limits)


class _Engine(QPaintEngine):
    """Keeps texts, and draws nothing."""

    def __init__(self) -> None:
        super().__init__(QPaintEngine.PaintEngineFeature.AllFeatures)
        self.found: list[PaintedText] = []
        self._transform = QTransform()

    def begin(self, device: QPaintDevice) -> bool:
        return True

    def end(self) -> bool:
        return True

    def type(self) -> QPaintEngine.Type:
        return QPaintEngine.Type.User

    def updateState(self, state: QPaintEngineState) -> None:
        if state.state() & QPaintEngine.DirtyFlag.DirtyTransform:
            self._transform = state.transform()

    def drawTextItem(self, place: Any, item: QTextItem) -> None:
        painter = self.painter()
        ascent = item.ascent()
        area = QRectF(place.x(), place.y() - ascent, item.width(), ascent + item.descent())
        # The limits are in the coordinates of the painter, as the place is.
        limits = self._transform.mapRect(painter.clipBoundingRect()) if painter.hasClipping() else None
        text = item.text()
        blanks = len(text) - len(text.strip())
        blank = QFontMetricsF(item.font()).horizontalAdvance(" " * blanks) if blanks else 0.0
        self.found.append(PaintedText(text, self._transform.mapRect(area), limits, blank))

    # Everything else is nothing to it. Without these, Qt would draw lines and rectangles as paths, point by point.

    def drawPath(self, path: Any) -> None: ...
    def drawPolygon(self, *_: Any) -> None: ...
    def drawRects(self, *_: Any) -> None: ...
    def drawLines(self, *_: Any) -> None: ...
    def drawEllipse(self, *_: Any) -> None: ...
    def drawPoints(self, *_: Any) -> None: ...
    def drawPixmap(self, rect: Any, pixmap: Any, source: Any) -> None: ...
    def drawTiledPixmap(self, *_: Any) -> None: ...
    def drawImage(self, rect: Any, image: Any, source: Any, *_: Any) -> None: ...


class _Device(QPaintDevice):
    """Where the engine paints: as large as a widget, with the dots per inch of one."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__()
        self.engine = _Engine()
        size, dots, metrics = widget.size(), widget.logicalDpiX(), QPaintDevice.PaintDeviceMetric
        self._metrics = _sizes(size, dots) | {
            metrics.PdmDepth: 32,
            metrics.PdmNumColors: _COLORS,
            metrics.PdmDevicePixelRatio: 1,
            metrics.PdmDevicePixelRatioScaled: round(QPaintDevice.devicePixelRatioFScale()),
        }

    def paintEngine(self) -> QPaintEngine:
        return self.engine

    def metric(self, which: QPaintDevice.PaintDeviceMetric) -> int:
        return self._metrics.get(which, 0)


def _sizes(size: QSize, dots: int) -> dict[QPaintDevice.PaintDeviceMetric, int]:
    metrics = QPaintDevice.PaintDeviceMetric
    found = {metrics.PdmWidth: size.width(), metrics.PdmHeight: size.height()}
    found |= {
        metrics.PdmWidthMM: round(size.width() / dots * _INCH_MM),
        metrics.PdmHeightMM: round(size.height() / dots * _INCH_MM),
    }
    names = (metrics.PdmDpiX, metrics.PdmDpiY, metrics.PdmPhysicalDpiX, metrics.PdmPhysicalDpiY)
    return found | dict.fromkeys(names, dots)


def painted_texts(widget: QWidget) -> list[PaintedText]:
    """All texts that a widget paints itself, without those of the widgets in it.

    Parameters
    ----------
    widget
        The widget; nothing changes on the screen.

    Returns
    -------
    list[PaintedText]
        In the order in which they are painted. A text that is painted in pieces, as one with marks, is in pieces here.
    """
    device = _Device(widget)
    painter = QPainter(device)
    # No flags: neither its children nor what is below it.
    widget.render(painter, QPoint(0, 0), QRegion(), QWidget.RenderFlag(0))
    painter.end()
    return device.engine.found
