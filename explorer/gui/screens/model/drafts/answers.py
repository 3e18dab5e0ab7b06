"""An answer in the Draft bench: what was accepted is underlined, and where a guess was wrong it can be asked about."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtGui import QTextCharFormat

from explorer.gui.screens.model.drafts.presenter import DraftPresenter
from explorer.gui.screens.model.drafts.state import DraftState
from explorer.gui.screens.model.drafts.work import DraftedText
from explorer.gui.screens.model.text_panel import TextInParts, Tokens
from explorer.gui.style.text_positions import one_line
from explorer.gui.style.theme import qcolor
from explorer.gui.widgets.texts.token_text import Form
from explorer.i18n import tr

MOST_TOKENS = 3_000
"""Tokens that are shown at once; the figures are of all of them."""


class DraftedAnswers(TextInParts[DraftState]):
    """One answer at a time."""

    def __init__(self, presenter: DraftPresenter) -> None:
        super().__init__(presenter, tr("Answer, with what was drafted underlined"), MOST_TOKENS)

    def tokens_of(self, text: DraftedText) -> Tokens:
        """The tokens of an answer."""
        return Tokens(text.text, text.starts, text.ends)

    def looks(self, text: DraftedText) -> Sequence[Form]:
        """What was accepted is underlined; where a draft was wrong, the model's own token has its shade alone."""
        accepted, own = QTextCharFormat(), QTextCharFormat()
        accepted.setBackground(qcolor("rel1"))
        accepted.setUnderlineStyle(QTextCharFormat.UnderlineStyle.SingleUnderline)
        accepted.setUnderlineColor(qcolor("accent"))
        own.setBackground(qcolor("warn_soft"))
        forms: list[Form] = [None] * len(text.starts)
        for step in text.steps:
            wrong = step.place + step.accepted
            forms[step.place : wrong] = [accepted] * step.accepted
            if step.accepted < len(step.drafted) and wrong < len(forms):
                forms[wrong] = own
        return forms

    def heading(self, state: DraftState) -> str:
        """Which answer it is."""
        return tr("Answer {number:,} of {count:,}", number=state.number + 1, count=max(1, len(state.texts)))

    def hint(self) -> str:
        """What the looks mean."""
        return tr("Underlined: drafted and accepted. Shaded alone: the guess was wrong; click to see it.")

    def told_of(self, token: int) -> str:
        """What became of a token, by the step that wrote it."""
        text: DraftedText = self._text
        number = text.step_of(token)
        if number < 0:
            return tr("The first token: nothing comes before it.")
        step = text.steps[number]
        if token < step.place + step.accepted:
            return tr("Drafted, and accepted")
        if step.accepted < len(step.drafted):
            return tr("Rejected: the corpus guessed “{guess}”", guess=one_line(text.guesses[number]))
        return tr("Written by the model: the draft ended before") if step.drafted else tr("Nothing was drafted here")
