"""An answer in the Draft bench: what was accepted is underlined, and where a guess was wrong it can be asked about."""

from __future__ import annotations

from PySide6.QtGui import QTextCharFormat
from PySide6.QtWidgets import QVBoxLayout, QWidget

from explorer.gui.screen import label
from explorer.gui.screens.model.drafts.presenter import DraftPresenter
from explorer.gui.screens.model.drafts.state import DraftState
from explorer.gui.screens.model.drafts.work import DraftedText
from explorer.gui.text_positions import one_line
from explorer.gui.theme import qcolor
from explorer.gui.widgets.buttons import icon_button
from explorer.gui.widgets.panel import Panel
from explorer.gui.widgets.token_text import TokenText
from explorer.i18n import tr

MOST_TOKENS = 3_000
"""Tokens that are shown; the figures are of all of them."""


class DraftedAnswers(QWidget):
    """One answer at a time.

    Parameters
    ----------
    presenter
        The tab's.
    """

    def __init__(self, presenter: DraftPresenter) -> None:
        super().__init__()
        self._presenter = presenter
        self._text: DraftedText | None = None
        self._steps: dict[int, int] = {}
        self.before = icon_button("chevron-left", tr("Previous answer"))
        self.after = icon_button("chevron-right", tr("Next answer"))
        self.panel = Panel(tr("Answer"), actions=(self.before, self.after), footer=())
        self.view = TokenText()
        self.view.setAccessibleName(tr("Answer, with what was drafted underlined"))
        self.view.describe_by(self._described)
        self.panel.hold(self.view)
        self.told = label(
            tr("Underlined: drafted and accepted. Shaded alone: the guess was wrong; click to see it."), "small"
        )
        self.told.setWordWrap(True)
        self.panel.footer_row.addWidget(self.told)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self.panel)
        self.before.clicked.connect(lambda: presenter.go(presenter.state.shown - 1))
        self.after.clicked.connect(lambda: presenter.go(presenter.state.shown + 1))
        self.view.token_chosen.connect(lambda token: self.told.setText(self._described(token)))

    def draw(self, state: DraftState) -> None:
        """Show the answer of a state; what is shown already is left alone, with what was scrolled."""
        for button in (self.before, self.after):
            button.setVisible(len(state.texts) > 1)
        self.before.setEnabled(state.shown > 0)
        self.after.setEnabled(state.shown < len(state.texts) - 1)
        self.panel.set_title(
            tr("Answer {number:,} of {count:,}", number=state.shown + 1, count=max(1, len(state.texts)))
        )
        # By identity: two answers may read alike, and have other steps.
        if state.text is not self._text:
            self._text = state.text
            self._show()

    def _show(self) -> None:
        text = self._text
        if text is None:
            self.view.clear()
            return
        # By token, for tool tips: the step that wrote it.
        self._steps = {
            token: number
            for number, step in enumerate(text.steps)
            for token in range(step.place, step.place + step.accepted + 1)
        }
        # Qt lays out a paragraph as a whole, and an answer can be a book.
        starts, ends = text.starts[:MOST_TOKENS], text.ends[:MOST_TOKENS]
        self.view.show_tokens(text.text[: int(ends[-1]) if len(ends) else 0], starts, ends)
        self.shade()

    def shade(self) -> None:
        """Underline what was accepted, in the colors of the theme."""
        text = self._text
        _, end = self.view.shown
        if text is None or not end:
            return
        accepted, own = QTextCharFormat(), QTextCharFormat()
        accepted.setBackground(qcolor("rel1"))
        accepted.setUnderlineStyle(QTextCharFormat.UnderlineStyle.SingleUnderline)
        accepted.setUnderlineColor(qcolor("accent"))
        # Where a draft was wrong, the model's own token is set off by its shade alone.
        own.setBackground(qcolor("warn_soft"))
        forms: list[QTextCharFormat | None] = [None] * end
        for step in text.steps:
            for token in range(step.place, min(end, step.place + step.accepted)):
                forms[token] = accepted
            wrong = step.place + step.accepted
            if step.accepted < len(step.drafted) and wrong < end:
                forms[wrong] = own
        self.view.shade(forms)

    def _described(self, token: int) -> str:
        text = self._text
        if text is None or token not in self._steps:
            return tr("The first token: nothing comes before it.")
        number = self._steps[token]
        step = text.steps[number]
        if token < step.place + step.accepted:
            return tr("Drafted, and accepted")
        if step.accepted < len(step.drafted):
            return tr("Rejected: the corpus guessed “{guess}”", guess=one_line(text.guesses[number]))
        return tr("Written by the model: the draft ended before") if step.drafted else tr("Nothing was drafted here")
