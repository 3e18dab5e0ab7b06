"""No token is cut off by an axis: the tail has a bar with a name, the same on the screen and on paper."""

from __future__ import annotations

import numpy as np
import pyqtgraph as pg
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QImage, QPainter

from explorer.analyses.agreement.analysis import Texts, analyze
from explorer.analyses.agreement.brush import Brush
from explorer.analyses.agreement.chart import agreement_chart, count_chart, drawn, n_axis, overlay_chart
from explorer.analyses.agreement.dips import TAIL
from explorer.analyses.agreement.figure import AgreementFigure, make_series
from explorer.analyses.breakdown.facets import dispersion
from explorer.analyses.search.concordance import ConcordanceRequest, concordance
from explorer.analyses.search.find import find_query
from explorer.analyses.trace.measures.coverage import matches_chart
from explorer.analyses.trace.measures.novelty import novelty_chart
from explorer.chart import count_axis
from explorer.core.proportions import wilson_interval
from explorer.export.charts.other_charts import spread_chart
from explorer.gui.screens.agreement.plots.panels import TokenAxis
from explorer.gui.style.surfaces import all_restyled

TOKENS = st.lists(st.tuples(st.integers(1, 500), st.booleans()), max_size=60)


def series_of(tokens):
    lengths = np.array([n for n, _ in tokens], dtype=np.int64)
    return make_series("∞-gram", lengths, np.array([agrees for _, agrees in tokens], dtype=bool))


@given(TOKENS)
def test_every_token_is_in_a_bar(tokens):
    bins = drawn(series_of(tokens))
    assert sum(b.tokens for b in bins) == len(tokens)
    assert sum(b.agreeing for b in bins) == sum(agrees for _, agrees in tokens)
    for b in bins:
        here = [agrees for n, agrees in tokens if min(n, TAIL) == b.effective_n]
        assert (b.tokens, b.agreeing) == (len(here), sum(here))
        assert b.agreement == sum(here) / len(here) and (b.low, b.high) == wilson_interval(sum(here), len(here))


def outside(chart):
    """What lies beyond its axes: bars with their width, dots, and ends of intervals."""
    found = []
    for panel in (panel for row in chart.rows for panel in row):
        for bars in panel.bars:
            y = panel.right if bars.right else panel.left
            for p in bars.points:
                whole = panel.x.low <= p.x - bars.width / 2 and p.x + bars.width / 2 <= panel.x.high
                found += [] if whole and y.low <= p.y <= y.high else [p]
        for dots in panel.dots:
            found += [p for p in dots.points if not panel.x.low < p.x < panel.x.high or not 0 <= p.y <= 1]
    return found


@given(TOKENS, TOKENS)
def test_nothing_is_drawn_outside_of_its_axes(some, others):
    figures = [(name, AgreementFigure(5, *[series_of(t)] * 3)) for name, t in (("a", some), ("b", others))]
    for chart in (agreement_chart("", figures), overlay_chart("", dict(figures))):
        assert outside(chart) == []
        axis = chart.rows[0][0].x
        tail = any(n >= TAIL for n, _ in (*some, *others))
        assert ((TAIL, "33+") in axis.ticks) == tail
    # The table has every n.
    assert len(chart.data) == 3 * sum(len({n for n, _ in t}) for t in (some, others))


def test_nor_in_the_other_charts(small):
    lines = concordance(small.index, ConcordanceRequest(find_query(small.index, "the").parts))
    trace = small.trace("the cat sat on the mat and zebras " * 40)
    analysis = analyze(small.index, Texts(("the dog sat on the mat, and zebras. " * 9,)))
    for chart in (
        novelty_chart("", trace.novelty),
        matches_chart("", trace.covering.tolist()),
        spread_chart("", dispersion(lines)),
        count_chart("", analysis.by_count),
    ):
        assert outside(chart) == []


@pytest.mark.parametrize("most", [0, 1, 2, 3, 5, 9, 40, 12_345])
def test_axes_of_counts_have_whole_numbers_each_once(qapp, most):
    axis = count_axis("", most)
    assert axis.high >= most and all(value == int(value) for value, _ in axis.ticks)
    assert len({text for _, text in axis.ticks}) == len(axis.ticks)
    screen = TokenAxis()
    screen.top = axis.high
    ((_, places),) = screen.tickValues(0, 1, 100)
    assert screen.tickStrings(places, 1, 1) == [text for _, text in axis.ticks]


@pytest.fixture
def long_match(opened, qtbot):
    """The analysis of a text that occurs in the corpus as a whole, so that its tail is long."""
    opened.show_screen("agreement")
    screen = opened.agreement
    screen.analyze_text("the dog sat on the mat, and the dog saw the cat on the rug.\n" * 3)
    qtbot.waitUntil(lambda: screen.presenter.state.answer.value is not None and screen.halves.plots.plot.drawn)
    assert max(b.effective_n for b in screen.presenter.state.answer.value.figure.infgram.bins) > TAIL
    return screen


def test_the_screen_shows_what_the_paper_shows(long_match):
    figure, plot = long_match.presenter.state.figure, long_match.halves.plots.plot
    paper = agreement_chart("", [("", figure)]).rows[0][1]
    axis, panel = n_axis([figure]), plot.panel
    assert panel.viewRange()[0] == pytest.approx([axis.low, axis.high])
    assert axis.ticks == paper.x.ticks
    bars = next(item for item in panel.items if isinstance(item, pg.BarGraphItem))
    assert bars.opts["x"].tolist() == [p.x for p in paper.bars[0].points]
    dots = [p for item in panel.items if isinstance(item, pg.ScatterPlotItem) for p in item.points()]
    for dot in dots:
        # The whole dot, not only its middle.
        at, half = panel.vb.mapFromView(dot.pos()).x(), dot.size() / 2
        assert at - half >= 0 and at + half <= panel.vb.rect().width()


def check_the_tail_is_named_on_the_screen(long_match, window, qtbot, size):
    """The last number reaches over the end of its axis; pyqtgraph would leave it out."""
    window.change_setting("text_size", size)
    qtbot.waitUntil(all_restyled)
    plot = long_match.halves.plots.plot
    qtbot.waitUntil(lambda: plot.drawn)
    image = QImage(10, 10, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    _, _, texts = plot.panel.getAxis("bottom").generateDrawSpecs(painter)
    assert "33+" in [text for _, _, text in texts]
    painter.end()


def test_the_tail_is_named_on_the_screen(long_match, window, qtbot):
    for size in [8, 10, 20]:
        check_the_tail_is_named_on_the_screen(long_match, window, qtbot, size)


def test_a_click_on_the_tail_marks_all_of_it(long_match, qtbot):
    plot, tokens = long_match.halves.plots.plot, long_match.presenter.tokens
    place = plot.mapFromScene(plot.panel.vb.mapViewToScene(QPointF(TAIL, 0.1)))
    qtbot.mouseClick(plot.viewport(), Qt.MouseButton.LeftButton, pos=place)
    series = long_match.presenter.state.figure.infgram
    longest = max(b.effective_n for b in series.bins)
    assert tokens.state.brush == Brush(TAIL, longest)
    tail = sum(b.tokens for b in series.bins if b.effective_n >= TAIL)
    qtbot.waitUntil(lambda: tokens.state.marked is not None)
    assert tokens.state.summary.startswith(f"n = 33+: {tail:,} token")
    assert plot.drawing.marked == (TAIL,)
