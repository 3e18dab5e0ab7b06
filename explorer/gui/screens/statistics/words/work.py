"""What the tab of words and n-grams runs in its background lanes. No Qt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from explorer.api import Corpus
from explorer.api.results.ngrams import Ngrams, form_of
from explorer.backends.protocol import NgramList
from explorer.collation import collation_key
from explorer.errors import QueryError
from explorer.export.records.words import WordRecord
from explorer.gui.cells import Cell
from explorer.gui.text_positions import cell_text
from explorer.gui.word_index import bytes_to_ask
from explorer.i18n import mark, numeral
from explorer.jobs import CancelToken, Report
from explorer.statistics.curves import PowerLaw, zipf_slope
from explorer.statistics.ngram_lists import running_tokens
from explorer.words.stop_list import stop_words_of

LEAST_FITTED = 100
"""Rows from which a slope is told: a line through fewer ranks means little."""
MOST_ROWS = 1_000
"""Rows of the table; the figures above it are those of all n-grams."""


@dataclass(frozen=True)
class ListRule:
    """What is listed.

    words: Whether n-grams are of words; otherwise of tokens.
    n: Words or tokens of each.
    min_count, min_documents: Their least count, and the least number of documents that they are in.
    text: What they begin with, or contain; "" for anything.
    begins: Whether they begin with it.
    stop: The file of words that none of them contains; "" for none.
    """

    words: bool = True
    n: int = 1
    min_count: int = 1
    min_documents: int = 1
    text: str = ""
    begins: bool = False
    stop: str = ""

    @property
    def all_ranks(self) -> bool:
        """Whether the rows are the first ranks: otherwise, some were left out."""
        return self.min_documents == 1 and not self.stop


@dataclass(frozen=True, eq=False)
class ListAnswer:
    """The most frequent n-grams.

    corpus: What was counted: the index, or its words; None if the words are not there yet.
    bytes: How large the index of words becomes at most.
    listed: What was listed, with the facts about it; None without words.
    found: The n-grams of the one length; None likewise.
    points: Ranks and counts for the plot; see `rank_points`.
    slope: The straight line through ranks 10 to 1,000; None of a shorter list, and where rows have other ranks.
    table: The rows as cells, in the language of the window.
    """

    rule: ListRule
    corpus: Corpus | None
    bytes: int = 0
    listed: Ngrams | None = None
    found: NgramList | None = None
    rows: tuple[WordRecord, ...] = ()
    points: tuple[tuple[int, int], ...] = ()
    slope: PowerLaw | None = None
    table: tuple[tuple[Cell, ...], ...] = ()


def run_list(corpus: Corpus, rule: ListRule, make: bool, report: Report, cancel: CancelToken) -> ListAnswer:
    """List the most frequent n-grams. Runs off the interface thread.

    make: Whether the index of words may be made.
    Returns: The rows; none of them if the index of words would have to be made first.
    Raises `CorpusError` if it cannot be counted.
    """
    if rule.words and not make and (most := bytes_to_ask(corpus.index)):
        return ListAnswer(rule, None, most)
    listed = corpus.words(report=report, cancel=cancel) if rule.words else corpus
    every = ngrams_of(listed, rule, MOST_ROWS, report, cancel)
    found = every.of_length(rule.n)
    # Points and cells are made here: a thousand rows would hold the interface thread for tens of milliseconds.
    rows, points = _records(listed, found), rank_points(found, not rule.all_ranks)
    slope = zipf_slope(found.counts) if rule.all_ranks and len(rows) >= LEAST_FITTED else None
    return ListAnswer(rule, listed, 0, every, found, rows, points, slope, _cells(rows))


def ngrams_of(listed: Corpus, rule: ListRule, top: int, report: Report, cancel: CancelToken) -> Ngrams:
    """Count n-grams. Runs off the interface thread.

    Raises `CorpusError` if they cannot be counted.
    """
    text = rule.text.strip() if rule.words else rule.text
    if text and not len(listed.encode(text)):
        raise QueryError(mark("“{text}” has no word."), reason="no-word", text=text)
    return listed.ngrams(
        rule.n,
        top=top,
        min_count=rule.min_count,
        min_documents=rule.min_documents,
        begins_with=text if text and rule.begins else None,
        contains=text if text and not rule.begins else None,
        stop=stop_words_of(rule.stop),
        report=report,
        cancel=cancel,
    )


def _records(listed: Corpus, found: NgramList) -> tuple[WordRecord, ...]:
    total = running_tokens(listed.index)
    # A list that was asked for with `top` has its documents counted.
    assert found.documents is not None
    columns = zip(found.ids, found.counts.tolist(), found.documents.tolist(), strict=True)
    return tuple(
        WordRecord(form_of(listed.index, ids), count, homes, 1e6 * count / total, found.n)
        for ids, count, homes in columns
    )


def _cells(rows: tuple[WordRecord, ...]) -> tuple[tuple[Cell, ...], ...]:
    return tuple(
        (
            Cell(numeral(rank), right=True, muted=True),
            Cell(cell_text(row.form or "")),
            Cell(numeral(row.count), right=True),
            Cell(numeral(row.per_million, ",.2f"), right=True, muted=True),
            Cell(numeral(row.documents), right=True),
        )
        for rank, row in enumerate(rows, 1)
    )


def sorted_rows(rows: tuple[WordRecord, ...], column: int, down: bool) -> tuple[int, ...]:
    """Sort the rows of a list.

    rows: The list, the most frequent first.
    column: What decides: 0 the rank, 1 the form, 2 the hits, 3 the hits per million, 4 the documents.
    down: Whether the greatest value comes first.
    Returns: Places in the list; those of equal values are in its order.
    """
    values: tuple[Sequence[object], ...] = (
        range(len(rows)),
        [collation_key(row.form or "") for row in rows],
        [row.count for row in rows],
        [row.per_million for row in rows],
        [row.documents for row in rows],
    )
    return tuple(sorted(range(len(rows)), key=lambda row: values[column][row], reverse=down))  # type: ignore[arg-type, return-value]


def rank_points(found: NgramList, some_left_out: bool) -> tuple[tuple[int, int], ...]:
    """Ranks and counts: of the rows, and of rarer n-grams from how many there are of each count.

    some_left_out: Whether rows were left out for their documents or their words, so that those that are listed do not
        have their ranks.
    Returns: By rank. A rank is the number of n-grams that are as frequent or more frequent.
    """
    counts = [] if some_left_out else found.counts.tolist()
    points = dict(enumerate(counts, 1))
    # At m, how many occur m times or more; the last entry is of all greater counts.
    at_least = np.cumsum(found.spectrum[::-1])[::-1]
    for count in np.flatnonzero(found.spectrum[:-1]).tolist():
        if not counts or count <= counts[-1]:
            points[int(at_least[count])] = count
    return tuple(sorted(points.items()))
