"""A chart in the window: what is drawn, values under the pointer and by keys, selection and zoom."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from PySide6.QtCore import QPointF, Qt

from explorer.chart import (
    Axis,
    Bars,
    Chart,
    Dots,
    Network,
    Panel,
    Point,
    Spoke,
    StripPlot,
    StripRow,
    count_axis,
    share_axis,
    whole_axis,
)
from explorer.export.drawing.drawer import PAPER
from explorer.gui.charts.ink import chart_colors
from explorer.gui.charts.view import ChartView
from explorer.gui.style.theme import choose_scheme

SHARES = Dots("Corpus", tuple(Point(n, n / 10, n / 10 - 0.05, n / 10 + 0.05) for n in range(1, 10)), line=True)
TOKENS = Bars("Tokens", tuple(Point(n, 100 * n) for n in range(1, 10)), right=True)
MIXED = Panel("", whole_axis("n", 1, 9), share_axis("Agreement"), count_axis("Tokens", 900), (TOKENS,), (SHARES,))
NETWORK = Network("", "ship", (Spoke("sea", 0.8, 1.0, "sea: 12 hits"), Spoke("sail", 1.0, 0.4)))
STRIPS = StripPlot(
    "", ("ship", "sea"), (StripRow("Part 1", "3 (60)", ((0.1, 0.2), (0.5,))), StripRow("2", "1", ((), (0.9,))))
)
LOGS = Panel(
    "",
    Axis("Rank", 0, 3, ((0, "1"), (3, "1k")), logarithmic=True),
    Axis("Hits", 0, 4, ((0, "1"), (4, "10k")), logarithmic=True),
    dots=(Dots("Hits", (Point(0, 4), Point(1, 3), Point(3, math.log10(7))), line=True),),
)


def _chart(panel: Panel, legend: bool = False) -> Chart:
    return Chart("name", "Title", ((panel,),), (), (), legend=legend)


@pytest.fixture
def view(qtbot):
    made = ChartView("Rank and frequency")
    qtbot.addWidget(made)
    made.resize(600, 320)
    made.show()
    return made


def _scene(view: ChartView, place: int) -> QPointF:
    return view.plot.mapToScene(view.plot.pixel_of(place))


def test_nothing_is_made_before_there_is_a_chart(view):
    view.show_chart(None)
    assert "plot" not in vars(view) and not view.places


def test_the_values_of_a_point_are_shown_under_the_pointer_and_by_keys(view, qtbot):
    view.show_chart(_chart(LOGS))
    qtbot.wait(50)
    view.plot.scene().sigMouseMoved.emit(_scene(view, 1))
    assert view.accessibleDescription() == "Rank: 10, Hits: 1,000"
    qtbot.keyClick(view, Qt.Key.Key_Right)
    assert view.accessibleDescription() == "Rank: 1,000, Hits: 7"
    # At the last point, the key stays there.
    qtbot.keyClick(view, Qt.Key.Key_Right)
    assert view.accessibleDescription() == "Rank: 1,000, Hits: 7"


def test_layers_at_both_axes_have_their_own_values(view):
    view.show_chart(_chart(MIXED, legend=True))
    values = "n: 5, Agreement: 50.0% (45.0% – 55.0%), Tokens: 500"
    for place in (4, len(SHARES.points) + 4):
        view._point(place)
        assert view.accessibleDescription() == values
    assert view.legend.isVisible() and view.legend.accessibleName() == "Tokens, Corpus"


def test_bars_at_the_right_axis_reach_their_value_of_it(view):
    view.show_chart(_chart(MIXED))
    right = view.plot._axes["right"].axis
    (bar,) = (item for item in view.plot._plot.items if type(item).__name__ == "BarGraphItem")
    tick = next(place for place, text in right.ticks if text == "500")
    assert bar.opts["height"][4] == pytest.approx(tick)


def test_a_click_or_enter_chooses_a_point(view, qtbot):
    view.show_chart(_chart(LOGS))
    qtbot.wait(50)
    chosen = []
    view.chosen.connect(chosen.append)
    place = view.plot.pixel_of(2)
    qtbot.mouseMove(view.plot.viewport(), place)
    qtbot.mouseClick(view.plot.viewport(), Qt.MouseButton.LeftButton, pos=place)
    view._point(0)
    qtbot.keyClick(view, Qt.Key.Key_Return)
    assert chosen == [2, 0]


def test_a_part_is_shown_with_ticks_of_its_own_and_all_of_it_again(view, qtbot):
    view.show_chart(_chart(LOGS))
    axis = view.plot._axes["bottom"]
    assert axis.tickStrings(axis.tickValues(*view.plot.shown, 500)[0][1], 1, 1) == ["1", "1k"]
    for _ in range(8):
        qtbot.keyClick(view, Qt.Key.Key_Plus)
    low, high = view.plot.shown
    assert 0 < low < high < 3
    assert axis.tickStrings(axis.tickValues(low, high, 500)[0][1], 1, 1) == ["20", "50"]
    qtbot.keyClick(view, Qt.Key.Key_0)
    assert view.plot.shown == (0, 3)


def test_a_row_is_set_off_and_another_chart_forgets_the_pointer(view):
    view.show_chart(_chart(LOGS), row=1)
    assert list(view.plot._set_off.getData()[0]) == [1]
    view.show_row(-1)
    assert view.plot._set_off is None
    view._point(2)
    view.show_chart(_chart(MIXED))
    assert view.accessibleDescription().startswith("n: 1, Agreement: 10.0%")
    view.show_chart(None)
    assert view.accessibleDescription() == "" and not view.plot._plot.isVisible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_layers_have_the_colors_of_the_exported_figure(view, scheme):
    choose_scheme(scheme)
    try:
        view.show_chart(_chart(MIXED, legend=True))
        curve = next(item for item in view.plot._plot.items if type(item).__name__ == "PlotCurveItem")
        assert curve.opts["pen"].color().name() == chart_colors().source(0)
        assert (chart_colors() == PAPER) == (scheme == "light")
    finally:
        choose_scheme("system")


def test_a_legend_begins_where_lines_of_the_window_begin(view, qtbot):
    """The sample is before the name, and a second line begins below the first one; numbers stay left to right."""
    view.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    view.resize(110, 320)
    view.show_chart(_chart(MIXED, legend=True))
    qtbot.wait(50)
    first, second = view.legend._samples
    assert first.geometry().right() == second.geometry().right() == view.legend.width() - 1
    assert second.y() > first.geometry().bottom() and view.legend.height() > second.geometry().bottom()
    image = first.grab().toImage()
    inks = [x for x in range(image.width()) if image.pixelColor(x, image.height() // 2).name() == chart_colors().bar]
    assert min(inks) > image.width() / 2
    assert view.plot.layoutDirection() == Qt.LayoutDirection.LeftToRight


def test_the_words_of_a_network_are_shown_under_the_pointer_and_chosen(view, qtbot):
    view.resize(600, 400)
    view.show_chart(_chart(NETWORK))
    qtbot.wait(1)
    assert view.accessibleDescription() == "2 words around “ship”"
    chosen, sheet = [], view.sheet
    view.chosen.connect(chosen.append)
    # The disc of a word, and its label.
    first, label = (spot for spot in sheet.spots if spot.number == 0)
    assert first.area.right < label.area.left
    qtbot.mouseMove(sheet, sheet.pixel_of(0))
    assert view.accessibleDescription() == "sea: 12 hits"
    qtbot.mouseClick(sheet, Qt.MouseButton.LeftButton, pos=sheet.pixel_of(0))
    qtbot.keyClick(view, Qt.Key.Key_Right)
    assert view.accessibleDescription() == "sail"
    qtbot.keyClick(view, Qt.Key.Key_Return)
    assert chosen == [0, 1]
    before = sheet.grab().toImage()
    view.show_row(1)
    assert sheet.grab().toImage() != before
    # A panel takes the place of the sheet.
    view.show_chart(_chart(LOGS))
    qtbot.waitUntil(view.plot.isVisible)
    assert not sheet.isVisible()


def test_strips_ask_for_the_height_of_all_their_lines(view, qtbot):
    view.show_chart(_chart(STRIPS))
    low = view.minimumSizeHint().height()
    view.show_chart(_chart(replace(STRIPS, rows=STRIPS.rows * 10)))
    assert view.minimumSizeHint().height() > 4 * low
    assert view.accessibleDescription() == "20 parts with hits: ship, sea"
    view._point(0)
    assert view.accessibleDescription() == "Part 1: 3 (60), ship: 2 hits, sea: 1 hit"
