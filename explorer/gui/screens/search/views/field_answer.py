"""Lines by a metadata field in the form of its table, computed off the interface thread."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from explorer.analyses.breakdown.facets import Facet, count_tokens
from explorer.analyses.metadata.values import sort_key
from explorer.core.jobs import CancelToken, Report
from explorer.gui.screens.search.lines.counting import count_field
from explorer.gui.screens.search.work import LinesAnswer

VALUE, LINES, SHARE, RATE, DOCUMENTS, TOKENS = range(6)
"""Columns of the table."""


COLUMN_NAMES = ("value", "lines", "share", "lines per million tokens", "documents", "tokens")


@dataclass(frozen=True)
class Sorting:
    """The order of the table, and the number that its figure draws.

    column: The number of the column; -1 for the usual order: the most frequent first, years ascending.
    descending: Whether the greatest comes first.
    drawn: The last column of numbers by which it was sorted: values in the order of years are drawn with their rates if
        the rates were chosen before.
    """

    column: int = -1
    descending: bool = False
    drawn: int = LINES

    def __str__(self) -> str:
        if self.column < 0:
            return "lines, years ascending"
        return COLUMN_NAMES[self.column] + (" descending" if self.descending else "")

    def by(self, column: int, descending: bool) -> Sorting:
        """Sort by another column."""
        return Sorting(column, descending and column >= 0, column if column > VALUE else self.drawn)


@dataclass(frozen=True)
class FieldAnswer:
    """Lines by a field. keys: sort keys of the rows, for each column."""

    facet: Facet
    keys: dict[int, NDArray[np.float64]]


def with_keys(found: Facet) -> FieldAnswer:
    """A facet with the sort keys of its columns: sorting by them is fast enough for the interface thread."""
    bars = found.bars
    order = sorted(range(len(bars)), key=lambda i: sort_key(bars[i].value))
    # Numbers, texts and no value are compared here, once; to sort the table again, their places are enough.
    places = np.empty(len(bars), dtype=np.float64)
    places[order] = np.arange(len(bars))
    # Exact in float64: counts are far below 2**53.
    lines = np.array([bar.hits for bar in bars], dtype=np.float64)
    return FieldAnswer(
        found,
        {
            VALUE: places,
            LINES: lines,
            # A share is the lines over one total, which does not change the order.
            SHARE: lines,
            RATE: np.array([found.per_million(bar) or 0.0 for bar in bars]),
            DOCUMENTS: np.array([bar.documents for bar in bars], dtype=np.float64),
            # Tokens that are not known sort as 0; the table shows “…” or a dash for them.
            TOKENS: np.array([bar.tokens or 0 for bar in bars], dtype=np.float64),
        },
    )


def order_of(answer: FieldAnswer, kept: NDArray[np.int64] | None, sorting: Sorting) -> NDArray[np.int64]:
    """Sort the values of a field.

    kept: The numbers of the values to show; None for all.
    Returns: Their numbers. Equal values keep the usual order in both directions, and "no value" comes last.
    """
    order = np.arange(len(answer.facet.bars)) if kept is None else kept
    if sorting.column < 0:
        return order
    values = answer.keys[sorting.column][order]
    # Negated and not reversed: equal values keep the usual order in both directions.
    order = order[np.argsort(-values if sorting.descending else values, kind="stable")]
    if sorting.column != VALUE:
        return order
    none = np.array([bar.value is None for bar in answer.facet.bars], dtype=np.bool_)[order]
    return np.concatenate([order[~none], order[none]])


def lines_by_field(answer: LinesAnswer, field: str, report: Report, cancel: CancelToken) -> FieldAnswer:
    """Count lines by a field. Runs off the interface thread.

    answer: The lines; those of an estimated query represent all of its hits.
    """
    query = answer.request.found
    found = count_field(answer.request.corpus, answer.lines, field, report, cancel)
    # The lines are a sample of the hits, so each of them counts for several.
    if not query.exact and query.numbers is not None and len(query.numbers):
        found = replace(found, scale=found.scale * query.count / len(query.numbers))
    return with_keys(found)


def tokens_by_field(answer: LinesAnswer, found: Facet, report: Report, cancel: CancelToken) -> FieldAnswer:
    """Count the tokens of each value of a field. Runs off the interface thread.

    answer: The lines whose filters hold for the tokens, too.
    """
    request = answer.request
    corpus, filters = request.corpus, request.view.filters
    return with_keys(count_tokens(found, corpus.index, corpus.columns, filters, report, cancel))


def values_with(found: Facet, text: str) -> NDArray[np.int64]:
    """Find the values that contain a text.

    Returns: The numbers of their bars, ascending, int64.
    """
    # `casefold` and not `lower`: “strasse” is found in “Straße”, too.
    wanted = text.strip().casefold()
    return np.array([i for i, bar in enumerate(found.bars) if wanted in bar.label.casefold()], dtype=np.int64)
