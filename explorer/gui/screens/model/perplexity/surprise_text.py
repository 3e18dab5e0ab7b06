"""The text of the Perplexity tab, every token shaded by its surprise."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFont, QPainter, QPaintEvent, QTextCharFormat
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from explorer.gui.direction import in_its_order
from explorer.gui.screen import label
from explorer.gui.screens.model.perplexity.presenter import PerplexityPresenter
from explorer.gui.screens.model.perplexity.state import PerplexityState
from explorer.gui.screens.model.perplexity.words import is_bytes, power
from explorer.gui.screens.model.perplexity.work import ScoredText, borders, surprise_of
from explorer.gui.text_positions import cell_text, one_line, short_text
from explorer.gui.theme import chrome, em, font_of, qcolor, scaled, width_of
from explorer.gui.widgets.buttons import icon_button
from explorer.gui.widgets.elided_label import ElidedLabel
from explorer.gui.widgets.flow_layout import FlowLayout
from explorer.gui.widgets.panel import Panel
from explorer.gui.widgets.token_text import TokenText
from explorer.i18n import mark, numeral, tr

MOST_TOKENS = 3_000
"""Tokens that are shown and shaded at once."""
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


class SurprisePanel(QWidget):
    """One text at a time, in parts.

    Parameters
    ----------
    presenter
        The tab's.
    """

    def __init__(self, presenter: PerplexityPresenter) -> None:
        super().__init__()
        self._presenter = presenter
        self._text: ScoredText | None = None
        self._first = 0
        self.panel = Panel()
        self.title = ElidedLabel()
        self.title.setProperty("role", "heading")
        self.part = label("", "small")
        self.before = icon_button("chevron-left", tr("Earlier part"))
        self.after = icon_button("chevron-right", tr("Later part"))
        self.view = TokenText()
        self.view.setAccessibleName(tr("Text, shaded by surprise"))
        self.view.describe_by(self._described)
        self._lay_out()
        self.before.clicked.connect(lambda: self._step(-1))
        self.after.clicked.connect(lambda: self._step(1))
        self.view.token_chosen.connect(self._choose)

    def _lay_out(self) -> None:
        steps = QWidget()
        row = QHBoxLayout(steps)
        row.setContentsMargins(0, 0, 0, 0)
        for widget in (self.part, self.before, self.after):
            row.addWidget(widget)
        top = QWidget()
        flow = FlowLayout(top, gap=12)
        for part in (self.title, Legend(), steps):
            flow.addWidget(part)
        column = QVBoxLayout()
        column.setContentsMargins(scaled(16), scaled(8), scaled(16), 0)
        column.addWidget(top)
        self.panel.body.addLayout(column)
        self.panel.hold(self.view)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self.panel)

    def draw(self, state: PerplexityState, before: PerplexityState | None) -> None:
        """Show the text of a state; what is shown already keeps its place.

        Parameters
        ----------
        state
            The new state.
        before
            The one that was drawn before; None for the first.
        """
        if before is None or state.text is not self._text:
            # The same text scored by another method keeps its place.
            same = self._text is not None and state.text is not None and self._text.text == state.text.text
            self._text = state.text
            self._first = self._first if same else 0
            self._show(same)
        elif state.token != before.token:
            self._shade()
        self._say(state)

    def _say(self, state: PerplexityState) -> None:
        of = state.text
        bytes_ = state.corpus is not None and is_bytes(state.corpus.index)
        heading = tr("Surprise, byte by byte") if bytes_ else tr("Surprise, token by token")
        if len(state.texts) > 1 and of is not None:
            heading = tr(
                "Text {number:,} of {count:,}: {start}",
                number=state.shown + 1,
                count=len(state.texts),
                start=cell_text(short_text(one_line(of.text[:200]), 60)),
            )
        self.title.setText(heading)
        tokens = 0 if of is None else len(of.scores)
        first, last = self._first + 1, min(tokens, self._first + MOST_TOKENS)
        self.part.setText(
            tr("tokens {first:,} to {last:,} of {tokens:,}", first=first, last=last, tokens=tokens)
            if not bytes_
            else tr("bytes {first:,} to {last:,} of {tokens:,}", first=first, last=last, tokens=tokens)
        )
        # A short text alone has no other parts to go to.
        more = tokens > MOST_TOKENS or len(state.texts) > 1
        for widget in (self.before, self.after):
            widget.setVisible(more)
        self.part.setVisible(tokens > 0)
        self.before.setEnabled(self._first > 0 or state.shown > 0)
        self.after.setEnabled(last < tokens or state.shown < len(state.texts) - 1)

    def _step(self, by: int) -> None:
        """The next part of the text, or the next text."""
        state = self._presenter.state
        tokens = 0 if self._text is None else len(self._text.scores)
        first = self._first + by * MOST_TOKENS
        # Beyond the ends of a text are its neighbors.
        if 0 <= first < tokens:
            self._first = first
            self._show(False)
            self._say(state)
        else:
            self._presenter.go(state.shown + by)

    def _show(self, same: bool) -> None:
        text = self._text
        if text is None:
            self.view.clear()
            return
        if not same:
            starts, ends = borders(text)
            # The first tokens of a text without a prompt are not scored; they are shown before the others.
            skipped = len(starts) - len(text.scores)
            here = slice(skipped + self._first, skipped + self._first + MOST_TOKENS)
            if not len(starts[here]):
                self.view.clear()
                return
            # Only the part is put into the widget: Qt lays out paragraphs as a whole, and a text can be a book in one.
            begin, end = int(starts[here][0]), int(ends[here][-1])
            lead = text.text[:begin][-40:] if not self._first else ""
            self.view.show_tokens(text.text[begin:end], starts[here] - begin, ends[here] - begin, self._first, lead)
        self._shade()

    def _shade(self) -> None:
        text = self._text
        first, end = self.view.shown
        if text is None or end <= first:
            return
        levels = np.searchsorted(BOUNDS, surprise_of(text.scores)[first:end], side="right").tolist()
        # The chosen token is set off among the others, whatever its surprise.
        chosen = self._presenter.state.token
        # One format per level, not one per token: there may be thousands.
        forms = {level: _form(level) for level in range(4)}
        found = [forms[level] for level in levels]
        if chosen is not None and first <= chosen < end:
            found[chosen - first] = _chosen_form()
        self.view.shade(found)

    def reshade(self) -> None:
        """Shade again, in the colors of another theme."""
        self._shade()

    def _choose(self, token: int) -> None:
        self._presenter.choose_token(token)

    def _described(self, token: int) -> str:
        text = self._text
        if text is None or not 0 <= token < len(text.scores):
            return ""
        return described(text, token, self._presenter.state.method.normalised)


def described(text: ScoredText, token: int, normalised: bool) -> str:
    """A token's probability, or its score, and the length of its context, in words.

    Parameters
    ----------
    text
        The text.
    token
        The token's number among those that are scored.
    normalised
        Whether the method gives probabilities.

    Returns
    -------
    str
        The words, for a tool tip.
    """
    share, length = float(text.scores.shares[token]), int(text.scores.lengths[token])
    # Three decimals of a very small number are zeros.
    number = power(share) if share < 0.001 else numeral(share, ".3f")
    context = tr("longest context: {n:,} tokens", n=length)
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


def _chosen_form() -> QTextCharFormat:
    form = QTextCharFormat()
    form.setBackground(qcolor("mark"))
    form.setForeground(qcolor("on_mark"))
    return form


LEAST = (20, 17)
"""Width and height of the text at least, in em."""


def least_size() -> QSize:
    """The least size of the panel with the text."""
    return QSize(em(LEAST[0]), em(LEAST[1]))
