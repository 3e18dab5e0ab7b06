"""What the Draft bench shows. No Qt."""

from __future__ import annotations

from dataclasses import dataclass, field

from explorer.api import Corpus
from explorer.errors import CorpusError
from explorer.gui.answer import Answer
from explorer.gui.cells import Cell
from explorer.gui.hints import offers, told
from explorer.gui.screens.model.drafts.work import DraftAnswer, DraftedText, DraftQuestion
from explorer.gui.sources.inputs import (
    ALL,
    REMEDIES,
    SourceRow,
    TextInputs,
    is_source,
    source_key,
    source_name,
    source_rows,
)
from explorer.gui.text_positions import cell_text
from explorer.i18n import counted, mark, numeral, tr, trn
from explorer.model.drafting import DraftFigures, DraftRule

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
class DraftState:
    """Inputs, rule and answer.

    Attributes
    ----------
    corpus
        The open index.
    inputs
        The answers of a model.
    rule
        How drafts are made.
    answer
        What they save.
    source
        The source that was chosen last, as a key; `chosen` is the one that is shown.
    place
        The number of the text that is shown among those of what is chosen.
    error
        Why something beside the answer failed.
    """

    corpus: Corpus | None = None
    inputs: TextInputs = field(default_factory=TextInputs)
    rule: DraftRule = field(default_factory=DraftRule)
    answer: Answer[DraftAnswer] = field(default_factory=Answer)
    source: str = ""
    place: int = 0
    error: CorpusError | None = None

    @property
    def rows(self) -> tuple[SourceRow, ...]:
        """The sources as chips."""
        found = self.answer.value
        return source_rows(self.inputs, zip(found.names, found.counts, strict=True) if found is not None else ())

    @property
    def choices(self) -> tuple[tuple[str, str], ...]:
        """What can be shown: all sources together first, if there are several."""
        names = self.answer.value.names if self.answer.value is not None else ()
        each = tuple((source_key(name), cell_text(name) or tr("text")) for name in names)
        return each if len(each) < 2 else ((ALL, tr("All sources")), *each)

    @property
    def chosen(self) -> str:
        """The key of what is shown."""
        keys = [key for key, _ in self.choices]
        return self.source if self.source in keys else keys[0] if keys else ""

    @property
    def group(self) -> int | None:
        """The number of the source that is shown; None for all."""
        found = self.answer.value
        return None if found is None or not is_source(self.chosen) else found.names.index(source_name(self.chosen))

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
    def table_row(self) -> int:
        """The row of what is shown."""
        found = self.answer.value
        return -1 if found is None else len(found.names) if self.group is None else self.group

    @property
    def texts(self) -> tuple[DraftedText, ...]:
        """The texts of what is shown."""
        found = self.answer.value
        return () if found is None else tuple(text for text in found.texts if self.group in (None, text.source))

    @property
    def shown(self) -> int:
        """The number of the text that is shown among them."""
        return min(self.place, max(0, len(self.texts) - 1))

    @property
    def text(self) -> DraftedText | None:
        """The text that is shown."""
        return self.texts[self.shown] if self.texts else None

    @property
    def failed(self) -> CorpusError | None:
        """What went wrong last."""
        return self.answer.error or self.error

    @property
    def notice(self) -> str:
        """What went wrong last; "" for nothing."""
        return "" if self.failed is None else told(self.failed)

    @property
    def remedies(self) -> tuple[str, ...]:
        """What can be done about it: keys of `REMEDIES`, or `AGAIN`."""
        if self.answer.error is None:
            return ()
        return tuple(name for name in offers(self.answer.error) if name in REMEDIES) or (AGAIN,)

    @property
    def invitation(self) -> tuple[str, str]:
        """What takes the place of an answer: a line, and what to do."""
        if self.corpus is None:
            return tr("No index is open"), tr("Open an index folder with Ctrl+O, or build one in the Index screen.")
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
