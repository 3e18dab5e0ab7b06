"""A figure that becomes a file: a chart, the paper it is put on, and who draws it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from explorer.chart import Chart, chart_size

POINTS_PER_INCH = 72
MM_PER_POINT = 25.4 / POINTS_PER_INCH


@dataclass(frozen=True)
class Paper:
    """How a chart is put on paper.

    width, height: In points; 0 takes the size that suits the chart.
    dpi: Pixels per inch of a picture of pixels.
    """

    # 0 where nothing was chosen, which is also what the options of the command line give then.
    width: float = 0.0
    height: float = 0.0
    # Points, not pixels: text is then as large on paper at every resolution.
    text_size: int = 8
    dpi: int = 300


def paper_size(chart: Chart, paper: Paper) -> tuple[float, float]:
    """Give the size in which a chart is saved.

    chart: The chart, whose own size counts where the paper has none.
    paper: The size that was chosen; 0 for the chart's own.
    Returns: Width and height in points.
    """
    width, height = chart_size(chart)
    # Each by itself: a figure for a column of text has a given width and its own height.
    return paper.width or width, paper.height or height


# Bytes, not a path: how a file is replaced, and what can fail then, is the same for all formats.
class Canvas(Protocol):
    """Draws charts. The window's toolkit does; this room only knows that something can."""

    def pixels(self, chart: Chart, paper: Paper, kind: str) -> bytes:
        """Paint a picture of pixels.

        kind: The format, such as "png".
        Raises `ExportError` if the picture would be too large.
        """

    def svg(self, chart: Chart, paper: Paper) -> bytes:
        """Paint a chart as SVG."""

    def pdf(self, chart: Chart, paper: Paper) -> bytes:
        """Paint a chart as a PDF of one page."""


@dataclass(frozen=True)
class Figure:
    """What a figure's file is made of."""

    chart: Chart
    paper: Paper
    canvas: Canvas
