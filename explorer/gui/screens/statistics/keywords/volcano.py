"""Effect and evidence of keywords, drawn: log ratio across, G² up on a logarithmic axis."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import ceil, floor, log10

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QHelpEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from explorer.analyses.keywords.chart import evidence_ticks
from explorer.chart import nice_step, short_number
from explorer.gui.charts.plot_axes import paint_axes, plot_area
from explorer.gui.screens.statistics.keywords.work import KeyDot
from explorer.gui.style.text_positions import short_text
from explorer.gui.style.theme import em, font_of, qcolor, scaled, width_of
from explorer.gui.style.untrusted import tip
from explorer.i18n import numeral, tr

_NAMED = 12
"""Words of each side that have their names where there is room for them."""
_NEAR = 12
"""Pixels from the middle of a dot within which it is meant."""


class VolcanoPlot(QWidget):
    """A dot per keyword: filled where it is more frequent here, hollow where it is rarer; larger with more hits.

    choose: Called with the row of a dot that is clicked.
    """

    def __init__(self, choose: Callable[[int], None]) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName(tr("Effect and evidence"))
        self._choose = choose
        self._dots: tuple[KeyDot, ...] = ()
        self._row = -1
        self._at: list[QPointF] = []

    def show_dots(self, dots: Sequence[KeyDot]) -> None:
        """Draw other keywords."""
        self._dots = tuple(dots)
        self.update()

    def mark_row(self, row: int) -> None:
        """Set one keyword off.

        row: Its row; -1 for none.
        """
        if row != self._row:
            self._row = row
            self.update()

    def dot_at(self, place: QPointF) -> KeyDot | None:
        """The keyword under a point; None for none."""
        reach = scaled(_NEAR)
        near = [
            (abs(at.x() - place.x()) + abs(at.y() - place.y()), number)
            for number, at in enumerate(self._at)
            if abs(at.x() - place.x()) < reach and abs(at.y() - place.y()) < reach
        ]
        return self._dots[min(near)[1]] if near else None

    def place_of(self, row: int) -> QPointF | None:
        """Where the keyword of a row is painted; None if it is not."""
        return next((at for at, dot in zip(self._at, self._dots, strict=False) if dot.row == row), None)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose the keyword that is clicked."""
        dot = self.dot_at(event.position())
        if dot is not None:
            self._choose(dot.row)
        super().mousePressEvent(event)

    def event(self, event: QEvent) -> bool:
        """Tell the keyword under the pointer."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            dot = self.dot_at(QPointF(event.pos()))
            words = "" if dot is None else tr(
                "{form}: log ratio {ratio}, G² {evidence}, {count} hits in both",
                form=dot.form,
                ratio=numeral(dot.ratio, "+.2f"),
                evidence=numeral(dot.evidence, ",.1f"),
                count=numeral(dot.hits),
            )  # fmt: skip
            QToolTip.showText(event.globalPos(), tip(words), self)
            return True
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Axes, dots, and names of the strongest ones."""
        self._at = []
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        # A plot is read from left to right everywhere, with its numbers left of the axis.
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        if self._dots:
            self._paint(painter)
        painter.end()

    def _paint(self, painter: QPainter) -> None:
        least = min(dot.evidence for dot in self._dots)
        most = max(dot.evidence for dot in self._dots)
        ticks = evidence_ticks(least, most)
        low, high = min(log10(ticks[0]), log10(least)), max(log10(ticks[-1]), log10(most))
        reach = max(1.0, *(abs(dot.ratio) for dot in self._dots)) * 1.08
        area = plot_area(self.width(), self.height(), [short_number(tick) for tick in ticks])
        # Room for the two words above.
        area.setTop(area.top() + em(1.3))

        def at(ratio: float, evidence: float) -> QPointF:
            x = area.center().x() + area.width() / 2 * ratio / reach
            return QPointF(x, area.bottom() - area.height() * (log10(evidence) - low) / max(1e-9, high - low))

        # Words less than twice as frequent on either side.
        band = QRectF(at(-1, least).x(), area.top(), at(1, least).x() - at(-1, least).x(), area.height())
        painter.fillRect(band, qcolor("hover"))
        step = nice_step(2 * reach, 8)
        steps = range(ceil(-reach / step), floor(reach / step) + 1)
        across = [(at(step * k, least).x(), numeral(step * k, "+g") if k else "0") for k in steps]
        ups = [(at(0, tick).y(), short_number(tick)) for tick in ticks]
        paint_axes(painter, area, ups, across, tr("Log ratio (+1 = twice as frequent) by G²"))
        painter.setPen(QPen(qcolor("line_strong"), 1))
        painter.drawLine(QPointF(at(0, least).x(), area.top()), QPointF(at(0, least).x(), area.bottom()))
        self._paint_sides(painter, area)
        self._at = [at(dot.ratio, dot.evidence) for dot in self._dots]
        largest = max(dot.hits for dot in self._dots)
        sizes = [scaled(2.5) + scaled(3) * (dot.hits / largest) ** 0.5 for dot in self._dots]
        self._paint_dots(painter, sizes)
        self._paint_names(painter, area, sizes)

    def _paint_sides(self, painter: QPainter, area: QRectF) -> None:
        painter.setFont(font_of(0.85))
        painter.setPen(qcolor("muted"))
        room = QRectF(area.left(), area.top() - em(1.4), area.width(), em(1.3))
        less, more = tr("← less frequent here"), tr("more frequent here →")
        painter.drawText(room, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, less)
        # Where both would not fit, they would be painted over each other.
        if width_of(less, 0.85) + width_of(more, 0.85) + em(1) < area.width():
            painter.drawText(room, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, more)

    def _paint_dots(self, painter: QPainter, sizes: Sequence[float]) -> None:
        accent, hollow = qcolor("accent"), qcolor("muted")
        filled = qcolor("accent")
        filled.setAlphaF(0.55)
        # The chosen one last, over the others.
        for number in sorted(range(len(self._dots)), key=lambda each: self._dots[each].row == self._row):
            dot, at, size = self._dots[number], self._at[number], sizes[number]
            chosen = dot.row == self._row
            painter.setPen(QPen(accent if dot.positive or chosen else hollow, scaled(2) if chosen else 1))
            if dot.positive:
                painter.setBrush(accent if chosen else filled)
            else:
                painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(at, size, size)
            if chosen:
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawEllipse(at, size + scaled(3), size + scaled(3))

    def _paint_names(self, painter: QPainter, area: QRectF, sizes: Sequence[float]) -> None:
        """The names of the strongest words of either side, where they cover neither each other nor other dots."""
        taken: list[QRectF] = []
        for number in self._named():
            dot, at = self._dots[number], self._at[number]
            chosen = dot.row == self._row
            name, weight = short_text(dot.form), 600 if chosen else 500
            width, gap = width_of(name, 0.92, weight) + scaled(2), sizes[number] + scaled(4)
            outwards, inwards = (at.x() + gap, at.x() - gap - width)[:: 1 if dot.positive else -1]
            # Beside the dot, but not over the words above the plot or the numbers below it.
            top = max(area.top(), min(at.y() - em(0.65), area.bottom() - em(1.3)))
            rooms = [QRectF(left, top, width, em(1.3)) for left in (outwards, inwards)]
            free = [room for room in rooms if self._is_free(room, area, taken, number)]
            if free or chosen:
                room = (free or rooms)[0]
                painter.setFont(font_of(0.92, weight))
                painter.setPen(qcolor("text"))
                painter.drawText(room, Qt.AlignmentFlag.AlignCenter, name)
                taken.append(room)

    def _is_free(self, room: QRectF, area: QRectF, taken: Sequence[QRectF], number: int) -> bool:
        """Whether a name has room within the plot, over no other name and no middle of another dot."""
        inside = area.adjusted(-scaled(4), 0, em(1.6), 0).contains(room)
        return (
            inside
            and not any(room.intersects(other) for other in taken)
            and not any(room.contains(at) for place, at in enumerate(self._at) if place != number)
        )

    def _named(self) -> list[int]:
        """The chosen word, then the strongest ones of either side."""
        chosen = [number for number, dot in enumerate(self._dots) if dot.row == self._row]
        order = sorted(range(len(self._dots)), key=lambda number: -self._dots[number].evidence)
        sides = ([each for each in order if self._dots[each].positive is side][:_NAMED] for side in (True, False))
        strongest = [number for side in sides for number in side]
        return chosen + [number for number in strongest if number not in chosen]

    def sizeHint(self) -> QSize:
        """Wider than high."""
        return QSize(em(34), em(22))

    def minimumSizeHint(self) -> QSize:
        """Room for the axes and some dots."""
        return QSize(em(18), em(11))
