"""A read-only text of which every token can be shaded, underlined, clicked and asked about."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPoint, Qt, Signal
from PySide6.QtGui import QHelpEvent, QKeyEvent, QMouseEvent, QTextCharFormat
from PySide6.QtWidgets import QToolTip, QWidget

from explorer.gui.text_positions import Utf16Map
from explorer.gui.theme import qcolor
from explorer.gui.untrusted import tip
from explorer.gui.widgets.marked_text import Run, mark_runs
from explorer.gui.widgets.plain_text import PlainText
from explorer.i18n import tr

Form = QTextCharFormat | None
"""How a token looks; None for as it is."""


class TokenText(PlainText):
    """A part of a text, token by token. Tokens are numbered from that of the first token that is shown.

    Signals: `token_chosen(int)`: one was clicked, or the keys Ctrl+Left and Ctrl+Right went to it.

    Parameters
    ----------
    parent
        The widget it is in.
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
        # Nothing is known of a token until `describe_by` was called.
        self._describe: Callable[[int], str] = lambda token: ""

    def describe_by(self, describe: Callable[[int], str]) -> None:
        """Give tokens tool tips, made by this function of a token's number."""
        self._describe = describe

    def show_tokens(
        self, text: str, starts: NDArray[np.int64], ends: NDArray[np.int64], first: int = 0, lead: str = ""
    ) -> None:
        """Show a text, not shaded yet.

        Parameters
        ----------
        text
            The text.
        starts, ends
            The first character of each token, and one past its last: int64, ascending.
        first
            The number of the first of these tokens.
        lead
            What is shown before the text without being part of it, such as the end of a prompt.
        """
        self.setPlainText(lead + text)
        # Token borders are in characters, Qt's positions in UTF-16 units; they differ after the first emoji.
        positions = Utf16Map(lead + text)
        self._first, self._lead = first, positions.to_qt(len(lead))
        self._starts = positions.all_to_qt(np.asarray(starts, dtype=np.int64) + len(lead))
        self._ends = positions.all_to_qt(np.asarray(ends, dtype=np.int64) + len(lead))

    def shade(self, forms: Sequence[Form]) -> None:
        """Give each token that is shown its look; one `QTextCharFormat` can serve any number of them.

        Parameters
        ----------
        forms
            One per token that is shown.
        """
        # Empty ones are bytes within a character, which the first of them shows.
        runs: list[Run] = [
            (start, end, form)
            for start, end, form in zip(self._starts.tolist(), self._ends.tolist(), forms, strict=True)
            if end > start and form is not None
        ]
        # First, so that nothing of the prompt is over a token.
        if self._lead:
            prompt = QTextCharFormat()
            prompt.setForeground(qcolor("muted"))
            prompt.setFontItalic(True)
            runs.insert(0, (0, self._lead, prompt))
        mark_runs(self, runs)

    @property
    def shown(self) -> tuple[int, int]:
        """The tokens that are shown: the first, and one past the last."""
        return self._first, self._first + len(self._starts)

    def place_of(self, token: int) -> int:
        """Qt's position of a token that is shown."""
        return int(self._starts[token - self._first])

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
        """Ctrl and an arrow go to the next token, or back."""
        steps = {Qt.Key.Key_Right: 1, Qt.Key.Key_Left: -1}
        by = steps.get(Qt.Key(event.key()), 0)
        if not by or event.modifiers() != Qt.KeyboardModifier.ControlModifier or not len(self._starts):
            super().keyPressEvent(event)
            return
        # From the cursor, which is where the last click or key was.
        here = self.token_at(self.textCursor().position())
        token = min(max(self._first, here + by), self._first + len(self._starts) - 1)
        self.show_token(token)
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
