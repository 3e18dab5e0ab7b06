"""Tokens as chips: how the tokenizer splits a text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QHelpEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from explorer.gui.screens.screen import text_order
from explorer.gui.style.direction import isolated
from explorer.gui.style.theme import monospace, qcolor
from explorer.gui.style.token_marks import about_tokens
from explorer.gui.style.untrusted import tip
from explorer.i18n import tr, trn

if TYPE_CHECKING:
    from explorer.analyses.search.query import TokenView

_GAP = 5
_PADDING = 7
_SPOKEN = 200
"""Tokens that assistive technology is told: of thousands nobody hears more."""


class TokenChips(QWidget):
    """One line of chips; those that do not fit are counted at the end. The tool tip has id and count."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._tokens: tuple[TokenView, ...] = ()
        # Tokens follow the order of the text, whatever the direction of the window.
        text_order(self)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Tokens of the query"))

    def show_tokens(self, tokens: tuple[TokenView, ...]) -> None:
        """Show these tokens."""
        self._tokens = tokens
        spoken = ", ".join(
            tr("{text} ({token}): {count:,}", text=token.text, token=token.token, count=token.count)
            for token in tokens[:_SPOKEN]
        )
        self.setAccessibleDescription(spoken)
        self.update()

    @property
    def about(self) -> str:
        """What the chips are, and the marks in them."""
        return about_tokens([token.text for token in self._tokens])

    @property
    def needed(self) -> int:
        """The width of all chips, in pixels."""
        metrics = QFontMetrics(monospace())
        return sum(metrics.horizontalAdvance(token.text) + 2 * _PADDING + _GAP for token in self._tokens)

    def sizeHint(self) -> QSize:
        """One line of text with its frame."""
        return QSize(200, QFontMetrics(monospace()).height() + 10)

    def _chips(self) -> list[tuple[QRect, str, TokenView | None]]:
        metrics = QFontMetrics(monospace())
        chips: list[tuple[QRect, str, TokenView | None]] = []
        left = 0
        for number, token in enumerate(self._tokens):
            width = metrics.horizontalAdvance(token.text) + 2 * _PADDING
            # Room for the number of the others is kept beside every chip but the last.
            rest = f"+{len(self._tokens) - number}"
            reserve = metrics.horizontalAdvance(rest) + 2 * _PADDING if number + 1 < len(self._tokens) else 0
            if left + width + (reserve and _GAP + reserve) > self.width():
                chips.append((QRect(left, 1, reserve or width, self.height() - 3), rest, None))
                break
            chips.append((QRect(left, 1, width, self.height() - 3), token.text, token))
            left += width + _GAP
        return self._at_beginning(chips)

    def _at_beginning(
        self, chips: list[tuple[QRect, str, TokenView | None]]
    ) -> list[tuple[QRect, str, TokenView | None]]:
        """In a right-to-left window, the whole line is at the right, beside its name."""
        around = self.parentWidget()
        if not chips or around is None or not around.isRightToLeft():
            return chips
        shift = max(0, self.width() - 1 - chips[-1][0].right())
        return [(rect.translated(shift, 0), text, token) for rect, text, token in chips]

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the chips."""
        painter = QPainter(self)
        painter.setLayoutDirection(self.layoutDirection())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(monospace())
        for rect, text, token in self._chips():
            # A token that never occurs is the reason why the whole query does not.
            unseen = token is not None and token.count == 0
            painter.setPen(qcolor("warn_line" if unseen else "line"))
            painter.setBrush(qcolor("warn_soft" if unseen else "surface"))
            painter.drawRoundedRect(rect, 5, 5)
            painter.setPen(qcolor("warn" if unseen else "text"))
            painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, text)
        painter.end()

    def event(self, event: QEvent) -> bool:
        """Show a chip's count and id in a tool tip; beside the chips, what they are."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            found = [token for rect, _, token in self._chips() if token and rect.contains(event.pos())]
            QToolTip.showText(event.globalPos(), tip(_told(found[0]) if found else self.about), self)
            return True
        return super().event(event)


def _told(token: TokenView) -> str:
    return trn(
        "“{text}” occurs once in the corpus; its id in the tokenizer is {token}.",
        "“{text}” occurs {n:,} times in the corpus; its id in the tokenizer is {token}.",
        token.count,
        text=isolated(token.text),
        token=token.token,
    )
