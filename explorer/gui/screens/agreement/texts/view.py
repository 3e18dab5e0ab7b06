"""The texts of a source, token by token: a strip, the shaded text, and what else could follow a token."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QMenu, QSizePolicy, QVBoxLayout, QWidget

from explorer.analyses.agreement.analysis import TextAgreement
from explorer.analyses.agreement.brush import Brush, marked_tokens
from explorer.analyses.agreement.contexts import context_text
from explorer.gui.presenting.hints import why_unable
from explorer.gui.screens.agreement.texts.presenter import TokensPresenter
from explorer.gui.screens.agreement.texts.ribbon import TokenRibbon
from explorer.gui.screens.agreement.texts.shaded_text import ShadedText
from explorer.gui.screens.agreement.texts.shading import KINDS, describe_token, legend, shade
from explorer.gui.screens.agreement.texts.state import TokensState
from explorer.gui.screens.screen import Notice, label, named
from explorer.gui.style.surfaces import when_restyled
from explorer.gui.style.text_positions import one_line
from explorer.gui.style.theme import font_of, qcolor, scaled
from explorer.gui.style.untrusted import caption
from explorer.gui.widgets.fields.buttons import icon_button, push_button
from explorer.gui.widgets.fields.chip import Chip
from explorer.gui.widgets.fields.number_box import NumberBox
from explorer.gui.widgets.layouts.flow_layout import FlowLayout
from explorer.gui.widgets.layouts.panel import Panel
from explorer.gui.widgets.painting import draw_words
from explorer.gui.widgets.texts.elided_label import ElidedLabel
from explorer.i18n import mark, tr

MOST_TOKENS = 1_000
"""Tokens of the text that are shown and shaded at once; the strip has them all and leads to the others."""
_HINT = mark("Click a token to see what else could follow")


class TextSteps(QWidget):
    """The source of the text that is shown, and the ways to the others."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        # A name of any length leaves room for the ways to the other texts.
        self.name = ElidedLabel()
        self.name.setProperty("role", "heading")
        self.before = icon_button("chevron-left", tr("Previous text"))
        self.after = icon_button("chevron-right", tr("Next text"))
        self.place = named(NumberBox(minimum=1, maximum=1), tr("Number of the text"))
        self.count = label("", "muted")
        _fill(self, self.name, self.before, self.place, self.count, self.after)

    def draw(self, state: TokensState) -> None:
        """Show which text is shown, of how many."""
        self.name.setText(state.title)
        # The maximum first: a box takes no value beyond it.
        self.place.setMaximum(max(1, len(state.texts)))
        self.place.setValue(state.shown + 1)
        self.count.setText(tr("of {n:,}", n=len(state.texts)))
        for widget in (self.before, self.place, self.count, self.after):
            widget.setVisible(len(state.texts) > 1)
        self.before.setEnabled(state.shown > 0)
        self.after.setEnabled(state.shown < len(state.texts) - 1)


