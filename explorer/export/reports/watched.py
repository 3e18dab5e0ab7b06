"""The counts of a watch list as a table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from explorer.analyses.watch.counting import Watched
from explorer.analyses.watch.watch_list import WatchList

COLUMNS = ("line", "label", "pattern", "count", "per_million", "document_count", "first_documents", "error", "source")


def watched_header(listed: WatchList) -> tuple[str, ...]:
    """Names of the columns, all different; those that were kept come last."""
    return (*COLUMNS, *(f"list.{name}" if name in COLUMNS else name for name in listed.columns))


def watched_rows(rows: Iterable[Watched]) -> Iterator[tuple[Any, ...]]:
    """One row per pattern; what is not known is empty."""
    for row in rows:
        titles = "; ".join(document.title for document in row.first_documents)
        # Of a pattern that could not be counted, count and documents are None, which tables write as an empty cell.
        found = (row.count, row.per_million, row.documents, titles, row.error, row.pattern.source)
        yield (row.pattern.line, row.pattern.label, row.pattern.pattern, *found, *row.pattern.more)
