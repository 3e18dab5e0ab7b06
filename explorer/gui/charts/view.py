"""A chart in the window: the same `Chart` that is exported, with zoom, values, selection and keyboard."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPointF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QKeyEvent
from PySide6.QtWidgets import QGraphicsSceneResizeEvent, QSizePolicy, QToolTip, QVBoxLayout, QWidget

from explorer.chart import Axis, Bars, Chart, Dots, Panel, Part, legend_entries, log_ticks, nice_step, short_number
from explorer.chart.told import axis_of, described, points_of, stops, told
from explorer.export.drawing.marks import has_markers
from explorer.gui.charts.ink import chart_colors
from explorer.gui.charts.legend import ChartLegend
from explorer.gui.charts.plot_area import PlotArea, SolidAxis, style_panel
from explorer.gui.charts.sheet import ChartSheet
from explorer.gui.sources.marks import mark_path
from explorer.gui.style.surfaces import when_restyled
from explorer.gui.style.theme import em, font_of, qcolor, scaled, width_of
from explorer.gui.style.untrusted import tip
from explorer.gui.widgets.painting import mixed

_NEAR = 14
"""Pixels within which the pointer means a point."""
_STEP = 1.25
_MOST_ZOOM = 64


_Drawn = TypeVar("_Drawn", "_Plot", ChartSheet)


class ChartView(QWidget):
    """Draws a chart of one part. Signals: `chosen(int)`, a click or Enter chose an item, by its number in the chart.

    name: The name for assistive technology.
    high: The height in em beside widgets that take what is left; 0 for as high as there is room.
    """

    chosen = Signal(int)

    def __init__(self, name: str, high: int = 0) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        upright = QSizePolicy.Policy.Preferred if high else QSizePolicy.Policy.Expanding
        self.setSizePolicy(QSizePolicy.Policy.Expanding, upright)
        self._high = high
        self._part: Part | None = None
        self._legend: tuple[Bars | Dots, ...] = ()
        self._row = self._pointed = -1
        self.legend = ChartLegend()
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(scaled(8), scaled(4), scaled(8), scaled(4))
        self._column.addWidget(self.legend)
        self.legend.hide()
        when_restyled(self, self._redraw)

    @cached_property
    def plot(self) -> _Plot:
        """What draws a panel, made when there is one: it takes 20 ms."""
        return self._connected(_Plot(self))

    @cached_property
    def sheet(self) -> ChartSheet:
        """What draws a part without axes."""
        return self._connected(ChartSheet(self))

    def _connected(self, made: _Drawn) -> _Drawn:
        made.chosen.connect(self._choose)
        made.pointed.connect(self._point)
        self._column.addWidget(made, 1)
        return made

    def sizeHint(self) -> QSize:
        """Twice as wide as high, or as high as it is to be."""
        return QSize(em(30), em(self._high or 15)).expandedTo(self.minimumSizeHint())

    def minimumSizeHint(self) -> QSize:
        """Room for the axes and a line, or for what is drawn without axes."""
        if self._part is None or isinstance(self._part, Panel):
            return QSize(em(16), em(self._high or 9))
        return super().minimumSizeHint()

    def show_chart(self, chart: Chart | None, row: int = -1) -> None:
        """Draw another chart.

        chart: Its first part is drawn; None for none.
        row: The number of the item that is set off; -1 for none.
        """
        self._part = chart.rows[0][0] if chart else None
        self._legend = legend_entries(chart) if chart is not None and chart.legend else ()
        self._row, self._pointed = row, -1
        self._redraw()
        self.updateGeometry()

    def show_row(self, row: int) -> None:
        """Set off another item.

        row: Its number among all items of the chart; -1 for none.
        """
        if row != self._row:
            self._row = row
            if self._part is not None:
                self._drawing(self._part).set_off(row)

    @property
    def places(self) -> tuple[tuple[float, float], ...]:
        """All points of the layers of a panel, one layer after the other."""
        return tuple((point.x, point.y) for point in points_of(self._part)) if isinstance(self._part, Panel) else ()

    def _drawing(self, part: Part) -> _Plot | ChartSheet:
        return self.plot if isinstance(part, Panel) else self.sheet

    def _redraw(self) -> None:
        part = self._part
        if part is None or not isinstance(part, Panel):
            if "plot" in vars(self):
                self.plot.draw(None)
        else:
            self.plot.draw(part)
        if part is None or isinstance(part, Panel):
            if "sheet" in vars(self):
                self.sheet.draw(None)
        else:
            self.sheet.draw(part)
        if part is not None:
            self._drawing(part).set_off(self._row)
        self.legend.explain(self._legend)
        self.legend.setVisible(bool(self._legend))
        self.setAccessibleDescription("" if part is None else described(part))

    # --- pointer and keys ------------------------------------------------------------------------------

    def _choose(self, place: int) -> None:
        self.chosen.emit(place)

    def _point(self, place: int) -> None:
        """Show the values of an item."""
        self._pointed = place
        if self._part is None or place < 0:
            QToolTip.hideText()
            return
        words, drawing = told(self._part, place), self._drawing(self._part)
        self.setAccessibleDescription(words.replace("\n", ", "))
        QToolTip.showText(drawing.mapToGlobal(drawing.pixel_of(place)), tip(words), self)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Left and right move from item to item, Enter chooses one; + and - zoom a panel, 0 shows all of it."""
        key = Qt.Key(event.key())
        if self._part is None or not (order := stops(self._part)):
            super().keyPressEvent(event)
        elif key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            self._step(order, 1 if key == Qt.Key.Key_Right else -1)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._pointed >= 0:
            self._choose(self._pointed)
        elif not isinstance(self._part, Panel) or not self._zoom(key):
            super().keyPressEvent(event)

    def _zoom(self, key: Qt.Key) -> bool:
        """Zoom by a key; False for other keys."""
        if key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal, Qt.Key.Key_Minus):
            self.plot.zoom(1 / _STEP if key == Qt.Key.Key_Minus else _STEP)
        elif key == Qt.Key.Key_0:
            self.plot.show_all()
        else:
            return False
        return True

    def _step(self, order: list[int], by: int) -> None:
        """Point to the next item, or to the one before."""
        begin = self._pointed if self._pointed >= 0 else self._row
        at = order.index(begin) + by if begin in order else 0
        self._point(order[min(max(at, 0), len(order) - 1)])


