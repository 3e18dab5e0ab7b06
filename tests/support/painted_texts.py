"""Which texts a widget paints, and where: for those that are drawn by hand, and so have no text to be measured."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRectF, QSize
from PySide6.QtGui import (
    QFontMetricsF,
    QPaintDevice,
    QPaintEngine,
    QPaintEngineState,
    QPainter,
    QPaintEvent,
    QRegion,
    QTextItem,
    QTransform,
)
from PySide6.QtWidgets import QApplication, QScrollArea, QWidget

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


class _Painted(QObject):
    """Notes which widget an engine's texts are of: Qt tells the widget to paint, and then the engine."""

    def __init__(self, engine: _Engine) -> None:
        super().__init__()
        self._engine = engine
        self._begun: list[tuple[QWidget, QRegion, int]] = []

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QPaintEvent) and isinstance(watched, QWidget):
            self._begun.append((watched, QRegion(event.region()), len(self._engine.found)))
        return False

    def texts(self) -> dict[QWidget, list[PaintedText]]:
        """Those of the widgets that painted all that they show."""
        ends = (*(start for *_, start in self._begun[1:]), len(self._engine.found))
        parts = zip(self._begun, ends, strict=False)
        whole = ((widget, start, end) for (widget, region, start), end in parts if region == QRegion(widget.rect()))
        return {widget: self._engine.found[start:end] for widget, start, end in whole}


def _texts_in(above: QWidget) -> dict[QWidget, list[PaintedText]]:
    """The texts of a widget and of what is in it, where nothing is covered, in the coordinates of the widget."""
    device = _Device(above)
    painted = _Painted(device.engine)
    application = QApplication.instance()
    assert application is not None
    painter = QPainter(device)
    application.installEventFilter(painted)
    # Not its own `render`: that of a view of a scene renders the scene.
    QWidget.render(above, painter, QPoint(0, 0), QRegion(), QWidget.RenderFlag.DrawChildren)
    application.removeEventFilter(painted)
    painter.end()
    return painted.texts()


class WindowTexts:
    """All texts that the widgets of a window paint, as `painted_texts` reports them.

    Before Qt renders a widget, it walks through its whole window, which takes longer than to paint most widgets. So the
    window is rendered once, and once more all that scrolls in it. Widgets of which Qt leaves out a part, since another
    one covers it, are rendered on their own.

    Parameters
    ----------
    window
        A widget that is shown.
    """

    def __init__(self, window: QWidget) -> None:
        self._window = window
        self._texts = {window: _texts_in(window)}

    def of(self, widget: QWidget) -> list[PaintedText]:
        """All texts that a visible widget of the window paints itself."""
        for above in filter(None, (self._window, _scrolled(widget))):
            if above not in self._texts:
                self._texts[above] = _texts_in(above)
            if (texts := self._texts[above].get(widget)) is not None:
                place = QPointF(widget.mapTo(above, QPoint(0, 0)))
                return [_moved(text, -place) for text in texts]
        return painted_texts(widget)


def _scrolled(widget: QWidget) -> QWidget | None:
    """What scrolls with the widget, in its own window."""
    above: QWidget | None = widget
    while above is not None and not above.isWindow():
        viewport = above.parentWidget()
        area = viewport.parentWidget() if viewport is not None else None
        if isinstance(area, QScrollArea) and area.widget() is above:
            return above
        above = viewport
    return None


def _moved(text: PaintedText, by: QPointF) -> PaintedText:
    limits = None if text.limits is None else text.limits.translated(by)
    return replace(text, area=text.area.translated(by), limits=limits)
