"""How the tokenizer split the hits: chips to the right of the count, most frequent first."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QHelpEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from explorer.gui.screens.screen import text_order
from explorer.gui.screens.search.query.cuts import CutChip
from explorer.gui.style.theme import monospace, qcolor
from explorer.gui.style.token_marks import about_tokens, marks_in
from explorer.gui.style.untrusted import tip
from explorer.i18n import tr, trn

_GAP = 6
_PADDING = 8
_MOST_CHIPS = 3
_MOST_TOLD = 20
"""Cuts that a tool tip lists, and that assistive technology is told."""


class CutChips(QWidget):
    """The most common cuts that fit; the last chip counts the others. Hovering lists them."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.cuts: tuple[CutChip, ...] = ()
        self.more = 0
        self._allowed = True
        # Wider than any window, until the query field gives the room that it has.
        self._room = 1 << 20
        text_order(self)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Cuts"))
        self.hide()

    def show_cuts(self, cuts: Sequence[CutChip], more: int = 0) -> None:
        """Show other cuts.

        more: The number of cuts that are not given.
        """
        self.cuts, self.more = tuple(cuts), more
        self.setAccessibleDescription("\n".join(cut.told for cut in self.cuts[:_MOST_TOLD]))
        self.setVisible(self._allowed and bool(self.cuts))
        self.updateGeometry()
        self.update()

    def allow(self, shown: bool) -> None:
        """Show the cuts, if there are any, or hide them for a while."""
        self._allowed = shown
        self.setVisible(shown and bool(self.cuts))

    def _total(self) -> int:
        return len(self.cuts) + self.more

    def _texts(self, number: int) -> list[tuple[str, CutChip | None]]:
        """The chips that are shown with a number of cuts: these, and one for the rest."""
        if not number:
            return [(trn("split {n:,} way", "split {n:,} ways", self._total()), None)]
        shown: list[tuple[str, CutChip | None]] = [(cut.shown, cut) for cut in self.cuts[:number]]
        rest = self._total() - number
        return shown + ([(trn("{n:,} more", "{n:,} more", rest), None)] if rest else [])

    def _width(self, texts: Sequence[tuple[str, CutChip | None]], name: str = "") -> int:
        metrics = QFontMetrics(monospace())
        chips = sum(metrics.horizontalAdvance(text) + 2 * _PADDING + _GAP for text, _ in texts)
        return chips + (QFontMetrics(self.font()).horizontalAdvance(name) + _GAP if name else 0) + 2

    def _name(self, number: int, room: int) -> str:
        """What is before the chips: what they are, with the marks in them if there is room; "" before a mere number."""
        if not number:
            return ""
        texts = self._texts(number)
        marks = marks_in([cut.text for _, cut in texts if cut is not None])
        long = tr("As tokens (· cut, {marks})", marks=marks) if marks else tr("As tokens (· cut)")
        return long if self._width(texts, long) <= room else tr("As tokens")

    def set_room(self, pixels: int) -> None:
        """Use no more than this width, unless their number needs more."""
        if pixels != self._room:
            self._room = pixels
            self.updateGeometry()

    @property
    def least(self) -> int:
        """Width in pixels that their number needs."""
        return self._width(self._texts(0))

    def sizeHint(self) -> QSize:
        """One line with as many cuts as fit."""
        number = self._fitting(self._room)
        width = self._width(self._texts(number), self._name(number, self._room))
        return QSize(width, QFontMetrics(monospace()).height() + 10)

    def _fitting(self, room: int) -> int:
        """How many of the most common cuts fit."""
        number, name = min(_MOST_CHIPS, len(self.cuts)), tr("As tokens")
        while number and self._width(self._texts(number), name) > room:
            number -= 1
        return number

    def placed(self) -> tuple[str, list[tuple[QRect, str, CutChip | None]]]:
        """The name before the chips, if it fits, and the chips with their positions, at the right end."""
        number = self._fitting(self.width())
        texts = self._texts(number)
        metrics = QFontMetrics(monospace())
        # The width includes a gap after the last chip.
        left = self.width() - self._width(texts) + _GAP
        placed = []
        for text, cut in texts:
            width = metrics.horizontalAdvance(text) + 2 * _PADDING
            placed.append((QRect(left, 1, width, self.height() - 3), text, cut))
            left += width + _GAP
        return self._name(number, self.width()), placed

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the name and the chips."""
        painter = QPainter(self)
        painter.setLayoutDirection(self.layoutDirection())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        name, chips = self.placed()
        if not chips:
            return
        painter.setPen(qcolor("muted"))
        before = QRect(0, 0, chips[0][0].left() - _GAP - 2, self.height() - 1)
        painter.drawText(before, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, name)
        painter.setFont(monospace())
        for rect, text, cut in chips:
            painter.setPen(qcolor("line"))
            painter.setBrush(qcolor("surface"))
            painter.drawRoundedRect(rect, 5, 5)
            painter.setPen(qcolor("muted" if cut is None else "text"))
            painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, text)
        painter.end()

    def event(self, event: QEvent) -> bool:
        """List one cut, or all, in a tool tip."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            QToolTip.showText(event.globalPos(), tip(self._tip_at(event)), self)
            return True
        return super().event(event)

    def _tip_at(self, event: QHelpEvent) -> str:
        found = [cut for rect, _, cut in self.placed()[1] if rect.contains(event.pos())]
        if found and found[0] is not None:
            return found[0].told
        lines = [cut.told for cut in self.cuts[:_MOST_TOLD]]
        rest = self._total() - len(lines)
        lines.insert(0, tr("How the tokenizer cuts what was found into tokens, and how often:"))
        lines.insert(0, about_tokens([cut.text for cut in self.cuts]))
        return "\n".join([*lines, *([trn("… and {n:,} more", "… and {n:,} more", rest)] if rest else [])])
