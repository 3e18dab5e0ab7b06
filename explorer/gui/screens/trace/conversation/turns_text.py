"""A conversation as one text: what was asked in sunken bubbles, the answers as they are read, with their marks."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QTimer, Signal
from PySide6.QtGui import QFont, QPainter, QTextBlockFormat, QTextCharFormat, QTextCursor, QWheelEvent
from PySide6.QtWidgets import QTextEdit, QWidget

from explorer.gui.screens.trace.conversation.script import Placed, Script
from explorer.gui.screens.trace.documents.choice import Mark
from explorer.gui.screens.trace.text.reading_look import ReadingLook
from explorer.gui.screens.trace.text.traced_text import TracedText
from explorer.gui.style.text_positions import Utf16Map
from explorer.gui.style.theme import em, qcolor
from explorer.gui.widgets.painting import rounded
from explorer.gui.widgets.texts.painted_runs import scroll_to, visible_positions
from explorer.gui.widgets.texts.prose_edit import dress
from explorer.i18n import tr

_AT_ONCE = 12_000
"""Characters that are written, and so laid out, in one turn of the event loop: about ten milliseconds."""


class TurnsText(TracedText):
    """All turns of a conversation, which cannot be edited. `completed`: the last of them was written.

    `writings`: how often the text was written from its beginning; marks stay where text is only added.

    A long conversation is written part by part, so that the window never waits for its layout.
    """

    completed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        # Before the constructor of the base, which styles the text.
        self._script, self._turns = Script(), list[tuple[Placed, int, int]]()
        self._marked: tuple[Mark, ...] = ()
        self._writing = self._follows = self._followed = False
        self.writings = 0
        super().__init__(parent)
        self._current = -1
        self._look = ReadingLook(self)
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._write)
        self.setReadOnly(True)
        self.setAccessibleName(tr("Conversation"))
        self.setTabChangesFocus(True)

    def show_script(self, script: Script) -> None:
        """Show another conversation, from its beginning; one that continues the former is only written further."""
        value = self.verticalScrollBar().value()
        if self.is_complete and _continues(script, self._script):
            self._extend(script)
            return
        self._soon.stop()
        # The same conversation, of which some turns are read in another way now, stays where it is.
        stays = len(script.turns) == len(self._script.turns) > 0
        self._script, self._turns, self._marked = script, [], ()
        self._current = -1
        self.writings += 1
        self._look.forget()
        self.put("")
        self._write()
        if stays and not self._follows:
            self.verticalScrollBar().setValue(value)

    def _extend(self, script: Script) -> None:
        """Write what is new: more of the last turn, and turns after it."""
        known = len(self._turns)
        self._script = script
        if known:
            turn, (_, start, end) = script.turns[known - 1], self._turns[-1]
            added = script.text[len(self.written) : turn.end]
            if added:
                # As it is written, with the look of the paragraph that it continues.
                self.append_text(added, lambda cursor: None)
                self._turns[-1] = (turn, start, end + Utf16Map(added).to_qt(len(added)))
        if len(script.turns) > known:
            self._write()

    def show_writing(self, writing: bool) -> None:
        """Show at the end of the text that more is coming."""
        if writing != self._writing:
            self._writing = writing
            self.viewport().update()

    def follow(self) -> None:
        """Show the end, and what is written there, until the user scrolls away from it."""
        if not self._followed:
            self._followed = True
            bar = self.verticalScrollBar()
            bar.rangeChanged.connect(self._keep_end)
            bar.actionTriggered.connect(self._look_where)
        self._follows = True
        self._keep_end()

    def _keep_end(self) -> None:
        if self._follows:
            self.verticalScrollBar().setValue(self.verticalScrollBar().maximum())

    def _look_where(self) -> None:
        """The user has scrolled: to the end, which is followed from now on, or away from it."""
        bar = self.verticalScrollBar()
        self._follows = bar.sliderPosition() >= bar.maximum() - em(2.0)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """A wheel scrolls without an action of the bar."""
        super().wheelEvent(event)
        if self._followed:
            self._look_where()

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

        text: The conversation. If another one is shown, nothing is marked.
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
        if self._writing:
            cursor = QTextCursor(self.document())
            cursor.movePosition(QTextCursor.MoveOperation.End)
            line = QRectF(self.cursorRect(cursor))
            high = line.height() * 0.6
            block = QRectF(line.left() + 2, line.center().y() - high / 2, em(0.55), high)
            rounded(painter, block, 1, "accent_mid")


def _continues(script: Script, former: Script) -> bool:
    """Whether a conversation begins as the former, whose last turn may be longer now."""
    known = len(former.turns)
    if not known or not script.text.startswith(former.text) or len(script.turns) < known:
        return False
    last, before = script.turns[known - 1], former.turns[-1]
    # A turn that is read as Markdown does not grow.
    same = last.start == before.start and last.body == before.body and last.reading == before.reading
    grows = last.end == before.end or (before.answers and before.reading is None)
    return script.turns[: known - 1] == former.turns[:-1] and same and grows


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
