"""What the tab of dispersion runs in its background lanes. No Qt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from explorer.analyses.dispersion.chart import DRAWN
from explorer.analyses.dispersion.measures import DISPERSIONS
from explorer.analyses.dispersion.question import DispersionQuestion
from explorer.analyses.dispersion.strips import Strip
from explorer.analyses.dispersion.table import DispersionRecord
from explorer.core.jobs import CancelToken, Report
from explorer.corpus import Corpus
from explorer.corpus.results.statistics.dispersion import DispersionTable
from explorer.corpus.statistics.strips import dispersion_strips
from explorer.derive.kinds import Choice, Text, Whole
from explorer.derive.question import setting
from explorer.gui.index.word_index import bytes_to_ask
from explorer.gui.presenting.cells import Cell
from explorer.gui.style.text_positions import cell_text
from explorer.i18n import mark, numeral, tr

MOST_ROWS = 1_000
"""Rows of the table; a file has all of them."""
DOCUMENTS, FIELD, SLICES = "documents", "field", "slices"
"""What the parts are."""
SHOWN = tuple(id for id in DISPERSIONS if id != "range")
"""The measures with decimals, in the order of their columns."""


@dataclass(frozen=True)
class SpreadRule(DispersionQuestion):
    """What is measured: with the field and the number of slices that are kept while other parts are chosen."""

    parts: str = setting(
        DOCUMENTS,
        Choice({DOCUMENTS: mark("Documents"), FIELD: mark("Field"), SLICES: mark("Slices")}),
        mark("Over"),
        mark("the parts over which dispersion is measured"),
    )
    field: str = setting("", Text(), mark("Metadata field"), mark("the field whose values are the parts"))
    slices: int = setting(20, Whole(1, 10_000), mark("Slices"), mark("number of slices of equal size"))
    text: str = setting("", Text(), mark("Words that are compared"), mark("words with commas between them"))

    @property
    def question(self) -> DispersionQuestion:
        """What is measured, as the library takes it."""
        by, slices = self.field if self.parts == FIELD else None, self.slices if self.parts == SLICES else None
        return DispersionQuestion(by=by, slices=slices, top=MOST_ROWS, min_count=self.min_count)

    @property
    def forms(self) -> tuple[str, ...]:
        """The words that are typed, each once."""
        return tuple(dict.fromkeys(form.strip() for form in self.text.split(",") if form.strip()))

    @property
    def complete(self) -> bool:
        """Whether it is known what the parts are."""
        return self.parts != FIELD or bool(self.field)


@dataclass(frozen=True, eq=False)
class SpreadAnswer:
    """How evenly words are spread.

    corpus: The words of the index; None if they are not there yet.
    bytes: How large the index of words becomes at most.
    found: The words with their measures; None without words.
    table: The rows as cells, in the language of the window.
    strips: The parts with most hits of the typed words, with the place of each hit.
    met: How many parts have a hit of them.
    absent: Typed words that do not occur.
    """

    rule: SpreadRule
    corpus: Corpus | None = None
    bytes: int = 0
    found: DispersionTable | None = None
    rows: tuple[DispersionRecord, ...] = ()
    table: tuple[tuple[Cell, ...], ...] = ()
    strips: tuple[Strip, ...] = ()
    met: int = 0
    absent: tuple[str, ...] = ()


def run_spread(corpus: Corpus, rule: SpreadRule, make: bool, report: Report, cancel: CancelToken) -> SpreadAnswer:
    """Measure how evenly words are spread. Runs off the interface thread.

    make: Whether the index of words may be made.
    Returns: The rows; none of them if the index of words would have to be made first.
    Raises `CorpusError` if they cannot be measured.
    """
    if not make and (most := bytes_to_ask(corpus.index)):
        return SpreadAnswer(rule, None, most)
    words, question = corpus.words(report=report, cancel=cancel), rule.question
    if not rule.forms:
        found = corpus.dispersion(**question.arguments(), report=report, cancel=cancel)
        rows = tuple(found)
        return SpreadAnswer(rule, words, 0, found, rows, _cells(rows))
    strips = dispersion_strips(corpus, rule.forms, by=question.by, slices=question.slices, report=report, cancel=cancel)
    rows = strips.measures
    met = {row.form for row in rows}
    absent = tuple(form for form in strips.forms if form not in met)
    return SpreadAnswer(rule, words, 0, strips.table, rows, _cells(rows), strips.strips(DRAWN), strips.met, absent)


def _cells(rows: Sequence[DispersionRecord]) -> tuple[tuple[Cell, ...], ...]:
    return tuple(
        (
            Cell(numeral(rank), right=True, muted=True),
            Cell(cell_text(row.form)),
            Cell(numeral(row.count), right=True),
            Cell(numeral(row.range), right=True),
            *(_measure(row, id) for id in SHOWN),
            Cell(numeral(row.arf, ",.1f"), right=True),
        )
        for rank, row in enumerate(rows, 1)
    )


def _measure(row: DispersionRecord, id: str) -> Cell:
    value = getattr(row, id)
    if value is None:
        return Cell(tr("one part"), right=True, muted=True, tip=tr("Over one part, this measure is not defined."))
    return Cell(numeral(value, ".3f"), right=True)
