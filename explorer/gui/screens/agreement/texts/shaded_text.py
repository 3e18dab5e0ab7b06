"""A stretch of a text, read-only, every token shaded."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont, QMouseEvent, QTextCharFormat
from PySide6.QtWidgets import QWidget

from explorer.analyses.agreement.analysis import TextAgreement
from explorer.gui.screens.agreement.texts.shading import describe_token, shade, shade_levels
from explorer.gui.style.theme import qcolor
from explorer.gui.widgets.texts.token_text import TokenText
from explorer.text.graphemes import ending

_MOST_BEFORE = 400
"""Characters of a prompt that are shown before the text."""


class ShadedText(TokenText):
    """Tokens [first, end) of a text; token numbers are those of the whole text.

    `brushed(int, int)`: tokens [first, end) were selected.
    """

    brushed = Signal(int, int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self._found: TextAgreement | None = None
        self.describe_by(lambda token: "" if self._found is None else describe_token(self._found, token))

    def show_part(self, found: TextAgreement | None, first: int, end: int) -> None:
        """Show some tokens of a text, not shaded yet.

        found: The text; None clears the field.
        first: The first token, from 0.
        """
        self._found = found
        if found is None or end <= first:
            self.clear()
            return
        starts, ends = found.encoded.starts[first:end], found.encoded.ends[first:end]
        # Only the part is put into the widget: Qt lays out a paragraph as a whole, and texts can be a book in one line.
        offset = int(starts[0])
        # Before the first scored token comes the end of the context, which is shown, but not shaded.
        lead = before_scored(found) if first == 0 else ""
        self.show_tokens(found.text[offset : int(ends[-1])], starts - offset, ends - offset, first, lead)

    def shade_by(self, kind: str, marked: NDArray[np.bool_]) -> None:
        """Shade the tokens that are shown, and set some of them off.

        kind: "n" for effective n, "p" for probability, "a" for agreement.
        """
        first, end = self.shown
        if self._found is None or end <= first:
            return
        levels = shade_levels(self._found, kind)[first:end].tolist()
        looks = list(zip(levels, marked[first:end].tolist(), strict=True))
        # One format per look, not one per token: there are ten looks at most, and a thousand tokens.
        forms = {look: _format(*look) if any(look) else None for look in set(looks)}
        self.shade([forms[look] for look in looks])

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A click chooses a token, a drag selects tokens."""
        super().mouseReleaseEvent(event)
        cursor = self.textCursor()
        if event.button() != Qt.MouseButton.LeftButton or not cursor.hasSelection():
            return
        first = self.token_at(cursor.selectionStart())
        # A selection ends after its last character; the token there would be one too many.
        last = self.token_at(max(cursor.selectionStart(), cursor.selectionEnd() - 1))
        # A selection that begins in the prompt has no first token.
        if first >= 0:
            self.brushed.emit(first, max(first, last) + 1)


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
    return whole if len(whole) <= _MOST_BEFORE else "… " + ending(whole, _MOST_BEFORE)
