"""Lines with ticks on paper: names at the left, notes at the right."""

from __future__ import annotations

from collections.abc import Iterator

from explorer.chart import StripPlot, StripRow
from explorer.export.drawing.drawer import Area, Drawer, Spot
from explorer.export.drawing.marks import draw_title

_GAP, _NAMES, _TICK = 6.0, 0.3, 0.6


def draw_strips(pens: Drawer, place: Area, plot: StripPlot) -> tuple[Spot, ...]:
    """Draw strips into a rectangle.

    Returns: Where the lines are.
    """
    area = draw_title(pens, place, plot.title)
    _draw_words(pens, Area(place.left, area.top + 2, place.width, pens.line), plot.words)
    names = min(place.width * _NAMES, max((pens.width(row.name) for row in plot.rows), default=0.0))
    notes = max((pens.width(row.note) for row in plot.rows), default=0.0)
    top = area.top + pens.line + 8
    height = (place.bottom - top) / max(1, len(plot.rows))
    lines = []
    for number, row in enumerate(plot.rows):
        line = Area(place.left, top + number * height, place.width, height)
        room = Area(line.left, line.top, names, height)
        pens.text(room, pens.fitting(row.name, names), side="left")
        pens.text(Area(line.right - notes, line.top, notes, height), row.note, side="right")
        _draw_row(pens, line.inset(names + _GAP, 1, notes + _GAP, 1), row)
        lines.append(Spot(number, line))
    return tuple(lines)


def _draw_words(pens: Drawer, area: Area, words: tuple[str, ...]) -> None:
    """Which color is which word."""
    room, x = area.width / max(1, len(words)), area.left
    for number, word in enumerate(words):
        pens.fill(Area(x, area.top + area.height / 2 - 3, 10, 6), pens.colors.source(number))
        name = pens.fitting(word, room - 20)
        pens.text(Area(x + 14, area.top, room - 20, area.height), name, side="left")
        x += min(room, pens.width(name) + 26)


def _draw_row(pens: Drawer, area: Area, row: StripRow) -> None:
    pens.fill(area, pens.colors.pale)
    lane = area.height / max(1, len(row.ticks))
    for number, ticks in enumerate(row.ticks):
        top = area.top + number * lane
        color = pens.colors.source(number)
        for first, last in _runs(ticks, area.width / _TICK):
            left = area.left + first * _TICK
            pens.fill(Area(left, top + 0.5, (last + 1 - first) * _TICK, lane - 1), color)
    pens.frame(area, pens.colors.grid, 0.4)


def _runs(ticks: tuple[float, ...], places: float) -> Iterator[tuple[int, int]]:
    """Ticks that touch, as one: a frequent word has more hits than paper has room for ticks."""
    first = last = -2
    for at in sorted({int(tick * places) for tick in ticks}):
        if at > last + 1:
            if last >= 0:
                yield first, last
            first = at
        last = at
    if last >= 0:
        yield first, last
