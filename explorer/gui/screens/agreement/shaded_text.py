"""A stretch of a text, read-only, every token shaded."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QColor, QHelpEvent, QMouseEvent, QTextCharFormat
from PySide6.QtWidgets import QToolTip, QWidget

from explorer.agreement.analysis import TextAgreement
from explorer.gui.screens.agreement.shading import LEVELS, describe_token, shade, shade_levels
from explorer.gui.surfaces import keep_monospace
from explorer.gui.text_positions import Utf16Map
from explorer.gui.theme import qcolor
from explorer.gui.untrusted import tip
from explorer.gui.widgets.marked_text import mark_runs
from explorer.gui.widgets.plain_text import PlainText
from explorer.i18n import tr

_UNDERLINES = QTextCharFormat.UnderlineStyle


class ShadedText(PlainText):
    """Tokens [first, end) of a text; token numbers are those of the whole text.

    `token_chosen(int)`: one was clicked; `brushed(int, int)`: tokens [first, end) were selected.
    """

    token_chosen = Signal(int)
    brushed = Signal(int, int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setReadOnly(True)
        keep_monospace(self)
        self.setAccessibleName(tr("Text, token by token"))
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self._found: TextAgreement | None = None
        self._first = 0
        self._starts: NDArray[np.int64] = np.zeros(0, dtype=np.int64)
        self._ends: NDArray[np.int64] = np.zeros(0, dtype=np.int64)

    def show_part(self, found: TextAgreement | None, first: int, end: int) -> None:
        """Show some tokens of a text, not shaded yet.

        Parameters
        ----------
        found
            The text; None clears the field.
        first
            The first token, from 0.
        end
            One past the last token.
        """
        self._found, self._first = found, first
        if found is None or end <= first:
            self._starts = self._ends = np.zeros(0, dtype=np.int64)
            self.clear()
            return
        starts, ends = found.encoded.starts[first:end], found.encoded.ends[first:end]
        # Only the part is put into the widget: Qt lays out a paragraph as a whole, and texts can be a book in one line.
        offset = int(starts[0])
        text = found.text[offset : int(ends[-1])]
        self.setPlainText(text)
        # Token borders are in characters, Qt's positions in UTF-16 units; they differ after the first emoji.
        positions = Utf16Map(text)
        self._starts = np.array([positions.to_qt(int(s) - offset) for s in starts], dtype=np.int64)
        self._ends = np.array([positions.to_qt(int(e) - offset) for e in ends], dtype=np.int64)

    def shade_by(self, kind: str, marked: NDArray[np.bool_]) -> None:
        """Shade the tokens that are shown, and set some of them off.

        Parameters
        ----------
        kind
            "n" for effective n, "p" for probability, "a" for agreement.
        marked
            Whether each token of the whole text is set off, bool.
        """
        if self._found is None or not len(self._starts):
            return
        end = self._first + len(self._starts)
        levels = shade_levels(self._found, kind)[self._first : end].tolist()
        marks = marked[self._first : end].tolist()
        # One format per look, not one per token: there are ten looks at most, and a thousand tokens.
        forms = {look: _format(*look) for look in set(zip(levels, marks, strict=True))}
        shown = zip(self._starts.tolist(), self._ends.tolist(), levels, marks, strict=True)
        mark_runs(self, [(s, e, forms[level, on]) for s, e, level, on in shown if e > s and (level or on)])

    def show_token(self, token: int) -> None:
        """Scroll to a token and move the cursor there."""
        place = token - self._first
        if 0 <= place < len(self._starts):
            cursor = self.textCursor()
            cursor.setPosition(int(self._starts[place]))
            self.setTextCursor(cursor)
            self.centerCursor()

    def token_at(self, position: int) -> int:
        """The token at Qt's position, -1 if there is none."""
        if not len(self._starts):
            return -1
        return self._first + int(np.searchsorted(self._starts, position, side="right")) - 1

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A click chooses a token, a drag selects tokens."""
        # The base class finishes the selection first; only then is it known whether this was a click or a drag.
        super().mouseReleaseEvent(event)
        if event.button() != Qt.MouseButton.LeftButton:
            return
        cursor = self.textCursor()
        if cursor.hasSelection():
            first = self.token_at(cursor.selectionStart())
            last = self.token_at(max(cursor.selectionStart(), cursor.selectionEnd() - 1))
            if first >= 0:
                self.brushed.emit(first, last + 1)
            return
        token = self.token_at(self.cursorForPosition(event.position().toPoint()).position())
        if token >= 0:
            self.token_chosen.emit(token)

    def viewportEvent(self, event: QEvent) -> bool:
        """Show a token's values in a tool tip."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip and self._found is not None:
            token = self.token_at(self.cursorForPosition(event.pos()).position())
            QToolTip.showText(event.globalPos(), tip(describe_token(self._found, token)) if token >= 0 else "", self)
            return True
        return super().viewportEvent(event)


def _format(level: int, marked: bool) -> QTextCharFormat:
    form = QTextCharFormat()
    form.setBackground(qcolor("mark") if marked else shade(level))
    if marked:
        form.setForeground(qcolor("on_mark"))
        _underline(form, _UNDERLINES.WaveUnderline, qcolor("on_mark"))
    # The strongest two levels differ without color too.
    elif level >= LEVELS - 2:
        style = _UNDERLINES.SingleUnderline if level == LEVELS - 1 else _UNDERLINES.DotLine
        _underline(form, style, qcolor("accent"))
    return form


def _underline(form: QTextCharFormat, style: QTextCharFormat.UnderlineStyle, color: QColor) -> None:
    form.setUnderlineStyle(style)
    form.setUnderlineColor(color)
