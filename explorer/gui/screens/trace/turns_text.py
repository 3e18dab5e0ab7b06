"""A conversation as one text: what was asked in sunken bubbles, the answers with their marks."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QFont, QPainter, QTextBlockFormat, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QWidget

from explorer.gui.screens.trace.script import Placed, Script
from explorer.gui.screens.trace.traced_text import TracedText
from explorer.gui.text_positions import Utf16Map
from explorer.gui.theme import em, qcolor
from explorer.gui.widgets.painted_runs import scroll_to, visible_positions
from explorer.gui.widgets.painting import rounded
from explorer.gui.widgets.prose_edit import dress
from explorer.i18n import tr


class TurnsText(TracedText):
    """All turns of a conversation, which cannot be edited."""

    def __init__(self, parent: QWidget | None = None) -> None:
        # Before the constructor of the base, which styles the text.
        self._turns: list[tuple[Placed, int, int]] = []
        super().__init__(parent)
        self._current = -1
        self.setReadOnly(True)
        self.setAccessibleName(tr("Conversation"))
        self.setTabChangesFocus(True)

    def show_script(self, script: Script) -> None:
        """Show another conversation, from its beginning."""
        positions = Utf16Map(script.text)
        self._turns = [(turn, positions.to_qt(turn.start), positions.to_qt(turn.end)) for turn in script.turns]
        self._current = -1
        self.put(script.text, self._decorate)

    def show_current(self, number: int) -> None:
        """Frame the turn whose documents are listed, and scroll to it unless it is visible."""
        if number == self._current:
            return
        self._current = number
        self.viewport().update()
        if 0 <= number < len(self._turns):
            _, start, end = self._turns[number]
            first, last = visible_positions(self)
            if not (start < last and end > first):
                scroll_to(self, start)

    def _restyle(self) -> None:
        super()._restyle()
        dress(self, self._decorate)

    def _decorate(self, cursor: QTextCursor) -> None:
        """Headings in bold, and what was asked on the trailing side."""
        for turn, start, end in self._turns:
            cursor.setPosition(start)
            cursor.setPosition(start + len(turn.name), QTextCursor.MoveMode.KeepAnchor)
            form = QTextCharFormat()
            form.setFontWeight(QFont.Weight.DemiBold)
            form.setForeground(qcolor("text" if turn.answers else "muted"))
            cursor.mergeCharFormat(form)
            if not turn.answers:
                cursor.setPosition(start)
                cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
                moved = QTextBlockFormat()
                moved.setLeftMargin(em(9))
                moved.setRightMargin(em(1))
                cursor.mergeBlockFormat(moved)

    def paint_below(self, painter: QPainter) -> None:
        """Paint a bubble under each turn that is not an answer, and a line beside the current answer."""
        bottom = self.viewport().height()
        for number, (turn, start, end) in enumerate(self._turns):
            area = self._area(start, end)
            # A conversation may have hundreds of turns, of which a few are seen.
            if area.bottom() < 0 or area.top() > bottom:
                continue
            if not turn.answers:
                rounded(painter, area.adjusted(em(8), -em(0.35), 0, em(0.35)), 8, "sunken")
            elif number == self._current:
                line = QRectF(area.left() - em(0.6), area.top(), 3, area.height())
                rounded(painter, line, 1.5, "accent")

    def _area(self, start: int, end: int) -> QRectF:
        """The area of the paragraphs of a turn in the viewport, as wide as the text."""
        document, layout = self.document(), self.document().documentLayout()
        first, last = document.findBlock(start), document.findBlock(end)
        area = layout.blockBoundingRect(first).united(layout.blockBoundingRect(last))
        margin = document.documentMargin()
        area.setLeft(margin)
        area.setRight(self.lineWrapColumnOrWidth() - margin)
        scrolled = QPointF(self.horizontalScrollBar().value(), self.verticalScrollBar().value())
        return area.translated(-scrolled)
