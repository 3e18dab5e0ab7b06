"""Counts the n-grams that contain the query of the Search screen, in its background lane. No Qt."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

from explorer.analyses.clusters.compute import cluster_places
from explorer.analyses.clusters.question import ClustersQuestion, Side
from explorer.analyses.clusters.table import ClusterRecord
from explorer.core.jobs import CancelToken, Report
from explorer.corpus import Corpus
from explorer.corpus.results.statistics.clusters import ClusterTable
from explorer.corpus.statistics.around import Around
from explorer.corpus.statistics.clusters import clusters_around
from explorer.gui.found_lines.work import LinesOf, Spans
from explorer.gui.presenting.cells import Cell
from explorer.gui.screens.search.around.near_state import NearQuestion
from explorer.gui.screens.search.around.near_work import missing_bytes, open_counted
from explorer.gui.style.text_positions import cell_text
from explorer.i18n import numeral, tr

MOST_ROWS = 500
"""Rows of the table; a file has all of them."""


@dataclass(frozen=True, eq=False)
class ClusterAnswer:
    """The n-grams with the query.

    bytes: How large the index of words becomes at most, if it is missing.
    listed: What was counted: the index or its words; None if the words are not there yet.
    around: The hits there; None likewise.
    rows: The most frequent ones.
    """

    question: NearQuestion
    rule: ClustersQuestion
    bytes: int = 0
    listed: Corpus | None = None
    around: Around | None = None
    found: ClusterTable | None = None
    rows: tuple[ClusterRecord, ...] = ()
    table: tuple[tuple[Cell, ...], ...] = ()

    @property
    def left_out(self) -> int | None:
        """Hits of the lines in which no word begins; None if the query is one phrase."""
        return None if self.around is None else self.around.left_out


def run_clusters(
    question: NearQuestion, rule: ClustersQuestion, make: bool, report: Report, cancel: CancelToken
) -> ClusterAnswer:
    """Count the n-grams that contain a query. Runs off the interface thread.

    make: Whether the index of words may be made.
    Returns: The most frequent ones; none of them if the index of words would have to be made first.
    Raises `CorpusError` if they cannot be counted.
    """
    if missing := missing_bytes(question, rule.words, make):
        return ClusterAnswer(question, rule, missing)
    listed, around = open_counted(question, rule.words, report, cancel)
    table = clusters_around(around, rule, question.conditions, None, report, cancel)
    rows = tuple(table[row] for row in range(min(MOST_ROWS, len(table))))
    most = rows[0].count if rows else 1
    cells = tuple(_cells(place, row, most) for place, row in enumerate(rows, 1))
    return ClusterAnswer(question, rule, 0, listed, around, table, rows, cells)


def _cells(place: int, row: ClusterRecord, most: int) -> tuple[Cell, ...]:
    form = cell_text(row.form or "")
    told = tr(
        "{form}: {count} hits in {documents} documents",
        form=form,
        count=numeral(row.count),
        documents=numeral(row.documents),
    )
    return (
        Cell(numeral(place), right=True, muted=True, tip=told),
        Cell(form, tip=told),
        Cell(numeral(row.count), bar=row.count / most, tip=told),
        Cell(numeral(row.documents), right=True, tip=told),
        Cell(numeral(row.per_million, ",.2f"), right=True, tip=told),
        Cell(numeral(row.size), right=True, muted=True, tip=told),
    )


def lines_of(answer: ClusterAnswer, row: int) -> LinesOf:
    """What finds the lines of a row: one for each place that it is at."""
    assert answer.listed is not None and answer.found is not None and answer.around is not None
    record, ids, around = answer.rows[row], tuple(answer.found.ids(row).tolist()), answer.around
    # Around one phrase, each place of the n-gram has it.
    whole = answer.question.lines is None and around.chosen is None
    find = None if whole else partial(_spans, around, answer.rule.side, ids)
    corpus, form = answer.question.corpus, record.form or ""
    return LinesOf(corpus, answer.listed, ids, form, record.count, spans=find, source=answer.found)


def _spans(around: Around, side: Side, ids: tuple[int, ...], cancel: CancelToken) -> Spans:
    places = cluster_places(around.counted, around.nodes, np.array(ids, dtype=np.int64), side, cancel)
    return Spans(places.documents, places.offsets, np.full(len(places), len(ids), dtype=np.int64))
