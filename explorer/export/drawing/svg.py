"""Charts as SVG without a toolkit. Texts are measured by the widths of Helvetica, which are those of Arial, too."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from html import escape

from explorer.chart import Chart
from explorer.errors import CorpusError
from explorer.export.about import facts_text
from explorer.export.destination import ExportError
from explorer.export.drawing.drawer import PAPER, Area, Place, Side
from explorer.export.drawing.panels import draw_chart
from explorer.export.figure import Paper, paper_size
from explorer.i18n import mark

FAMILIES = ("Helvetica", "Arial", "Liberation Sans", "Noto Sans", "DejaVu Sans")
"""The first of these that a machine has: figures look alike on Windows, macOS and Linux."""
_FAMILY = ", ".join((*FAMILIES, "sans-serif"))

# Thousandths of the size, from the space to the tilde; the widths of Helvetica in Adobe's Core 14 metrics.
_WIDTHS = (
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556,
    556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833,
    722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556,
    556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334,
    260, 334, 584,
)  # fmt: skip
_OTHER, _WIDE = 600, 1000
# In units of the size: from the middle of a line to the baseline, and the height of a line. Bold letters are wider.
_BASELINE, _LINE, _BOLD = 0.347, 1.15, 1.07
_ELLIPSIS = "…"
# XML has no form for these, not even escaped.
_NOT_XML = re.compile("[\\x00-\\x1f\\ud800-\\udfff\\ufffe\\uffff]")
_ANCHORS: dict[Side, str] = {"left": "start", "center": "middle", "right": "end"}


def text_width(text: str, size: float, bold: bool = False) -> float:
    """Estimate the width of a text.

    Returns: The width in points: exact for ASCII in plain Helvetica, else an estimate.

    Examples
    --------
    >>> text_width("100", 10)
    16.68
    """
    return round(sum(map(_thousandths, text)) * size * (_BOLD if bold else 1) / 1000, 6)


def _thousandths(letter: str) -> int:
    if 32 <= ord(letter) < 127:
        return _WIDTHS[ord(letter) - 32]
    if unicodedata.combining(letter):
        return 0
    return _WIDE if unicodedata.east_asian_width(letter) in "WF" else _OTHER


class SvgDrawer:
    """Writes the elements of an SVG image; see `Drawer` for its methods."""

    def __init__(self, size: int) -> None:
        self.size, self.line, self.colors = size, _LINE * size, PAPER
        self.elements: list[str] = []
        self.clips: list[str] = []

    def width(self, text: str, smaller: int = 0) -> float:
        """Measure a text."""
        return text_width(text, max(4, self.size - smaller))

    def fitting(self, text: str, width: float) -> str:
        """Cut a label to a width."""
        return _cut(text, max(width, 10.0), self.size, False)

    def text(
        self, area: Area, text: str, smaller: int = 0, larger: int = 0, bold: bool = False, side: Side = "center"
    ) -> None:
        """Write one line in the middle of an area's height."""
        size = max(4, self.size + larger - smaller)
        shown = _cut(text, area.width, size, bold) if larger else text
        x = area.left + {"left": 0.0, "center": 0.5, "right": 1.0}[side] * area.width
        self._text(shown, x, area.top + area.height / 2 + _BASELINE * size, size, self.colors.ink, _ANCHORS[side], bold)

    def upright(self, x: float, plot: Area, text: str, color: str) -> None:
        """Write a text that reads upwards."""
        shown = self.fitting(text, plot.height + 20)
        middle, baseline = plot.top + plot.height / 2, x + self.line / 2 + _BASELINE * self.size
        turn = f"rotate(-90 {_number(baseline)} {_number(middle)})"
        self._text(shown, baseline, middle, self.size, color, "middle", False, turn)

    def _text(
        self, text: str, x: float, y: float, size: int, color: str, anchor: str, bold: bool, turn: str = ""
    ) -> None:
        more = (' font-weight="bold"' if bold else "") + (f' transform="{turn}"' if turn else "")
        if text:
            self._add(
                f'<text x="{_number(x)}" y="{_number(y)}" font-size="{size}" text-anchor="{anchor}" fill="{color}"'
                f"{more}>"
                f"{_escaped(text)}</text>"
            )

    def fill(self, area: Area, color: str) -> None:
        """Fill an area."""
        self._add(f'<rect {_box(area)} fill="{color}"/>')

    def hatch(self, area: Area, color: str) -> None:
        """Fill an area with diagonal lines."""
        # The pattern is defined once in the head; its color is that of all hatches.
        self._add(f'<rect {_box(area)} fill="url(#hatch)" color="{color}"/>')

    def frame(self, area: Area, color: str, width: float) -> None:
        """Draw the edges of an area."""
        self._add(f'<rect {_box(area)} fill="none" {_pen(color, width)}/>')

    def lines(self, places: Sequence[Place], color: str, width: float, dashed: bool = False) -> None:
        """Join places by straight lines."""
        dashes = f' stroke-dasharray="{_number(4 * width)} {_number(2 * width)}"' if dashed else ""
        self._add(f'<polyline points="{_points(places)}" fill="none" {_pen(color, width)}{dashes}/>')

    def curve(self, start: Place, end: Place, color: str, width: float) -> None:
        """Draw a curve that is level at both ends."""
        half = (start.x + end.x) / 2
        first, second = Place(half, start.y), Place(half, end.y)
        path = f"M{_points([start])} C{_points([first, second, end])}"
        self._add(f'<path d="{path}" fill="none" {_pen(color, width)}/>')

    def circle(self, at: Place, radius: float, fill: str, edge: str) -> None:
        """Draw a disc."""
        x, y, r = map(_number, (at.x, at.y, radius))
        self._add(f'<circle cx="{x}" cy="{y}" r="{r}" fill="{fill}"{f" {_pen(edge, 0.8)}" if edge else ""}/>')

    def polygon(self, places: Sequence[Place], fill: str, edge: str) -> None:
        """Draw a polygon."""
        self._add(f'<polygon points="{_points(places)}" fill="{fill}"{f" {_pen(edge, 0.8)}" if edge else ""}/>')

    @contextmanager
    def clipped(self, area: Area) -> Iterator[None]:
        """Draw only inside an area until the block ends."""
        name = f"clip{len(self.clips) + 1}"
        # Defined apart: a reader that knows no clipping would paint the area where it is defined.
        self.clips.append(f'<clipPath id="{name}"><rect {_box(area)}/></clipPath>')
        self._add(f'<g clip-path="url(#{name})">')
        yield
        self._add("</g>")

    def _add(self, element: str) -> None:
        self.elements.append(element)


