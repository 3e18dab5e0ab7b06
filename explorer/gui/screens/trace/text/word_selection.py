"""Selecting in a traced text: by whole words, while the pointer moves; what is selected is told when it rests."""

from __future__ import annotations

from PySide6.QtCore import QObject, QPoint, QTimer, Signal
from PySide6.QtGui import QTextCursor

from explorer.analyses.overlap.wording import whole_words
from explorer.gui.style.text_positions import Utf16Map
from explorer.gui.widgets.texts.prose_edit import ProseEdit

_SELECT_MS = 250
"""Milliseconds for which a selection rests before it is looked up."""


class WordSelection(QObject):
    """Follows the buttons of the mouse over a text. `rested(str)`: the user has selected this.

    edit: The text, which calls `press`, `drag` and `release` after Qt has handled the event.
    """

    rested = Signal(str)

    def __init__(self, edit: ProseEdit) -> None:
        super().__init__(edit)
        self._edit = edit
        # Where a button was pressed to select, as Qt counts; None while none is pressed.
        self._anchor: int | None = None
        # What was selected when the button was pressed.
        self._extent = (0, 0)
        self._resting = QTimer(self, singleShot=True, interval=_SELECT_MS)
        self._resting.timeout.connect(self._tell)
        # Starts again with each change, so that dragging over a sentence asks once, when it has ended.
        edit.selectionChanged.connect(self._resting.start)

    def _tell(self) -> None:
        # While the button is down, the selection is not finished.
        if self._anchor is None:
            self.rested.emit(selected_text(self._edit))

    def press(self, point: QPoint) -> None:
        """A button was pressed at a point of the viewport."""
        # A selection that is still there was extended with Shift, or is about to be dragged elsewhere.
        cursor = self._edit.textCursor()
        self._anchor = cursor.anchor() if cursor.hasSelection() else self._edit.cursorForPosition(point).position()
        self._extent = (cursor.anchor(), cursor.position())

    def drag(self) -> None:
        """The pointer moved with the button pressed: select the words between."""
        cursor = self._edit.textCursor()
        # Unchanged while Qt drags the selected text itself.
        if self._anchor is None or not cursor.hasSelection() or self._extent == (cursor.anchor(), cursor.position()):
            return
        # From where the button was pressed, not from the selection: back beyond that place, its word stays selected.
        select_words(self._edit, self._anchor, cursor.position())

    def release(self) -> bool:
        """The button was released: whether words were selected, not a place clicked."""
        pressed, self._anchor = self._anchor, None
        if pressed is None or not self._edit.textCursor().hasSelection():
            return False
        cursor = self._edit.textCursor()
        select_words(self._edit, cursor.anchor(), cursor.position())
        self._resting.start()
        return True

    @property
    def is_pressed(self) -> bool:
        """Whether a button is pressed over the text."""
        return self._anchor is not None


def selected_text(edit: ProseEdit) -> str:
    """The selected text, with its original characters."""
    cursor = edit.textCursor()
    units = edit.document().toRawText().encode("utf-16-le", "surrogatepass")
    part = units[2 * cursor.selectionStart() : 2 * cursor.selectionEnd()]
    return part.decode("utf-16-le", "replace").replace("\u2029", "\n")


def select_words(edit: ProseEdit, anchor: int, position: int) -> None:
    """Select the whole words between two places; in scripts without spaces exactly what is between them.

    anchor: Where the selection begins, as Qt counts.
    position: Where the cursor is; before `anchor` if the selection goes backwards.
    """
    text = edit.text()
    positions = Utf16Map(text)
    ends = sorted(positions.from_qt(place) for place in (anchor, position))
    start, end = (positions.to_qt(place) for place in whole_words(text, ends[0], ends[1]))
    # The end that moves stays the one that moved before: Shift and an arrow key continue from there.
    wanted = (start, end) if position >= anchor else (end, start)
    cursor = edit.textCursor()
    if wanted == (cursor.anchor(), cursor.position()):
        return
    cursor.setPosition(wanted[0])
    cursor.setPosition(wanted[1], QTextCursor.MoveMode.KeepAnchor)
    edit.setTextCursor(cursor)
