"""The part of an axis that is shown."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QObject, Signal

from explorer.chart import Axis
from explorer.gui.screens.agreement.plots.panels import show_axis

_NARROWEST = 4.0
"""Bins that are shown at least."""
STEP = 1.25
"""How many times larger one step makes a bin."""


class AxisZoom(QObject):
    """Zooms along the axis of bins; the height stays. `changed(bool)`: whether only a part is shown."""

    changed = Signal(bool)

    def __init__(self, panel: Any, parent: QObject) -> None:
        super().__init__(parent)
        self._panel = panel
        self._whole = Axis("", 0.0, 1.0, ())

    def use(self, axis: Axis) -> None:
        """Show the whole of an axis; the same axis keeps the part that is shown."""
        if axis != self._whole:
            self._whole = axis
            self.reset()

    def reset(self) -> None:
        """Show the whole axis."""
        show_axis(self._panel, self._whole)
        self.changed.emit(False)

    @property
    def shown(self) -> tuple[float, float]:
        """The ends of the part that is shown."""
        low, high = self._panel.viewRange()[0]
        return float(low), float(high)

    def by(self, factor: float, middle: float | None = None) -> None:
        """Show less of the axis, or more.

        factor: How many times larger a bin becomes.
        middle: The place of the axis that stays where it is; None for the middle of what is shown.
        """
        low, high = self.shown
        middle = (low + high) / 2 if middle is None else middle
        self.to(middle - (middle - low) / factor, middle + (high - middle) / factor)

    def move(self, share: float) -> None:
        """Move along the axis by a share of what is shown."""
        low, high = self.shown
        self.to(low + share * (high - low), high + share * (high - low))

    def show_place(self, place: float) -> None:
        """Move so that a place of the axis is shown."""
        low, high = self.shown
        if not low < place < high:
            self.to(place - (high - low) / 2, place + (high - low) / 2)

    def to(self, low: float, high: float) -> None:
        """Show a part of the axis, of at least a few bins and within the whole."""
        whole = self._whole.high - self._whole.low
        size = min(max(high - low, _NARROWEST), whole)
        # What would reach beyond an end is moved and not cut: the size of bins stays.
        begin = min(max((low + high - size) / 2, self._whole.low), self._whole.high - size)
        self._panel.setXRange(begin, begin + size, padding=0)
        # Differences of floats: the whole axis may come out smaller by rounding.
        self.changed.emit(size < whole - 1e-6)
