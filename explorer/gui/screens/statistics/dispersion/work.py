"""What the tab of dispersion runs in its background lanes. No Qt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from explorer.analyses.dispersion.chart import DRAWN
from explorer.analyses.dispersion.table import DispersionRecord
from explorer.api import Corpus
from explorer.api.results.dispersion import DispersionTable
from explorer.api.strips import dispersion_strips
from explorer.collation import collation_key
from explorer.gui.cells import Cell
from explorer.gui.text_positions import cell_text
from explorer.gui.word_index import bytes_to_ask
from explorer.i18n import numeral, tr
from explorer.jobs import CancelToken, Report
from explorer.statistics.dispersion import DISPERSIONS
from explorer.statistics.strips import Strip

MOST_ROWS = 1_000
"""Rows of the table; a file has all of them."""
DOCUMENTS, FIELD, SLICES = KINDS = ("documents", "field", "slices")
"""What the parts are."""
SHOWN = tuple(id for id in DISPERSIONS if id != "range")
"""The measures with decimals, in the order of their columns."""
SORTED = ("", "form", "count", "range", *SHOWN, "arf")
"""What the columns are sorted by; "" is the order of the list."""


@dataclass(frozen=True)
class SpreadRule:
    """What is measured.

    field: The metadata field whose values are the parts.
    slices: Into how many slices of equal size the index is cut.
    min_count: The least count of a word that is listed.
    text: Words with commas between them, which are measured in place of the most frequent ones.
    """

    parts: str = DOCUMENTS
    field: str = ""
    slices: int = 20
    min_count: int = 5
    text: str = ""

    @property
    def by(self) -> str | None:
        """The field whose values are the parts; None for other parts."""
        return self.field if self.parts == FIELD else None

    @property
    def cut(self) -> int | None:
        """How many slices; None for other parts."""
        return self.slices if self.parts == SLICES else None

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
    words = corpus.words(report=report, cancel=cancel)
    if not rule.forms:
        found = spread_of(corpus, rule, MOST_ROWS, report, cancel)
        rows = tuple(found)
        return SpreadAnswer(rule, words, 0, found, rows, _cells(rows))
    strips = dispersion_strips(corpus, rule.forms, by=rule.by, slices=rule.cut, report=report, cancel=cancel)
    rows = strips.measures
    met = {row.form for row in rows}
    absent = tuple(form for form in strips.forms if form not in met)
    return SpreadAnswer(rule, words, 0, strips.table, rows, _cells(rows), strips.strips(DRAWN), strips.met, absent)


def spread_of(
    corpus: Corpus, rule: SpreadRule, top: int | None, report: Report, cancel: CancelToken
) -> DispersionTable:
    """Measure the most frequent words. Runs off the interface thread.

    top: How many words; None for all.
    Raises `CorpusError` if they cannot be measured.
    """
    return corpus.dispersion(
        by=rule.by, slices=rule.cut, top=top, min_count=rule.min_count, report=report, cancel=cancel
    )


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


def sorted_spreads(rows: Sequence[DispersionRecord], column: int, down: bool) -> tuple[int, ...]:
    """Sort the rows by a column.

    rows: The words, the most frequent first.
    down: Whether the greatest value comes first.
    Returns: Places in the list; what is not defined comes last.
    """
    name, places = SORTED[column], range(len(rows))
    if not name:
        return tuple(reversed(places)) if down else tuple(places)
    found = [getattr(row, name) for row in rows]
    values = [collation_key(value) if isinstance(value, str) else value for value in found]
    known = sorted((at for at in places if values[at] is not None), key=lambda at: values[at], reverse=down)
    return (*known, *(at for at in places if values[at] is None))
