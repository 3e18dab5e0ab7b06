"""What the Perplexity tab shows. No Qt."""

from __future__ import annotations

from dataclasses import dataclass, field

from explorer.analyses.model.making import DEFAULT_METHOD
from explorer.analyses.model.method import Formula
from explorer.analyses.model.scoring import Total
from explorer.corpus import Corpus
from explorer.errors import CorpusError
from explorer.gui.presenting.answer import Answer
from explorer.gui.presenting.cells import Cell
from explorer.gui.screens.model.copied import is_copied
from explorer.gui.screens.model.methods import title_of, usual
from explorer.gui.screens.model.perplexity import words
from explorer.gui.screens.model.perplexity.token_work import TokenFacts
from explorer.gui.screens.model.perplexity.work import MethodFigures, PerplexityAnswer, Question, ScoredText
from explorer.gui.screens.model.state import LEAVE, BySourceState
from explorer.gui.style.text_positions import cell_text
from explorer.i18n import numeral, tr, trn

AGAIN = "again"
"""The remedy of what failed for a reason that may be gone."""


@dataclass(frozen=True)
class PlotDot:
    """A method in the plot: its name, its perplexity (None: infinite or a score), and whether a line leads to it."""

    name: str
    value: float | None
    joined: bool


@dataclass(frozen=True)
class PlotLine:
    """The methods of a source: its name, its place among the sources (0 for all), the dots, and if it is chosen."""

    name: str
    place: int
    dots: tuple[PlotDot, ...]
    chosen: bool


@dataclass(frozen=True, eq=False)
class PerplexityState(BySourceState[PerplexityAnswer, ScoredText]):
    """Inputs, method, and the answer.

    leave_one_out: Whether the texts are in the corpus, and their own occurrences do not count.
    by_source: Whether the table has a row per source, not per method.
    facts: What is known of the token that was clicked.
    unread: The problems of lines that were skipped.
    """

    method: Formula = field(default_factory=lambda: usual(DEFAULT_METHOD))
    leave_one_out: bool = False
    by_source: bool = False
    facts: Answer[TokenFacts] = field(default_factory=Answer)
    unread: tuple[str, ...] = ()

    # --- the figures ---------------------------------------------------------------------------------

    @property
    def row(self) -> MethodFigures | None:
        """The figures of the chosen method."""
        found = self.answer.value
        return None if found is None else found.rows[found.chosen]

    def total_of(self, row: MethodFigures) -> Total:
        """The sums of a method over what is shown."""
        return row.total if self.group is None else row.sources[self.group]

    @property
    def headline(self) -> tuple[str, str, str]:
        """The answer in a sentence; see `Headline`."""
        found, row = self.answer.value, self.row
        if found is None or row is None:
            return ("", "", "")
        name = "" if self.group is None or len(found.names) < 2 else cell_text(found.names[self.group])
        return words.headline(found, row, self.total_of(row), name)

    @property
    def told_facts(self) -> str:
        """What the number is made of."""
        found, row = self.answer.value, self.row
        return "" if found is None or row is None else words.facts(found, row, self.total_of(row))

    @property
    def table(self) -> tuple[tuple[Cell, ...], ...]:
        """The rows of the table."""
        found, row = self.answer.value, self.row
        if found is None or row is None:
            return ()
        if self.by_source and len(found.names) > 1:
            each = tuple(zip(found.names, row.sources, strict=True))
            rows = tuple(words.source_cells(cell_text(name), row, total) for name, total in each)
            return (*rows, words.source_cells(tr("All sources"), row, row.total))
        return tuple(words.method_cells(each, self.total_of(each)) for each in found.rows)

    @property
    def table_row(self) -> int:
        """The row of the table that is shown in the sentence."""
        if self.by_source and self.several:
            return self.source_row
        return -1 if self.answer.value is None else self.answer.value.chosen

    @property
    def lines(self) -> tuple[PlotLine, ...]:
        """What the plot draws: the other sources first, what is shown last."""
        found = self.answer.value
        if found is None:
            return ()
        # All together and each source; one source alone is drawn once.
        places = [None, *range(len(found.names))] if len(found.names) > 1 else [None]
        made = []
        for place in places:
            totals = [row.total if place is None else row.sources[place] for row in found.rows]
            dots = tuple(
                PlotDot(
                    title_of(row.method),
                    total.perplexity if row.method.normalised else None,
                    row.method.name == "levels",
                )
                for row, total in zip(found.rows, totals, strict=True)
            )
            name = tr("All sources") if place is None else cell_text(found.names[place])
            # A source alone is the same as all together.
            here = place == self.group or (len(found.names) < 2)
            made.append(PlotLine(name, 0 if place is None else place, dots, here))
        return tuple(sorted(made, key=lambda line: line.chosen))

    # --- notices -------------------------------------------------------------------------------------

    @property
    def failed(self) -> CorpusError | None:
        """What went wrong last."""
        return self.answer.error or self.facts.error or self.error

    @property
    def notice(self) -> str:
        """What went wrong last; otherwise what one should know of the answer."""
        if self.failed is not None or not self.unread:
            return super().notice or self._doubt
        return trn(
            "{n:,} line was skipped: {problem}.",
            "{n:,} lines were skipped, the first: {problem}.",
            len(self.unread),
            problem=self.unread[0].rstrip("."),
        )

    @property
    def _doubt(self) -> str:
        found = self.answer.current
        if found is None or not is_copied(found.copied):
            return ""
        return tr(
            "{share} of the tokens are in the corpus word for word, in long passages: they are scored on the training "
            "text itself, and the perplexity of a new text would be higher. Leave each text's own occurrence out, or "
            "score a text that is not in the corpus.",
            # To the next lower percent: not all of it unless it is.
            share=numeral(int(found.copied * 100) / 100, ".0%"),
        )

    @property
    def remedies(self) -> tuple[str, ...]:
        """What can be done about what the notice tells."""
        return (LEAVE,) if self.failed is None and self._doubt else super().remedies

    @property
    def offer(self) -> tuple[str, str]:
        """What takes the place of an answer: a line, and what to do."""
        # After an error nothing is under way; the notice has its reason.
        if not self.inputs.empty and self.answer.awaited:
            return tr("Scoring …"), ""
        return tr("How surprising is a text to this corpus?"), tr(
            "Paste a text, or drop files here. The corpus predicts each token from what precedes it, and the "
            "perplexity tells how well."
        )

    def question(self, corpus: Corpus) -> Question:
        """What to ask of an index."""
        return Question(corpus, self.inputs, self.method, self.leave_one_out)
