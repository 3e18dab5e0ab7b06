"""What the tab of diversity and growth runs in its background lanes. No Qt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from explorer.analyses.diversity.measures import DIVERSITIES
from explorer.analyses.diversity.question import DiversityQuestion
from explorer.analyses.diversity.table import DiversityRecord
from explorer.analyses.spectrum.curves import PowerLaw, VocabularyGrowth
from explorer.analyses.spectrum.question import SpectrumQuestion
from explorer.core.jobs import CancelToken, Report
from explorer.corpus import Corpus
from explorer.corpus.results.statistics.diversity import DiversityTable
from explorer.corpus.statistics.curves import vocabulary_growth
from explorer.derive.question import setting_of
from explorer.gui.index.word_index import bytes_to_ask
from explorer.gui.presenting.cells import Cell
from explorer.gui.style.text_positions import cell_text
from explorer.i18n import numeral, tr

MOST_ROWS = 1_000
"""Rows of the table; a file has all of them."""


@dataclass(frozen=True)
class GrowthRule(DiversityQuestion):
    """What is measured: with the order in which the growth reads documents."""

    shuffle: int | None = setting_of(SpectrumQuestion, "shuffle")

    @property
    def question(self) -> DiversityQuestion:
        """What is measured of the groups."""
        return DiversityQuestion(**self.arguments("shuffle"))

    @property
    def order(self) -> str:
        """The order of the documents in provenance."""
        return "documents of the index" if self.shuffle is None else f"shuffled documents, seed {self.shuffle}"

    def restored(self, values: Mapping[str, Any]) -> Self:
        """Also with the values of a session of version 0.2, which had a seed without an effect."""
        old = {"shuffle": values["seed"]} if values.get("shuffled") is True and "seed" in values else {}
        return super().restored({**old, **values, "by": values.get("by", self.by) or None})


@dataclass(frozen=True, eq=False)
class GrowthAnswer:
    """The measures of each group, and the growth of the vocabulary of the whole index.

    bytes: How large the index of words becomes at most, where it is not there yet.
    found: The groups; None without words.
    whole: The measures of the whole index.
    heaps: The power law that is fitted to it; None of fewer than two points.
    rows: The groups with most words.
    table: The same as cells, in the language of the window.
    """

    rule: GrowthRule
    bytes: int = 0
    found: DiversityTable | None = None
    whole: DiversityRecord | None = None
    growth: VocabularyGrowth | None = None
    heaps: PowerLaw | None = None
    rows: tuple[DiversityRecord, ...] = ()
    table: tuple[tuple[Cell, ...], ...] = ()


def run_growth(
    corpus: Corpus, rule: GrowthRule, make: bool, known: GrowthAnswer | None, report: Report, cancel: CancelToken
) -> GrowthAnswer:
    """Measure the vocabulary of an index. Runs off the interface thread.

    make: Whether the index of words may be made.
    known: Measures of the same index, of which is taken over what the rule leaves as it is; None if there are none.
    Returns: The measures; none of them if the index of words would have to be made first.
    Raises `CorpusError` if it cannot be measured.
    """
    if not make and (most := bytes_to_ask(corpus.index)):
        return GrowthAnswer(rule, most)
    table: DiversityTable | None = None
    if known is not None and known.whole is not None and known.rule.window == rule.window:
        whole = known.whole
    else:
        table = corpus.diversity(window=rule.window, report=report, cancel=cancel)
        whole = table[0]
    if known is not None and known.growth is not None and known.rule.shuffle == rule.shuffle:
        growth = known.growth
    else:
        growth = vocabulary_growth(corpus, shuffle=rule.shuffle, report=report, cancel=cancel)
    # The whole is not read a second time where it is what is asked for.
    if rule.by or table is None:
        table = corpus.diversity(**rule.arguments("shuffle"), report=report, cancel=cancel)
    rows = tuple(sorted(table, key=lambda row: -row.words)[:MOST_ROWS])
    return GrowthAnswer(rule, 0, table, whole, growth, growth.heaps, rows, tuple(map(_cells, rows)))


def shown(value: float | None, id: str) -> str:
    """A measure as it is written; a group may be too short for it.

    value: The value; None where the group is too short.
    Returns: The number, or that there is none.
    """
    if value is None:
        return tr("too short")
    return numeral(value, ",.1f" if id in ("mtld", "yule") else ".3f")


def _cells(row: DiversityRecord) -> tuple[Cell, ...]:
    return (
        Cell(tr("whole index") if row.group is None else cell_text(row.group)),
        Cell(numeral(row.documents), right=True, muted=True),
        Cell(numeral(row.words), right=True),
        Cell(numeral(row.types), right=True),
        *(
            Cell(shown(getattr(row, id), id), right=True, muted=getattr(row, id) is None, tip=_formula(id))
            for id in DIVERSITIES
        ),
    )


def _formula(id: str) -> str:
    return f"{DIVERSITIES[id].label}: {DIVERSITIES[id].formula} ({DIVERSITIES[id].source})"
