"""Draws agreement by effective n, piece by piece."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import groupby
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor

from explorer.analyses.agreement.brush import Marked
from explorer.analyses.agreement.chart import drawn, is_sure
from explorer.analyses.agreement.dips import TAIL
from explorer.analyses.agreement.figure import AgreementFigure, Bin, Series
from explorer.gui.screens.agreement.plots.panels import BARS_Z, TokenAxis, bars_item, draw_dots
from explorer.gui.screens.agreement.plots.plotted import Plotted
from explorer.gui.sources.marks import mark_path
from explorer.gui.style.theme import qcolor, scaled
from explorer.gui.widgets.painting import paler

_SOLID = Qt.PenStyle.SolidLine


class PlotDrawing:
    """The items of one panel."""

    def __init__(self, panel: Any, tokens: TokenAxis) -> None:
        self._panel = panel
        self._tokens = tokens
        self._marks: list[Any] = []
        self._pointed: list[Any] = []

    def steps(self, plotted: Plotted | None) -> list[Callable[[], None]]:
        """What is to be done to draw something else, in steps that each take a moment."""
        # They are among the panel's items, all of which the first steps remove.
        self._marks, self._pointed = [], []
        steps: list[Callable[[], None]] = [partial(self._panel.removeItem, item) for item in list(self._panel.items)]
        if plotted is not None:
            steps.append(partial(self._draw_bars, plotted))
            steps += [partial(self._draw_other, plotted, place, figure) for place, _, figure in plotted.others]
            if plotted.look.ngram:
                steps.append(partial(self._draw_ghost, plotted))
            # Items of one height are painted in the order in which they are added: the chosen source comes over the
            # others.
            steps += [partial(self._draw_line, plotted), partial(self._draw_dips, plotted)]
        return steps

    def _add(self, item: Any, z: float = 0) -> None:
        item.setZValue(z)
        # The range of the axes is set by the zoom, so pyqtgraph need not measure each item.
        self._panel.addItem(item, ignoreBounds=True)

    def _draw_bars(self, plotted: Plotted) -> None:
        # In the first step that draws: this scale is also that of the marked bars and of the bin under the pointer.
        self._tokens.fit(max((b.tokens for b in plotted.bins), default=1), plotted.look.logarithmic)
        if plotted.bins:
            self._add(bars_item(self._tokens, {b.effective_n: b.tokens for b in plotted.bins}, "bar2"), BARS_Z)

    def _join(self, bins: Sequence[Bin], color: QColor, width: float, style: Qt.PenStyle = _SOLID) -> None:
        x = np.array([b.effective_n for b in bins], dtype=float)
        y = np.array([b.agreement for b in bins], dtype=float)
        self._add(pg.PlotCurveItem(x, y, pen=pg.mkPen(color, width=width, style=style), antialias=True))

    def _join_sure(self, bins: Sequence[Bin], series: Series, color: str, width: float) -> None:
        """A line through all bins, which is faint where there are few tokens: there it would look like a trend."""
        self._join(bins, paler(color, 0.35), 1)
        for sure, run in groupby(bins, partial(is_sure, series=series)):
            # A single bin has nothing to be joined to.
            if sure and len(joined := list(run)) > 1:
                self._join(joined, qcolor(color), width)

    def _draw_other(self, plotted: Plotted, place: int, figure: AgreementFigure) -> None:
        series = plotted.series(figure)
        self._join_sure(drawn(series), series, "ghost", 1.2)
        sure = partial(is_sure, series=series)
        draw_dots(self._panel, drawn(series), "muted", mark_path(place), sure, only_marks=True)

    def _draw_ghost(self, plotted: Plotted) -> None:
        bins = drawn(plotted.figure.ngram)
        if bins:
            # Its name is in the legend: beside the line it would cover the marks of other sources.
            self._join(bins, qcolor("ghost"), 1.6, Qt.PenStyle.DashLine)

    def _draw_line(self, plotted: Plotted) -> None:
        series = plotted.series(plotted.figure)
        self._join_sure(plotted.bins, series, "accent", 2)
        sure = partial(is_sure, series=series)
        draw_dots(self._panel, plotted.bins, "accent", mark_path(plotted.place), sure)

    def _draw_dips(self, plotted: Plotted) -> None:
        """A small wedge above each bin to which agreement falls by more than chance."""
        found = [b for b in plotted.bins if b.effective_n in plotted.steps]
        if not found:
            return
        x = [b.effective_n for b in found]
        # Above the interval, so that neither hides the other.
        y = [min(1.0, b.high + 0.04) for b in found]
        ink = qcolor("text")
        self._add(pg.ScatterPlotItem(x=x, y=y, size=scaled(9), symbol="t", brush=ink, pen=pg.mkPen(ink)), 2)

    def mark(self, plotted: Plotted | None, marked: Marked | None) -> None:
        """Highlight the selected tokens in the bars, and the bars that contain them.

        marked: The marked tokens; None for none.
        """
        for item in self._marks:
            self._panel.removeItem(item)
        self._marks = []
        if marked is None or plotted is None:
            return
        # In the order of `AgreementFigure.panels`: 1 has all tokens, 2 the sparse ones.
        by_n: Mapping[int, int] = marked.by_n[2 if plotted.look.sparse else 1]
        # The plot's last bar holds every n from TAIL on, so what is marked in it is added up likewise.
        tail = sum(number for n, number in by_n.items() if n >= TAIL)
        counts = {n: number for n, number in by_n.items() if n < TAIL} | {TAIL: tail}
        found = {b.effective_n: b.tokens for b in plotted.bins if counts.get(b.effective_n)}
        if not found:
            return
        part = {n: min(counts[n], tokens) for n, tokens in found.items()}
        self._marks = [bars_item(self._tokens, part, "bar"), bars_item(self._tokens, found, "", "text")]
        for item in self._marks:
            self._add(item, BARS_Z + 1)

    @property
    def marked(self) -> tuple[int, ...]:
        """The bins that are set off as marked."""
        return tuple(int(x) for x in self._marks[0].opts["x"]) if self._marks else ()

    def point(self, found: Bin | None) -> None:
        """Set off the bin under the pointer; None for none."""
        for item in self._pointed:
            self._panel.removeItem(item)
        self._pointed = []
        if found is not None:
            line = pg.InfiniteLine(found.effective_n, pen=pg.mkPen(qcolor("ghost"), style=Qt.PenStyle.DashLine))
            self._pointed = [bars_item(self._tokens, {found.effective_n: found.tokens}, "bar"), line]
            for item in self._pointed:
                self._add(item, BARS_Z + 0.5)
