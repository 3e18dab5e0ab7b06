"""The patterns of a watch list, counted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from explorer.analyses.search.find import QueryOptions, find_query
from explorer.analyses.search.hits import Hits
from explorer.analyses.watch.watch_list import WatchPattern
from explorer.backends.documents.document import document_title
from explorer.backends.documents.reading import records_of
from explorer.backends.protocol.protocol import Backend
from explorer.core.jobs import CancelToken, Progress, Report, no_report
from explorer.errors import Cancelled, CorpusError

FIRST_DOCUMENTS = 3
"""Documents of each pattern that are named."""


@dataclass(frozen=True)
class FirstDocument:
    """A document in which a pattern occurs.

    Attributes
    ----------
    document
        Its number, from 0.
    title
        Its title.
    """

    document: int
    title: str


@dataclass(frozen=True)
class Watched:
    """How often a pattern occurs.

    count: The number of occurrences; None if there is an error.
    per_million: Occurrences per million tokens; None if there is an error.
    documents: The number of documents; None if there is an error.
    error: Why it could not be looked for; "" if it was.
    """

    pattern: WatchPattern
    count: int | None
    per_million: float | None
    documents: int | None
    first_documents: tuple[FirstDocument, ...] = ()
    error: str = ""


def count_patterns(
    index: Backend,
    patterns: Sequence[WatchPattern],
    options: QueryOptions,
    report: Report = no_report,
    cancel: CancelToken | None = None,
) -> Iterator[Watched]:
    """Count patterns, each taken whole; what is wrong with one does not affect the others.

    options: How they are matched.
    Yields: One result per pattern, as soon as it is known.

    Notes
    -----
    A few milliseconds per pattern, and for the documents a look-up of every occurrence.
    """
    # A pattern with AND in it is a text to look for, not a query.
    whole = replace(options, literal=True)
    for number, pattern in enumerate(patterns):
        report(Progress("Counting patterns", number, len(patterns), "patterns"))
        yield _count(index, pattern, whole, cancel)
    report(Progress("Counting patterns", len(patterns), len(patterns), "patterns"))


def _count(index: Backend, pattern: WatchPattern, options: QueryOptions, cancel: CancelToken | None) -> Watched:
    if pattern.error:
        return Watched(pattern, None, None, None, (), pattern.error)
    try:
        found = find_query(index, pattern.pattern, options, cancel=cancel)
        # All documents are needed for their number, although only the first ones are named.
        documents = np.empty(0, dtype=np.int64)
        for _, located in Hits(index, found.parts).chunks(None, cancel):
            documents = np.union1d(documents, located.documents)
    except Cancelled:
        raise
    except CorpusError as error:
        # None and not 0: a pattern that could not be looked for may occur.
        return Watched(pattern, None, None, None, (), str(error))
    named = documents[:FIRST_DOCUMENTS]
    first = tuple(
        FirstDocument(number, document_title(record, number))
        for number, record in zip(named.tolist(), records_of(index, named), strict=True)
    )
    return Watched(pattern, found.count, found.per_million, len(documents), first)
