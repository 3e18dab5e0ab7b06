"""The text of the Mix tab, shaded by where the corpus helped the model and where it hurt."""

from __future__ import annotations

from PySide6.QtGui import QFont, QTextCharFormat
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from explorer.gui.screen import label
from explorer.gui.screens.model.mix.presenter import MixPresenter
from explorer.gui.screens.model.mix.state import MixState
from explorer.gui.screens.model.mix.tables import MOST_TOKENS, MixTables
from explorer.gui.screens.model.mix.words import described
from explorer.gui.screens.model.mix.work import MixText
from explorer.gui.theme import qcolor, scaled
from explorer.gui.widgets.buttons import icon_button
from explorer.gui.widgets.elided_label import ElidedLabel
from explorer.gui.widgets.flow_layout import FlowLayout
from explorer.gui.widgets.panel import Panel
from explorer.gui.widgets.token_text import TokenText
from explorer.i18n import tr

_LINE = QTextCharFormat.UnderlineStyle
FILLS = {1: "rel1", 2: "rel2", 3: "rel3", -1: "warn_soft", -2: "warn_soft", -3: "error_soft"}


class MixTextPanel(QWidget):
    """One text at a time, in parts.

    Parameters
    ----------
    presenter
        The tab's.
    tables
        Lists the tokens of the part that is shown.
    """

    def __init__(self, presenter: MixPresenter, tables: MixTables) -> None:
        super().__init__()
        self._presenter, self._tables = presenter, tables
        self._text: MixText | None = None
        self._first = 0
        self.panel = Panel(footer=())
        self.title = ElidedLabel()
        self.title.setProperty("role", "heading")
        self.part = label("", "small")
        self.before = icon_button("chevron-left", tr("Earlier part"))
        self.after = icon_button("chevron-right", tr("Later part"))
        self.view = TokenText()
        self.view.setAccessibleName(tr("Text, shaded by where the corpus helped and hurt"))
        self.view.describe_by(self._described)
        self.told = label("", "small")
        self.told.setWordWrap(True)
        self.panel.footer_row.addWidget(self.told)
        self._lay_out()
        self.before.clicked.connect(lambda: self._step(-1))
        self.after.clicked.connect(lambda: self._step(1))
        self.view.token_chosen.connect(presenter.choose_token)

    def _lay_out(self) -> None:
        steps = QWidget()
        row = QHBoxLayout(steps)
        row.setContentsMargins(0, 0, 0, 0)
        for widget in (self.part, self.before, self.after):
            row.addWidget(widget)
        top = QWidget()
        flow = FlowLayout(top, gap=12)
        for part in (self.title, steps):
            flow.addWidget(part)
        column = QVBoxLayout()
        column.setContentsMargins(scaled(16), scaled(8), scaled(16), 0)
        column.addWidget(top)
        self.panel.body.addLayout(column)
        self.panel.hold(self.view)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self.panel)

    def draw(self, state: MixState, before: MixState | None) -> None:
        """Show the text of a state; what is shown already keeps its place.

        Parameters
        ----------
        state
            The new state.
        before
            The one that was drawn before; None for the first.
        """
        if before is None or state.text is not self._text:
            same = self._text is not None and state.text is not None and self._text.text == state.text.text
            self._text = state.text
            self._go_to(self._first if same else 0)
        elif state.token != before.token:
            if state.token >= 0 and not self._first <= state.token < self._first + MOST_TOKENS:
                self._go_to(state.token // MOST_TOKENS * MOST_TOKENS)
            self.shade()
            self.view.show_token(state.token)
        self._say(state)

    def _go_to(self, first: int) -> None:
        text = self._text
        # Of another mixture of the same text, there may be fewer tokens.
        self._first = first if text is not None and first < len(text.rows) else 0
        self._tables.show_part(self._first)
        if text is None:
            self.view.clear()
            return
        here = slice(self._first, self._first + MOST_TOKENS)
        starts, ends = text.starts[here], text.ends[here]
        # Qt lays out a paragraph as a whole, and a text can be a book.
        begin, end = int(starts[0]), int(ends[-1])
        # The first token has nothing before it, and is not scored.
        lead = text.text[:begin][-40:] if not self._first else ""
        self.view.show_tokens(text.text[begin:end], starts - begin, ends - begin, self._first, lead)
        self.shade()

    def shade(self) -> None:
        """Shade the text in the colors of the theme."""
        first, end = self.view.shown
        if self._text is None or end <= first:
            return
        # One format per level, not one per token: there may be hundreds.
        forms = {level: _form(level) for level in range(-3, 4)}
        found = [forms[level] for level in self._text.levels[first:end].tolist()]
        # The chosen token is set off among the others, whatever its effect.
        chosen = self._presenter.state.token
        if first <= chosen < end:
            found[chosen - first] = _chosen_form()
        self.view.shade(found)

    def _say(self, state: MixState) -> None:
        texts = state.shown.texts if state.shown is not None else ()
        number = min(state.place, max(0, len(texts) - 1))
        self.title.setText(
            tr("Where the corpus helped and hurt: text {number:,} of {count:,}", number=number + 1, count=len(texts))
            if len(texts) > 1
            else tr("Where the corpus helped and hurt")
        )
        tokens = len(self._text.rows) if self._text is not None else 0
        last = min(tokens, self._first + MOST_TOKENS)
        places = {"first": self._first + 1, "last": last, "tokens": tokens}
        # Where the tokenizers differ, a unit can be several tokens of either.
        units = state.shown is not None and not state.shown.found.same_tokenizer
        self.part.setText(
            tr("units {first:,} to {last:,} of {tokens:,}", **places)
            if units
            else tr("tokens {first:,} to {last:,} of {tokens:,}", **places)
        )
        for widget in (self.before, self.after):
            widget.setVisible(tokens > MOST_TOKENS or len(texts) > 1)
        self.before.setEnabled(self._first > 0 or number > 0)
        self.after.setEnabled(last < tokens or number < len(texts) - 1)
        self.told.setText(
            self._described(state.token)
            if state.token >= 0
            else tr(
                "Blue: helped; underlined from 2 times as probable, bold from 7. Yellow with a wavy underline: hurt. "
                "Click a token for its figures."
            )
        )

    def _step(self, by: int) -> None:
        """The next part of the text, or the next text."""
        # Beyond the ends of a text are its neighbors.
        first = self._first + by * MOST_TOKENS
        if self._text is not None and 0 <= first < len(self._text.rows):
            self._go_to(first)
            self._say(self._presenter.state)
        else:
            self._presenter.go(self._presenter.state.place + by)

    def _described(self, token: int) -> str:
        text = self._text
        return described(text.rows[token], int(text.levels[token])) if text is not None and token >= 0 else ""


def _form(level: int) -> QTextCharFormat | None:
    if not level:
        return None
    form = QTextCharFormat()
    form.setBackground(qcolor(FILLS[level]))
    # Never by the color alone: a wavy line where it hurt, a straight one where it helped much.
    if level < 0:
        form.setUnderlineStyle(_LINE.WaveUnderline)
        form.setUnderlineColor(qcolor("warn" if level > -3 else "error"))
    elif level > 1:
        form.setUnderlineStyle(_LINE.SingleUnderline)
        form.setUnderlineColor(qcolor("accent"))
    if abs(level) == 3:
        form.setFontWeight(QFont.Weight.DemiBold)
    return form


def _chosen_form() -> QTextCharFormat:
    form = QTextCharFormat()
    form.setBackground(qcolor("mark"))
    form.setForeground(qcolor("on_mark"))
    return form
