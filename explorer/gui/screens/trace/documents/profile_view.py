"""The n-gram profile of a token as bars on a logarithmic scale, with their numbers."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from explorer.gui.charts.export.button import FigureButton
from explorer.gui.screens.screen import label
from explorer.gui.screens.trace.documents.profile_state import ProfilePresenter, ProfileRow, ProfileState
from explorer.gui.style.surfaces import when_restyled
from explorer.gui.style.theme import chrome, font_of, qcolor, scaled
from explorer.gui.threads.runner import Runner
from explorer.gui.widgets.fields.buttons import icon_button
from explorer.gui.widgets.layouts.flow_layout import flowing
from explorer.gui.widgets.notices.dimmed import Dimmer
from explorer.i18n import mark, numeral, tr

_SMALL = 0.92
_LEGEND = (
    (mark("context occurs"), "whole"),
    (mark("plateau"), "plateau"),
    (mark("this token follows"), "part"),
)


def _fill(painter: QPainter, area: QRectF, kind: str) -> None:
    """Fill a bar: the whole is pale, a plateau is hatched, the part that agrees is dark and narrower."""
    painter.fillRect(area, qcolor("accent" if kind == "part" else "bar"))
    if kind == "plateau":
        # On top of the pale fill: a pattern, so that a plateau is seen without color, too.
        painter.fillRect(area, QBrush(qcolor("muted"), Qt.BrushStyle.BDiagPattern))


class LegendSample(QWidget):
    """A sample of a bar with its meaning."""

    def __init__(self, text: str, kind: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text, self._kind = text, kind
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(text)

    def sizeHint(self) -> QSize:
        """The sample and its words."""
        metrics = QFontMetrics(font_of(_SMALL))
        return QSize(scaled(25) + metrics.horizontalAdvance(self._text) + 2, metrics.height() + scaled(4))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint them."""
        painter = QPainter(self)
        painter.setFont(font_of(_SMALL))
        side = scaled(12)
        _fill(painter, QRectF(0, (self.height() - side) / 2, side * 1.5, side), self._kind)
        painter.setPen(qcolor("muted"))
        place = self.rect().adjusted(scaled(25), 0, 0, 0)
        painter.drawText(place, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, self._text)
        painter.end()


class ProfileBars(QWidget):
    """One row per n: its number, the two bars, the counts."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows: tuple[ProfileRow, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("N-gram profile"))
        when_restyled(self, self.updateGeometry)

    def show_rows(self, rows: tuple[ProfileRow, ...]) -> None:
        """Show another profile."""
        self._rows = rows
        # For screen readers: what is painted has no text that they could find.
        told = (f"n {row.n}: {numeral(row.count)}, {row.share}" for row in rows)
        self.setAccessibleDescription("; ".join(told))
        self.updateGeometry()
        self.update()

    @property
    def rows(self) -> tuple[ProfileRow, ...]:
        """What is shown."""
        return self._rows

    def sizeHint(self) -> QSize:
        """A line per row, and the header."""
        return QSize(scaled(320), self._line() * (len(self._rows) + 1))

    def minimumSizeHint(self) -> QSize:
        """All rows are shown; what is around scrolls."""
        return QSize(scaled(220), self.sizeHint().height())

    def _line(self) -> int:
        return max(chrome(24), QFontMetrics(font_of(_SMALL)).height() + scaled(6))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the header and the rows."""
        painter = QPainter(self)
        painter.setFont(font_of(_SMALL))
        metrics, line = QFontMetrics(font_of(_SMALL)), self._line()
        # Each column is as wide as its widest text in this profile. The bars get the room that is left.
        name = max([metrics.horizontalAdvance(row.n) for row in self._rows] + [metrics.horizontalAdvance("n")])
        numbers = [metrics.horizontalAdvance(numeral(row.count)) for row in self._rows]
        most = max([*numbers, metrics.horizontalAdvance(tr("occurs"))])
        # “> 99%” is the widest share, so the last column does not move from token to token.
        follows = max(metrics.horizontalAdvance(tr("follows")), metrics.horizontalAdvance(tr("> 99%")))
        gap = scaled(8)
        left, right = name + gap, self.width() - most - follows - 2 * gap
        cells = ((0, name), (right + gap, most), (right + most + 2 * gap, follows))
        painter.setPen(qcolor("muted"))
        self._paint_cells(painter, 0, line, cells, ("n", tr("occurs"), tr("follows")))
        for number, row in enumerate(self._rows, start=1):
            top = number * line
            height = line - scaled(6)
            # In a narrow panel there may be no room for bars: a negative width would paint them over the numbers.
            bar = QRectF(left, top + scaled(3), max(0, right - left) * row.whole, height)
            _fill(painter, bar, "plateau" if row.plateau else "whole")
            # Half as high, so that the bar of all occurrences is seen around it even where both are equally long.
            inner = QRectF(left, bar.top() + height * 0.25, max(0, right - left) * row.part, height * 0.5)
            _fill(painter, inner, "part")
            painter.setPen(qcolor("text"))
            self._paint_cells(painter, top, line, cells, (row.n, numeral(row.count), row.share))
        painter.end()

    def _paint_cells(
        self, painter: QPainter, top: int, line: int, cells: tuple[tuple[int, int], ...], texts: tuple[str, ...]
    ) -> None:
        # Absolutely: the plot runs from left to right in any window, and its numbers end at one place.
        side = Qt.AlignmentFlag.AlignAbsolute | Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        for (x, width), text in zip(cells, texts, strict=True):
            painter.drawText(QRectF(x, top, width, line), side, text)


