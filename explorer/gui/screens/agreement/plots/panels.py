"""Parts that all plots of agreement share: axes, bars of token numbers, marks with intervals."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt

from explorer.analyses.agreement.figure import Bin
from explorer.chart import Axis, count_step, short_number
from explorer.gui.charts.plot_area import SolidAxis
from explorer.gui.style.theme import qcolor, scaled
from explorer.gui.widgets.painting import paler
from explorer.i18n import numeral, tr

Sure = Callable[[Bin], bool]
"""Whether a dot is based on enough tokens."""

SHOWN = (-0.035, 1.04)
"""What a panel shows of its height: dots at 0 and 1 are whole, and the numbers beside them have room."""

_LIFT = 1.5
"""On a logarithmic axis the bottom is two thirds of a token, so that a bin of one token has a bar."""

BARS_Z = -3
"""Bars lie below what is marked in them, and both below the dots."""


class PercentAxis(SolidAxis):
    """An axis of shares, in percent."""

    def __init__(self) -> None:
        super().__init__("left")

    def make_room(self, *texts: str) -> None:
        """Take the room of the whole, the longest of its texts, and of others."""
        super().make_room(numeral(1.0, ".0%"), *texts)

    def tickValues(self, minimum: float, maximum: float, size: float) -> list[tuple[float, list[float]]]:
        """Choose every fifth of the whole.

        minimum: The lower end of what is shown.
        size: The length of the axis in pixels; not used.
        Returns: One level of ticks: their distance and their places.
        """
        return [(0.2, [i / 5 for i in range(6) if minimum <= i / 5 <= maximum])]

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        """Write the shares in percent."""
        return [numeral(value, ".0%") for value in values]


class TokenAxis(SolidAxis):
    """An axis of token numbers over a panel whose height is 1; logarithmic if it is told so."""

    def __init__(self) -> None:
        super().__init__("right")
        self.top = 1.0
        self.logarithmic = False

    def fit(self, tallest: int, logarithmic: bool) -> None:
        """Choose the end of the axis.

        tallest: The largest number of tokens.
        logarithmic: Whether each step is a power of ten.
        """
        self.logarithmic = logarithmic
        step = count_step(tallest)
        self.top = (
            10.0 ** max(1, math.ceil(math.log10(max(1, tallest)))) if logarithmic else step * math.ceil(tallest / step)
        )
        # pyqtgraph keeps what it drew of an axis; it does not know of `top`.
        self.picture = None
        self.make_room()

    def make_room(self, *texts: str) -> None:
        """Take the room of the numbers that it has now, and of others."""
        (_, places), *_ = self.tickValues(0.0, 1.0, 1.0)
        super().make_room(*self.tickStrings(places, 1.0, 1.0), *texts)

    def height(self, tokens: float) -> float:
        """The height of a bar, as a share of the panel; on a logarithmic axis one token has a small one."""
        if not self.logarithmic:
            return tokens / self.top
        return math.log10(max(1.0, tokens) * _LIFT) / math.log10(self.top * _LIFT) if tokens else 0.0

    def tickValues(self, minimum: float, maximum: float, size: float) -> list[tuple[float, list[float]]]:
        """Choose about four round whole numbers.

        minimum: The lower end of what is shown, as a share of `top`.
        maximum: The upper end, as a share of `top`.
        size: The length of the axis in pixels; not used.
        Returns: One level of ticks: their distance and their places, as shares of `top`.
        """
        if self.logarithmic:
            powers = range(round(math.log10(self.top)) + 1)
            return [(0.1, [self.height(10.0**power) for power in powers])]
        step = count_step(self.top)
        count = max(1, round(self.top / step))
        return [(1.0 / count, [i / count for i in range(count + 1) if minimum <= i / count <= maximum])]

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        """Write the numbers of tokens in short form."""
        if self.logarithmic:
            whole = math.log10(self.top * _LIFT)
            return [short_number(round(10 ** (value * whole) / _LIFT)) for value in values]
        return [short_number(round(value * self.top)) for value in values]


def make_panel(layout: Any, axis: TokenAxis, bottom: str) -> Any:
    """Make the panel of a plot: agreement from 0 to 100 % at the left, tokens at the right.

    layout: pyqtgraph's layout that the panel is added to.
    """
    axes = {"right": axis, "left": PercentAxis(), "bottom": SolidAxis("bottom")}
    panel = layout.addPlot(0, 0, viewBox=pg.ViewBox(enableMenu=False), axisItems=axes)
    for each in axes.values():
        # Otherwise every resize rewrites the label, with a power of ten if all values are small.
        each.enableAutoSIPrefix(False)
    # A plot is read from left to right everywhere: mirrored, its axes would be on the wrong sides of their numbers.
    panel.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
    panel.showAxis("right")
    # Zooming is the plot's own: bins stay whole, and the height is always the whole of it.
    panel.setMouseEnabled(x=False, y=False)
    panel.setYRange(*SHOWN, padding=0)
    panel.setMenuEnabled(False)
    panel.hideButtons()
    panel.setLabel("bottom", bottom)
    panel.setLabel("left", tr("Agreement"))
    panel.setLabel("right", tr("Tokens (bars)"))
    return panel


def show_axis(panel: Any, axis: Axis) -> None:
    """Use the range and the ticks of the figure on paper."""
    panel.setXRange(axis.low, axis.high, padding=0)
    panel.getAxis("bottom").setTicks([[(value, text) for value, text in axis.ticks]])


def bars_item(axis: TokenAxis, counts: Mapping[int, int], color: str, outline: str = "") -> Any:
    """Make bars of token numbers.

    color: A field of `Colors`; "" for no fill.
    outline: The color of the outline; "" for none.
    """
    x = np.array(list(counts), dtype=float)
    height = np.array([axis.height(tokens) for tokens in counts.values()], dtype=float)
    pen = pg.mkPen(qcolor(outline), width=1.5) if outline else pg.mkPen(None)
    item = pg.BarGraphItem(x=x, height=height, width=0.72, brush=qcolor(color) if color else None, pen=pen)
    item.setZValue(BARS_Z)
    return item


def draw_dots(panel: Any, found: Sequence[Bin], color: str, symbol: Any, sure: Sure, only_marks: bool = False) -> None:
    """Draw marks of agreement with their intervals; those that are not sure are hollow.

    symbol: pyqtgraph's name of the shape, or a path.
    only_marks: Whether intervals are left out.
    """
    ink, side = qcolor(color), scaled(8)
    for kept, fill in ((True, ink), (False, qcolor("surface"))):
        part = [b for b in found if sure(b) == kept]
        if not part:
            continue
        x = np.array([b.effective_n for b in part], dtype=float)
        y = np.array([b.agreement for b in part], dtype=float)
        if not only_marks:
            ends = np.array([[b.low, b.high] for b in part], dtype=float).ravel()
            line = pg.mkPen(paler(color, 0.6), width=1.6)
            # Pairs of points, each joined by a line of its own.
            bars = pg.PlotCurveItem(np.repeat(x, 2), ends, connect="pairs", pen=line, antialias=True)
            panel.addItem(bars, ignoreBounds=True)
        # One brush for all: dots with different brushes are rendered one by one.
        panel.addItem(
            pg.ScatterPlotItem(
                x=x, y=y, size=side, symbol=symbol, brush=pg.mkBrush(fill), pen=pg.mkPen(ink, width=1.6)
            ),
            ignoreBounds=True,
        )
