"""Where everything is in the plot of perplexities: axes, dots and names, from the figures and the room."""

from __future__ import annotations

import math
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QFontMetrics

from explorer.chart import log_ticks
from explorer.gui.screens.model.large_numbers import tick_words
from explorer.gui.screens.model.perplexity.state import PlotLine
from explorer.gui.style.theme import em, font_of, scaled

_PAD = 12


@dataclass(frozen=True)
class PlotPlaces:
    """Places in the plot.

    lines: The sources, what is chosen last.
    width, height: The room, in pixels.
    """

    lines: tuple[PlotLine, ...]
    width: int
    height: int

    @property
    def count(self) -> int:
        """How many methods there are."""
        return max((len(line.dots) for line in self.lines), default=0)

    def _values(self) -> list[float]:
        return [dot.value for line in self.lines for dot in line.dots if dot.value is not None and dot.value > 0]

    def _span(self) -> tuple[float, float]:
        values = self._values() or [1.0, 10.0]
        # Of all sources, so that choosing one moves no dot.
        # Room above and below, so that no dot touches the frame: a tenth of a power of ten at least.
        low, high = math.log10(min(values)), math.log10(max(values))
        room = max(0.12, (high - low) * 0.1)
        return low - room, high + room

    def ticks(self, height: float) -> tuple[float, ...]:
        """As many ticks as have room one above the other."""
        low, high = self._span()
        # Beside 1 and 5 of a power there are 3 and 7 tenths of it: twice the room that equal steps would need.
        most = max(2, int(height / QFontMetrics(font_of(0.85)).height() / 1.6))
        return log_ticks(10**low, 10**high, min(9, most))

    def area(self) -> QRectF:
        """The room of the dots: right of the numbers of the axis, above the names."""
        metrics = QFontMetrics(font_of(0.85))
        ticks = [tick_words(tick) for tick in self.ticks(float(self.height))]
        left = max((metrics.horizontalAdvance(tick) for tick in ticks), default=0) + metrics.height() + scaled(24)
        bottom = metrics.height() * (2 if self.staggered else 1) + scaled(18)
        top = QFontMetrics(font_of(0.92, 600)).height() + scaled(8)
        pad = scaled(_PAD)
        return QRectF(left, top, max(1.0, self.width - left - pad), max(1.0, self.height - bottom - top))

    @property
    def staggered(self) -> bool:
        """Whether every second name needs a line of its own."""
        # Measured as painted when it is not chosen; the bold name may be elided by a letter.
        metrics = QFontMetrics(font_of(0.92))
        widest = max((metrics.horizontalAdvance(dot.name) for line in self.lines for dot in line.dots), default=0)
        return self.count > 0 and widest + scaled(8) > (self.width - em(6)) / self.count

    def at(self, place: int, value: float) -> QPointF:
        """Where a value is."""
        area, (low, high) = self.area(), self._span()
        height = (math.log10(value) - low) / (high - low)
        return QPointF(self.across(area, place), area.bottom() - height * area.height())

    def across(self, area: QRectF, place: int) -> float:
        """Where a method is from left to right."""
        return area.left() + (place + 0.5) * area.width() / max(1, self.count)

    def under(self, point: QPointF) -> int:
        """The method at a point; -1 for none."""
        area = self.area()
        # The whole column belongs to its method: a dot is small for a finger.
        place = math.floor((point.x() - area.left()) / max(1.0, area.width() / max(1, self.count)))
        return place if 0 <= place < self.count else -1

    def dot(self, place: int) -> QPointF | None:
        """Where the dot of a method is, of what is chosen; None if it has none."""
        value = self.lines[-1].dots[place].value if self.lines and place < len(self.lines[-1].dots) else None
        return None if value is None else self.at(place, value)

    def falls(self, place: int) -> bool:
        """Whether the curve comes down to a dot by more than the height of a number."""
        here, before = self.dot(place), self.dot(place - 1) if place else None
        after = self.dot(place + 1) if place + 1 < self.count else None
        # A flat line leaves room above the dot.
        steep = em(1)
        comes = here is not None and before is not None and here.y() - before.y() > steep
        return comes or (not place and here is not None and after is not None and after.y() - here.y() > steep)
