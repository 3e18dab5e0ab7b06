"""Parts that all plots of agreement share: axes, bars of token numbers, dots with intervals."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from explorer.agreement.figure import Bin
from explorer.chart import Axis, count_step, short_number
from explorer.export.agreement_charts import n_name
from explorer.gui.theme import colors, qcolor, text_size
from explorer.i18n import chosen, counted, tr

Sure = Callable[[Bin], bool]
"""Whether a dot is based on enough tokens."""

SHOWN = (-0.035, 1.04)
"""What a panel shows of its height: dots at 0 and 1 are whole, and the numbers beside them have room."""

_LEAST = (58, 20)
"""Points of text size that panels have in width and height at least."""

BARS_Z = -3
"""Bars lie below what is marked in them, and both below the dots."""


class PlotArea(pg.GraphicsLayoutWidget):  # type: ignore[misc]
    """Panels side by side, with room for their titles and numbers in the text size."""

    def minimumSizeHint(self) -> QSize:
        """What the panels need, and at least a minimum that grows with the text size."""
        needed = self.ci.effectiveSizeHint(Qt.SizeHint.MinimumSize)
        width, height = (round(points * text_size()) for points in _LEAST)
        return QSize(max(width, math.ceil(needed.width())), height)


class SolidAxis(pg.AxisItem):  # type: ignore[misc]
    """An axis whose grid is opaque: a hundred translucent lines take Qt 40 ms, opaque ones 2 ms."""

    def boundingRect(self) -> QRectF:
        """With room for half a number at both ends: pyqtgraph omits labels that do not fit, here "1.0" and "33+"."""
        upright = self.orientation in ("left", "right")
        beside, above = (0, round(text_size())) if upright else (round(2 * text_size()), 0)
        area: QRectF = super().boundingRect()
        return area.adjusted(-beside, -above, beside, above)

    def generateDrawSpecs(self, p: QPainter) -> tuple[Any, list[tuple[QPen, Any, Any]], Any] | None:
        """What pyqtgraph would draw, with each pen in the color that it has on the plot's background."""
        specs = super().generateDrawSpecs(p)
        if specs is None:
            return None
        line, ticks, texts = specs
        # One pen per line, in two or three colors.
        pens = {pen.color().rgba(): pen for pen, _, _ in ticks}
        made = {color: _solid(pen) for color, pen in pens.items()}
        return line, [(made[pen.color().rgba()], start, end) for pen, start, end in ticks], texts


def _solid(pen: QPen) -> QPen:
    above, ground = pen.color(), qcolor("surface")
    share = above.alphaF()
    pairs = ((above.redF(), ground.redF()), (above.greenF(), ground.greenF()), (above.blueF(), ground.blueF()))
    made = QPen(pen)
    made.setColor(QColor.fromRgbF(*(share * a + (1 - share) * b for a, b in pairs)))
    return made


class LocalAxis(SolidAxis):
    """An axis with numbers in the locale's format."""

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        """Write the numbers as pyqtgraph does, with the signs of the locale.

        Parameters
        ----------
        values
            The ticks.
        scale
            A factor of the axis.
        spacing
            The distance of the ticks.

        Returns
        -------
        list[str]
            One text per tick.
        """
        return [chosen().numbers.localize(text) for text in super().tickStrings(values, scale, spacing)]


class TokenAxis(SolidAxis):
    """An axis of token numbers over a panel whose height is 1."""

    def __init__(self) -> None:
        super().__init__("right")
        self.top = 1.0

    def tickValues(self, minimum: float, maximum: float, size: float) -> list[tuple[float, list[float]]]:
        """Choose about four round whole numbers.

        Parameters
        ----------
        minimum
            The lower end of what is shown, as a share of `top`.
        maximum
            The upper end, as a share of `top`.
        size
            The length of the axis in pixels; not used.

        Returns
        -------
        list[tuple[float, list[float]]]
            One level of ticks: their distance and their places, as shares of `top`.
        """
        step = count_step(self.top)
        count = max(1, round(self.top / step))
        return [(1.0 / count, [i / count for i in range(count + 1) if minimum <= i / count <= maximum])]

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        """Write the numbers of tokens in short form.

        Parameters
        ----------
        values
            The ticks, as shares of `top`.
        scale
            Not used.
        spacing
            Not used.

        Returns
        -------
        list[str]
            One text per tick.
        """
        return [short_number(round(value * self.top)) for value in values]


def make_panel(layout: Any, column: int, axis: TokenAxis, bottom: str) -> Any:
    """Make a panel: agreement from 0 to 1 at the left, tokens at the right.

    Parameters
    ----------
    layout
        pyqtgraph's layout that the panel is added to.
    column
        The panel's column.
    axis
        The axis of tokens.
    bottom
        The label of the bottom axis.

    Returns
    -------
    Any
        pyqtgraph's plot.
    """
    axes = {"right": axis, "left": LocalAxis("left"), "bottom": LocalAxis("bottom")}
    panel = layout.addPlot(0, column, viewBox=pg.ViewBox(enableMenu=False), axisItems=axes)
    for each in axes.values():
        # Otherwise every resize rewrites the label, with a power of ten if all values are small.
        each.enableAutoSIPrefix(False)
    panel.showAxis("right")
    # The range is that of the figure on paper, whatever the wheel does.
    panel.setMouseEnabled(x=False, y=False)
    panel.setYRange(*SHOWN, padding=0)
    panel.setMenuEnabled(False)
    panel.hideButtons()
    panel.setLabel("bottom", bottom)
    return panel


