"""Figure 3 on the screen: three panels with linked axes, token numbers as bars, agreement as dots.

Or the agreement of several sources overlaid, one line per source.
"""

from __future__ import annotations

import html
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QWidget

from explorer.agreement.brush import Marked
from explorer.agreement.dips import TAIL
from explorer.agreement.figure import SPARSE, AgreementFigure, Series, shown_name
from explorer.export.agreement_charts import drawn, is_few, is_sure, n_axis
from explorer.gui.figures.ink import source_color
from explorer.gui.screens.agreement.panels import (
    BARS_Z,
    PlotArea,
    TokenAxis,
    bin_tip,
    draw_bins,
    draw_dots,
    entitle,
    make_panel,
    show_axis,
    style_panel,
)
from explorer.gui.surfaces import when_restyled
from explorer.gui.text_positions import short_text
from explorer.gui.theme import is_dark, qcolor, text_size
from explorer.gui.untrusted import tip
from explorer.i18n import counted, tr

_SLICE = 0.01
"""Seconds of drawing at a time: many sources take longer than the event loop may be held."""
# Sources differ in shape too, for readers who do not see the colors.
_SYMBOLS = ("o", "s", "t1", "d", "t")


class AgreementPlot(PlotArea):
    """Shows one `AgreementFigure`, or those of several sources.

    `n_chosen(int, int, bool)`: the bar of these effective n, first and last, was clicked; True: extend the range to it.
    """

    n_chosen = Signal(int, int, bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(tr("Agreement by effective n"))
        self._figure: AgreementFigure | None = None
        self._sources: dict[str, AgreementFigure] = {}
        self._marked: Marked | None = None
        self._marks: list[tuple[Any, Any]] = []
        # Drawing is a list of steps: a new figure replaces the list, so that an outdated one is never finished.
        self._steps: list[Callable[[], None]] = []
        self._more = QTimer(self, singleShot=True, interval=0)
        self._more.timeout.connect(self._draw_some)
        self._axes = [TokenAxis() for _ in range(3)]
        self._panels = [make_panel(self, i, axis, tr("effective n")) for i, axis in enumerate(self._axes)]
        # Panels share one horizontal axis: the same n is at the same place in all three.
        for panel in self._panels[1:]:
            panel.setXLink(self._panels[0])
        self._panels[0].setLabel("left", tr("agreement (dots)"))
        self._panels[2].setLabel("right", tr("tokens (bars)"))
        self._legend = self._panels[0].addLegend(offset=(-4, 4))
        self.scene().sigMouseClicked.connect(self._clicked)
        self.restyle()
        when_restyled(self, self.restyle)

    def show_figure(self, figure: AgreementFigure | None) -> None:
        """Draw another figure, or none."""
        self._figure, self._sources = figure, {}
        self._draw()

    def show_sources(self, sources: Mapping[str, AgreementFigure]) -> None:
        """Overlay the agreement of several sources."""
        self._figure, self._sources = None, dict(sources)
        self._draw()

    def _draw(self) -> None:
        self._marks, self._steps = [], []
        self._legend.clear()
        for panel in self._panels:
            # Overlaid sources have no bars, so there is nothing for an axis of token numbers to measure.
            panel.showAxis("right", self._figure is not None)
        figures = [self._figure] if self._figure is not None else list(self._sources.values())
        self._set_range(figures)
        for number, panel in enumerate(self._panels):
            self._steps += [partial(panel.removeItem, item) for item in panel.items]
            if self._figure is not None:
                self._steps.append(partial(self._draw_panel, panel, self._axes[number], self._figure.panels[number]))
            else:
                self._steps += [partial(self._draw_source, number, place) for place in range(len(self._sources))]
        # Painting a half-drawn plot would take longer than drawing it.
        self.setUpdatesEnabled(False)
        self._more.start()

    def _draw_some(self) -> None:
        """Draw for a moment, then return to the event loop."""
        until = time.perf_counter() + _SLICE
        while self._steps and time.perf_counter() < until:
            self._steps.pop(0)()
        if self._steps:
            self._more.start()
        else:
            self.show_marked(self._marked)
            self.updateGeometry()
            self.setUpdatesEnabled(True)

    @property
    def drawn(self) -> bool:
        """Whether all is drawn."""
        return not self._steps

    def _set_range(self, figures: Sequence[AgreementFigure]) -> None:
        self.setAccessibleDescription("; ".join(describe(s) for figure in figures for s in figure.panels))
        axis = n_axis(figures)
        for panel in self._panels:
            show_axis(panel, axis)

    def _draw_panel(self, panel: Any, axis: TokenAxis, series: Series) -> None:
        entitle(panel, _title(series))
        draw_bins(panel, axis, drawn(series), bin_tip, partial(is_sure, series=series))

    def _draw_source(self, number: int, place: int) -> None:
        """One source's line and dots in one panel."""
        panel, name = self._panels[number], list(self._sources)[place]
        series = self._sources[name].panels[number]
        entitle(panel, shown_name(series))
        color, symbol, few = _visible(place), _SYMBOLS[place % len(_SYMBOLS)], is_few(series)
        style = Qt.PenStyle.DashLine if few else Qt.PenStyle.SolidLine
        bins = drawn(series)
        # A line through a dot of few tokens would look like a trend. With few tokens everywhere, the line is dashed.
        joined = [b for b in bins if few or is_sure(b, series)]
        x = np.array([b.effective_n for b in joined], dtype=float)
        y = np.array([b.agreement for b in joined], dtype=float)
        line = pg.PlotCurveItem(x, y, pen=pg.mkPen(color, width=1.2, style=style))
        panel.addItem(line, ignoreBounds=True)
        draw_dots(panel, bins, color, symbol, partial(_source_tip, name), partial(is_sure, series=series), True)
        if number == 0:
            # The legend renders markup, and a source's name can be any text.
            self._legend.addItem(line, html.escape(_short(name)))

    def show_marked(self, marked: Marked | None) -> None:
        """Highlight the selected tokens in the bars, and the bars that contain them."""
        self._marked = marked
        for panel, item in self._marks:
            panel.removeItem(item)
        self._marks = []
        # While steps remain, the axes still have the old scale; `_draw_some` calls this again at the end.
        if marked is None or self._figure is None or self._steps:
            return
        for panel, axis, series, counts in zip(self._panels, self._axes, self._figure.panels, marked.by_n, strict=True):
            self._mark(panel, axis, series, counts)

    def _mark(self, panel: Any, axis: TokenAxis, series: Series, counts: Mapping[int, int]) -> None:
        # The plot's last bar holds every n from TAIL on, so what is marked in it is added up likewise.
        tail = sum(number for n, number in counts.items() if n >= TAIL)
        counts = {n: number for n, number in counts.items() if n < TAIL} | {TAIL: tail}
        found = [b for b in drawn(series) if counts.get(b.effective_n)]
        if not found:
            return
        x = np.array([b.effective_n for b in found], dtype=float)
        part = np.array([min(counts[b.effective_n], b.tokens) for b in found], dtype=float) / axis.top
        whole = np.array([b.tokens for b in found], dtype=float) / axis.top
        edge = pg.mkPen(qcolor("text"), width=1.5)
        for height, look in ((part, {"brush": qcolor("mark"), "pen": None}), (whole, {"brush": None, "pen": edge})):
            item = pg.BarGraphItem(x=x, height=height, width=0.72, **look)
            item.setZValue(BARS_Z + 1)
            panel.addItem(item, ignoreBounds=True)
            self._marks.append((panel, item))

    def _clicked(self, event: Any) -> None:
        if event.button() != Qt.MouseButton.LeftButton or self._figure is None:
            return
        for panel in self._panels:
            if panel.vb.sceneBoundingRect().contains(event.scenePos()):
                # Bars are centered on whole numbers, so rounding finds the bar, also in the gaps and above it.
                n = round(panel.vb.mapSceneToView(event.scenePos()).x())
                if 1 <= n <= TAIL:
                    last = max(n, self._largest()) if n == TAIL else n
                    self.n_chosen.emit(n, last, bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))

    def _largest(self) -> int:
        """The largest effective n."""
        panels = self._figure.panels if self._figure is not None else ()
        return max((b.effective_n for series in panels for b in series.bins), default=1)

    def restyle(self) -> None:
        """Apply the theme's colors."""
        self.setBackground(qcolor("surface"))
        self._legend.setLabelTextColor(qcolor("text"))
        self._legend.setLabelTextSize(f"{0.8 * text_size():g}pt")
        for panel in self._panels:
            style_panel(panel)
        self._draw()


