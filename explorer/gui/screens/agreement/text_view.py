"""The text itself, every token shaded by effective n, probability or agreement."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QColor, QHelpEvent, QMouseEvent, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QPlainTextEdit, QTextEdit, QToolTip, QVBoxLayout, QWidget

from explorer.agreement.analysis import TextAgreement
from explorer.gui.screen import label, named
from explorer.gui.text_positions import Utf16Map, one_line
from explorer.gui.theme import monospace, qcolor

MOST_TOKENS = 3_000
"""Tokens that are shaded at once; a longer text is shown from its beginning."""
_LEVELS = 5
_KINDS = (("effective n", "n"), ("probability", "p"), ("agreement", "a"))
_N_BOUNDS = (2, 3, 5, 9)


class ShadedText(QPlainTextEdit):
    """Read-only text with shaded tokens. `token_chosen(int)`: one was clicked."""

    token_chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setReadOnly(True)
        self.setFont(monospace())
        self.setAccessibleName("Text, token by token")
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self._found: TextAgreement | None = None
        self._starts: NDArray[np.int64] = np.zeros(0, dtype=np.int64)

    def show_text(self, found: TextAgreement | None, kind: str) -> None:
        """Show a text shaded by "n", "p" or "a"."""
        self._found = found
        self.setExtraSelections([])
        if found is None:
            self.clear()
            return
        count = min(MOST_TOKENS, len(found.infgram))
        end = int(found.encoded.ends[count - 1]) if count else 0
        text = found.text[:end]
        if self.toPlainText() != text:
            self.setPlainText(text)
        positions = Utf16Map(text)
        self._starts = np.array([positions.to_qt(int(s)) for s in found.encoded.starts[:count]], dtype=np.int64)
        ends = [positions.to_qt(int(e)) for e in found.encoded.ends[:count]]
        levels = shade_levels(found, kind)[:count]
        self.setExtraSelections(
            [
                self._selection(int(start), last, int(level))
                for start, last, level in zip(self._starts, ends, levels, strict=True)
                if last > start and level
            ]
        )

    def _selection(self, start: int, end: int, level: int) -> QTextEdit.ExtraSelection:
        selection = QTextEdit.ExtraSelection()
        cursor = QTextCursor(self.document())
        cursor.setPosition(start)
        cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
        form = QTextCharFormat()
        form.setBackground(shade(level))
        # The strongest two levels are told apart without colour.
        if level >= _LEVELS - 2:
            strongest = level == _LEVELS - 1
            style = QTextCharFormat.UnderlineStyle
            form.setUnderlineStyle(style.SingleUnderline if strongest else style.DotLine)
            form.setUnderlineColor(qcolor("accent"))
        selection.cursor, selection.format = cursor, form
        return selection

    def token_at(self, position: int) -> int:
        """The token at Qt's position, -1 where there is none."""
        return int(np.searchsorted(self._starts, position, side="right")) - 1 if len(self._starts) else -1

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A click chooses a token."""
        super().mouseReleaseEvent(event)
        if event.button() == Qt.MouseButton.LeftButton and not self.textCursor().hasSelection():
            token = self.token_at(self.cursorForPosition(event.position().toPoint()).position())
            if token >= 0:
                self.token_chosen.emit(token)

    def viewportEvent(self, event: QEvent) -> bool:
        """Tell a token's figures in a tool tip."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip and self._found is not None:
            token = self.token_at(self.cursorForPosition(event.pos()).position())
            QToolTip.showText(event.globalPos(), describe_token(self._found, token) if token >= 0 else "", self)
            return True
        return super().viewportEvent(event)


def shade_levels(found: TextAgreement, kind: str) -> NDArray[np.int64]:
    """0 (palest) to 4 for each token."""
    parts = found.infgram
    if kind == "p":
        return np.minimum((parts.probability * _LEVELS).astype(np.int64), _LEVELS - 1)
    if kind == "a":
        return np.where(parts.agrees, np.where(parts.sparse, _LEVELS - 1, _LEVELS - 2), 0).astype(np.int64)
    return np.searchsorted(_N_BOUNDS, parts.effective_n, side="right").astype(np.int64)


