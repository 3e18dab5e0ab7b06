"""A stretch of a text, read-only, every token shaded."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QFont, QHelpEvent, QMouseEvent, QTextCharFormat
from PySide6.QtWidgets import QToolTip, QWidget

from explorer.agreement.analysis import TextAgreement
from explorer.gui.screens.agreement.shading import describe_token, shade, shade_levels
from explorer.gui.text_positions import Utf16Map
from explorer.gui.theme import qcolor
from explorer.gui.untrusted import tip
from explorer.gui.widgets.marked_text import mark_runs
from explorer.gui.widgets.plain_text import PlainText
from explorer.i18n import tr

_MOST_BEFORE = 400
"""Characters of a prompt that are shown before the text."""


class ShadedText(PlainText):
    """Tokens [first, end) of a text; token numbers are those of the whole text.

    `token_chosen(int)`: one was clicked; `brushed(int, int)`: tokens [first, end) were selected.
    """

    token_chosen = Signal(int)
    brushed = Signal(int, int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setReadOnly(True)
        self.setAccessibleName(tr("Text, token by token"))
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self._found: TextAgreement | None = None
        self._first = 0
        self._lead = 0
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
        # Before the first scored token comes the end of the context, which is shown, but not shaded.
        lead = before_scored(found) if first == 0 else ""
        text = found.text[offset : int(ends[-1])]
        self.setPlainText(lead + text)
        # Token borders are in characters, Qt's positions in UTF-16 units; they differ after the first emoji.
        positions = Utf16Map(lead + text)
        self._lead = positions.to_qt(len(lead))
        self._starts = np.array([positions.to_qt(len(lead) + int(s) - offset) for s in starts], dtype=np.int64)
        self._ends = np.array([positions.to_qt(len(lead) + int(e) - offset) for e in ends], dtype=np.int64)

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
        runs = [(s, e, forms[level, on]) for s, e, level, on in shown if e > s and (level or on)]
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
        place = int(np.searchsorted(self._starts, position, side="right")) - 1
        # In the prompt there is none.
        return self._first + place if place >= 0 else -1

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A click chooses a token, a drag selects tokens."""
        # The base class finishes the selection first; only then is it known whether this was a click or a drag.
        super().mouseReleaseEvent(event)
        if event.button() != Qt.MouseButton.LeftButton:
            return
        cursor = self.textCursor()
        if cursor.hasSelection():
            first = self.token_at(cursor.selectionStart())
            # A selection ends after its last character; the token there would be one too many.
            last = self.token_at(max(cursor.selectionStart(), cursor.selectionEnd() - 1))
            # A selection that begins in the prompt has no first token.
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
    if level:
        form.setBackground(shade(level))
    if marked:
        # A line in the color of the text: it can be told from every shade without color.
        form.setUnderlineStyle(QTextCharFormat.UnderlineStyle.SingleUnderline)
        form.setUnderlineColor(qcolor("text"))
        form.setFontWeight(QFont.Weight.DemiBold)
    return form


def before_scored(found: TextAgreement) -> str:
    """The last part of the context before the first scored token; "" without a prompt."""
    if not len(found.context):
        return ""
    whole = found.context.lead + found.text[: int(found.encoded.starts[0])]
    return whole if len(whole) <= _MOST_BEFORE else "… " + whole[-_MOST_BEFORE:]
