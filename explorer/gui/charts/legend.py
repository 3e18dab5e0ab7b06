"""The names of a chart's layers, each after a sample of its look."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from explorer.chart import Bars, Dots
from explorer.export.drawing.drawer import Area
from explorer.export.drawing.marks import draw_sample
from explorer.gui.charts.ink import pixels_per_point, window_pens
from explorer.gui.style.theme import em, font_of, qcolor
from explorer.gui.widgets.layouts.flow_layout import FlowLayout
from explorer.gui.widgets.painting import draw_words

_SAMPLE, _GAP = 1.5, 0.5
"""Width of a sample, and the gap after it, in em."""
_MOST = 30
"""Width in em from which a name is cut."""


class ChartLegend(QWidget):
    """Names of layers in a row that wraps, from the side where lines of the window begin."""

    def __init__(self) -> None:
        super().__init__()
        self._layers: tuple[Bars | Dots, ...] = ()
        self._samples: list[_Sample] = []
        self._flow = FlowLayout(self, gap=16)

    def explain(self, layers: tuple[Bars | Dots, ...]) -> None:
        """Name other layers."""
        if layers == self._layers:
            return
        self._layers = layers
        self.setAccessibleName(", ".join(layer.name for layer in layers))
        for sample in self._samples:
            self._flow.removeWidget(sample)
            # Hide it at once: it is deleted only in the next turn of the event loop.
            sample.hide()
            sample.deleteLater()
        self._samples = [_Sample(layer) for layer in layers]
        for sample in self._samples:
            self._flow.addWidget(sample)
        self._keep_lines()

    def _keep_lines(self) -> None:
        # What is around it asks only for the least height, not for that of this width.
        self.setMinimumHeight(self._flow.heightForWidth(self.width()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the room of all its lines."""
        super().resizeEvent(event)
        self._keep_lines()


class _Sample(QWidget):
    """A layer, as it is drawn in the legend of the figure, and its name."""

    def __init__(self, layer: Bars | Dots) -> None:
        super().__init__()
        self._layer = layer
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(layer.name)

    def sizeHint(self) -> QSize:
        """The sample and the name."""
        metrics = QFontMetrics(font_of(0.92))
        words = min(metrics.horizontalAdvance(self._layer.name) + 1, em(_MOST))
        return QSize(em(_SAMPLE) + em(_GAP) + words, metrics.height() + 2)

    def minimumSizeHint(self) -> QSize:
        """The sample and a part of the name."""
        hint = self.sizeHint()
        return QSize(min(hint.width(), em(8)), hint.height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """The sample and the name."""
        painter = QPainter(self)
        right = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        side, room = em(_SAMPLE), self.width() - em(_SAMPLE) - em(_GAP)
        point = pixels_per_point()
        painter.save()
        area = Area((self.width() - side if right else 0) / point, 0, side / point, self.height() / point)
        draw_sample(window_pens(painter), area, self._layer)
        painter.restore()
        painter.setFont(font_of(0.92))
        painter.setPen(qcolor("muted"))
        painter.setLayoutDirection(self.layoutDirection())
        words = painter.fontMetrics().elidedText(self._layer.name, Qt.TextElideMode.ElideRight, room)
        draw_words(painter, QRectF(0 if right else side + em(_GAP), 0, room, self.height()), words)
        painter.end()
