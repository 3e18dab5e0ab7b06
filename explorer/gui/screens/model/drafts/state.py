"""What the Draft bench shows. No Qt."""

from __future__ import annotations

from dataclasses import dataclass, field

from explorer.analyses.drafts.compute import DraftFigures
from explorer.analyses.drafts.question import DraftsQuestion
from explorer.analyses.drafts.table import DraftRecord, draft_record
from explorer.corpus import Corpus
from explorer.derive.table import columns_of
from explorer.gui.presenting.cells import Cell
from explorer.gui.screens.model.drafts.work import DraftAnswer, DraftedText, DraftQuestion
from explorer.gui.screens.model.state import BySourceState
from explorer.gui.style.text_positions import cell_text
from explorer.i18n import counted, numeral, tr, trn

COLUMNS = {name: each for name, each in columns_of(DraftRecord).items() if each.label}
"""The columns of the table."""


@dataclass(frozen=True, eq=False)
class DraftState(BySourceState[DraftAnswer, DraftedText]):
    """Inputs, rule and answer.

    rule: How drafts are made.
    """

    rule: DraftsQuestion = field(default_factory=DraftsQuestion)

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
        every = draft_record(len(found.names), tr("All sources"), found.figures(None))
        return tuple(map(_cells, (*found.sources, every) if len(found.names) > 1 else found.sources))

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


def _cells(row: DraftRecord) -> tuple[Cell, ...]:
    source, *values = ((each, getattr(row, name)) for name, each in COLUMNS.items())
    # Without tokens there is no share, which is not an unknown one.
    return (
        Cell(cell_text(source[1])),
        *(
            Cell("–" if value is None else each.text(value), right=True, muted=isinstance(value, int))
            for each, value in values
        ),
    )