class PartSteps(QWidget):
    """Which part of a long text is shown, and the ways to the others; hidden for short texts."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.earlier = icon_button("chevron-left", tr("Earlier tokens of the text"))
        self.later = icon_button("chevron-right", tr("Later tokens of the text"))
        self.part = label("", "small")
        _fill(self, self.earlier, self.part, self.later)

    def draw(self, first: int, end: int, count: int) -> None:
        """Show which part is shown.

        first: The first token of the part, from 0.
        end: One past its last token.
        """
        self.setVisible(count > MOST_TOKENS)
        self.earlier.setEnabled(first > 0)
        self.later.setEnabled(end < count)
        self.part.setText(tr("tokens {first:,} to {end:,} of {count:,}", first=first + 1, end=end, count=count))


def _fill(holder: QWidget, *widgets: QWidget) -> QWidget:
    """Put widgets that stay together into one line."""
    row = QHBoxLayout(holder)
    row.setContentsMargins(0, 0, scaled(8), 0)
    row.setSpacing(scaled(6))
    for widget in widgets:
        row.addWidget(widget)
    return holder


class TextPanel(QWidget):
    """Shows one text at a time.

    `search_wanted(str)`: the lines of this context are wanted. `score_wanted(str)`: the perplexity of this text.
    `profile_wanted(str, int)`: the n-gram profile of the token at this character of a text.

    presenter: Goes through the texts.
    """

    search_wanted = Signal(str)
    score_wanted = Signal(str)
    profile_wanted = Signal(str, int)

    def __init__(self, presenter: TokensPresenter, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._presenter = presenter
        self._found: TextAgreement | None = None
        self._marked: NDArray[np.bool_] = np.zeros(0, dtype=np.bool_)
        self._token, self._first = -1, 0
        self.panel = Panel(footer=())
        self.ribbon, self.text = TokenRibbon(), ShadedText()
        self._make_top()
        self._make_footer()
        self._lay_out()
        self._connect()

    def _make_top(self) -> None:
        self.texts, self.parts = TextSteps(), PartSteps()
        self.score = push_button(tr("Score this text"), "quiet", "chevron-right")
        self.score.setToolTip(tr("Show in Model how well the corpus predicts this text, without its prompt"))
        self.kind = named(QComboBox(), tr("Shade by"))
        for text, name in KINDS:
            self.kind.addItem(tr(text), name)
        self.legend = ShadeLegend()
        self.hint = label(tr(_HINT), "small")
        self.chosen_n = Chip("", "filter", removable=True)
        self.notice = Notice()

    def _make_footer(self) -> None:
        self.chosen = label("", "small")
        self.chosen.setWordWrap(True)
        self.search = Chip(tr("Search for this context"))
        self.panel.footer_row.addWidget(self.chosen, 1)
        self.profile = Chip(tr("N-gram profile"))
        self.profile.setToolTip(tr("Show in Trace how often each context of this token occurs"))
        for chip in (self.search, self.profile):
            self.panel.footer_row.addWidget(chip)
        self.panel.show_footer(False)

    def _lay_out(self) -> None:
        pad = scaled(16)
        top = QWidget()
        row = FlowLayout(top, gap=8)
        shades = _fill(QWidget(), label(tr("Shade by"), "muted"), self.kind)
        for widget in (self.texts, shades, self.legend, self.parts, self.chosen_n, self.hint, self.score):
            row.addWidget(widget)
        column = QVBoxLayout()
        column.setContentsMargins(pad, scaled(8), pad, 0)
        column.setSpacing(scaled(6))
        column.addWidget(top)
        column.addWidget(self.notice)
        column.addWidget(self.ribbon)
        self.panel.body.addLayout(column)
        self.panel.hold(self.text)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self.panel)

    def _connect(self) -> None:
        presenter = self._presenter
        self.texts.before.clicked.connect(lambda: presenter.step(-1))
        self.texts.after.clicked.connect(lambda: presenter.step(1))
        self.texts.place.valueChanged.connect(lambda number: presenter.go(number - 1))
        self.kind.activated.connect(lambda _: presenter.shade_by(self.kind.currentData()))
        self.chosen_n.removed.connect(lambda: presenter.mark(Brush()))
        self.chosen_n.clicked.connect(self._show_marked_token)
        self.parts.earlier.clicked.connect(lambda: self._move_to(self._first - MOST_TOKENS))
        self.parts.later.clicked.connect(lambda: self._move_to(self._first + MOST_TOKENS))
        self.text.token_chosen.connect(self._choose)
        self.ribbon.token_chosen.connect(self._choose_in_ribbon)
        for part in (self.text, self.ribbon):
            part.brushed.connect(
                lambda first, end: presenter.mark(Brush(text=presenter.state.number, first=first, end=end))
            )
        self.text.customContextMenuRequested.connect(self._offer_search)
        self.search.clicked.connect(lambda: self._search(self._token))
        self.score.clicked.connect(self._score)
        self.profile.clicked.connect(self._ask_profile)

    # --- drawing ---------------------------------------------------------------------------------

    def draw(self, state: TokensState, before: TokensState | None) -> None:
        """Show a state; what is shown already is left alone, with what was clicked and scrolled.

        before: The one that was drawn before; None for the first.
        """
        # By identity: another text begins at its first part, and the token that was clicked is forgotten with the old
        # one.
        other = before is None or state.found is not before.found
        if before is None or other or state.texts is not before.texts:
            self.texts.draw(state)
        if other:
            self._found, self._first = state.found, 0
            self._say_nothing()
        if before is None or state.kind != before.kind:
            self.kind.setCurrentIndex(self.kind.findData(state.kind))
            self.legend.explain(state.kind)
        summary = state.summary
        if self.chosen_n.words != summary:
            self.chosen_n.set_words(summary)
        self.chosen_n.setVisible(bool(summary))
        self.hint.setVisible(not summary)
        if before is None or state.error is not before.error:
            can_retry = state.error is not None and not why_unable(state.error)
            again = [(tr("Try again"), self._presenter.again)] if can_retry else []
            self.notice.show_notice(state.notice, kind="error", remedies=again)
        self._draw_text(state, before, other)
        if state.alternatives is not None and (before is None or state.alternatives is not before.alternatives):
            self._show_alternatives(state)

    def _draw_text(self, state: TokensState, before: TokensState | None, other: bool) -> None:
        brushed = before is None or state.brush != before.brush
        if not (other or brushed or state.kind != (before.kind if before is not None else "")):
            return
        self._marked = self._mask(state)
        places = np.flatnonzero(self._marked)
        # The part stays if the first of the marked tokens is in it.
        if brushed and len(places) and not self._first <= places[0] < self._first + MOST_TOKENS:
            self._first, other = int(places[0]) // MOST_TOKENS * MOST_TOKENS, True
        self._show_part(other)
        # A range of effective n is chosen elsewhere, so its first token may be out of view.
        if brushed and len(places) and state.brush.text < 0:
            self.text.show_token(int(places[0]))

    def _mask(self, state: TokensState) -> NDArray[np.bool_]:
        if state.found is None or state.brush.empty:
            return np.zeros(len(state.found.infgram) if state.found is not None else 0, dtype=np.bool_)
        return marked_tokens(state.brush, state.number, state.found)

    def _show_part(self, other: bool) -> None:
        """Show and shade a part of the text; `other`: it is not the part that is shown now."""
        found, kind = self._found, self._presenter.state.kind
        count = len(found.infgram) if found is not None else 0
        end = min(count, self._first + MOST_TOKENS)
        self.ribbon.show_text(found, kind)
        self.ribbon.show_window(self._first, end)
        # After `show_text`, which clears the marks.
        self.ribbon.show_marked(self._marked)
        if other:
            self.text.show_part(found, self._first, end)
        self.text.shade_by(kind, self._marked)
        self.parts.draw(self._first, end, count)

    def reshade(self) -> None:
        """Shade again, in the colors of another theme."""
        self._show_part(False)

    def _move_to(self, first: int) -> None:
        count = len(self._found.infgram) if self._found is not None else 0
        # Parts begin at multiples of MOST_TOKENS; the last one may be shorter.
        self._first = min(max(0, first), max(0, count - 1) // MOST_TOKENS * MOST_TOKENS)
        self._show_part(True)

    def _show_marked_token(self) -> None:
        """Scroll to the next marked token after the cursor."""
        places = np.flatnonzero(self._marked)
        if len(places):
            here = self.text.token_at(self.text.textCursor().position())
            later = places[places > here]
            # After the last one, the first again.
            token = int(later[0] if len(later) else places[0])
            self._go_to(token)

    def _go_to(self, token: int) -> None:
        if not self._first <= token < self._first + MOST_TOKENS:
            self._move_to(token // MOST_TOKENS * MOST_TOKENS)
        self.text.show_token(token)

    # --- a token -----------------------------------------------------------------------------------

    def _say_nothing(self) -> None:
        self._token = -1
        # Figures of a token of another text would be read as belonging to this one.
        self.panel.show_footer(False)

    def _choose_in_ribbon(self, token: int) -> None:
        self._go_to(token)
        self._choose(token)

    def _choose(self, token: int) -> None:
        if self._found is not None:
            self._token = token
            self.ribbon.go_to(token)
            # The figures are known and shown at once. What else could follow is asked of the index, and added when it
            # arrives.
            self.chosen.setText(describe_token(self._found, token))
            self.search.setEnabled(bool(context_text(self._found, token)))
            self.panel.show_footer()
            self._presenter.ask_alternatives(token)

    def _show_alternatives(self, state: TokensState) -> None:
        known = state.alternatives
        # Another token may have been clicked before the answer came.
        if known is not None and known.found is self._found and known.token == self._token:
            words = describe_token(known.found, known.token)
            self.chosen.setText(tr("{found}\nMost likely: {alternatives}", found=words, alternatives=known.words))

    def _search(self, token: int) -> None:
        if self._found is not None and token >= 0 and (context := context_text(self._found, token)):
            self.search_wanted.emit(context)

    def _score(self) -> None:
        if self._found is not None:
            # Without its prompt, which is another text.
            self.score_wanted.emit(self._found.text)

    def _ask_profile(self) -> None:
        if self._found is not None and self._token >= 0:
            # With the prompt, which is part of the context that the token follows.
            lead, start = self._found.context.lead, int(self._found.encoded.starts[self._token])
            self.profile_wanted.emit(lead + self._found.text, len(lead) + start)

    def _offer_search(self, place: QPoint) -> None:
        """A menu on a token leads to the lines of its context, and to the perplexity of the text."""
        token = self.text.token_at(self.text.cursorForPosition(place).position())
        if self._found is None or token < 0 or not (context := context_text(self._found, token)):
            return
        menu = QMenu(self.text)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        # The end of the context, since it is next to the token that was clicked.
        shown = caption(one_line(context)[-40:])
        menu.addAction(tr("Search for the context “{shown}”", shown=shown), lambda: self.search_wanted.emit(context))
        menu.addAction(tr("Score this text in Model"), self._score)
        menu.popup(self.text.viewport().mapToGlobal(place))


class ShadeLegend(QWidget):
    """What the shades mean: a swatch and words for each level."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._levels: tuple[tuple[int, str], ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        # Its size is that of the text, of which the layout learns in no other way.
        when_restyled(self, self.updateGeometry)

    def explain(self, kind: str) -> None:
        """Show the levels of a kind."""
        self._levels = legend(kind)
        self.setAccessibleName("; ".join(words for _, words in self._levels))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """All of it in one line."""
        metrics = QFontMetrics(font_of(0.92))
        width = sum(scaled(40) + metrics.horizontalAdvance(words) for _, words in self._levels)
        return QSize(width, metrics.height() + 4)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The swatches and their words, from the side where lines begin."""
        painter = QPainter(self)
        painter.setLayoutDirection(self.layoutDirection())
        painter.setFont(font_of(0.92))
        right = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        left, metrics = 0, QFontMetrics(font_of(0.92))
        for level, words in self._levels:
            width = metrics.horizontalAdvance(words)
            for offset, wide, kind in ((0, scaled(20), "swatch"), (scaled(26), width + 1, "words")):
                x = self.width() - left - offset - wide if right else left + offset
                area = QRectF(x, 0, wide, self.height())
                if kind == "swatch":
                    side = scaled(12)
                    painter.setPen(qcolor("line_strong"))
                    painter.setBrush(shade(level))
                    painter.drawRect(QRectF(x + 0.5, (self.height() - side) // 2 + 0.5, wide - 1, side - 1))
                else:
                    painter.setPen(qcolor("muted"))
                    draw_words(painter, area, words)
            left += scaled(40) + width
        painter.end()