def describe(panel: Series) -> str:
    """One panel in figures."""
    if not panel.tokens:
        return tr("{name}: no tokens", name=shown_name(panel))
    return tr(
        "{name}: {tokens}, {overall:.1%} agree · effective n: mean {mean_n:.2f}, median {median_n:g}",
        name=shown_name(panel),
        tokens=counted("token", panel.tokens),
        overall=panel.overall,
        mean_n=panel.mean_n,
        median_n=panel.median_n,
    )


def _title(series: Series) -> str:
    """Two lines over a panel: its name, then its figures; short, since a panel is never narrower than its title."""
    name = tr("sparse only") if series.name == SPARSE else shown_name(series)
    if not series.tokens:
        return tr("{name}: no tokens", name=name)
    what = (
        tr("few tokens: uncertain")
        if is_few(series)
        else tr("mean n {mean_n:.2f}, median {median_n:g}", mean_n=series.mean_n, median_n=series.median_n)
    )
    heading = tr("{name}: {overall:.1%} of {tokens:,}", name=name, overall=series.overall, tokens=series.tokens)
    return f"<b>{heading}</b><br><span style='font-size:{0.8 * text_size():g}pt'>{what}</span>"


def _short(name: str) -> str:
    return short_text(name, 28) or tr("text")


def _visible(place: int) -> Any:
    """The color of a source; lighter on a dark background."""
    color = source_color(place)
    if not is_dark():
        return color
    return qcolor("text") if color.value() == 0 else color.lighter(150)


def _source_tip(name: str, x: float, y: float, data: Any) -> str:
    return tip(f"{_short(name)}\n{bin_tip(x, y, data)}")
