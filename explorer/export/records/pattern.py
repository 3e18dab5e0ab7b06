"""One pattern of a watch list, as a record."""

from __future__ import annotations

from dataclasses import dataclass

from explorer.analyses.search.find import QueryOptions
from explorer.analyses.watch.counting import FirstDocument, Watched
from explorer.analyses.watch.watch_list import WatchList


@dataclass(frozen=True)
class PatternRecord:
    """How often a pattern of a watch list occurs.

    Attributes
    ----------
    line
        Its line in the list, from 1 as in an editor.
    label
        Its label; "" for none.
    pattern
        The pattern.
    match
        How it was matched: "text", "tokens" or "regex".
    ignore_case
        Whether case was ignored.
    whole_words
        Whether only whole words were counted.
    equate
        What else counted as the same: "spacing", "quotes", "forms".
    count
        Its occurrences; None if it could not be searched for.
    per_million
        Occurrences per million tokens; None if it could not be searched for.
    document_count
        The documents with an occurrence; None if it could not be searched for.
    first_documents
        The first three of them.
    error
        Why it could not be searched for; "" if it was.
    columns
        The other columns of the list, by their names.
    source
        The file of the list; "" if that is not known.
    """

    line: int
    label: str
    pattern: str
    match: str
    ignore_case: bool
    whole_words: bool
    equate: tuple[str, ...]
    count: int | None
    per_million: float | None
    document_count: int | None
    first_documents: tuple[FirstDocument, ...]
    error: str
    columns: dict[str, str]
    source: str


def pattern_record(row: Watched, listed: WatchList, options: QueryOptions) -> PatternRecord:
    """Give one pattern of a watch list as a record.

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
    PatternRecord
        The record.
    """
    return PatternRecord(
        line=row.pattern.line,
        label=row.pattern.label,
        pattern=row.pattern.pattern,
        match=options.match,
        ignore_case=options.ignore_case,
        whole_words=options.whole_words,
        equate=options.equate,
        count=row.count,
        per_million=row.per_million,
        document_count=row.documents,
        first_documents=row.first_documents,
        error=row.error,
        columns=dict(zip(listed.columns, row.pattern.more, strict=True)),
        source=row.pattern.source,
    )
