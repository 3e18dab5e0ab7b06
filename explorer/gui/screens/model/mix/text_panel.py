"""The text of the Mix tab, shaded by where the corpus helped the model and where it hurt."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtGui import QFont, QTextCharFormat

from explorer.gui.screens.model.mix.presenter import MixPresenter
from explorer.gui.screens.model.mix.state import MixState
from explorer.gui.screens.model.mix.tables import MOST_TOKENS, MixTables
from explorer.gui.screens.model.mix.words import described
from explorer.gui.screens.model.mix.work import MixText
from explorer.gui.screens.model.text_panel import TextInParts, Tokens
from explorer.gui.style.theme import qcolor
from explorer.gui.widgets.texts.token_text import Form
from explorer.i18n import tr

_LINE = QTextCharFormat.UnderlineStyle
FILLS = {1: "rel1", 2: "rel2", 3: "rel3", -1: "warn_soft", -2: "warn_soft", -3: "error_soft"}


class MixTextPanel(TextInParts[MixState]):
    """One text at a time, in parts.

    tables: Lists the tokens of the part that is shown.
    """

    def __init__(self, presenter: MixPresenter, tables: MixTables) -> None:
        super().__init__(presenter, tr("Text, shaded by where the corpus helped and hurt"), MOST_TOKENS)
        self._tables = tables

    def tokens_of(self, text: MixText) -> Tokens:
        """The tokens that both models scored."""
        return Tokens(text.text, text.starts, text.ends)

    def go_to(self, first: int) -> None:
        """Show the tokens from this one on, and list them."""
        super().go_to(first)
        self._tables.show_part(self.first)

    def looks(self, text: MixText) -> Sequence[Form]:
        """One look per effect."""
        # One format per level, not one per token: there may be hundreds.
        forms = {level: _form(level) for level in range(-3, 4)}
        return [forms[level] for level in text.levels.tolist()]

    def heading(self, state: MixState) -> str:
        """What is shown: of several texts, which one."""
        count = len(state.texts)
        if count > 1:
            return tr(
                "Where the corpus helped and hurt: text {number:,} of {count:,}", number=state.number + 1, count=count
            )
        return tr("Where the corpus helped and hurt")

    def units(self, state: MixState) -> str:
        """Where the tokenizers differ, a unit can be several tokens of either."""
        return "tokens" if state.shown is None or state.shown.found.same_tokenizer else "units"

    def told_of(self, token: int) -> str:
        """What the corpus did to a token, and its probabilities."""
        text: MixText = self._text
        return described(text.rows[token], int(text.levels[token]))

    def hint(self) -> str:
        """What the looks mean."""
        return tr(
            "Blue: helped; underlined from 2 times as probable, bold from 7. Yellow with a wavy underline: hurt. "
            "Click a token for its figures."
        )


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
