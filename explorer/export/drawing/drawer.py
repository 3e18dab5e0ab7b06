"""What draws a chart: text, lines and areas in points. The window draws with Qt, `svg` writes an SVG image."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Literal, Protocol

Side = Literal["left", "center", "right"]


@dataclass(frozen=True)
class Palette:
    """The colors of a chart by their use: of texts and frames, the grid, bars, areas set off, the ground, and sources.

    `sources` are those of layers by their number, and of words in strips.
    """

    ink: str
    grid: str
    bar: str
    pale: str
    ground: str
    sources: tuple[str, ...]

    def source(self, number: int) -> str:
        """The color of a source; together with the markers it distinguishes 35 sources."""
        return self.sources[number % len(self.sources)]


PAPER = Palette(
    ink="#1a2030",
    grid="#d9dde6",
    bar="#a9bcdf",
    pale="#eef2fa",
    ground="#ffffff",
    # Distinguishable with color vision deficiency; after Okabe and Ito, "Color Universal Design", 2008.
    sources=("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b8860b", "#56b4e9", "#000000"),
)
"""A figure goes into a document: it is on white in both themes of the window. A light window has the same colors."""


@dataclass(frozen=True)
class Place:
    """A point in points from the top left corner of the paper."""

    x: float
    y: float


@dataclass(frozen=True)
class Area:
    """A rectangle in points."""

    left: float
    top: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """Its right edge."""
        return self.left + self.width

    @property
    def bottom(self) -> float:
        """Its lower edge."""
        return self.top + self.height

    def inset(self, left: float, top: float, right: float, bottom: float) -> Area:
        """The rectangle without a margin on each side; negative margins add to it."""
        return Area(self.left + left, self.top + top, self.width - left - right, self.height - top - bottom)


@dataclass(frozen=True)
class Spot:
    """Where an item of a part is, for the pointer; an item may have several spots."""

    number: int
    area: Area


class Drawer(Protocol):
    """Draws on one paper. Later parts cover earlier ones.

    `size` is that of labels, `line` the height of a line of them, both in points.
    """

    colors: Palette
    size: int
    line: float

    def width(self, text: str, smaller: int = 0) -> float:
        """Measure a text on one line, `smaller` points below the size of labels; in points."""

    def fitting(self, text: str, width: float) -> str:
        """Cut a label to a width; a cut text ends with an ellipsis."""

    def text(
        self, area: Area, text: str, smaller: int = 0, larger: int = 0, bold: bool = False, side: Side = "center"
    ) -> None:
        """Write one line in the middle of an area's height. A larger text is cut to the width of the area."""

    def upright(self, x: float, plot: Area, text: str, color: str) -> None:
        """Write a text that reads upwards, in the middle of a plot's height, with its left edge at `x`."""

    def fill(self, area: Area, color: str) -> None:
        """Fill an area."""

    def hatch(self, area: Area, color: str) -> None:
        """Fill an area with diagonal lines."""

    def frame(self, area: Area, color: str, width: float) -> None:
        """Draw the edges of an area."""

    def lines(self, places: Sequence[Place], color: str, width: float, dashed: bool = False) -> None:
        """Join places by straight lines."""

    def curve(self, start: Place, end: Place, color: str, width: float) -> None:
        """Draw a curve that is level at both ends."""

    def circle(self, at: Place, radius: float, fill: str, edge: str) -> None:
        """Draw a disc; `edge` is "" for none."""

    def polygon(self, places: Sequence[Place], fill: str, edge: str) -> None:
        """Draw a polygon; `edge` is "" for none."""

    def clipped(self, area: Area) -> AbstractContextManager[None]:
        """Draw only inside an area until the block ends."""
