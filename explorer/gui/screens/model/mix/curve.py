"""The mixture by λ, drawn: both halves of the text, and the λ that were tuned."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QHelpEvent, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from explorer.analyses.mix.mixing import CurvePoint
from explorer.corpus.results.model.mixing import Mix
from explorer.export.charts.mix_charts import curve_range, measure, value_ticks
from explorer.gui.style.theme import em, font_of, qcolor, scaled, width_of
from explorer.gui.style.untrusted import tip
from explorer.i18n import numeral, tr

_HALVES = (("first", "ghost", Qt.PenStyle.DashLine), ("second", "accent", Qt.PenStyle.SolidLine))


class MixCurve(QWidget):
    """Perplexity, or bits per character, over the part of the corpus."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName(tr("Mixture by λ"))
        self._found: Mix | None = None

    def show_mix(self, found: Mix | None) -> None:
        """Draw another mixture; None for none."""
        self._found = found
        self.setAccessibleDescription("; ".join(text for _, text in self._tuned()))
        self.update()

    def _tuned(self) -> list[tuple[float, str]]:
        """The tuned λ with what is written beside them."""
        if self._found is None:
            return []
        weights = self._found.weights
        return [
            (weights.sparse, tr("one next token: λ {value}", value=numeral(weights.sparse, ".3f"))),
            (weights.other, tr("elsewhere: λ {value}", value=numeral(weights.other, ".3f"))),
        ]

    # --- places --------------------------------------------------------------------------------------

    def _area(self, ticks: list[str]) -> QRectF:
        # As wide as the widest number: perplexities may have any number of digits.
        wide = max((width_of(words, 0.85) for words in ticks), default=0)
        left, line = wide + scaled(14), em(1.3)
        # Above: two lines for the λ; below: the numbers, the label of the axis and the legend.
        return QRectF(
            left, scaled(10) + 2 * line, max(10.0, self.width() - left - scaled(18)),
            max(10.0, self.height() - 5.2 * line - scaled(14)),
        )  # fmt: skip

    def _labels(self) -> list[tuple[float, str]]:
        if self._found is None:
            return []
        low, high = curve_range(self._found.curve)
        return [(tick, numeral(tick, ",g")) for tick in value_ticks(low, high)]

    def _at(self, area: QRectF, weight: float, value: float) -> QPointF:
        assert self._found is not None
        low, high = curve_range(self._found.curve)
        return QPointF(
            area.left() + weight * area.width(), area.bottom() - (value - low) / (high - low) * area.height()
        )

    # --- painting ------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        """Axes, both curves, and the tuned λ."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        # A plot is read from left to right everywhere, with its numbers left of the axis.
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        if self._found is not None:
            labels = self._labels()
            area = self._area([words for _, words in labels])
            self._draw_axes(painter, area, labels)
            for half, color, style in _HALVES:
                self._draw_curve(painter, area, half, color, style)
            self._draw_tuned(painter, area)
            self._draw_legend(painter, area)
        painter.end()

    def _draw_axes(self, painter: QPainter, area: QRectF, labels: list[tuple[float, str]]) -> None:
        painter.setFont(font_of(0.85))
        high = painter.fontMetrics().height()
        for value, words in labels:
            y = self._at(area, 0, value).y()
            painter.setPen(QPen(qcolor("grid"), 1))
            painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y))
            painter.setPen(qcolor("muted"))
            room = QRectF(0, y - high, area.left() - scaled(8), 2 * high)
            painter.drawText(room, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, words)
        # In fifths, as in the figure that is exported.
        for fifth in range(6):
            x = area.left() + fifth / 5 * area.width()
            words = numeral(fifth / 5, "g")
            wide = painter.fontMetrics().horizontalAdvance(words) + 2.0
            painter.drawText(
                QRectF(x - wide / 2, area.bottom() + scaled(4), wide, high), Qt.AlignmentFlag.AlignCenter, words
            )
        room = QRectF(0, area.bottom() + scaled(4) + high, self.width(), high)
        assert self._found is not None
        measured = tr("Perplexity") if self._found.same_tokenizer else tr("Bits per character")
        label = tr("{measure} by the part of the corpus (λ, a single one)", measure=measured)
        words = painter.fontMetrics().elidedText(label, Qt.TextElideMode.ElideRight, int(room.width()))
        painter.drawText(room, Qt.AlignmentFlag.AlignCenter, words)

    # Where a token is impossible for the mixture, as with λ = 1, there is nothing to draw.
    def _values(self, half: str) -> list[tuple[CurvePoint, float]]:
        assert self._found is not None
        found = [(point, measure(getattr(point, half))) for point in self._found.curve]
        return [(point, value) for point, value in found if value is not None]

    def _draw_curve(self, painter: QPainter, area: QRectF, half: str, color: str, style: Qt.PenStyle) -> None:
        path = QPainterPath()
        for number, (point, value) in enumerate(self._values(half)):
            at = self._at(area, point.weight, value)
            path.lineTo(at) if number else path.moveTo(at)
        painter.save()
        # Near λ = 1 the curve may leave the plot: the best λ could not be seen otherwise.
        painter.setClipRect(area)
        painter.setPen(QPen(qcolor(color), max(1, scaled(2)), style))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPath(path)
        painter.restore()

    def _draw_tuned(self, painter: QPainter, area: QRectF) -> None:
        painter.setFont(font_of(0.85))
        metrics = painter.fontMetrics()
        # A line of text for each: the two λ are often close to each other.
        for line, (weight, words) in enumerate(self._tuned()):
            x, top = area.left() + weight * area.width(), scaled(4) + line * em(1.3)
            painter.setPen(QPen(qcolor("muted"), 1, Qt.PenStyle.DotLine))
            painter.drawLine(QPointF(x, top + metrics.height()), QPointF(x, area.bottom()))
            painter.setPen(qcolor("text"))
            shown = metrics.elidedText(words, Qt.TextElideMode.ElideRight, self.width())
            wide = metrics.horizontalAdvance(shown) + 2.0
            left = min(max(0.0, x - scaled(2)), self.width() - wide)
            painter.drawText(QRectF(left, top, wide, metrics.height()), Qt.AlignmentFlag.AlignLeft, shown)

    def _draw_legend(self, painter: QPainter, area: QRectF) -> None:
        painter.setFont(font_of(0.85))
        metrics = painter.fontMetrics()
        left, top = area.left(), area.bottom() + scaled(6) + 2 * metrics.height()
        for (_, color, style), words in zip(
            _HALVES, (tr("first half (tuned on)"), tr("second half (reported)")), strict=True
        ):
            middle = top + metrics.height() / 2
            painter.setPen(QPen(qcolor(color), max(1, scaled(2)), style))
            painter.drawLine(QPointF(left, middle), QPointF(left + scaled(22), middle))
            left += scaled(28)
            painter.setPen(qcolor("muted"))
            shown = metrics.elidedText(words, Qt.TextElideMode.ElideRight, max(0, int(self.width() - left)))
            wide = metrics.horizontalAdvance(shown) + 2.0
            painter.drawText(QRectF(left, top, wide, metrics.height()), Qt.AlignmentFlag.AlignLeft, shown)
            left += wide + scaled(14)

    # --- pointer -------------------------------------------------------------------------------------

    def event(self, event: QEvent) -> bool:
        """Give the figures at the pointer's λ in a tool tip."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip and self._found is not None:
            area = self._area([words for _, words in self._labels()])
            weight = (event.pos().x() - area.left()) / area.width()
            inside = area.contains(QPointF(event.pos()))
            QToolTip.showText(event.globalPos(), tip(self._told(weight)) if inside else "", self)
            return True
        return super().event(event)

    def _told(self, weight: float) -> str:
        assert self._found is not None
        # The nearest λ that was computed: the figures between two are not known.
        point = min(self._found.curve, key=lambda each: abs(each.weight - weight))
        first, second = (
            "∞" if value is None else numeral(value, ",.3f") for value in (measure(point.first), measure(point.second))
        )
        return tr(
            "λ {weight}: first half {first}, second half {second}",
            weight=numeral(point.weight, "g"), first=first, second=second,
        )  # fmt: skip

    def sizeHint(self) -> QSize:
        """Twice as wide as high."""
        return QSize(em(36), em(18))

    def minimumSizeHint(self) -> QSize:
        """Room for the axes and the curve."""
        return QSize(em(22), em(15))
