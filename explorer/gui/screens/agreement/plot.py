"""Figure 3 on the screen: three panels with linked axes, token numbers as bars, agreement as dots."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtWidgets import QWidget

from explorer.agreement.figure import AgreementFigure, Bin, Series
from explorer.gui.figures.painter import nice_step, short_number
from explorer.gui.theme import colors, qcolor

_FIRST_VIEW = 24


class _TokenAxis(pg.AxisItem):  # type: ignore[misc]
    """An axis of token numbers over a panel whose height is 1."""

    def __init__(self) -> None:
        super().__init__("right")
        self.top = 1.0

    def tickValues(self, minimum: float, maximum: float, size: float) -> list[tuple[float, list[float]]]:
        """About four round numbers."""
        step = nice_step(self.top, 4)
        count = max(1, round(self.top / step))
        return [(1.0 / count, [i / count for i in range(count + 1) if minimum <= i / count <= maximum])]

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        """The numbers, shortened."""
        return [short_number(round(value * self.top)) for value in values]


class AgreementPlot(pg.GraphicsLayoutWidget):  # type: ignore[misc]
    """Shows an `AgreementFigure`."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Agreement by effective n")
        self._figure: AgreementFigure | None = None
        self._axes: list[_TokenAxis] = []
        self._panels: list[Any] = []
        for number in range(3):
            axis = _TokenAxis()
            panel = self.addPlot(0, number, axisItems={"right": axis})
            panel.showAxis("right")
            panel.setMouseEnabled(x=True, y=False)
            panel.setYRange(0, 1.02, padding=0)
            panel.setMenuEnabled(False)
            panel.hideButtons()
            panel.setLabel("bottom", "effective n")
            if number:
                panel.setXLink(self._panels[0])
            self._axes.append(axis)
            self._panels.append(panel)
        self._panels[0].setLabel("left", "agreement (dots)")
        self._panels[2].setLabel("right", "tokens (bars)")
        self.restyle()

    def show_figure(self, figure: AgreementFigure | None) -> None:
        """Draw another figure, or none."""
        self._figure = figure
        for panel in self._panels:
            panel.clear()
        if figure is None:
            return
        most = max((b.effective_n for series in figure.panels for b in series.bins), default=1)
        for panel, axis, series in zip(self._panels, self._axes, figure.panels, strict=True):
            self._draw(panel, axis, series)
        self._panels[0].setXRange(0.4, min(most, _FIRST_VIEW) + 0.6, padding=0)
        self._panels[0].setLimits(xMin=0, xMax=most + 1)

    def _draw(self, panel: Any, axis: _TokenAxis, series: Series) -> None:
        overall = "no tokens" if not series.tokens else f"{series.overall:.1%}"
        panel.setTitle(f"{series.name}: {overall}", color=colors().text, size="10pt")
        draw_bins(panel, axis, series.bins, _tip)

    def restyle(self) -> None:
        """Take over the theme's colours."""
        self.setBackground(qcolor("surface"))
        for panel in self._panels:
            style_panel(panel)
        self.show_figure(self._figure)


def draw_bins(panel: Any, axis: _TokenAxis, found: Sequence[Bin], tip: Any) -> None:
    """Bars of token numbers, dots of agreement with their intervals."""
    tallest = max((b.tokens for b in found), default=1)
    step = nice_step(tallest, 4)
    axis.top = step * math.ceil(tallest / step)
    axis.picture = None
    x = np.array([b.effective_n for b in found], dtype=float)
    bars = np.array([b.tokens for b in found], dtype=float) / axis.top
    dots = np.array([b.agreement for b in found], dtype=float)
    low = dots - np.array([b.low for b in found], dtype=float)
    high = np.array([b.high for b in found], dtype=float) - dots
    if not len(x):
        return
    panel.addItem(pg.BarGraphItem(x=x, height=bars, width=0.72, brush=qcolor("bar"), pen=qcolor("bar")))
    panel.addItem(pg.ErrorBarItem(x=x, y=dots, top=high, bottom=low, pen=pg.mkPen(qcolor("dot"), width=1.2)))
    hover = {"hoverable": True, "hoverSize": 12, "data": list(found), "tip": tip}
    panel.addItem(pg.ScatterPlotItem(x=x, y=dots, size=8, brush=qcolor("dot"), pen=None, **hover))


