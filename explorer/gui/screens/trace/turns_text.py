"""A conversation as one text: what was asked in sunken bubbles, the answers as they are read, with their marks."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QTimer, Signal
from PySide6.QtGui import QFont, QPainter, QTextBlockFormat, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QTextEdit, QWidget

from explorer.gui.screens.trace.choice import Mark
from explorer.gui.screens.trace.reading_look import ReadingLook
from explorer.gui.screens.trace.script import Placed, Script
from explorer.gui.screens.trace.traced_text import TracedText
from explorer.gui.text_positions import Utf16Map
from explorer.gui.theme import em, qcolor
from explorer.gui.widgets.painted_runs import scroll_to, visible_positions
from explorer.gui.widgets.painting import rounded
from explorer.gui.widgets.prose_edit import dress
from explorer.i18n import tr

_AT_ONCE = 12_000
"""Characters that are written, and so laid out, in one turn of the event loop: about ten milliseconds."""


class TurnsText(TracedText):
    """All turns of a conversation, which cannot be edited. `completed`: the last of them was written.

    A long conversation is written part by part, so that the window never waits for its layout.
    """

    completed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        # Before the constructor of the base, which styles the text.
        self._script, self._turns = Script(), list[tuple[Placed, int, int]]()
        self._marked: tuple[Mark, ...] = ()
        super().__init__(parent)
        self._current = -1
        self._look = ReadingLook(self)
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._write)
        self.setReadOnly(True)
        self.setAccessibleName(tr("Conversation"))
        self.setTabChangesFocus(True)

    def show_script(self, script: Script) -> None:
        """Show another conversation, from its beginning."""
        self._soon.stop()
        self._script, self._turns, self._marked = script, [], ()
        self._current = -1
        self._look.forget()
        self.put("")
        self._write()

    @property
    def is_complete(self) -> bool:
        """Whether all turns are there."""
        return len(self._turns) == len(self._script.turns)

    def _write(self) -> None:
        """Write the next turns, and mark them."""
        turns, done = self._script.turns, len(self._turns)
        until = done
        first = turns[done].start if done < len(turns) else 0
        # Whole turns only, and at least one.
        while until < len(turns) and (until == done or turns[until].end - first <= _AT_ONCE):
            until += 1
        if until > done:
            self._append(turns[done:until])
        if not self.is_complete:
            self._soon.start()
        elif done:
            self.completed.emit()

    def _append(self, turns: tuple[Placed, ...]) -> None:
        begin, end = len(self.written), turns[-1].end
        part = self._script.text[begin:end]
        positions, at = Utf16Map(part), self.document().characterCount() - 1
        placed = [
            (turn, at + positions.to_qt(turn.start - begin), at + positions.to_qt(turn.end - begin)) for turn in turns
        ]
        self.append_text(part, lambda cursor: _decorate(cursor, placed, self._look))
        self._turns += placed
        self.show_marks(self._marked, self._script.text)

    def show_marks(self, marks: tuple[Mark, ...], text: str) -> None:
        """Mark runs of the conversation; those of turns that are not written yet follow with them.

        Parameters
        ----------
        marks
            The runs, in characters of the whole conversation.
        text
            The conversation. If another one is shown, nothing is marked.
        """
        self._marked = marks if text == self._script.text else ()
        written = self.written
        super().show_marks(tuple(mark for mark in self._marked if mark.end <= len(written)), written)

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
        if self._turns:
            self._look.forget()
            dress(self, lambda cursor: _decorate(cursor, self._turns, self._look))

    def paint_below(self, painter: QPainter) -> None:
        """Paint a bubble under each turn that is not an answer, and a line beside the current answer."""
        # By positions first: the area of a turn is known only after the text above it is laid out.
        first, last = visible_positions(self)
        for number, (turn, start, end) in enumerate(self._turns):
            if end < first or start > last:
                continue
            if not turn.answers:
                area = _area(self, start, end)
                rounded(painter, area.adjusted(em(8), -em(0.35), 0, em(0.35)), 8, "sunken")
            elif number == self._current:
                area = _area(self, start, end)
                line = QRectF(area.left() - em(0.6), area.top(), 3, area.height())
                rounded(painter, line, 1.5, "accent")
        self._look.paint(painter)


def _decorate(cursor: QTextCursor, turns: list[tuple[Placed, int, int]], look: ReadingLook) -> None:
    """Headings in bold, answers as they are read, and what was asked on the trailing side."""
    for turn, start, end in turns:
        cursor.setPosition(start)
        cursor.setPosition(start + len(turn.name), QTextCursor.MoveMode.KeepAnchor)
        form = QTextCharFormat()
        form.setFontWeight(QFont.Weight.DemiBold)
        form.setForeground(qcolor("text" if turn.answers else "muted"))
        cursor.mergeCharFormat(form)
        if turn.reading is not None:
            look.dress(cursor, turn.reading, start + len(turn.name) + 1)
        if not turn.answers:
            cursor.setPosition(start)
            cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
            moved = QTextBlockFormat()
            moved.setLeftMargin(em(9))
            moved.setRightMargin(em(1))
            cursor.mergeBlockFormat(moved)


def _area(edit: QTextEdit, start: int, end: int) -> QRectF:
    """The area of the paragraphs of a turn in the viewport, as wide as the text."""
    document, layout = edit.document(), edit.document().documentLayout()
    first, last = document.findBlock(start), document.findBlock(end)
    area = layout.blockBoundingRect(first).united(layout.blockBoundingRect(last))
    margin = document.documentMargin()
    area.setLeft(margin)
    area.setRight(edit.lineWrapColumnOrWidth() - margin)
    scrolled = QPointF(edit.horizontalScrollBar().value(), edit.verticalScrollBar().value())
    return area.translated(-scrolled)
