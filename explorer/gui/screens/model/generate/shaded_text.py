"""A generated text, read-only: every token shaded by its places, and the longest copied stretch underlined."""

from __future__ import annotations

import numpy as np
from PySide6.QtGui import QTextCharFormat
from PySide6.QtWidgets import QWidget

from explorer.gui.screens.model.generate.state import FILLS, describe_token, shades
from explorer.gui.screens.model.generate.work import WrittenText
from explorer.gui.style.surfaces import when_restyled
from explorer.gui.style.theme import font_of, qcolor
from explorer.gui.widgets.texts.token_text import TokenText
from explorer.i18n import tr


class GeneratedText(TokenText):
    """The prompt and what was written after it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(tr("Generated text"))
        # A little larger than the window's text, as all text that is read.
        when_restyled(self, lambda: self.setFont(font_of(1.08)))
        self.setFont(font_of(1.08))
        self._text: WrittenText | None = None
        self.describe_by(lambda token: "" if self._text is None else describe_token(self._text, token))

    def show_text(self, text: WrittenText | None, chosen: int) -> None:
        """Show a text, or more of it, and set one of its tokens off.

        text: The text; None for none.
        chosen: The token, from 0; -1 for none.
        """
        if text is not self._text:
            self._text = text
            self._show()
        self.set_off(chosen)
        if chosen >= 0 and not self.hasFocus():
            # The cursor as well: the arrow keys continue from there.
            self.show_token(chosen)

    def _show(self) -> None:
        text = self._text
        if text is None:
            self.clear()
            return
        scrolled = self.verticalScrollBar().value()
        # Borders are counted from the beginning of the prompt.
        borders = text.starts - len(text.lead)
        self.show_tokens(text.text, borders[:-1], borders[1:], lead=text.lead)
        # What is being written grows at its end: what is read meanwhile must not move.
        self.verticalScrollBar().setValue(scrolled)
        self.reshade()

    def reshade(self) -> None:
        """Shade again, in the colors of another theme."""
        text = self._text
        if text is None:
            return
        first, end = text.longest
        copied = np.zeros(len(text.tokens), dtype=np.int64)
        copied[first:end] = 1
        # One number per look, so that neighbors with the same look become one run.
        looks = (shades(text) * 2 + copied).tolist()
        forms = {look: _format(look // 2, bool(look % 2)) if look else None for look in set(looks)}
        self.shade([forms[look] for look in looks])


def _format(level: int, copied: bool) -> QTextCharFormat:
    form = QTextCharFormat()
    if level:
        form.setBackground(qcolor(FILLS[level]))
    if copied:
        form.setUnderlineStyle(QTextCharFormat.UnderlineStyle.SingleUnderline)
        form.setUnderlineColor(qcolor("text"))
    return form
