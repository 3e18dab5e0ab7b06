"""What the Agreement screen shows of the texts of a source, token by token. No Qt."""

from __future__ import annotations

from dataclasses import dataclass, field

from explorer.analyses.agreement.analysis import TextAgreement
from explorer.analyses.agreement.brush import Brush, Marked
from explorer.analyses.agreement.chart import n_name
from explorer.corpus import Corpus
from explorer.errors import CorpusError
from explorer.gui.presenting.hints import told
from explorer.gui.screens.agreement.sentences import percent
from explorer.gui.style.text_positions import cell_text
from explorer.i18n import counted, tr

Numbered = tuple[tuple[int, TextAgreement], ...]
"""Texts, each with its number in the analysis."""


@dataclass(frozen=True, eq=False)
class Alternatives:
    """What else follows the context of a token of a text, in words."""

    found: TextAgreement
    token: int
    words: str


@dataclass(frozen=True, eq=False)
class TokensState:
    """The texts of what is chosen, and what is marked in them.

    place: The place of the shown text among them, from 0, as it was chosen last; `shown` is the one that is shown.
    kind: By what tokens are shaded: "n", "p" or "a".
    brush, marked: The tokens that are highlighted, and what they amount to; None until that is counted.
    alternatives: What else follows the chosen token's context.
    error: Why something could not be counted or looked up.
    """

    corpus: Corpus | None = None
    texts: Numbered = ()
    place: int = 0
    kind: str = "n"
    brush: Brush = field(default_factory=Brush)
    marked: Marked | None = None
    alternatives: Alternatives | None = None
    error: CorpusError | None = None

    @property
    def shown(self) -> int:
        """The place of the text that is shown; -1 without texts."""
        return min(self.place, len(self.texts) - 1)

    @property
    def found(self) -> TextAgreement | None:
        """The text that is shown."""
        return self.texts[self.shown][1] if self.texts else None

    @property
    def number(self) -> int:
        """Its number in the analysis, -1 for none."""
        return self.texts[self.shown][0] if self.texts else -1

    @property
    def title(self) -> str:
        """The name of the text's source."""
        return "" if self.found is None else cell_text(self.found.group) or tr("text")

    @property
    def notice(self) -> str:
        """What went wrong last; "" for nothing."""
        return "" if self.error is None else told(self.error)

    @property
    def summary(self) -> str:
        """What is marked, and how much of it agrees; "" if nothing is."""
        if self.brush.empty:
            return ""
        if self.marked is None:
            # After an error nobody counts; the notice has the reason.
            return tr("Counting …") if self.error is None else self.which
        # A range of effective n stays marked when another source is chosen, which may have none of it.
        if not self.marked.tokens:
            return tr("No tokens are highlighted")
        return tr(
            "{which}: {tokens}, {agreeing} agree",
            which=self.which,
            tokens=counted("token", self.marked.tokens),
            agreeing=percent(self.marked.agreeing / self.marked.tokens),
        )

    @property
    def which(self) -> str:
        """Which tokens are marked."""
        brush = self.brush
        if brush.text >= 0:
            return tr("Selection")
        # The last bin has many effective n as well, but a name of its own, "33+".
        if brush.high > brush.low and n_name(brush.low) == f"{brush.low}":
            return tr("n = {low}–{high}", low=brush.low, high=brush.high)
        return tr("n = {n}", n=n_name(brush.low))
