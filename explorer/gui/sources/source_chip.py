"""The chip of a source: the shape of its marks, its name, and the number of its texts."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import QWidget

from explorer.gui.sources.inputs import SourceRow
from explorer.gui.sources.marks import draw_mark
from explorer.gui.style.icons import draw_icon
from explorer.gui.style.theme import chrome, font_of, qcolor, scaled
from explorer.gui.style.untrusted import plain, tip
from explorer.gui.widgets.painting import PaintedButton, draw_words, ring, rounded
from explorer.i18n import counted, tr

_PAD, _GAP, _MARK, _CROSS, _RADIUS = 10, 6, 22, 12, 5
_WIDEST = 180
"""Pixels of a name at most, for text of 10 points."""


class SourceChip(PaintedButton):
    """A source that can be chosen and removed. `removed()`: its cross was pressed, or Delete while it had the focus."""

    removed = Signal()

    def __init__(self, row: SourceRow, icon: str = "", removable: bool = True, parent: QWidget | None = None) -> None:
        self._row, self._icon, self._removable = row, icon, removable
        self._short = False
        super().__init__(row.name, parent)
        self.setCheckable(True)
        self.show_row(row, removable)

    def shorten(self, short: bool) -> None:
        """Leave out the number of texts, which the tool tip keeps, but not that there is none yet."""
        if short != self._short:
            self._short = short
            self.updateGeometry()
            self.update()

    @property
    def key(self) -> str:
        """What chooses the source."""
        return self._row.key

    def show_row(self, row: SourceRow, removable: bool) -> None:
        """Show a source."""
        self._row, self._removable = row, removable
        self.set_words(row.name)
        self.setAccessibleName(f"{row.name}, {self.amount}")
        self.setAccessibleDescription(tr("Delete removes it") if removable else "")
        self.setToolTip(tip(plain(f"{row.name}\n{self.amount}")))

    @property
    def amount(self) -> str:
        """The number of its texts in words."""
        if self._row.texts is None:
            return tr("reading …")
        return counted("text", self._row.texts) if self._row.texts else tr("none")

    def sizeHint(self) -> QSize:
        """As wide as its words, up to a limit for the name."""
        return QSize(self.width_of(self._short), chrome(28))

    def width_of(self, short: bool) -> int:
        """Its width without the number of texts, or with it."""
        amount = self._amount_of(short)
        gap = scaled(_GAP) if amount else 0
        return self._name_width() + QFontMetrics(font_of(0.92)).horizontalAdvance(amount) + 1 + gap + self._around()

    def minimumSizeHint(self) -> QSize:
        """It is never cut: its row wraps."""
        return self.sizeHint()

    def _name_width(self) -> int:
        # Measured with the weight of a chosen one: a choice must not move its neighbors.
        return min(QFontMetrics(font_of(0.92, 600)).horizontalAdvance(self.words) + 1, scaled(_WIDEST))

    def _amount_of(self, short: bool) -> str:
        return "" if short and self._row.texts else self.amount

    def _around(self) -> int:
        mark = scaled(_MARK) + scaled(_GAP) if self._row.place >= 0 else 0
        icon = scaled(_CROSS) + scaled(_GAP) if self._icon else 0
        cross = scaled(_CROSS) + scaled(_GAP) if self._removable else 0
        return 2 * scaled(_PAD) + mark + icon + cross

    def cross(self) -> QRectF:
        """The area of its cross; empty if it has none."""
        # As wide as the chip is high: easier to hit than the cross that is drawn in it.
        side = self.height() if self._removable else 0
        return self.mirrored(QRectF(self.width() - side, 0, side, side))

    def draw(self, painter: QPainter) -> None:
        """Frame, mark, name, number and cross."""
        on = self.isChecked()
        area = QRectF(self.rect())
        fill, outline = ("select", "accent_mid") if on else ("hover" if self.hovered else "surface", "line_strong")
        rounded(painter, area, _RADIUS, fill, outline)
        if self.hasFocus():
            ring(painter, area, _RADIUS)
        left = float(scaled(_PAD))
        if self._row.place >= 0:
            where = self.mirrored(QRectF(left, 0, scaled(_MARK), self.height()))
            draw_mark(painter, where, self._row.place, "accent" if on else "muted", Qt.PenStyle.SolidLine)
            left += scaled(_MARK) + scaled(_GAP)
        if self._icon:
            side = scaled(_CROSS)
            draw_icon(painter, self._icon, self.mirrored(QRectF(left, (self.height() - side) / 2, side, side)), "text")
            left += side + scaled(_GAP)
        name, amount = self._name_width(), self._amount_of(self._short)
        painter.setFont(font_of(0.92, 600 if on else 500))
        painter.setPen(qcolor("text"))
        words = QFontMetrics(painter.font()).elidedText(self.words, Qt.TextElideMode.ElideMiddle, name)
        draw_words(painter, self.mirrored(QRectF(left, 0, name, self.height())), words)
        painter.setFont(font_of(0.92))
        painter.setPen(qcolor("muted"))
        width = QFontMetrics(painter.font()).horizontalAdvance(amount) + 1
        draw_words(painter, self.mirrored(QRectF(left + name + scaled(_GAP), 0, width, self.height())), amount)
        if self._removable:
            where = QRectF(0, 0, scaled(_CROSS), scaled(_CROSS))
            where.moveCenter(self.cross().center())
            draw_icon(painter, "close", where, "text" if self.hovered else "muted")

    def nextCheckState(self) -> None:
        """Stay as it is: the state decides which source is chosen."""

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A press on the cross removes; elsewhere it is a click."""
        if self.isDown() and self._removable and self.cross().contains(event.position()):
            # In place of the base class, for which the press would also be a click that chooses the source.
            self.setDown(False)
            self.removed.emit()
        else:
            super().mouseReleaseEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter clicks; Delete and Backspace remove."""
        key = event.key()
        if self._removable and key in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.removed.emit()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)
