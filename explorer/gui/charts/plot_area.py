"""The ground of plots on pyqtgraph: an area with room for its texts, and axes in the theme's colors."""

from __future__ import annotations

import math
from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPen

from explorer.gui.style.theme import colors, font_of, qcolor, scaled, text_size

_FROM_AXIS = 6
"""Pixels between an axis and the texts of its ticks, for text of 10 points."""
_NUDGE = 5
"""Pixels by which pyqtgraph lets the margin of a label go over the edge of its axis."""


class PlotArea(pg.GraphicsLayoutWidget):  # type: ignore[misc]
    """Panels side by side, with room for their titles and numbers in the text size."""

    least = (40, 18)
    """Points of text size that panels have in width and height at least."""

    def minimumSizeHint(self) -> QSize:
        """What the panels need, and at least a minimum that grows with the text size."""
        needed = self.ci.effectiveSizeHint(Qt.SizeHint.MinimumSize)
        width, height = (round(points * text_size()) for points in self.least)
        return QSize(max(width, math.ceil(needed.width())), height)


class SolidAxis(pg.AxisItem):  # type: ignore[misc]
    """An axis whose grid is opaque: a hundred translucent lines take Qt 40 ms, opaque ones 2 ms."""

    def boundingRect(self) -> QRectF:
        """With room for half a number at both ends: pyqtgraph omits labels that do not fit, here "1.0" and "33+"."""
        upright = self.orientation in ("left", "right")
        # In a new text size, an axis becomes wide enough only when it is painted.
        beside, above = round(2 * text_size()), round(1.6 * text_size()) if upright else 0
        area: QRectF = super().boundingRect()
        return area.adjusted(-beside, -above, beside, above)

    def make_room(self, *texts: str) -> None:
        """Take the room of these texts of ticks and of the label: pyqtgraph's own estimate is too small for large text.

        texts: The texts beside an upright axis; not needed for a level one, where all are equally high.
        """
        metrics = QFontMetrics(font_of(0.85))
        beyond = self.label.boundingRect().height() - _NUDGE if self.label.isVisible() else 0
        if self.orientation in ("left", "right"):
            widest = max((metrics.horizontalAdvance(text) for text in texts), default=0)
            self.setWidth(math.ceil(widest + scaled(_FROM_AXIS) + beyond))
        else:
            self.setHeight(math.ceil(metrics.height() + scaled(_FROM_AXIS) + beyond))

    def generateDrawSpecs(self, p: QPainter) -> tuple[Any, list[tuple[QPen, Any, Any]], Any] | None:
        """What pyqtgraph would draw, with each pen in the color that it has on the plot's background."""
        specs = super().generateDrawSpecs(p)
        if specs is None:
            return None
        line, ticks, texts = specs
        # One pen per line, in two or three colors.
        pens = {pen.color().rgba(): pen for pen, _, _ in ticks}
        made = {color: _solid(pen) for color, pen in pens.items()}
        return line, [(made[pen.color().rgba()], start, end) for pen, start, end in ticks], texts


def _solid(pen: QPen) -> QPen:
    above, ground = pen.color(), qcolor("surface")
    share = above.alphaF()
    pairs = ((above.redF(), ground.redF()), (above.greenF(), ground.greenF()), (above.blueF(), ground.blueF()))
    made = QPen(pen)
    made.setColor(QColor.fromRgbF(*(share * a + (1 - share) * b for a, b in pairs)))
    return made


def style_panel(panel: Any) -> None:
    """Apply the theme's colors to a panel's axes."""
    for name in ("left", "bottom", "right"):
        axis = panel.getAxis(name)
        if not isinstance(axis, SolidAxis):
            continue
        # Only the grid is drawn, and the numbers.
        axis.setPen(pg.mkPen(qcolor("grid")))
        axis.setTickFont(font_of(0.85))
        axis.setStyle(tickLength=0, tickTextOffset=scaled(_FROM_AXIS))
        axis.setTextPen(qcolor("muted"))
        if axis.labelText:
            # After the pen of the numbers, which colors the label as well.
            ink, weight = (colors().muted, "400") if name == "right" else (colors().text, "600")
            look = {"font-size": f"{0.85 * text_size():g}pt", "color": ink, "font-weight": weight}
            axis.setLabel(axis.labelText, **look)
            axis.showLabel()
        axis.make_room()
        # Its grid is drawn under everything else.
        axis.setZValue(-10)
    panel.showGrid(x=False, y=False)
    panel.getAxis("left").setGrid(255)
