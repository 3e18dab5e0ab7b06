"""A generated text, read-only: every token shaded by its places, and the longest copied stretch underlined."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import (
    QFont,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QTextCharFormat,
)
from PySide6.QtWidgets import QToolTip, QWidget

from explorer.gui.screens.model.generate.state import FILLS, describe_token, shades
from explorer.gui.screens.model.generate.work import WrittenText
from explorer.gui.surfaces import when_restyled
from explorer.gui.text_positions import Utf16Map
from explorer.gui.theme import font_of, qcolor
from explorer.gui.untrusted import tip
from explorer.gui.widgets.marked_text import Run, mark_runs
from explorer.gui.widgets.plain_text import PlainText
from explorer.i18n import tr

_KEYS = (
    Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Home, Qt.Key.Key_End,
    Qt.Key.Key_PageUp, Qt.Key.Key_PageDown,
)  # fmt: skip
"""Keys that move the cursor, and with it the choice."""


class GeneratedText(PlainText):
    """The prompt and what was written after it.

    `token_chosen(int)`: by a click, or by the keys that move the cursor.
    """

    token_chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setReadOnly(True)
        # Without an editable text, only these flags give a cursor to the keyboard.
        keys, mouse = Qt.TextInteractionFlag.TextSelectableByKeyboard, Qt.TextInteractionFlag.TextSelectableByMouse
        self.setTextInteractionFlags(keys | mouse)
        self.setAccessibleName(tr("Generated text"))
        # A little larger than the window's text, as all text that is read.
        when_restyled(self, lambda: self.setFont(font_of(1.08)))
        self.setFont(font_of(1.08))
        self._text: WrittenText | None = None
        self._chosen = -1
        self._places: NDArray[np.int64] = np.zeros(1, dtype=np.int64)
        self._base: list[Run] = []

    def show_text(self, text: WrittenText | None, chosen: int) -> None:
        """Show a text, or more of it, and set one of its tokens off.

        Parameters
        ----------
        text
            The text; None for none.
        chosen
            The token, from 0; -1 for none.
        """
        if text is not self._text:
            self._show(text)
            self._base = _shaded(text, self._places) if text is not None else []
            self._chosen = chosen
            mark_runs(self, [*self._base, *self._chosen_run()])
        elif chosen != self._chosen:
            self._choose_other(chosen)
        if chosen >= 0 and text is not None and not self.hasFocus():
            self._reveal(chosen)

    def _show(self, text: WrittenText | None) -> None:
        self._text = text
        if text is None:
            # With the one border that a text without tokens has.
            self.clear()
            self._places = np.zeros(1, dtype=np.int64)
            return
        scrolled = self.verticalScrollBar().value()
        self.setPlainText(text.lead + text.text)
        # What is being written grows at its end: what is read meanwhile must not move.
        self.verticalScrollBar().setValue(scrolled)
        # Token borders are in characters, Qt's positions in UTF-16 units; they differ after the first emoji.
        positions = Utf16Map(text.lead + text.text)
        self._places = np.array([positions.to_qt(int(start)) for start in text.starts], dtype=np.int64)

    def _choose_other(self, chosen: int) -> None:
        """Set another token off: only the paragraphs of the two are laid out again."""
        changed = self._chosen_run()
        self._chosen = chosen
        changed += self._chosen_run()
        for start, end, _ in changed:
            first, last = self.document().findBlock(start), self.document().findBlock(end)
            begin, stop = first.position(), last.position() + last.length()
            runs = [run for run in self._base if run[0] < stop and run[1] > begin]
            mark_runs(self, [*runs, *self._chosen_run()], (begin, stop - 1))

    def _chosen_run(self) -> list[Run]:
        if self._text is None or not 0 <= self._chosen < len(self._text.tokens):
            return []
        # Bold as well: a fill alone could not be told from a shade without color.
        form = QTextCharFormat()
        form.setBackground(qcolor("mark"))
        form.setForeground(qcolor("on_mark"))
        form.setFontWeight(QFont.Weight.DemiBold)
        return [(int(self._places[self._chosen]), int(self._places[self._chosen + 1]), form)]

    def reshade(self) -> None:
        """Shade again, in the colors of another theme."""
        if self._text is not None:
            self._base = _shaded(self._text, self._places)
            mark_runs(self, [*self._base, *self._chosen_run()])

    def _reveal(self, token: int) -> None:
        # The cursor as well: the arrow keys continue from there.
        cursor = self.textCursor()
        cursor.setPosition(int(self._places[token]))
        self.setTextCursor(cursor)
        self.ensureCursorVisible()

    def token_at(self, position: int) -> int:
        """The token at Qt's position; -1 in the prompt, and where there is none."""
        if self._text is None or position >= self._places[-1]:
            return -1
        return int(np.searchsorted(self._places, position, side="right")) - 1

    def place_of(self, token: int) -> int:
        """Qt's position of a token."""
        return int(self._places[token])

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A click chooses a token; a drag selects text."""
        super().mouseReleaseEvent(event)
        if event.button() == Qt.MouseButton.LeftButton and not self.textCursor().hasSelection():
            self._choose(self.cursorForPosition(event.position().toPoint()).position())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """The keys that move the cursor choose the token after it."""
        super().keyPressEvent(event)
        if Qt.Key(event.key()) in _KEYS and not self.textCursor().hasSelection():
            self._choose(self.textCursor().position())

    def _choose(self, position: int) -> None:
        token = self.token_at(position)
        if token >= 0:
            self.token_chosen.emit(token)

    def viewportEvent(self, event: QEvent) -> bool:
        """Show in a tool tip where a token is from."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip and self._text is not None:
            token = self.token_at(self.cursorForPosition(event.pos()).position())
            QToolTip.showText(event.globalPos(), tip(describe_token(self._text, token)) if token >= 0 else "", self)
            return True
        return super().viewportEvent(event)


def _shaded(text: WrittenText, places: NDArray[np.int64]) -> list[Run]:
    """A run for each stretch of tokens with the same look."""
    prompt = QTextCharFormat()
    prompt.setForeground(qcolor("muted"))
    runs: list[Run] = [(0, int(places[0]), prompt)]
    first, end = text.longest
    copied = np.zeros(len(text.tokens), dtype=np.int64)
    copied[first:end] = 1
    # One number per look, so that neighbors with the same look become one run.
    looks = shades(text) * 2 + copied
    forms = {look: _format(look // 2, bool(look % 2)) for look in set(looks.tolist())}
    borders = [0, *(np.flatnonzero(np.diff(looks)) + 1).tolist(), len(looks)]
    for begin, stop in pairwise(borders):
        if stop > begin and looks[begin]:
            runs.append((int(places[begin]), int(places[stop]), forms[int(looks[begin])]))
    return runs


def _format(level: int, copied: bool) -> QTextCharFormat:
    form = QTextCharFormat()
    if level:
        form.setBackground(qcolor(FILLS[level]))
    if copied:
        form.setUnderlineStyle(QTextCharFormat.UnderlineStyle.SingleUnderline)
        form.setUnderlineColor(qcolor("text"))
    return form
