"""The editor that is also the result: spans are shaded in place while the text stays editable."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QMimeData, Qt, QTimer, Signal
from PySide6.QtGui import QHelpEvent, QKeyEvent, QMouseEvent, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QToolTip, QWidget

from explorer.gui.text_positions import Utf16Map
from explorer.gui.theme import qcolor
from explorer.gui.untrusted import tip
from explorer.gui.widgets.marked_text import Run, mark_runs
from explorer.gui.widgets.plain_text import PlainText
from explorer.trace.conversation import looks_like_conversation
from explorer.trace.trace import Trace
from explorer.words import counted, tr, trn

MOST_CHARACTERS = 60_000
"""A text that is longer is traced in parts: an editor with thousands of marks is slow."""
_SELECT_MS = 250

UNDERLINES = {
    "high": QTextCharFormat.UnderlineStyle.SingleUnderline,
    "medium": QTextCharFormat.UnderlineStyle.DashUnderline,
    "low": QTextCharFormat.UnderlineStyle.DotLine,
}


@dataclass(frozen=True)
class Mark:
    """A shaded run: characters [start, end), its relevance ("" as low), what hovering tells."""

    start: int
    end: int
    level: str
    hint: str
    chosen: bool = False


class TraceEditor(PlainText):
    """A plain-text editor with marks.

    `mark_clicked(int)`: a mark's number, or -1 beside all of them. `large_pasted(str)`: a conversation or a very
    long text was pasted; it is not put in. `part_selected(str)`: the person marked this text.
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
        """Paste text; what is not to be edited as one is handed over instead."""
        text = source.text()
        if len(text) > MOST_CHARACTERS or looks_like_conversation(text):
            self.large_pasted.emit(text)
            return
        super().insertFromMimeData(source)

    def selected_text(self) -> str:
        """What is selected, as it was put in."""
        cursor = self.textCursor()
        raw = self.document().toRawText()
        units = raw.encode("utf-16-le", "surrogatepass")
        part = units[2 * cursor.selectionStart() : 2 * cursor.selectionEnd()]
        return part.decode("utf-16-le", "replace").replace("\u2029", "\n")

    def _tell_selection(self) -> None:
        if self.hasFocus():
            self.part_selected.emit(self.selected_text())

    def text(self) -> str:
        """The text as it was put in; Qt's own export would change some spaces."""
        return self.document().toRawText().replace("\u2029", "\n")

    def show_marks(self, marks: tuple[Mark, ...], text: str) -> None:
        """Shade these runs of `text`, which must be what the editor holds."""
        positions = Utf16Map(text)
        self._marks, self._cursors = marks, []
        for mark in marks:
            cursor = QTextCursor(self.document())
            cursor.setPosition(positions.to_qt(mark.start))
            cursor.setPosition(positions.to_qt(mark.end), QTextCursor.MoveMode.KeepAnchor)
            self._cursors.append(cursor)
        mark_runs(self, self._runs())

    def _runs(self) -> Iterator[Run]:
        """The marks where they are now: their cursors move as the text is edited."""
        for cursor, mark in zip(self._cursors, self._marks, strict=True):
            if cursor.hasSelection():
                yield cursor.selectionStart(), cursor.selectionEnd(), _format(mark)

    def _keep_marks(self, position: int, _removed: int, added: int) -> None:
        if self._cursors:
            mark_runs(self, self._runs(), (position, position + added))

    def go_to(self, character: int) -> None:
        """Bring a character of the text to the middle, with the cursor."""
        cursor = self.textCursor()
        cursor.setPosition(Utf16Map(self.text()).to_qt(character))
        self.setTextCursor(cursor)
        self.centerCursor()
        self.setFocus()

    def clear_marks(self) -> None:
        """Shade nothing."""
        self._marks, self._cursors = (), []
        mark_runs(self, ())

    def mark_at(self, position: int) -> int:
        """Number of the mark at Qt's position, -1 where there is none."""
        for number, cursor in enumerate(self._cursors):
            if cursor.selectionStart() <= position < cursor.selectionEnd():
                return number
        return -1

    def _mark_under(self, event: QMouseEvent | QHelpEvent) -> int:
        point = event.position().toPoint() if isinstance(event, QMouseEvent) else event.pos()
        cursor = self.cursorForPosition(point)
        # The cursor goes to the nearer side of a character: look at both.
        right = self.cursorRect(cursor).center().x() <= point.x()
        position = cursor.position() if right else cursor.position() - 1
        within = abs(self.cursorRect(cursor).center().x() - point.x()) < 2 * self.fontMetrics().averageCharWidth()
        return self.mark_at(position) if within else -1

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Remember where a click begins, to tell it from dragging."""
        self._pressed_at = self.cursorForPosition(event.position().toPoint()).position()
        super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A click without dragging chooses a mark."""
        super().mouseReleaseEvent(event)
        clicked = event.button() == Qt.MouseButton.LeftButton and not self.textCursor().hasSelection()
        if clicked and self._pressed_at is not None:
            self.mark_clicked.emit(self._mark_under(event))
        self._pressed_at = None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc clears the choice."""
        if event.key() == Qt.Key.Key_Escape:
            self.escaped.emit()
            return
        super().keyPressEvent(event)

    def viewportEvent(self, event: QEvent) -> bool:
        """Tell a mark's facts in a tool tip."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            number = self._mark_under(event)
            QToolTip.showText(event.globalPos(), tip(self._marks[number].hint) if number >= 0 else "", self)
            return True
        return super().viewportEvent(event)


def _format(mark: Mark) -> QTextCharFormat:
    """Fill and underline by relevance, so that the levels differ without colour too."""
    level = mark.level or "low"
    form = QTextCharFormat()
    form.setBackground(qcolor("strong" if mark.chosen else level))
    form.setForeground(qcolor("on_strong" if mark.chosen else "text"))
    form.setUnderlineStyle(UNDERLINES[level])
    form.setUnderlineColor(qcolor("on_strong" if mark.chosen else "accent"))
    return form


def marks_of(trace: Trace, chosen: int | None, only: tuple[int, ...] | None) -> tuple[Mark, ...]:
    """Marks of a trace's merged spans.

    chosen: the merged span that was clicked. only: spans to show (those of a chosen document).
    Runs of nothing but white space are left out: there is nothing to see.
    """
    marks = []
    for number, merged in enumerate(trace.merged):
        shown = only is None or bool(set(merged.spans) & set(only))
        if not shown or not trace.text[merged.start : merged.end].strip():
            marks.append(Mark(merged.start, merged.start, merged.level, ""))
            continue
        marks.append(Mark(merged.start, merged.end, merged.level, _hint(trace, merged.spans), number == chosen))
    return tuple(marks)


def _hint(trace: Trace, numbers: tuple[int, ...]) -> str:
    lines = [] if len(numbers) == 1 else [trn("{n} span:", "{n} overlapping spans:", len(numbers))]
    for number in numbers:
        span = trace.spans[number]
        times = counted("time", span.count)
        relevance = tr(", {level} relevance", level=tr(span.level)) if span.level else ""
        length = span.token_end - span.token_start
        lines.append(
            tr(
                "{length}, occurs {times}{relevance}, rarity {rarity:.1f}",
                length=counted("token", length),
                times=times,
                relevance=relevance,
                rarity=span.rarity,
            )
        )
    return "\n".join(lines)