class ProfilePage(QWidget):
    """Draws the profile of a token; a click in the text chooses another one.

    presenter: What it shows, and what is done with it.
    charter: Makes the charts of figures.
    """

    def __init__(self, presenter: ProfilePresenter, charter: Runner, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.presenter = presenter
        self.heading = label("", "heading")
        self.heading.setWordWrap(True)
        self.back = icon_button("chevron-left", tr("Previous token"))
        self.forth = icon_button("chevron-right", tr("Next token"))
        self.sentence = label("", "muted")
        self.sentence.setWordWrap(True)
        self.bars = ProfileBars()
        self.legend = flowing(*(LegendSample(tr(text), kind) for text, kind in _LEGEND))
        self.figure_button = FigureButton(charter, presenter.charts, presenter.fail)
        self._lay_out()
        self.back.clicked.connect(lambda: presenter.step(-1))
        self.forth.clicked.connect(lambda: presenter.step(1))
        # Drawn once before it watches: presenters report changes only.
        self.draw(presenter.state)
        presenter.watch(lambda state, before: self.draw(state))

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.addWidget(self.heading, 1)
        head.addWidget(self.back)
        head.addWidget(self.forth)
        inner = QWidget()
        column = QVBoxLayout(inner)
        column.setContentsMargins(0, 0, scaled(8), 0)
        column.setSpacing(8)
        for part in (self.sentence, self.legend, self.bars):
            column.addWidget(part)
        column.addStretch(1)
        # Only explanation and bars scroll. The token, the steps to its neighbors and the figure stay in view.
        scroll = QScrollArea(widgetResizable=True)
        scroll.setFrameShape(QScrollArea.Shape.NoFrame)
        scroll.setWidget(inner)
        row = QHBoxLayout()
        row.addWidget(self.figure_button)
        row.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 12, 0, 0)
        layout.setSpacing(8)
        layout.addLayout(head)
        layout.addWidget(scroll, 1)
        layout.addLayout(row)
        self._stale = Dimmer(self.bars, parent=self)

    def draw(self, state: ProfileState) -> None:
        """Draw a profile."""
        self.heading.setText(state.heading)
        self.sentence.setText(state.sentence)
        self.bars.show_rows(state.rows)
        for part in (self.bars, self.legend):
            part.setVisible(bool(state.rows))
        tokens = 0 if state.traced is None else state.traced.trace.token_count
        self.back.setEnabled(state.token > 0)
        self.forth.setEnabled(0 <= state.token < tokens - 1)
        self.figure_button.setEnabled(state.answer.value is not None)
        # An awaited profile is dimmed only after a moment: most arrive sooner, and each step would flicker.
        self._stale.set_stale(state.dimmed, at_once=not state.answer.awaited)
