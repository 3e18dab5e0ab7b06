"""Several queries over one or several indexes: counts per million, and how they differ.

Log ratio: the binary logarithm of the ratio of two relative frequencies; 1 is twice as frequent. Where one
count is 0 it is taken as 0.5, so that the ratio exists (A. Hardie, "Log Ratio – an informal introduction",
2014).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from explorer.analyses.search.find import QueryOptions, find_query
from explorer.backends.protocol.protocol import Backend
from explorer.core.jobs import CancelToken, Progress, Report, no_report
from explorer.errors import Cancelled, CorpusError


@dataclass(frozen=True)
class Cell:
    """One query in one index.

    count: The number of hits; 0 if there is an error.
    per_million: Hits per million tokens.
    exact: Whether the count is not an estimate.
    log_ratio: Log ratio against the reference; None for the reference itself.
    error: What is wrong with the query in this index; "" if nothing.
    """

    count: int
    per_million: float
    exact: bool
    log_ratio: float | None
    error: str = ""


@dataclass(frozen=True)
class Comparison:
    """Queries compared in one or several indexes.

    cells: A row per query with a cell per index.
    by_index: Whether log ratios compare with the first index; otherwise with the first query.
    """

    queries: tuple[str, ...]
    indexes: tuple[str, ...]
    cells: tuple[tuple[Cell, ...], ...]
    by_index: bool


def log_ratio(count: int, tokens: int, reference_count: int, reference_tokens: int) -> float:
    """Compare two relative frequencies.

    Returns: The binary logarithm of the ratio, 1 for twice as frequent; a count of 0 is taken as 0.5.

    Notes
    -----
    A. Hardie, "Log Ratio: an informal introduction", 2014.

    Examples
    --------
    >>> log_ratio(20, 1_000, 10, 1_000)
    1.0
    """
    frequency = max(count, 0.5) / max(1, tokens)
    reference = max(reference_count, 0.5) / max(1, reference_tokens)
    return math.log2(frequency / reference)


def compare(
    indexes: Sequence[Backend],
    queries: Sequence[str],
    options: QueryOptions | None = None,
    report: Report = no_report,
    cancel: CancelToken | None = None,
) -> Comparison:
    """Count every query in every index. What is wrong with one query does not affect the others.

    indexes: The indexes. With several, each is compared with the first.
    options: How they are matched; None for the defaults.
    Returns: A row per query with a cell per index.
    """
    by_index = len(indexes) > 1
    rows: list[tuple[Cell, ...]] = []
    for number, query in enumerate(queries):
        # All counts first. The ratios need the reference of their row or column, and an error there leaves other counts
        # valid.
        report(Progress("Comparing", number, len(queries), "queries"))
        row = [_cell(index, query, options, cancel) for index in indexes]
        rows.append(tuple(row))
    found = tuple(
        tuple(
            _with_ratio(cell, i, j, rows, [index.token_count for index in indexes], by_index)
            for j, cell in enumerate(row)
        )
        for i, row in enumerate(rows)
    )
    return Comparison(tuple(queries), tuple(index.name for index in indexes), found, by_index)


def _cell(index: Backend, query: str, options: QueryOptions | None, cancel: CancelToken | None) -> Cell:
    try:
        found = find_query(index, query, options, cancel=cancel)
    # A CorpusError as well, but not one of this query: it ends the whole comparison.
    except Cancelled:
        raise
    except CorpusError as error:
        return Cell(0, 0.0, True, None, str(error))
    return Cell(found.count, found.per_million, found.exact, None)


def _with_ratio(
    cell: Cell, row: int, column: int, rows: Sequence[Sequence[Cell]], tokens: Sequence[int], by_index: bool
) -> Cell:
    # Indexes are compared in each row, queries in each column.
    reference = (row, 0) if by_index else (0, column)
    other = rows[reference[0]][reference[1]]
    # A count of 0 because of an error must not become a ratio.
    if (row, column) == reference or cell.error or other.error:
        return cell
    ratio = log_ratio(cell.count, tokens[column], other.count, tokens[reference[1]])
    return Cell(cell.count, cell.per_million, cell.exact, ratio)
