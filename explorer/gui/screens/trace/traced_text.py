"""A text with the marks of its trace: what is under the pointer, what is selected, what a right click offers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from PySide6.QtCore import QEvent, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QContextMenuEvent, QHelpEvent, QKeyEvent, QMouseEvent, QTextCursor
from PySide6.QtWidgets import QMenu, QToolTip, QWidget

from explorer.gui.screens.trace.choice import Mark
from explorer.gui.text_positions import Utf16Map
from explorer.gui.theme import RELEVANCE
from explorer.gui.untrusted import tip
from explorer.gui.widgets.painted_runs import Look, Painted, position_under, scroll_to, visible_positions
from explorer.gui.widgets.prose_edit import ProseEdit
from explorer.i18n import tr
from explorer.overlap.wording import whole_words

_SELECT_MS = 250
"""Milliseconds for which a selection rests before it is looked up."""

LINES = {"high": Qt.PenStyle.SolidLine, "medium": Qt.PenStyle.DashLine, "low": Qt.PenStyle.DotLine}
"""The underline of each level of relevance."""


@dataclass(frozen=True)
class Pick:
    """A passage that is meant by a click, and the text of its mark."""

    passage: int
    text: str


class TracedText(ProseEdit):
    """A text with marks.

    `mark_clicked(int)`: the passage of the mark that was clicked, or -1 outside all of them. `part_selected(str)`: the
    user selected this text. `escaped`: Esc. `copy_wanted`, `search_wanted`, `hide_wanted` (Pick): from the menu of a
    passage.
    """

    mark_clicked = Signal(int)
    escaped = Signal()
    part_selected = Signal(str)
    copy_wanted = Signal(object)
    search_wanted = Signal(object)
    hide_wanted = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._marks: tuple[Mark, ...] = ()
        # Where a button of the mouse was pressed, as Qt counts; None while none is pressed.
        self._pressed_at: int | None = None
        self._selecting = QTimer(self, singleShot=True, interval=_SELECT_MS)
        self._selecting.timeout.connect(self._tell_selection)
        # Starts again with each change, so that dragging over a sentence asks once, when it has ended.
        self.selectionChanged.connect(self._selecting.start)

    # Marks.

    def show_marks(self, marks: tuple[Mark, ...], text: str) -> None:
        """Mark runs of the text.

        Parameters
        ----------
        marks
            The runs, in characters.
        text
            The text that they are runs of. If another one is shown, nothing is marked.
        """
        if text != self.written:
            marks = ()
        # Marks are in characters, Qt counts UTF-16 units; they differ after the first emoji.
        positions = Utf16Map(text)
        places = [(positions.to_qt(mark.start), positions.to_qt(mark.end)) for mark in marks]
        # One painted run per mark, in the same order. An edit moves runs but keeps their number, so they still match.
        self._marks = marks
        self.runs.paint(Painted(np.array(places, np.int64).reshape(-1, 2), tuple(map(_look, marks))))

    def put(self, text: str, decorate: Callable[[QTextCursor], None] | None = None) -> None:
        """Set the text, which has no marks.

        Parameters
        ----------
        text
            The text.
        decorate
            Gives formats by the cursor that it gets; None for none.
        """
        self._marks = ()
        super().put(text, decorate)

    def marks(self) -> tuple[tuple[str, Mark], ...]:
        """The marks with the text under each as it is now."""
        # By the places of the painted runs, which edits have moved: the trace's characters are those of an older text.
        # Two bytes per UTF-16 unit, since Qt counts those.
        units = self.document().toRawText().encode("utf-16-le", "surrogatepass")
        parts = (units[2 * start : 2 * end] for start, end in self.runs.painted.places.tolist())
        texts = (part.decode("utf-16-le", "replace").replace("\u2029", "\n") for part in parts)
        return tuple(zip(texts, self._marks, strict=True))

    def _mark_under(self, point: QPoint) -> Mark | None:
        """The topmost mark under a point."""
        position = position_under(self, point)
        found = self.runs.at(position) if position >= 0 else []
        return self._marks[found[0]] if found else None

    def chosen(self) -> list[tuple[int, int]]:
        """The places of the chosen marks, as Qt counts."""
        marks = zip(self.runs.painted.places.tolist(), self._marks, strict=True)
        return [(start, end) for (start, end), mark in marks if mark.chosen]

    def reveal_chosen(self) -> None:
        """Scroll to the first chosen mark, unless one of them is visible."""
        places = self.chosen()
        first, last = visible_positions(self)
        # A visible one is enough: a text that scrolls under the pointer loses the word that was just clicked.
        if places and not any(start < last and end > first for start, end in places):
            scroll_to(self, places[0][0])

    def _tell_selection(self) -> None:
        # While the button is down, the selection is not finished: releasing it extends the selection to whole words.
        if self._pressed_at is None:
            self.part_selected.emit(selected_text(self))

    # Events.

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Remember where a click begins, to distinguish it from dragging."""
        # Kept until the release: a click that moved is a selection, and one that did not chooses a passage.
        self._pressed_at = self.cursorForPosition(event.position().toPoint()).position()
        super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A click without dragging chooses a passage."""
        # First Qt, which decides whether something is selected.
        super().mouseReleaseEvent(event)
        pressed, self._pressed_at = self._pressed_at, None
        if event.button() != Qt.MouseButton.LeftButton or pressed is None:
            return
        if self.textCursor().hasSelection():
            select_whole_words(self)
            self._selecting.start()
            return
        mark = self._mark_under(event.position().toPoint())
        self.mark_clicked.emit(-1 if mark is None else mark.passage)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc clears the choice."""
        if event.key() == Qt.Key.Key_Escape:
            self.escaped.emit()
            return
        super().keyPressEvent(event)

    def viewportEvent(self, event: QEvent) -> bool:
        """Show a mark's facts while the pointer rests on it."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            mark = self._mark_under(event.pos())
            QToolTip.showText(event.globalPos(), tip(mark.hint()) if mark is not None else "", self)
            return True
        return super().viewportEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offer what can be done with the passage under the pointer, above what Qt offers for the text."""
        menu = self.createStandardContextMenu()
        position = position_under(self, event.pos())
        texts = self.marks()
        # From the lowest mark up: a passage is below the frames of its spans, and all of it is meant.
        picks = (Pick(texts[number][1].passage, texts[number][0]) for number in reversed(self.runs.at(position)))
        pick = next((one for one in picks if one.passage >= 0), None)
        if position >= 0 and pick is not None:
            first = menu.actions()[0]
            menu.insertActions(first, passage_actions(self, pick, menu))
            menu.insertSeparator(first)
        # Not `exec`, which would not return while the menu is open: the menu deletes itself when it closes.
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(event.globalPos())


