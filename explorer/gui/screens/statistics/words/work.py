"""What the tab of words and n-grams runs in its background lanes. No Qt."""

from __future__ import annotations

from dataclasses import dataclass

from explorer.analyses.spectrum.curves import PowerLaw, zipf_slope
from explorer.analyses.wordlist.chart import rank_points
from explorer.analyses.wordlist.question import WordlistQuestion
from explorer.analyses.wordlist.table import NgramRecord
from explorer.core.jobs import CancelToken, Report
from explorer.corpus import Corpus
from explorer.corpus.results.statistics.ngrams import Ngrams
from explorer.corpus.statistics.ngrams import ngrams_of
from explorer.gui.index.word_index import bytes_to_ask
from explorer.gui.presenting.cells import Cell
from explorer.gui.style.text_positions import cell_text
from explorer.i18n import numeral

LEAST_FITTED = 100
"""Rows from which a slope is told: a line through fewer ranks means little."""
MOST_ROWS = 1_000
"""Rows of the table; the figures above it are those of all n-grams."""


@dataclass(frozen=True, eq=False)
class ListAnswer:
    """The most frequent n-grams.

    counted: The index, or its words; None if the words are not there yet.
    bytes: How large the index of words becomes at most.
    found: The n-grams of the one length; None without words.
    points: Ranks and counts for the plot; see `rank_points`.
    slope: The straight line through ranks 10 to 1,000; None of a shorter list, and where rows have other ranks.
    table: The rows as cells, in the language of the window.
    """

    rule: WordlistQuestion
    counted: Corpus | None = None
    bytes: int = 0
    found: Ngrams | None = None
    rows: tuple[NgramRecord, ...] = ()
    points: tuple[tuple[int, int], ...] = ()
    slope: PowerLaw | None = None
    table: tuple[tuple[Cell, ...], ...] = ()


def run_list(corpus: Corpus, rule: WordlistQuestion, make: bool, report: Report, cancel: CancelToken) -> ListAnswer:
    """List the most frequent n-grams. Runs off the interface thread.

    make: Whether the index of words may be made.
    Returns: The rows; none of them if the index of words would have to be made first.
    Raises `CorpusError` if it cannot be counted.
    """
    if rule.words and not make and (most := bytes_to_ask(corpus.index)):
        return ListAnswer(rule, bytes=most)
    counted = corpus.words(report=report, cancel=cancel) if rule.words else corpus
    found = ngrams_of(counted.index, rule, report, cancel)
    # Points and cells are made here: a thousand rows would hold the interface thread for tens of milliseconds.
    rows, listed = tuple(found), found.of_length(rule.max_n)
    slope = zipf_slope(listed.counts) if rule.all_ranks and len(rows) >= LEAST_FITTED else None
    return ListAnswer(rule, counted, 0, found, rows, rank_points(listed, rule.all_ranks), slope, _cells(rows))


def _cells(rows: tuple[NgramRecord, ...]) -> tuple[tuple[Cell, ...], ...]:
    return tuple(
        (
            Cell(numeral(rank), right=True, muted=True),
            Cell(cell_text(row.form or "")),
            Cell(numeral(row.count), right=True),
            Cell(numeral(row.per_million, ",.2f"), right=True, muted=True),
            Cell(numeral(row.documents or 0), right=True),
        )
        for rank, row in enumerate(rows, 1)
    )
