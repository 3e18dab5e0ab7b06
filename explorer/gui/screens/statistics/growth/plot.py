"""The growth of the vocabulary, drawn: different words by words, and the power law that is fitted to them."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from explorer.chart import count_axis
from explorer.gui.theme import em, qcolor, scaled
from explorer.gui.widgets.plot_axes import paint_axes, plot_area
from explorer.i18n import tr
from explorer.statistics.curves import PowerLaw, VocabularyGrowth


class GrowthPlot(QWidget):
    """A line of different words, and a dashed one of the power law."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName(tr("Growth of the vocabulary"))
        self._growth: VocabularyGrowth | None = None
        self._heaps: PowerLaw | None = None

    def show_growth(self, growth: VocabularyGrowth | None, heaps: PowerLaw | None) -> None:
        """Draw another curve.

        growth: The curve; None for none.
        heaps: The power law; None for none.
        """
        self._growth, self._heaps = growth, heaps
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Axes and both lines."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        # A plot is read from left to right everywhere, with its numbers left of the axis.
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        if self._growth is not None and len(self._growth.words):
            self._paint(painter, self._growth)
        painter.end()

    def _paint(self, painter: QPainter, growth: VocabularyGrowth) -> None:
        across = count_axis("", float(growth.words[-1]))
        up = count_axis("", float(growth.types[-1]))
        area = plot_area(self.width(), self.height(), [text for _, text in up.ticks])

        def at(words: float, types: float) -> QPointF:
            return QPointF(
                area.left() + area.width() * words / across.high, area.bottom() - area.height() * types / up.high
            )

        paint_axes(
            painter,
            area,
            [(at(0, tick).y(), text) for tick, text in up.ticks],
            [(at(tick, 0).x(), text) for tick, text in across.ticks],
            tr("Different words, by the number of words read"),
        )
        painter.setClipRect(area.adjusted(0, -scaled(2), scaled(2), 0))
        painter.setPen(QPen(qcolor("accent"), max(1, scaled(2))))
        painter.drawPolyline(QPolygonF([at(*each) for each in zip(growth.words, growth.types, strict=True)]))
        if self._heaps is not None:
            painter.setPen(QPen(qcolor("text"), max(1, scaled(1.5)), Qt.PenStyle.DashLine))
            law = self._heaps
            painter.drawPolyline(
                QPolygonF([at(each, law.factor * each**law.exponent) for each in growth.words.tolist()])
            )

    def sizeHint(self) -> QSize:
        """Wider than high."""
        return QSize(em(30), em(15))

    def minimumSizeHint(self) -> QSize:
        """Room for the axes and the lines."""
        return QSize(em(16), em(9))
