"""Counts the words near the query of the Search screen, in its background lane. No Qt."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from itertools import islice

import numpy as np

from explorer.analyses.collocates.association import ASSOCIATIONS
from explorer.analyses.collocates.cells import collocate_places
from explorer.analyses.collocates.question import CollocatesQuestion
from explorer.analyses.collocates.table import CollocateRecord
from explorer.analyses.collocates.windows import Windows
from explorer.core.jobs import CancelToken, Report
from explorer.corpus import Corpus
from explorer.corpus.results.statistics.collocates import CollocateTable
from explorer.corpus.statistics.around import Around
from explorer.corpus.statistics.collocates import collocates_around
from explorer.derive.table import columns_of
from explorer.gui.found_lines.work import LinesOf, Spans
from explorer.gui.presenting.cells import Cell
from explorer.gui.screens.search.around.near_state import NearQuestion
from explorer.gui.screens.search.around.near_work import missing_bytes, open_counted
from explorer.gui.style.text_positions import cell_text
from explorer.i18n import numeral, tr

MOST_ROWS = 500
"""Rows of the table; a file has all of them."""
MOST_DETAILED = 200_000
"""Hits whose documents and places are counted without being asked for: this reads each window for itself."""
USUAL = ("logdice", "mi", "g2")
"""The measures that the table shows beside the one that sorts."""


def measures_of(question: CollocatesQuestion) -> tuple[str, ...]:
    """The measures of the columns: first the one that sorts."""
    return (question.sort, *(name for name in USUAL if name != question.sort))


@dataclass(frozen=True, eq=False)
class CollocateAnswer:
    """The words near a query.

    bytes: How large the index of words becomes at most, if it is missing.
    listed: What was counted: the index or its words; None if the words are not there yet.
    around, windows: The hits there, and the windows around them; None likewise.
    rows, ids: The strongest ones by the measure of the rule, and their ids.
    """

    question: NearQuestion
    rule: CollocatesQuestion
    bytes: int = 0
    listed: Corpus | None = None
    around: Around | None = None
    windows: Windows | None = None
    found: CollocateTable | None = None
    rows: tuple[CollocateRecord, ...] = ()
    ids: tuple[int, ...] = ()
    table: tuple[tuple[Cell, ...], ...] = ()

    @property
    def left_out(self) -> int | None:
        """Hits of the lines in which no word begins; None if the query is one phrase."""
        return None if self.around is None else self.around.left_out


def run_collocates(
    question: NearQuestion,
    rule: CollocatesQuestion,
    make: bool,
    before: CollocateAnswer | None,
    report: Report,
    cancel: CancelToken,
) -> CollocateAnswer:
    """Count the words near a query. Runs off the interface thread.

    make: Whether the index of words may be made.
    before: An answer whose counts are taken again if only the measure differs; None for none.
    Returns: The strongest ones; none of them if the index of words would have to be made first.
    Raises `CorpusError` if they cannot be counted.
    """
    if before is not None and before.question is question and _same_counts(before, rule):
        return _by_measure(replace(before, rule=rule))
    if missing := missing_bytes(question, rule.words, make):
        return CollocateAnswer(question, rule, missing)
    listed, around = open_counted(question, rule.words, report, cancel)
    table, windows = collocates_around(around, rule, question.conditions, cancel, MOST_DETAILED)
    return _by_measure(CollocateAnswer(question, rule, 0, listed, around, windows, table))


def _same_counts(before: CollocateAnswer, rule: CollocatesQuestion) -> bool:
    """Whether an answer has counts that differ in their order only."""
    return before.found is not None and replace(before.rule, sort=rule.sort) == rule


def _by_measure(answer: CollocateAnswer) -> CollocateAnswer:
    """The strongest rows by a measure; those for which it is unknown come last."""
    rule = answer.rule
    assert answer.found is not None
    found = answer.found.sorted_by(rule.sort)
    rows, ids = tuple(islice(found, MOST_ROWS)), tuple(found.ids[:MOST_ROWS].tolist())
    most = max((_value(row, rule.sort) for row in rows), default=0.0)
    cells = tuple(_cells(place, row, found, rule, most) for place, row in enumerate(rows, 1))
    return replace(answer, found=found, rows=rows, ids=ids, table=cells)


def _value(row: CollocateRecord, measure: str) -> float:
    value = getattr(row, measure)
    return float("nan") if value is None else float(value)


def number(row: CollocateRecord, measure: str) -> str:
    """A measure of a row as people read it; "?" where it is unknown."""
    return columns_of(CollocateRecord)[measure].text(getattr(row, measure)).replace("-", "−")


def _cells(
    place: int, row: CollocateRecord, found: CollocateTable, rule: CollocatesQuestion, most: float
) -> tuple[Cell, ...]:
    tips = [about_row(row, found, measure) for measure in measures_of(rule)]
    first, *others = measures_of(rule)
    value = _value(row, first)
    share = max(0.0, value / most) if most > 0 and value == value else 0.0
    return (
        Cell(numeral(place), right=True, muted=True, tip=tips[0]),
        Cell(cell_text(row.form or ""), tip=tips[0]),
        Cell(numeral(row.observed), right=True, tip=tips[0]),
        Cell(numeral(row.expected, ",.1f"), right=True, muted=True, tip=tips[0]),
        Cell(numeral(row.count), right=True, muted=True, tip=tips[0]),
        Cell("?" if row.documents is None else numeral(row.documents), right=True, muted=True, tip=tips[0]),
        Cell(number(row, first), bar=share, tip=tips[0]),
        *(Cell(number(row, name), right=True, tip=tip) for name, tip in zip(others, tips[1:], strict=True)),
    )


def four_cells(row: CollocateRecord, found: CollocateTable) -> tuple[int, int, int, int]:
    """O11, O12, O21 and O22 of a row, which sum to N."""
    o11, o12, o21 = row.observed, found.window_tokens - row.observed, row.count - row.observed
    return o11, o12, o21, found.total - found.window_tokens - o21


def about_row(row: CollocateRecord, found: CollocateTable, measure: str) -> str:
    """Tell a measure of a row: its formula, its source, and the four cells."""
    row_of, cells = ASSOCIATIONS[measure], four_cells(row, found)
    names = ("O₁₁", "O₁₂", "O₂₁", "O₂₂")
    told = " + ".join(f"{name} {numeral(cell)}" for name, cell in zip(names, cells, strict=True))
    form, value = cell_text(row.form or ""), number(row, measure)
    return "\n".join(
        (
            tr("{measure} of “{form}”: {value}", measure=row_of.label, form=form, value=value),
            tr("{formula} ({source})", formula=row_of.formula, source=row_of.source),
            tr("{cells} = {n} = N", cells=told, n=numeral(sum(cells))),
        )
    )


def lines_of(answer: CollocateAnswer, row: int) -> LinesOf:
    """What finds the lines of a row: one for each time that it was counted.

    Returns: The lines, whose matches reach from the query to the word, whichever comes first.
    """
    assert answer.listed is not None and answer.around is not None and answer.windows is not None
    record, token = answer.rows[row], answer.ids[row]
    find = partial(_spans, answer.around, answer.windows, token)
    form = tr("{form} near {query}", form=cell_text(record.form or ""), query=cell_text(answer.question.node))
    return LinesOf(
        answer.question.corpus, answer.listed, (token,), form, record.observed, spans=find, source=answer.found
    )


def _spans(around: Around, windows: Windows, token: int, cancel: CancelToken) -> Spans:
    words, hits = collocate_places(around.counted, windows, token, cancel, around.chosen)
    first = np.minimum(words.offsets, hits.starts)
    last = np.maximum(words.offsets + 1, hits.ends)
    return Spans(words.documents, first, last - first)