def style_panel(panel: Any) -> None:
    """The theme's colours for a panel's axes."""
    for name in ("left", "bottom", "right"):
        axis = panel.getAxis(name)
        axis.setPen(qcolor("border"))
        axis.setTextPen(qcolor("muted"))
    panel.showGrid(x=False, y=True, alpha=0.15)


class BinPlot(pg.GraphicsLayoutWidget):  # type: ignore[misc]
    """One panel of agreement over named bins. name: what a bin is called; tip: what hovering tells."""

    def __init__(self, title: str, bottom: str, name: Callable[[int], str], tip: Any, parent: Any = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(title)
        self._bins: tuple[Bin, ...] = ()
        self._name, self._tip = name, tip
        self._axis = _TokenAxis()
        self._panel = self.addPlot(0, 0, axisItems={"right": self._axis})
        self._panel.showAxis("right")
        self._panel.setMouseEnabled(x=False, y=False)
        self._panel.setYRange(0, 1.02, padding=0)
        self._panel.setMenuEnabled(False)
        self._panel.hideButtons()
        self._panel.setLabel("bottom", bottom)
        self._panel.setLabel("left", "agreement (dots)")
        self._panel.setLabel("right", "tokens (bars)")
        self.restyle()

    @property
    def bins(self) -> tuple[Bin, ...]:
        """What is drawn."""
        return self._bins

    def show_bins(self, bins: tuple[Bin, ...]) -> None:
        """Draw other figures, or none."""
        self._bins = tuple(b for b in bins if b.tokens)
        self._panel.clear()
        if not self._bins:
            return
        draw_bins(self._panel, self._axis, self._bins, self._tip)
        self._panel.getAxis("bottom").setTicks([[(b.effective_n, self._name(b.effective_n)) for b in self._bins]])
        self._panel.setXRange(self._bins[0].effective_n - 0.6, self._bins[-1].effective_n + 0.6, padding=0)

    def restyle(self) -> None:
        """Take over the theme's colours."""
        self.setBackground(qcolor("surface"))
        style_panel(self._panel)
        self.show_bins(self._bins)


def count_plot() -> BinPlot:
    """Agreement by how often the context occurs, in powers of ten (the paper's Figure 7)."""
    return BinPlot("Agreement by count of the context", "occurrences of the context", _range, _count_tip)


def neural_plot() -> BinPlot:
    """Agreement of the ∞-gram by a neural model's probability (the paper's Figure 4)."""
    return BinPlot("Agreement by a model's probability", "probability of the neural model", _tenth, _neural_tip)


def _tenth(bucket: int) -> str:
    return f"{bucket / 10:.1f}–{(bucket + 1) / 10:.1f}"


def _neural_tip(x: float, y: float, data: Any) -> str:
    return (
        f"probabilities {_tenth(data.effective_n)} of the model\n"
        f"{data.tokens:,} tokens, the ∞-gram agrees on {data.agreement:.1%} (95 %: {data.low:.1%} to {data.high:.1%})"
    )


def _range(power: int) -> str:
    """The counts of a bin in words."""
    last = 10 ** (power + 1)
    return f"{10**power}–{last - 1}" if power < 3 else f"{short_number(10**power)}–{short_number(last)}"


def _count_tip(x: float, y: float, data: Any) -> str:
    return (
        f"contexts that occur {10**data.effective_n:,} to {10 ** (data.effective_n + 1) - 1:,} times\n"
        f"{data.tokens:,} tokens, agreement {data.agreement:.1%} (95 %: {data.low:.1%} to {data.high:.1%})"
    )


def _tip(x: float, y: float, data: Any) -> str:
    return (
        f"effective n {data.effective_n}\n{data.tokens:,} tokens, {data.agreeing:,} agree\n"
        f"agreement {data.agreement:.1%} (95 %: {data.low:.1%} to {data.high:.1%})"
    )