def shade(level: int) -> QColor:
    """The ground of a level: one colour, from nothing to strong, so that no hue has to be told apart."""
    base, strong = qcolor("surface"), qcolor("high")
    share = level / (_LEVELS - 1)
    mixed = [round(a + (b - a) * share) for a, b in zip(base.getRgb()[:3], strong.getRgb()[:3], strict=True)]  # type: ignore[index]
    return QColor(*mixed)


def describe_token(found: TextAgreement, token: int) -> str:
    """A token's figures on a few lines."""
    parts, encoded = found.infgram, found.encoded
    text = one_line(found.text[int(encoded.starts[token]) : int(encoded.ends[token])])
    sparse = ", and nothing else ever follows" if parts.sparse[token] and parts.agrees[token] else ""
    return (
        f"“{text}” behind the last {int(parts.effective_n[token]) - 1} tokens, which occur "
        f"{int(parts.context_count[token]):,} times\n"
        f"follows {int(parts.continuation_count[token]):,} times: probability {parts.probability[token]:.1%}{sparse}"
    )


class TextView(QWidget):
    """A text of the analysis, its shading, and what else could have followed a token.

    `alternatives_wanted(TextAgreement, int)`: what else follows the context of this token.
    """

    alternatives_wanted = Signal(object, int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._texts: tuple[TextAgreement, ...] = ()
        self._token = -1
        self.which = named(QComboBox(), "Text")
        self.which.setMinimumWidth(180)
        self.kind = named(QComboBox(), "Shade by")
        for text, name in _KINDS:
            self.kind.addItem(text, name)
        self.text = ShadedText()
        self.chosen = label(
            "Click a token for what else could have stood there; its menu leads to the context's lines.", "muted"
        )
        self.chosen.setWordWrap(True)
        self.chosen.setMinimumHeight(3 * self.fontMetrics().lineSpacing())
        self.legend = label("", "muted")
        top = QHBoxLayout()
        top.addWidget(self.which)
        top.addWidget(label("shaded by", "muted"))
        top.addWidget(self.kind)
        top.addWidget(self.legend, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addLayout(top)
        layout.addWidget(self.text, 1)
        layout.addWidget(self.chosen)
        self.which.currentIndexChanged.connect(lambda _: self.show_current())
        self.kind.currentIndexChanged.connect(lambda _: self.show_current())
        self.text.token_chosen.connect(self._choose)

    def show_texts(self, texts: tuple[TextAgreement, ...]) -> None:
        """Offer the texts of an analysis."""
        self._texts = texts
        self.which.blockSignals(True)
        self.which.clear()
        for number, found in enumerate(texts, start=1):
            self.which.addItem(f"{number}: {found.group or 'text'}")
        self.which.blockSignals(False)
        self.which.setVisible(len(texts) > 1)
        self.show_current()

    def current(self) -> TextAgreement | None:
        """The text that is shown."""
        number = self.which.currentIndex()
        return self._texts[number] if 0 <= number < len(self._texts) else None

    def show_current(self) -> None:
        """Shade the chosen text."""
        found, kind = self.current(), self.kind.currentData()
        self.text.show_text(found, kind)
        words = {
            "n": "paler to stronger: 1, 2, 3–4, 5–8, 9 and more",
            "p": "paler to stronger: 0 to 100 %",
            "a": "dotted: agrees; underlined: agrees, and nothing else ever follows",
        }
        cut = found is not None and len(found.infgram) > MOST_TOKENS
        self.legend.setText(words[kind] + (f" · the first {MOST_TOKENS:,} tokens" if cut else ""))

    def _choose(self, token: int) -> None:
        found = self.current()
        if found is not None:
            self._token = token
            self.chosen.setText(describe_token(found, token))
            self.alternatives_wanted.emit(found, token)

    def show_alternatives(self, found: TextAgreement, token: int, alternatives: str) -> None:
        """The likeliest tokens behind the same context."""
        if found is self.current() and token == self._token:
            self.chosen.setText(f"{describe_token(found, token)}\nlikeliest: {alternatives}")


def context_text(found: TextAgreement, token: int) -> str:
    """The context from which a token was predicted, as text."""
    first = token - (int(found.infgram.effective_n[token]) - 1)
    return found.text[int(found.encoded.starts[first]) : int(found.encoded.ends[token - 1])] if first < token else ""
