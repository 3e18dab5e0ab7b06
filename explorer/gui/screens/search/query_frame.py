"""The frame of the query: its field and, at the right end, its switches and menus."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QRect, QRectF
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QToolButton, QWidget

from explorer.gui.icons import icon
from explorer.gui.screens.search.match_choice import MatchChoice
from explorer.gui.theme import qcolor, scaled, text_size

_COMPACT_EMS = 52
"""Below this width, in sizes of the text, the switches show pictures instead of names."""
_LENS = 16


class QueryFrame(QWidget):
    """Draws one border around its widgets, with a ring while the field has the focus."""

    def __init__(self, field: QLineEdit, choice: MatchChoice, tools: Sequence[QToolButton]) -> None:
        super().__init__()
        self._field, self._choice = field, choice
        self._compact = False
        self._layout = QHBoxLayout(self)
        self._layout.setSpacing(6)
        self._layout.addWidget(field, 1)
        for part in (choice, *tools, choice.menu_button):
            self._layout.addWidget(part)
        field.installEventFilter(self)
        self._leave_room()

    def _leave_room(self) -> None:
        self._layout.setContentsMargins(scaled(_LENS) + 16, 4, 6, 4)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Draw the border again when the field gets or loses the focus.

        Parameters
        ----------
        watched
            The field.
        event
            Its event.

        Returns
        -------
        bool
            False: the field gets every event.
        """
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            self.update()
        return False

    def changeEvent(self, event: QEvent) -> None:
        """Leave room for the lens, which grows with the text."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._leave_room()
            self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show the names of the switches, or icons if there is no room for names."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        compact = self.width() < _COMPACT_EMS * text_size()
        if compact != self._compact:
            self._compact = compact
            self._choice.set_compact(compact)
            # Otherwise the new sizes are shown only after two more turns of the event loop.
            self._choice.row.activate()
            self._layout.activate()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw border, background and lens."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        focused = self._field.hasFocus()
        pen = QPen(qcolor("accent" if focused else "line_strong"), 2 if focused else 1)
        painter.setPen(pen)
        painter.setBrush(qcolor("surface"))
        inset = pen.widthF() / 2
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(inset, inset, -inset, -inset), 8, 8)
        size = scaled(_LENS)
        left = 12 if not self.isRightToLeft() else self.width() - 12 - size
        icon("search").paint(painter, QRect(left, (self.height() - size) // 2, size, size))
        painter.end()
