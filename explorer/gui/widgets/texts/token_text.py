"""A read-only text of which every token can be shaded, underlined, clicked and asked about."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPoint, Qt, Signal
from PySide6.QtGui import QFont, QHelpEvent, QKeyEvent, QMouseEvent, QTextCharFormat
from PySide6.QtWidgets import QToolTip, QWidget

from explorer.gui.style.text_positions import Utf16Map
from explorer.gui.style.theme import qcolor
from explorer.gui.style.untrusted import tip
from explorer.gui.widgets.texts.marked_text import Run, mark_runs
from explorer.gui.widgets.texts.plain_text import PlainText
from explorer.i18n import tr

_KEYS = (
    Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Home, Qt.Key.Key_End,
    Qt.Key.Key_PageUp, Qt.Key.Key_PageDown,
)  # fmt: skip
"""Keys that move the cursor."""
Form = QTextCharFormat | None
"""How a token looks; None for as it is."""


class TokenText(PlainText):
    """A part of a text, token by token. Tokens are numbered from that of the first token that is shown.

    Signals: `token_chosen(int)`: one was clicked, or a key that moves the cursor went to it; Ctrl and an arrow go to
    the next token.
    """

    token_chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setReadOnly(True)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setAccessibleName(tr("Text, token by token"))
        self._first = self._lead = 0
        self._starts: NDArray[np.int64] = np.zeros(0, dtype=np.int64)
        self._ends = self._starts
        self._runs: list[Run] = []
        self._set_off = -1
        # Nothing is known of a token until `describe_by` was called.
        self._describe: Callable[[int], str] = lambda token: ""

    def describe_by(self, describe: Callable[[int], str]) -> None:
        """Give tokens tool tips, made by this function of a token's number."""
        self._describe = describe

    def show_tokens(
        self, text: str, starts: NDArray[np.int64], ends: NDArray[np.int64], first: int = 0, lead: str = ""
    ) -> None:
        """Show a text, not shaded yet.

        starts, ends: The first character of each token, and one past its last: int64, ascending.
        lead: What is shown before the text without being part of it, such as the end of a prompt.
        """
        self.setPlainText(lead + text)
        self._runs, self._set_off = [], -1
        # Token borders are in characters, Qt's positions in UTF-16 units; they differ after the first emoji.
        positions = Utf16Map(lead + text)
        self._first, self._lead = first, positions.to_qt(len(lead))
        self._starts = positions.all_to_qt(np.asarray(starts, dtype=np.int64) + len(lead))
        self._ends = positions.all_to_qt(np.asarray(ends, dtype=np.int64) + len(lead))

    def clear(self) -> None:
        """Show nothing."""
        self.show_tokens("", np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64))

    def shade(self, forms: Sequence[Form]) -> None:
        """Give each token that is shown its look; one `QTextCharFormat` can serve any number of them."""
        runs: list[Run] = []
        # First, so that nothing of the prompt is over a token.
        if self._lead:
            prompt = QTextCharFormat()
            prompt.setForeground(qcolor("muted"))
            prompt.setFontItalic(True)
            runs.append((0, self._lead, prompt))
        for start, end, form in zip(self._starts.tolist(), self._ends.tolist(), forms, strict=True):
            # Empty ones are bytes within a character, which the first of them shows.
            if end <= start or form is None:
                continue
            # Neighbors with the same look are one run: Qt paints each by itself.
            if runs and runs[-1][1:] == (start, form):
                runs[-1] = (runs[-1][0], end, form)
            else:
                runs.append((start, end, form))
        self._runs = runs
        mark_runs(self, [*runs, *self._run_of(self._set_off)])

    def set_off(self, token: int) -> None:
        """Set one token off among the others, until others are shown; -1 for none."""
        if token == self._set_off:
            return
        changed = self._run_of(self._set_off)
        self._set_off = token
        chosen = self._run_of(token)
        # Only the paragraphs of the two are laid out again.
        for start, end, _ in (*changed, *chosen):
            first, last = self.document().findBlock(start), self.document().findBlock(end)
            begin, stop = first.position(), last.position() + last.length()
            runs = [run for run in self._runs if run[0] < stop and run[1] > begin]
            mark_runs(self, [*runs, *chosen], (begin, stop - 1))

    def _run_of(self, token: int) -> list[Run]:
        if not self._first <= token < self._first + len(self._starts):
            return []
        # Bold as well: a fill alone could not be told from a shade without color.
        form = QTextCharFormat()
        form.setBackground(qcolor("mark"))
        form.setForeground(qcolor("on_mark"))
        form.setFontWeight(QFont.Weight.DemiBold)
        place = token - self._first
        return [(int(self._starts[place]), int(self._ends[place]), form)]

    @property
    def shown(self) -> tuple[int, int]:
        """The tokens that are shown: the first, and one past the last."""
        return self._first, self._first + len(self._starts)

    def place_of(self, token: int) -> int:
        """Qt's position of a token that is shown; of the one after the last, the end of the text."""
        place = token - self._first
        return int(self._starts[place] if place < len(self._starts) else self._ends[-1])

    def token_at(self, position: int) -> int:
        """The token at Qt's position, -1 if there is none."""
        place = int(np.searchsorted(self._starts, position, side="right")) - 1
        # Before the first one there is none; several bytes of one character begin at the same place.
        return self._first + place if place >= 0 and position <= int(self._ends[place]) else -1

    def show_token(self, token: int) -> None:
        """Scroll to a token and move the cursor there."""
        if self._first <= token < self._first + len(self._starts):
            cursor = self.textCursor()
            cursor.setPosition(self.place_of(token))
            self.setTextCursor(cursor)
            self.ensureCursorVisible()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Keys that move the cursor choose the token after it; Ctrl and an arrow go to the next token, or back."""
        key = Qt.Key(event.key())
        by = {Qt.Key.Key_Right: 1, Qt.Key.Key_Left: -1}.get(key, 0)
        if by and event.modifiers() == Qt.KeyboardModifier.ControlModifier and len(self._starts):
            # From the cursor, which is where the last click or key was.
            here = self.token_at(self.textCursor().position())
            token = min(max(self._first, here + by), self._first + len(self._starts) - 1)
            self.show_token(token)
            self.token_chosen.emit(token)
            return
        super().keyPressEvent(event)
        if key in _KEYS and not self.textCursor().hasSelection():
            token = self.token_at(self.textCursor().position())
            if token >= 0:
                self.token_chosen.emit(token)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A click chooses a token; a drag selects text, to be copied."""
        # The base class finishes the selection first; only then is it known whether this was a click or a drag.
        super().mouseReleaseEvent(event)
        if event.button() == Qt.MouseButton.LeftButton and not self.textCursor().hasSelection():
            token = self.token_under(event.position().toPoint())
            if token >= 0:
                self.token_chosen.emit(token)

    def token_under(self, point: QPoint) -> int:
        """The token whose letters are under a point of the viewport; -1 if there is none."""
        cursor = self.cursorForPosition(point)
        # Qt gives the nearer side of a letter: right of its middle that is the next position.
        left = self.cursorRect(cursor).left() > point.x()
        return self.token_at(max(0, cursor.position() - 1) if left else cursor.position())

    def viewportEvent(self, event: QEvent) -> bool:
        """Show what is known of a token in a tool tip."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            token = self.token_under(event.pos())
            QToolTip.showText(event.globalPos(), tip(self._describe(token)) if token >= 0 else "", self)
            return True
        return super().viewportEvent(event)
