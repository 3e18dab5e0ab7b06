"""The text of the Perplexity tab, every token shaded by its surprise."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFont, QPainter, QPaintEvent, QTextCharFormat
from PySide6.QtWidgets import QWidget

from explorer.gui.screens.model.perplexity.presenter import PerplexityPresenter
from explorer.gui.screens.model.perplexity.state import PerplexityState
from explorer.gui.screens.model.perplexity.words import is_bytes, power
from explorer.gui.screens.model.perplexity.work import SHOWN, ScoredText, borders, surprise_of
from explorer.gui.screens.model.text_panel import TextInParts, Tokens
from explorer.gui.style.direction import in_its_order
from explorer.gui.style.text_positions import cell_text, one_line, short_text
from explorer.gui.style.theme import chrome, em, font_of, qcolor, scaled, width_of
from explorer.gui.widgets.texts.token_text import Form
from explorer.i18n import mark, numeral, tr, trn

BOUNDS = (1.0, 3.0, 6.0)
"""The smallest surprise of each level but the lowest, in bits."""
_LEGEND = (mark("under 1 bit"), "1–3", "3–6", mark("6 or more, underlined"))
_FILLS = ("", "rel1", "rel2", "rel3")


class Legend(QWidget):
    """What the shades mean."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(", ".join(tr(words) for words in _LEGEND))

    def _entries(self) -> list[tuple[str, str, int]]:
        return [
            (fill or "surface", tr(words), width_of(tr(words), 0.92) + 1)
            for fill, words in zip(_FILLS, _LEGEND, strict=True)
        ]

    def sizeHint(self) -> QSize:
        """All entries in one line."""
        return QSize(sum(scaled(20 + 6 + 14) + width for _, _, width in self._entries()), chrome(24))

    def minimumSizeHint(self) -> QSize:
        """It is never cut: its row wraps."""
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Swatches and words."""
        painter = QPainter(self)
        painter.setFont(font_of(0.92))
        left = 0.0
        for fill, words, width in self._entries():
            swatch = QRectF(left, (self.height() - scaled(12)) / 2, scaled(20), scaled(12))
            painter.fillRect(self._mirrored(swatch), qcolor(fill))
            painter.setPen(qcolor("line_strong"))
            painter.drawRect(self._mirrored(swatch).adjusted(0.5, 0.5, -0.5, -0.5))
            left += scaled(20 + 6)
            painter.setPen(qcolor("muted"))
            room = self._mirrored(QRectF(left, 0, width, self.height()))
            # Isolated: a range would be turned around in a window from right to left.
            painter.drawText(room, Qt.AlignmentFlag.AlignCenter, in_its_order(words))
            left += width + scaled(14)
        painter.end()

    def _mirrored(self, area: QRectF) -> QRectF:
        if not self.isRightToLeft():
            return area
        return QRectF(self.width() - area.right(), area.top(), area.width(), area.height())


class SurprisePanel(TextInParts[PerplexityState]):
    """One text at a time, in parts."""

    def __init__(self, presenter: PerplexityPresenter) -> None:
        super().__init__(presenter, tr("Text, shaded by surprise"), SHOWN, Legend())

    def tokens_of(self, text: ScoredText) -> Tokens:
        """The tokens of a text that are scored: of one without a prompt, not the first."""
        starts, ends = borders(text)
        skipped = len(starts) - len(text.scores)
        return Tokens(text.text, starts[skipped:], ends[skipped:])

    def looks(self, text: ScoredText) -> Sequence[Form]:
        """One look per level of surprise."""
        levels = np.searchsorted(BOUNDS, surprise_of(text.scores), side="right").tolist()
        # One format per level, not one per token: there may be thousands.
        forms = {level: _form(level) for level in range(4)}
        return [forms[level] for level in levels]

    def heading(self, state: PerplexityState) -> str:
        """What is shown: of several texts, which one."""
        if len(state.texts) > 1 and state.text is not None:
            start = cell_text(short_text(one_line(state.text.text[:200]), 60))
            return tr("Text {number:,} of {count:,}: {start}", number=state.number + 1, count=len(state.texts),
                      start=start)  # fmt: skip
        return tr("Surprise, byte by byte") if _has_bytes(state) else tr("Surprise, token by token")

    def units(self, state: PerplexityState) -> str:
        """Bytes or tokens."""
        return "bytes" if _has_bytes(state) else "tokens"

    def told_of(self, token: int) -> str:
        """A token's probability, or its score, and the length of its context."""
        return described(self._text, token, self._presenter.state.method.normalised)

    def footer(self, state: PerplexityState) -> str:
        """Nothing: the token that was clicked is described beside the text."""
        return ""


def _has_bytes(state: PerplexityState) -> bool:
    return state.corpus is not None and is_bytes(state.corpus.index)


_CONTEXTS = ("", mark("no context occurs: by frequency alone"), mark("no context occurs: all tokens alike"))
"""What takes the place of the longest context, by the place in `explorer.analyses.model.fallback.FALLBACKS`."""


def described(text: ScoredText, token: int, normalised: bool) -> str:
    """A token's probability, or its score, and the length of its context, in words.

    token: The token's number among those that are scored.
    """
    share, length = float(text.scores.shares[token]), int(text.scores.lengths[token])
    # Three decimals of a very small number are zeros.
    number = power(share) if share < 0.001 else numeral(share, ".3f")
    context = _CONTEXTS[int(text.scores.fallbacks[token])]
    context = tr(context) if context else trn("longest context: {n:,} token", "longest context: {n:,} tokens", length)
    if not normalised:
        return tr("score {number}; {context}", number=number, context=context)
    if not share:
        return tr("never predicted; {context}", context=context)
    bits = float(surprise_of(text.scores)[token])
    return tr("probability {number}, {bits:.2f} bits; {context}", number=number, bits=bits, context=context)


def _form(level: int) -> QTextCharFormat | None:
    if not level:
        return None
    form = QTextCharFormat()
    form.setBackground(qcolor(_FILLS[level]))
    if level == 3:
        # Not told by the shade alone.
        form.setUnderlineStyle(QTextCharFormat.UnderlineStyle.SingleUnderline)
        form.setUnderlineColor(qcolor("accent"))
        form.setFontWeight(QFont.Weight.DemiBold)
    return form


LEAST = (20, 17)
"""Width and height of the text at least, in em."""


def least_size() -> QSize:
    """The least size of the panel with the text."""
    return QSize(em(LEAST[0]), em(LEAST[1]))
