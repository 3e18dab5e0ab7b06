"""The editor that is also the result: spans are shaded in place while the text stays editable."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QEvent, QMimeData, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QTextCharFormat,
    QTextCursor,
)
from PySide6.QtWidgets import QPlainTextEdit, QToolTip, QWidget

from explorer.gui.screens.trace.choice import Mark
from explorer.gui.screens.trace.pieces import is_large
from explorer.gui.text_positions import Utf16Map
from explorer.gui.theme import RELEVANCE, qcolor
from explorer.gui.untrusted import tip
from explorer.gui.widgets.marked_text import Run, mark_runs
from explorer.gui.widgets.plain_text import PlainText
from explorer.i18n import tr
from explorer.overlap.wording import whole_words

_SELECT_MS = 250

UNDERLINES = {
    "high": QTextCharFormat.UnderlineStyle.SingleUnderline,
    "medium": QTextCharFormat.UnderlineStyle.DashUnderline,
    "low": QTextCharFormat.UnderlineStyle.DotLine,
}


class TraceEditor(PlainText):
    """A plain-text editor with marks.

    `mark_clicked(int)`: the region of the mark that was clicked, or -1 outside all of them. `large_pasted(str)`: a
    conversation or a very long text was pasted; it is not inserted. `part_selected(str)`: the user selected this text.
    """

    mark_clicked = Signal(int)
    escaped = Signal()
    large_pasted = Signal(str)
    part_selected = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._marks: tuple[Mark, ...] = ()
        self._cursors: list[QTextCursor] = []
        self._pressed_at: int | None = None
        self.setAccessibleName(tr("Text to trace"))
        self.setPlaceholderText(tr("Paste what a language model wrote …"))
        self.setTabChangesFocus(True)
        self._selecting = QTimer(self, singleShot=True, interval=_SELECT_MS)
        self._selecting.timeout.connect(self._tell_selection)
        self.selectionChanged.connect(self._selecting.start)
        self.document().contentsChange.connect(self._keep_marks)

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Paste text; a conversation or a very long text is emitted instead."""
        text = source.text()
        if is_large(text):
            self.large_pasted.emit(text)
            return
        super().insertFromMimeData(source)

    def selected_text(self) -> str:
        """The selected text, with its original characters."""
        cursor = self.textCursor()
        raw = self.document().toRawText()
        units = raw.encode("utf-16-le", "surrogatepass")
        part = units[2 * cursor.selectionStart() : 2 * cursor.selectionEnd()]
        return part.decode("utf-16-le", "replace").replace("\u2029", "\n")

    def _tell_selection(self) -> None:
        # While the button is down, the selection is not finished: releasing it extends the selection to whole words.
        if self.hasFocus() and self._pressed_at is None:
            self.part_selected.emit(self.selected_text())

    def _select_whole_words(self) -> None:
        """Extend the selection to whole words; in scripts without spaces it stays unchanged."""
        cursor, text = self.textCursor(), self.text()
        positions = Utf16Map(text)
        ends = (positions.from_qt(cursor.selectionStart()), positions.from_qt(cursor.selectionEnd()))
        start, end = (positions.to_qt(place) for place in whole_words(text, *ends))
        if (start, end) == (cursor.selectionStart(), cursor.selectionEnd()):
            return
        forwards = cursor.position() >= cursor.anchor()
        cursor.setPosition(start if forwards else end)
        cursor.setPosition(end if forwards else start, QTextCursor.MoveMode.KeepAnchor)
        self.setTextCursor(cursor)

    def text(self) -> str:
        """The text with its original characters; Qt's own export would change some spaces."""
        return self.document().toRawText().replace("\u2029", "\n")

    def show_marks(self, marks: tuple[Mark, ...], text: str) -> None:
        """Shade runs of the text.

        Parameters
        ----------
        marks
            The runs, in characters.
        text
            What the editor contains.
        """
        positions = Utf16Map(text)
        self._marks, self._cursors = marks, []
        for mark in marks:
            cursor = QTextCursor(self.document())
            cursor.setPosition(positions.to_qt(mark.start))
            cursor.setPosition(positions.to_qt(mark.end), QTextCursor.MoveMode.KeepAnchor)
            self._cursors.append(cursor)
        mark_runs(self, self._runs())

    def _runs(self) -> Iterator[Run]:
        """The marks at their current positions, which move as the text is edited."""
        for cursor, mark in zip(self._cursors, self._marks, strict=True):
            if cursor.hasSelection() and not mark.outlined:
                yield cursor.selectionStart(), cursor.selectionEnd(), _format(mark)

    def _keep_marks(self, position: int, _removed: int, added: int) -> None:
        if self._cursors:
            mark_runs(self, self._runs(), (position, position + added))

    def go_to(self, character: int) -> None:
        """Scroll a character of the text to the middle, and move the cursor there."""
        cursor = self.textCursor()
        cursor.setPosition(Utf16Map(self.text()).to_qt(character))
        self.setTextCursor(cursor)
        self.centerCursor()
        self.setFocus()

    def clear_marks(self) -> None:
        """Remove all shades."""
        self._marks, self._cursors = (), []
        mark_runs(self, ())

    def mark_at(self, position: int) -> Mark | None:
        """The topmost mark at Qt's position."""
        for cursor, mark in reversed(list(zip(self._cursors, self._marks, strict=True))):
            if cursor.selectionStart() <= position < cursor.selectionEnd():
                return mark
        return None

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the text with its marks, then the frames of outlined marks."""
        super().paintEvent(event)
        frames = [c for c, mark in zip(self._cursors, self._marks, strict=True) if mark.outlined and c.hasSelection()]
        if not frames:
            return
        painter = QPainter(self.viewport())
        painter.setPen(QPen(qcolor("accent"), 1))
        for cursor in frames:
            for line in lines_of(self, cursor.selectionStart(), cursor.selectionEnd()):
                if line.intersects(QRectF(event.rect())):
                    painter.drawRect(line)
        painter.end()

    def _mark_under(self, event: QMouseEvent | QHelpEvent) -> Mark | None:
        point = event.position().toPoint() if isinstance(event, QMouseEvent) else event.pos()
        cursor = self.cursorForPosition(point)
        # Qt returns the nearer side of a character: check both.
        right = self.cursorRect(cursor).center().x() <= point.x()
        position = cursor.position() if right else cursor.position() - 1
        within = abs(self.cursorRect(cursor).center().x() - point.x()) < 2 * self.fontMetrics().averageCharWidth()
        return self.mark_at(position) if within else None

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Remember where a click begins, to distinguish it from dragging."""
        self._pressed_at = self.cursorForPosition(event.position().toPoint()).position()
        super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A click without dragging chooses a mark."""
        super().mouseReleaseEvent(event)
        pressed, self._pressed_at = self._pressed_at, None
        if event.button() != Qt.MouseButton.LeftButton or pressed is None:
            return
        if self.textCursor().hasSelection():
            self._select_whole_words()
            self._selecting.start()
            return
        mark = self._mark_under(event)
        self.mark_clicked.emit(-1 if mark is None else mark.region)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc clears the choice."""
        if event.key() == Qt.Key.Key_Escape:
            self.escaped.emit()
            return
        super().keyPressEvent(event)

    def viewportEvent(self, event: QEvent) -> bool:
        """Show a mark's facts in a tool tip."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            mark = self._mark_under(event)
            QToolTip.showText(event.globalPos(), tip(mark.hint) if mark is not None else "", self)
            return True
        return super().viewportEvent(event)


def lines_of(edit: QPlainTextEdit, start: int, end: int) -> Iterator[QRectF]:
    """Yield the rectangles of the visible lines between two positions.

    Parameters
    ----------
    edit
        The editor.
    start
        The first position, in Qt's UTF-16 units.
    end
        One past the last position.

    Yields
    ------
    QRectF
        A rectangle in the viewport, in pixels.
    """
    block = edit.document().findBlock(start)
    while block.isValid() and block.position() < end:
        if block.isVisible():
            at = edit.blockBoundingGeometry(block).translated(edit.contentOffset()).topLeft()
            layout = block.layout()
            for number in range(layout.lineCount()):
                line = layout.lineAt(number)
                first = max(start - block.position(), line.textStart())
                last = min(end - block.position(), line.textStart() + line.textLength())
                if first < last:
                    edges = sorted(line.cursorToX(place)[0] for place in (first, last))  # type: ignore[index]
                    yield QRectF(edges[0], line.y(), edges[1] - edges[0], line.height() - 1).translated(at)
        block = block.next()


def _format(mark: Mark) -> QTextCharFormat:
    """Fill and underline by relevance, so that the levels differ without color too."""
    level = mark.level or "low"
    form = QTextCharFormat()
    form.setBackground(qcolor("mark" if mark.chosen else RELEVANCE[level]))
    form.setForeground(qcolor("on_mark" if mark.chosen else "text"))
    form.setUnderlineStyle(UNDERLINES[level])
    form.setUnderlineColor(qcolor("on_mark" if mark.chosen else "accent"))
    return form