class SvgCanvas:
    """Draws charts as SVG. Pictures of pixels and PDF need the window's toolkit."""

    def svg(self, chart: Chart, paper: Paper) -> bytes:
        """Draw a chart as SVG; its units are points."""
        width, height = paper_size(chart, paper)
        drawer = SvgDrawer(paper.text_size)
        draw_chart(drawer, chart, width, height)
        size = (
            f'width="{_number(width)}pt" height="{_number(height)}pt" viewBox="0 0 {_number(width)} {_number(height)}"'
        )
        head = (
            '<?xml version="1.0" encoding="UTF-8"?>\n'
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="{escape(_FAMILY)}">\n'
            f"<title>{_escaped(chart.title)}</title>\n{_description(chart)}"
            '<defs><pattern id="hatch" width="4" height="4" patternUnits="userSpaceOnUse">'
            f'<path d="M0,4 L4,0" {_pen(PAPER.ink, 0.5)}/></pattern>'
            f"{''.join(drawer.clips)}</defs>\n"
        )
        return (head + "\n".join(drawer.elements) + "\n</svg>\n").encode()

    def pixels(self, chart: Chart, paper: Paper, kind: str) -> bytes:
        """Refuse: pixels and PDF need the window."""
        raise _needs_window(kind.upper())

    def pdf(self, chart: Chart, paper: Paper) -> bytes:
        """Refuse: pixels and PDF need the window."""
        raise _needs_window("PDF")


def _needs_window(kind: str) -> CorpusError:
    return ExportError(mark("{kind} files need the window, which is not installed."), reason="no-window", kind=kind)


def _cut(text: str, width: float, size: float, bold: bool) -> str:
    if text_width(text, size, bold) <= width:
        return text
    while text and text_width(text + _ELLIPSIS, size, bold) > width:
        text = text[:-1]
    return text.rstrip() + _ELLIPSIS


def _escaped(text: str) -> str:
    # Not by the functions for XML of the standard library, which import its clients of HTTP and TLS: 5 MiB.
    return escape(_NOT_XML.sub("\ufffd", text), quote=False)


def _box(area: Area) -> str:
    x, y, width, height = map(_number, (area.left, area.top, area.width, area.height))
    return f'x="{x}" y="{y}" width="{width}" height="{height}"'


def _pen(color: str, width: float) -> str:
    return f'stroke="{color}" stroke-width="{_number(width)}"'


def _points(places: Sequence[Place]) -> str:
    return " ".join(f"{_number(place.x)},{_number(place.y)}" for place in places)


def _number(value: float) -> str:
    # Hundredths of a point are finer than any printer. Adding 0 makes -0 a 0.
    return f"{round(value, 2) + 0:g}" if abs(value) < 1000 else f"{value:.2f}"


def _description(chart: Chart) -> str:
    """What the chart was computed from, line by line, where programs look for a description."""
    lines = "\n".join(_escaped(line) for line in facts_text(chart.facts).splitlines())
    return f"<desc>{lines}</desc>\n" if lines else ""