def passage_actions(text: TracedText, pick: Pick, menu: QMenu) -> list[QAction]:
    """Make the actions of a passage.

    Parameters
    ----------
    text
        The text that asks for what is chosen.
    pick
        The passage.
    menu
        The menu that they are for.

    Returns
    -------
    list[QAction]
        Copy, search, hide.
    """
    found = []
    for name, wanted in (
        (tr("Copy passage with source"), text.copy_wanted),
        (tr("Search this passage"), text.search_wanted),
        (tr("Hide this passage"), text.hide_wanted),
    ):
        action = QAction(name, menu)
        action.triggered.connect(partial(wanted.emit, pick))
        found.append(action)
    return found


def selected_text(edit: ProseEdit) -> str:
    """The selected text, with its original characters."""
    cursor = edit.textCursor()
    units = edit.document().toRawText().encode("utf-16-le", "surrogatepass")
    part = units[2 * cursor.selectionStart() : 2 * cursor.selectionEnd()]
    return part.decode("utf-16-le", "replace").replace("\u2029", "\n")


def select_whole_words(edit: ProseEdit) -> None:
    """Extend the selection to whole words; in scripts without spaces it stays unchanged."""
    cursor, text = edit.textCursor(), edit.text()
    positions = Utf16Map(text)
    ends = (positions.from_qt(cursor.selectionStart()), positions.from_qt(cursor.selectionEnd()))
    start, end = (positions.to_qt(place) for place in whole_words(text, *ends))
    if (start, end) == (cursor.selectionStart(), cursor.selectionEnd()):
        return
    # The end that moves stays the one that moved before: Shift and an arrow key continue from there.
    forwards = cursor.position() >= cursor.anchor()
    cursor.setPosition(start if forwards else end)
    cursor.setPosition(end if forwards else start, cursor.MoveMode.KeepAnchor)
    edit.setTextCursor(cursor)


def _look(mark: Mark) -> Look:
    """Fill and underline by relevance, so that the levels differ without color too."""
    level = mark.level or "low"
    if mark.outlined:
        return Look(frame="accent")
    if mark.gray:
        return Look(fill="skeleton", line="muted")
    if mark.chosen:
        return Look(fill="mark", line="on_mark", text="on_mark", style=LINES[level])
    return Look(fill=RELEVANCE[level], line="accent", style=LINES[level])