class _Axis(SolidAxis):
    """An axis with the ticks of a chart; a part of it has ticks of its own."""

    # Of the class: pyqtgraph asks for it before the constructor is done.
    axis = Axis("", 0.0, 1.0, ())
    _shown = ""

    def use(self, axis: Axis) -> None:
        """Take another scale."""
        self.axis, self._shown = axis, ""
        self.picture = None

    def resizeEvent(self, event: QGraphicsSceneResizeEvent | None = None) -> None:
        """Fit the label to the new length."""
        self.fit_label()
        super().resizeEvent(event)

    def fit_label(self) -> None:
        """Cut a label that is longer than the axis."""
        long = self.size().width() if self.orientation == "bottom" else self.size().height()
        words = QFontMetrics(font_of(0.85, 600)).elidedText(self.axis.label, Qt.TextElideMode.ElideRight, int(long))
        if self._shown != words:
            self._shown = words
            self.setLabel(words, **self.labelStyle)

    def make_room(self, *texts: str) -> None:
        """Take the room of the texts of its ticks, and of others."""
        super().make_room(*(text for _, text in self.axis.ticks), *texts)

    def tickValues(self, minimum: float, maximum: float, size: float) -> list[tuple[float, list[float]]]:
        """The places of the ticks, as one level.

        minimum, maximum: The ends of the part that is shown.
        size: The length of the axis in pixels.
        """
        whole = self.axis.high - self.axis.low
        if self.axis.named or maximum - minimum > 0.99 * whole:
            return [(1.0, _apart([place for place, _ in self.axis.ticks], whole, size / self._room()))]
        if self.axis.logarithmic:
            return [(1.0, [math.log10(tick) for tick in log_ticks(10**minimum, 10**maximum, 6)])]
        step = nice_step(maximum - minimum, max(2, int(size / self._room() / 2)))
        return [(step, [step * k for k in range(math.ceil(minimum / step), math.floor(maximum / step) + 1)])]

    def _room(self) -> float:
        """Pixels that a text of a tick takes along the axis."""
        metrics = QFontMetrics(font_of(0.85))
        if self.orientation != "bottom":
            return 1.2 * metrics.height()
        return max([metrics.horizontalAdvance(text) for _, text in self.axis.ticks], default=1) + scaled(8)

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        """The texts of ticks: those of the chart, or short numbers."""
        known = dict(self.axis.ticks)
        return [known.get(value) or self._short(value) for value in values]

    def _short(self, value: float) -> str:
        return "" if self.axis.named else short_number(10.0**value if self.axis.logarithmic else value)


