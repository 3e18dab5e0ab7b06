"""What the Perplexity tab shows. No Qt."""

from __future__ import annotations

from dataclasses import dataclass, field

from explorer.api import Corpus
from explorer.errors import CorpusError
from explorer.gui.answer import Answer
from explorer.gui.cells import Cell
from explorer.gui.hints import offers, told
from explorer.gui.screens.model.methods import Chosen, usual
from explorer.gui.screens.model.perplexity import words
from explorer.gui.screens.model.perplexity.token_work import TokenFacts
from explorer.gui.screens.model.perplexity.work import MethodFigures, PerplexityAnswer, Question, ScoredText
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
from explorer.i18n import tr, trn
from explorer.model.scoring import Total

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
class PerplexityState:
    """Inputs, method, and the answer.

    Attributes
    ----------
    corpus
        The open index.
    inputs
        The texts.
    method
        The method that is chosen.
    leave_one_out
        Whether the texts are in the corpus, and their own occurrences do not count.
    answer
        The figures.
    source
        The source that was chosen last, as a key; `chosen` is the one that is shown.
    by_source
        Whether the table has a row per source, not per method.
    place
        The number of the text that is shown among those of what is chosen.
    token
        The token that was clicked; None for none.
    facts
        What is known of it.
    error
        Why something beside the answer failed.
    unread
        The problems of lines that were skipped.
    """

    corpus: Corpus | None = None
    inputs: TextInputs = field(default_factory=TextInputs)
    method: Chosen = field(default_factory=lambda: usual("levels"))
    leave_one_out: bool = False
    answer: Answer[PerplexityAnswer] = field(default_factory=Answer)
    source: str = ""
    by_source: bool = False
    place: int = 0
    token: int | None = None
    facts: Answer[TokenFacts] = field(default_factory=Answer)
    error: CorpusError | None = None
    unread: tuple[str, ...] = ()

    # --- the sources ---------------------------------------------------------------------------------

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
        if found is None or not is_source(self.chosen):
            return None
        return found.names.index(source_name(self.chosen))

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
    def explanation(self) -> str:
        """What the chosen method does."""
        return "" if self.row is None else words.explained(self.row.method)

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
        found = self.answer.value
        if found is None:
            return -1
        if self.by_source and len(found.names) > 1:
            return len(found.names) if self.group is None else self.group
        return found.chosen

    @property
    def several(self) -> bool:
        """Whether there are sources to compare."""
        return self.answer.value is not None and len(self.answer.value.names) > 1

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
                    row.method.title,
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

    # --- the text ------------------------------------------------------------------------------------

    @property
    def texts(self) -> tuple[ScoredText, ...]:
        """The texts of what is shown."""
        found = self.answer.value
        if found is None:
            return ()
        return tuple(text for text in found.texts if self.group in (None, text.source))

    @property
    def shown(self) -> int:
        """The number of the text that is shown among them."""
        return min(self.place, max(0, len(self.texts) - 1))

    @property
    def text(self) -> ScoredText | None:
        """The text that is shown."""
        return self.texts[self.shown] if self.texts else None

    # --- notices -------------------------------------------------------------------------------------

    @property
    def failed(self) -> CorpusError | None:
        """What went wrong last."""
        return self.answer.error or self.facts.error or self.error

    @property
    def notice(self) -> str:
        """What went wrong last; otherwise what one should know of the answer."""
        if self.failed is not None:
            return told(self.failed)
        if not self.unread:
            return ""
        return trn(
            "{n:,} line was skipped: {problem}.",
            "{n:,} lines were skipped, the first: {problem}.",
            len(self.unread),
            problem=self.unread[0].rstrip("."),
        )

    @property
    def remedies(self) -> tuple[str, ...]:
        """What can be done about it: keys of `REMEDIES`, or `AGAIN`."""
        if self.answer.error is None:
            return ()
        # Of what the hints offer, only these have a button on this tab.
        known = tuple(name for name in offers(self.answer.error) if name in REMEDIES)
        return known or (AGAIN,)

    @property
    def invitation(self) -> tuple[str, str]:
        """What takes the place of an answer: a line, and what to do."""
        if self.corpus is None:
            return tr("No index is open"), tr("Open an index folder with Ctrl+O, or build one in the Index screen.")
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
