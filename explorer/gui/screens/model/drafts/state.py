"""What the Draft bench shows. No Qt."""

from __future__ import annotations

from dataclasses import dataclass, field

from explorer.analyses.drafts.compute import DraftFigures, DraftRule
from explorer.api import Corpus
from explorer.gui.cells import Cell
from explorer.gui.screens.model.drafts.work import DraftAnswer, DraftedText, DraftQuestion
from explorer.gui.screens.model.state import BySourceState
from explorer.gui.text_positions import cell_text
from explorer.i18n import counted, mark, numeral, tr, trn

AGAIN = "again"
"""The remedy of what failed for a reason that may be gone."""
HEADER = (mark("Source"), mark("Tokens"), mark("Steps"), mark("Tokens / step"), mark("Accepted"))
HEADER_TIPS = (
    mark("The file of the answers, or the pasted text"),
    mark("Tokens that the model writes: all but the first of each answer"),
    mark("Calls of the model, with drafts"),
    mark("Tokens that are written per call of the model; 1 without drafts"),
    mark("The share of drafted tokens that the model would have written"),
)


@dataclass(frozen=True, eq=False)
class DraftState(BySourceState[DraftAnswer, DraftedText]):
    """Inputs, rule and answer.

    rule: How drafts are made.
    """

    rule: DraftRule = field(default_factory=DraftRule)

    @property
    def figures(self) -> DraftFigures | None:
        """The sums of what is shown."""
        return None if self.answer.value is None else self.answer.value.figures(self.group)

    @property
    def headline(self) -> tuple[str, str, str]:
        """The answer in a sentence; see `Headline`."""
        found = self.figures
        if found is None or found.tokens_per_step is None:
            return ("", "", "")
        number = numeral(found.tokens_per_step, ".2f")
        # At most: a draft costs something as well, which depends on the model and the machine.
        fewer = numeral(1 - found.steps / found.written, ".0%")
        return (
            tr("{number} tokens per step: at most {fewer} fewer calls of the model", number=number, fewer=fewer),
            number,
            "",
        )

    @property
    def told_facts(self) -> str:
        """What the number is made of, in one line."""
        found = self.figures
        if found is None or found.tokens_per_step is None:
            return ""
        steps = trn(
            "{tokens} in {n:,} step", "{tokens} in {n:,} steps", found.steps, tokens=counted("token", found.written)
        )
        # Without drafts there is no share of accepted ones, which is not the same as 0.
        if found.accept_rate is None:
            return tr("{steps} · nothing was drafted", steps=steps)
        return tr(
            "{steps} · {share:.0%} of {drafted} drafted tokens accepted · what a draft costs is not counted",
            steps=steps,
            share=found.accept_rate,
            drafted=numeral(found.drafted),
        )

    @property
    def table(self) -> tuple[tuple[Cell, ...], ...]:
        """A row per source, and one for all if there are several."""
        found = self.answer.value
        if found is None:
            return ()
        rows = [_cells(cell_text(name), found.figures(place)) for place, name in enumerate(found.names)]
        return (*rows, _cells(tr("All sources"), found.figures(None))) if len(rows) > 1 else tuple(rows)

    @property
    def offer(self) -> tuple[str, str]:
        """What takes the place of an answer: a line, and what to do."""
        if not self.inputs.empty and self.answer.awaited:
            return tr("Drafting …"), ""
        return tr("Would this corpus make a model write faster?"), tr(
            "Open answers of your model, one per line or file. The corpus drafts their next tokens, and the bench "
            "counts the calls of the model that remain. The tokenizer of the index must be the model's, and the "
            "answers must not be in the corpus."
        )

    def question(self, corpus: Corpus) -> DraftQuestion:
        """What to ask of an index."""
        return DraftQuestion(corpus, self.inputs, self.rule)


def _cells(name: str, found: DraftFigures) -> tuple[Cell, ...]:
    missing = "–"
    per_step, rate = found.tokens_per_step, found.accept_rate
    return (
        Cell(name),
        Cell(numeral(found.written), right=True, muted=True),
        Cell(numeral(found.steps), right=True, muted=True),
        Cell(missing if per_step is None else numeral(per_step, ".2f"), right=True),
        Cell(missing if rate is None else numeral(rate, ".0%"), right=True),
    )