def _apart(places: Sequence[float], whole: float, most: float) -> list[float]:
    """Every k-th place, so that no more than `most` are shown."""
    each = max(1, math.ceil(len(places) / max(1.0, most))) if whole else 1
    return list(places[::each])


class _Plot(PlotArea):
    """pyqtgraph's plot of one panel. Signals: `pointed(int)` and `chosen(int)`, the place of a point; -1 for none."""

    least = (10, 6)
    pointed = Signal(int)
    chosen = Signal(int)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._axes = {side: _Axis(side) for side in ("left", "bottom", "right")}
        self._plot = self.addPlot(0, 0, viewBox=pg.ViewBox(enableMenu=False), axisItems=self._axes)
        # A plot is read from left to right everywhere: mirrored, its axes would be on the wrong sides of their numbers,
        # and signs and units on the wrong sides of the digits.
        for part in (self, self.ci, self._plot):
            part.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self._plot.setMouseEnabled(x=True, y=False)
        self._plot.setMenuEnabled(False)
        self._plot.hideButtons()
        for axis in self._axes.values():
            # Otherwise every resize rewrites the label, with a power of ten if all values are small.
            axis.enableAutoSIPrefix(False)
        self._places = np.empty((0, 2))
        self._set_off: Any = None
        self._last = -1
        self.scene().sigMouseMoved.connect(self._moved)
        self.scene().sigMouseClicked.connect(self._clicked)

    def draw(self, panel: Panel | None) -> None:
        """Draw another panel; None for none."""
        self._plot.clear()
        self._set_off, self._last = None, -1
        self._plot.setVisible(panel is not None)
        self.setBackground(qcolor("surface"))
        if panel is None:
            self._places = np.empty((0, 2))
            return
        self._scale(panel)
        for bars in panel.bars:
            self._add(_bars_item(panel, bars), -3)
        for dots in panel.dots:
            for item in _dots_items(dots):
                self._add(item)
        self._places = np.array([(point.x, point.y) for point in points_of(panel)], dtype=float).reshape(-1, 2)
        style_panel(self._plot)
        for axis in self._axes.values():
            axis.fit_label()
        # The last number of the lower axis may reach beyond it.
        last = width_of(panel.x.ticks[-1][1], 0.85) // 2 if panel.x.ticks and panel.right is None else 0
        self.ci.layout.setContentsMargins(0, scaled(8), last + scaled(10), scaled(4))

    def _scale(self, panel: Panel) -> None:
        right = None if panel.right is None else _placed(panel.right, panel.left)
        for side, axis in (("bottom", panel.x), ("left", panel.left), ("right", right)):
            self._plot.showAxis(side, axis is not None)
            if axis is not None:
                self._axes[side].use(axis)
                self._plot.setLabel(side, axis.label)
        across, up = panel.x, panel.left
        view, margin = self._plot.getViewBox(), 0.05 * (up.high - up.low)
        view.setLimits(
            xMin=across.low, xMax=across.high, minXRange=(across.high - across.low) / _MOST_ZOOM, maxXRange=None
        )
        # Dots at the ends are whole.
        self._plot.setYRange(up.low - margin, up.high + margin, padding=0)
        self.show_all()

    def _add(self, item: Any, z: float = 0) -> None:
        item.setZValue(z)
        # The axes have the range of the chart, so pyqtgraph need not measure each item.
        self._plot.addItem(item, ignoreBounds=True)

    def set_off(self, place: int) -> None:
        """Set off a point by its place; -1 for none."""
        if self._set_off is not None:
            self._plot.removeItem(self._set_off)
            self._set_off = None
        if 0 <= place < len(self._places):
            x, y = self._places[place]
            ink = qcolor("accent")
            look = {"size": scaled(11), "symbol": "o", "brush": pg.mkBrush(ink), "pen": pg.mkPen(qcolor("surface"))}
            self._set_off = pg.ScatterPlotItem(x=[x], y=[y], **look)
            self._add(self._set_off, 3)

    # --- zoom ------------------------------------------------------------------------------------------

    def show_all(self) -> None:
        """Show the whole of the lower axis."""
        axis = self._axes["bottom"].axis
        self._plot.setXRange(axis.low, axis.high, padding=0)

    def zoom(self, factor: float) -> None:
        """Show less of the lower axis, or more, around its middle."""
        self._plot.getViewBox().scaleBy(x=1 / factor)

    @property
    def shown(self) -> tuple[float, float]:
        """The ends of the part of the lower axis that is shown."""
        low, high = self._plot.viewRange()[0]
        return float(low), float(high)

    # --- pointer ---------------------------------------------------------------------------------------

    def pixel_of(self, place: int) -> Any:
        """Where a point is, in pixels of this widget."""
        return self.mapFromScene(self._plot.getViewBox().mapViewToScene(QPointF(*self._places[place])))

    def place_at(self, at: QPointF) -> int:
        """The place of the point next to a point of the scene; -1 if none is near."""
        view = self._plot.getViewBox()
        if not len(self._places) or not view.sceneBoundingRect().contains(at):
            return -1
        pixels = view.viewPixelSize()
        middle = view.mapSceneToView(at)
        apart = np.hypot(*((self._places - (middle.x(), middle.y())) / pixels).T)
        nearest = int(np.argmin(apart))
        return nearest if apart[nearest] <= scaled(_NEAR) else -1

    def _moved(self, at: QPointF) -> None:
        place = self.place_at(at)
        if place != self._last:
            self._last = place
            self.pointed.emit(place)

    def _clicked(self, event: Any) -> None:
        if event.double():
            self.show_all()
        elif (place := self.place_at(event.scenePos())) >= 0:
            self.chosen.emit(place)

    def leaveEvent(self, event: QEvent) -> None:
        """Forget the point under the pointer."""
        self._moved(QPointF(-1, -1))
        super().leaveEvent(event)


