"""The counts of a watch list as a table, and as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from explorer.search.find import QueryOptions
from explorer.search.watch import Watched, WatchList

COLUMNS = ("line", "label", "pattern", "count", "per_million", "documents", "first_documents", "error")


def watched_header(listed: WatchList) -> tuple[str, ...]:
    """Names of the columns, all different; those that were kept come last."""
    return (*COLUMNS, *(f"list.{name}" if name in COLUMNS else name for name in listed.columns))


def watched_rows(rows: Iterable[Watched]) -> Iterator[tuple[Any, ...]]:
    """One row per pattern; what is not known is empty."""
    for row in rows:
        titles = "; ".join(document.title for document in row.first_documents)
        # Of a pattern that could not be counted, count and documents are None, which tables write as an empty cell.
        found = (row.count, row.per_million, row.documents, titles, row.error)
        yield (row.pattern.line, row.pattern.label, row.pattern.pattern, *found, *row.pattern.more)


def watched_object(row: Watched, listed: WatchList, options: QueryOptions) -> dict[str, Any]:
    """Give one pattern of a watch list as an object of JSON.

    Parameters
    ----------
    row
        The pattern with its counts.
    listed
        The list, for the names of its further columns.
    options
        How the patterns were matched.

    Returns
    -------
    dict[str, Any]
        Plain values by name.
    """
    return {
        "line": row.pattern.line,
        "label": row.pattern.label,
        "pattern": row.pattern.pattern,
        "match": options.match,
        "ignore_case": options.ignore_case,
        "whole_words": options.whole_words,
        "count": row.count,
        "per_million": row.per_million,
        "documents": row.documents,
        "first_documents": row.first_documents,
        "error": row.error,
        "columns": dict(zip(listed.columns, row.pattern.more, strict=True)),
    }
