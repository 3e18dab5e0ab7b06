"""Small framed words: facts, filters that can be removed, choices, and what can be added."""

from __future__ import annotations

from typing import Literal

from PySide6.QtCore import QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QKeyEvent, QMouseEvent, QPainter, QResizeEvent
from PySide6.QtWidgets import QWidget

from explorer.gui.style.icons import draw_icon
from explorer.gui.style.theme import chrome, font_of, monospace, qcolor, scaled
from explorer.gui.style.untrusted import tip
from explorer.gui.widgets.painting import PaintedButton, draw_words, ring, rounded
from explorer.i18n import tr

Role = Literal["plain", "filter", "chosen", "add", "warn", "token"]

_LOOKS: dict[str, tuple[str, str, str]] = {
    "plain": ("surface", "line", "text"),
    "filter": ("accent_soft", "accent_mid", "text"),
    "chosen": ("select", "accent", "accent"),
    "add": ("", "line_strong", "muted"),
    "warn": ("warn_soft", "warn_line", "warn"),
    "token": ("raised", "line", "text"),
}
"""Fill, outline and ink of each role."""
_ICONS = {"add": "plus", "warn": "warning"}
_RADIUS, _PAD, _GAP, _ICON, _CROSS = 4, 8, 6, 12, 12
_WIDEST = 280
"""Pixels of a chip at most, for text of 10 points: its tool tip has the rest."""


class Chip(PaintedButton):
    """A word in a frame. `removed()`: its cross was pressed, or Delete or Backspace while it had the focus.

    text: Its words. What does not fit is elided, and then its tool tip has the whole text.
    role: "plain": a fact or an example; "filter": a condition that is in force; "chosen": the current choice; "add":
        opens what adds one; "warn": a doubt; "token": a token, in the code font.
    removable: Whether it has a cross.

    Notes
    -----
    A chip with `setCheckable(True)` is "plain" or "chosen" as it is off or on.

    Examples
    --------
    >>> from PySide6.QtWidgets import QApplication
    >>> application = QApplication.instance() or QApplication(["", "-platform", "offscreen"])
    >>> chip = Chip("dataset is koala", "filter", removable=True)
    >>> chip.removed.connect(chip.close)  # doctest: +SKIP
    """

    removed = Signal()
    SIZE = 0.92
    _role: Role = "plain"
    _removable = False
    _hint = ""

    def __init__(self, text: str, role: Role = "plain", removable: bool = False, parent: QWidget | None = None) -> None:
        # Before the base class, which sets the words: that measures them, and looks at whether they are elided.
        self._role = role
        self._removable = removable
        self._hint = ""
        super().__init__(text, parent)
        if removable:
            self.setAccessibleDescription(tr("Delete removes it"))
        # Moves of the pointer matter only to the cross, which has no widget of its own.
        self.setMouseTracking(removable)

    @property
    def role(self) -> Role:
        """How it looks now."""
        return "chosen" if self.isChecked() else self._role

    def set_role(self, role: Role) -> None:
        """Give it another look."""
        self._role = role
        self.updateGeometry()
        self.update()

    def set_hint(self, text: str) -> None:
        """Set a tool tip; without one, an elided chip shows its whole text."""
        self._hint = text
        self._show_hint()

    def sizeHint(self) -> QSize:
        """As wide as its words, up to a limit."""
        # Where it can be chosen, it is measured with the weight of a chosen one: a choice must not move its neighbors.
        weight = 600 if self.isCheckable() or self._role == "chosen" else 0
        words = QFontMetrics(self._font(weight)).horizontalAdvance(self.words) + 1
        return QSize(min(words + self._around(), scaled(_WIDEST)), chrome(24))

    def minimumSizeHint(self) -> QSize:
        """Room for a few letters."""
        return QSize(min(self.sizeHint().width(), self._around() + scaled(40)), chrome(24))

    def cross(self) -> QRectF:
        """The area of its cross; empty if it has none."""
        if not self._removable:
            return QRectF()
        # A square over the whole height: the drawn cross alone would be hard to hit.
        side = self.height()
        return self.mirrored(QRectF(self.width() - side, 0, side, side))

    def shown_words(self) -> str:
        """The words as they are drawn: elided if they do not fit."""
        # The pixel that `sizeHint` adds: widths of letters are rounded, and the last one must not be cut for that.
        room = self.width() - self._around() + 1
        return QFontMetrics(self._font()).elidedText(self.words, Qt.TextElideMode.ElideRight, room)

    def draw(self, painter: QPainter) -> None:
        """Fill, icon, words and cross."""
        fill, outline, ink = _LOOKS[self.role]
        if not self.isEnabled():
            fill, outline, ink = "", "line", "faint"
        elif self.hovered and self.role in ("plain", "add", "token"):
            fill, outline = "hover", "line_strong"
        area = QRectF(self.rect())
        rounded(painter, area, _RADIUS, fill, outline, dashed=self.role == "add")
        if self.hasFocus():
            ring(painter, area, _RADIUS)
        left = float(scaled(_PAD))
        if name := _ICONS.get(self.role):
            side = scaled(_ICON)
            draw_icon(painter, name, self.mirrored(QRectF(left, (self.height() - side) / 2, side, side)), ink)
            left += side + scaled(_GAP)
        painter.setFont(self._font())
        painter.setPen(qcolor(ink))
        words = self.mirrored(QRectF(left, 0, self.width() - self._around() + 1, self.height()))
        draw_words(painter, words, self.shown_words())
        if self._removable:
            self._draw_cross(painter)

    def _draw_cross(self, painter: QPainter) -> None:
        area, side = self.cross(), scaled(_CROSS)
        over = self.hovered and area.contains(self.mapFromGlobal(self.cursor().pos()))
        where = QRectF(0, 0, side, side)
        where.moveCenter(area.center())
        draw_icon(painter, "close", where, "text" if over else "muted" if self.isEnabled() else "faint")

    def _font(self, weight: int = 0) -> QFont:
        heavy = weight or (600 if self.role == "chosen" else 400)
        if self._role != "token":
            return font_of(self.SIZE, heavy)
        font = monospace()
        font.setPointSizeF(font.pointSizeF() * 0.85)
        font.setWeight(QFont.Weight(heavy))
        return font

    def _around(self) -> int:
        """Pixels left and right of the words."""
        icon = scaled(_ICON) + scaled(_GAP) if self._role in _ICONS else 0
        cross = scaled(_CROSS) + scaled(_GAP) if self._removable else 0
        return 2 * scaled(_PAD) + icon + cross

    def _show_hint(self) -> None:
        elided = self.shown_words() != self.words
        self.setToolTip(tip(self._hint or (self.words if elided else "")))

    def set_words(self, text: str) -> None:
        """Show other words."""
        super().set_words(text)
        self._show_hint()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Let the tool tip tell what is elided now."""
        super().resizeEvent(event)
        self._show_hint()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Show whether the pointer is over the cross."""
        super().mouseMoveEvent(event)
        self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A press on the cross removes; elsewhere it is a click."""
        if self.isDown() and self._on_cross(event.position().toPoint()):
            # The base class would release it, but also click.
            self.setDown(False)
            self.removed.emit()
        else:
            super().mouseReleaseEvent(event)

    def _on_cross(self, at: QPoint) -> bool:
        return self._removable and self.cross().contains(at)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter clicks; Delete and Backspace remove."""
        key = event.key()
        if self._removable and key in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.removed.emit()
        # Qt's own buttons take Enter in a dialog; elsewhere usually the space bar only.
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)