# --- layers --------------------------------------------------------------------------------------------------


def _placed(axis: Axis, ground: Axis) -> Axis:
    """A second axis in the values of the one at the left, which decides the range that is shown."""
    share = (ground.high - ground.low) / (axis.high - axis.low)
    ticks = tuple((ground.low + (value - axis.low) * share, text) for value, text in axis.ticks)
    return Axis(axis.label, ground.low, ground.high, ticks)


def _bars_item(panel: Panel, bars: Bars) -> Any:
    axis, ground = axis_of(panel, bars), panel.left
    share = (ground.high - ground.low) / (axis.high - axis.low)
    x = [point.x for point in bars.points]
    height = [(point.y - axis.low) * share for point in bars.points]
    return pg.BarGraphItem(
        x=x, y0=ground.low, height=height, width=bars.width, brush=QColor(chart_colors().bar), pen=pg.mkPen(None)
    )


def _dots_items(dots: Dots) -> list[Any]:
    shown = chart_colors()
    ink = QColor(shown.source(dots.color))
    x = np.array([point.x for point in dots.points], dtype=float)
    y = np.array([point.y for point in dots.points], dtype=float)
    style = Qt.PenStyle.DashLine if dots.dashed else Qt.PenStyle.SolidLine
    items = (
        [pg.PlotCurveItem(x, y, pen=pg.mkPen(ink, width=scaled(2), style=style), antialias=True)] if dots.line else []
    )
    items += _intervals(dots, mixed(ink, QColor(shown.ground), 0.6))
    if has_markers(dots):
        fill = QColor(shown.ground) if dots.unsure else ink
        look = {"size": scaled(7), "symbol": mark_path(dots.color), "brush": pg.mkBrush(fill)}
        items.append(pg.ScatterPlotItem(x=x, y=y, pen=pg.mkPen(ink, width=1.6), **look))
    return items


def _intervals(dots: Dots, color: QColor) -> list[Any]:
    known = [point for point in dots.points if math.isfinite(point.low) and math.isfinite(point.high)]
    if not known:
        return []
    x = np.repeat([point.x for point in known], 2)
    ends = np.array([[point.low, point.high] for point in known]).ravel()
    return [pg.PlotCurveItem(x, ends, connect="pairs", pen=pg.mkPen(color, width=1.6), antialias=True)]