def show_axis(panel: Any, axis: Axis) -> None:
    """Use the range and the ticks of the figure on paper.

    Parameters
    ----------
    panel
        The plot.
    axis
        The axis of the figure.
    """
    panel.setXRange(axis.low, axis.high, padding=0)
    panel.getAxis("bottom").setTicks([[(value, text) for value, text in axis.ticks]])


def entitle(panel: Any, title: str) -> None:
    """Put lines over a panel, in the text size; pyqtgraph would give them 30 pixels whatever they need.

    Parameters
    ----------
    panel
        The plot.
    title
        The lines, in which markup counts.
    """
    panel.setTitle(title, color=colors().text, size=f"{text_size():g}pt")
    height = panel.titleLabel.itemRect().height()
    panel.titleLabel.setMaximumHeight(height)
    panel.layout.setRowFixedHeight(0, height)


def draw_bins(panel: Any, axis: TokenAxis, found: Sequence[Bin], tip: Any, sure: Sure) -> None:
    """Draw bars of token numbers, and dots of agreement with their intervals.

    Parameters
    ----------
    panel
        The plot.
    axis
        The axis of tokens, which is scaled to the highest bar.
    found
        The bins.
    tip
        A function of x, y and a bin: what hovering tells.
    sure
        A function of a bin: whether it has enough tokens for a filled dot.
    """
    tallest = max((b.tokens for b in found), default=1)
    step = count_step(tallest)
    axis.top = step * math.ceil(tallest / step)
    # pyqtgraph keeps what it drew of an axis; it does not know of `top`.
    axis.picture = None
    if not found:
        return
    x = np.array([b.effective_n for b in found], dtype=float)
    bars = np.array([b.tokens for b in found], dtype=float) / axis.top
    item = pg.BarGraphItem(x=x, height=bars, width=0.72, brush=qcolor("bar"), pen=qcolor("bar"))
    item.setZValue(BARS_Z)
    panel.addItem(item, ignoreBounds=True)
    draw_dots(panel, found, qcolor("accent"), "o", tip, sure)


def draw_dots(
    panel: Any, found: Sequence[Bin], color: Any, symbol: str, tip: Any, sure: Sure, only_sure: bool = False
) -> None:
    """Draw dots of agreement with their intervals; those that are not sure are hollow.

    Parameters
    ----------
    panel
        The plot.
    found
        The bins.
    color
        The color of dots and intervals.
    symbol
        pyqtgraph's name of the shape.
    tip
        As in `draw_bins`.
    sure
        As in `draw_bins`.
    only_sure
        Whether hollow dots have no intervals.
    """
    pen = pg.mkPen(color, width=1.4)
    for kept, fill in ((True, color), (False, qcolor("surface"))):
        part = [b for b in found if sure(b) == kept]
        if not part:
            continue
        x = np.array([b.effective_n for b in part], dtype=float)
        y = np.array([b.agreement for b in part], dtype=float)
        if kept or not only_sure:
            ends = {"top": np.array([b.high for b in part]) - y, "bottom": y - np.array([b.low for b in part])}
            panel.addItem(pg.ErrorBarItem(x=x, y=y, pen=pen, **ends), ignoreBounds=True)
        hover = {"hoverable": True, "hoverSize": 12, "data": part, "tip": tip}
        # One brush for all: dots with different brushes are rendered one by one.
        panel.addItem(
            pg.ScatterPlotItem(x=x, y=y, size=8, symbol=symbol, brush=pg.mkBrush(fill), pen=pen, **hover),
            ignoreBounds=True,
        )


def style_panel(panel: Any) -> None:
    """Apply the theme's colors to a panel's axes."""
    for name in ("left", "bottom", "right"):
        axis = panel.getAxis(name)
        axis.setPen(qcolor("line_strong"))
        if axis.labelText:
            # The pen determines its color.
            axis.setLabel(axis.labelText, **{"font-size": f"{0.9 * text_size():g}pt"})
        axis.setTextPen(qcolor("muted"))
        # Its grid is drawn under everything else.
        axis.setZValue(-1)
    panel.showGrid(x=False, y=True, alpha=0.4)


def bin_tip(x: float, y: float, data: Any) -> str:
    """Describe one bin.

    Parameters
    ----------
    x
        The effective n; not used, since the bin knows it.
    y
        The agreement; not used either.
    data
        The bin.

    Returns
    -------
    str
        A few lines: effective n, tokens, agreement and its interval.
    """
    return tr(
        "effective n {effective_n}\n{tokens}, {agreeing:,} agree\nagreement {agreement:.1%} (95 %: "
        "{low:.1%} to {high:.1%})",
        effective_n=n_name(data.effective_n),
        tokens=counted("token", data.tokens),
        agreeing=data.agreeing,
        agreement=data.agreement,
        low=data.low,
        high=data.high,
    )
