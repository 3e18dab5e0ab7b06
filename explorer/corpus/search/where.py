"""Conditions on the metadata of documents: what `where=` takes, and which documents and hits meet it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from explorer.analyses.metadata.conditions import Where as Where
from explorer.analyses.metadata.conditions import conditions as conditions
from explorer.analyses.metadata.fields import FieldColumns
from explorer.analyses.metadata.values import FieldFilter, one_of
from explorer.analyses.search.cnf import CnfMatches
from explorer.analyses.search.find import QueryResult
from explorer.analyses.search.hits import Hits
from explorer.backends.protocol.protocol import Backend, Part
from explorer.core.jobs import CancelToken, Progress, Report, no_report
from explorer.errors import QueryError
from explorer.i18n import mark


def chosen_documents(
    index: Backend,
    columns: FieldColumns,
    where: Where,
    report: Report = no_report,
    cancel: CancelToken | None = None,
) -> NDArray[np.bool_]:
    """Find the documents that meet conditions.

    Parameters
    ----------
    index
        The index.
    columns
        Its fields.
    where
        The conditions.
    report
        Called with the documents that are read.
    cancel
        Stops the reading.

    Returns
    -------
    NDArray[np.bool_]
        Whether the document of each number meets them: bool of shape (document slots,).

    Raises
    ------
    QueryError
        If a condition cannot be read, or no document has the field.
    Cancelled
        If it was cancelled.

    Notes
    -----
    Reads the metadata of all documents once.
    """
    return documents_meeting(index, columns, conditions(where), report, cancel)


def documents_meeting(
    index: Backend,
    columns: FieldColumns,
    asked: Sequence[FieldFilter],
    report: Report = no_report,
    cancel: CancelToken | None = None,
) -> NDArray[np.bool_]:
    """Find the documents that meet conditions that were read.

    Parameters
    ----------
    index, columns, report, cancel
        As for `chosen_documents`.
    asked
        The conditions.

    Returns
    -------
    NDArray[np.bool_]
        As `chosen_documents` returns it.

    Raises
    ------
    QueryError
        If no document has the field.
    Cancelled
        If it was cancelled.
    """
    numbers = index.documents.numbers()
    met = np.ones(len(numbers), dtype=np.bool_)
    for condition in asked:
        met &= columns.column(condition.field, numbers, report, cancel).kept(condition)
    chosen = np.zeros(index.document_slots, dtype=np.bool_)
    chosen[numbers[met]] = True
    return chosen


def documents_without(
    index: Backend,
    columns: FieldColumns,
    where: Where,
    report: Report = no_report,
    cancel: CancelToken | None = None,
) -> NDArray[np.bool_]:
    """Find the documents without a value of a field that conditions name.

    Parameters
    ----------
    index, columns, where, report, cancel
        As for `chosen_documents`.

    Returns
    -------
    NDArray[np.bool_]
        Whether the document of each number lacks one of the fields: bool of shape (document slots,).

    Raises
    ------
    QueryError
        If no document has the field.
    Cancelled
        If it was cancelled.
    """
    numbers = index.documents.numbers()
    lacks = np.zeros(len(numbers), dtype=np.bool_)
    for field in dict.fromkeys(condition.field for condition in conditions(where)):
        lacks |= columns.column(field, numbers, report, cancel).kept(one_of(field, [None]))
    found = np.zeros(index.document_slots, dtype=np.bool_)
    found[numbers[lacks]] = True
    return found


def some_documents(
    index: Backend,
    columns: FieldColumns,
    where: Where,
    report: Report = no_report,
    cancel: CancelToken | None = None,
) -> NDArray[np.bool_] | None:
    """Find the documents that meet conditions, of which there must be one.

    Parameters
    ----------
    index, columns, where, report, cancel
        As for `chosen_documents`.

    Returns
    -------
    NDArray[np.bool_] | None
        Whether the document of each number meets them; None without conditions.

    Raises
    ------
    QueryError
        If a condition cannot be read, no document has the field, or none meets the conditions.
    Cancelled
        If it was cancelled.
    """
    if not where:
        return None
    chosen = chosen_documents(index, columns, where, report, cancel)
    if not chosen.any():
        raise QueryError(mark("No document meets the conditions."), reason="empty-subset", option="where")
    return chosen


def count_within(
    index: Backend,
    parts: Sequence[Part],
    chosen: NDArray[np.bool_],
    cancel: CancelToken | None = None,
    report: Report = no_report,
) -> int:
    """Count hits in chosen documents.

    Parameters
    ----------
    index
        The index.
    parts
        What the hits are of.
    chosen
        Whether each document counts.
    cancel
        Stops the count.
    report
        Called with the hits that were looked up.

    Returns
    -------
    int
        Their number.

    Raises
    ------
    Cancelled
        If it was cancelled.

    Notes
    -----
    Every hit is looked up, tens of thousands between two reports.
    """
    hits = Hits(index, parts)
    found = done = 0
    for _, located in hits.chunks(None, cancel):
        found += int(chosen[located.documents].sum())
        done += len(located.documents)
        report(Progress("Looking up occurrences", done, hits.total, "occurrences"))
    return found


def result_within(
    index: Backend,
    found: QueryResult,
    chosen: NDArray[np.bool_],
    where: Where,
    cancel: CancelToken | None = None,
) -> QueryResult:
    """Keep the hits of a query that are in chosen documents.

    Parameters
    ----------
    index
        The index.
    found
        The hits.
    chosen
        Whether each document is chosen.
    where
        The conditions by which they were chosen, which the result states.
    cancel
        Stops the work.

    Returns
    -------
    QueryResult
        The hits that are left. Their number per million refers to the tokens of the chosen documents. The counts of
        clauses stay those of the whole index.

    Notes
    -----
    Every hit is looked up; of an estimate, every hit of its sample.
    """
    before = found.cnf or _all_hits(index, found, cancel)
    kept = chosen[before.documents]
    scale = 1.0 if before.exact else before.walkable / max(1, before.sample_size)
    documents = before.documents[kept]
    cnf = replace(
        before,
        count=round(int(kept.sum()) * scale),
        document_count=round(len(np.unique(documents)) * scale),
        documents=documents,
        offsets=before.offsets[kept],
        hits=before.hits[kept],
    )
    tokens = int(index.documents.sizes()[chosen].sum())
    return replace(found, cnf=cnf, index_tokens=tokens, where=(*found.where, *conditions(where)))


def _all_hits(index: Backend, found: QueryResult, cancel: CancelToken | None) -> CnfMatches:
    """All hits of a single clause, as an AND of it alone would give them."""
    hits = Hits(index, found.parts)
    none = np.empty(0, dtype=np.int64)
    numbers, documents, offsets = [none], [none], [none]
    for part, located in hits.chunks(None, cancel):
        numbers.append(part)
        documents.append(located.documents)
        offsets.append(located.offsets)
    joined = [np.concatenate(each) for each in (documents, offsets, numbers)]
    order = np.lexsort((joined[1], joined[0]))
    places, ats, which = (each[order] for each in joined)
    return CnfMatches(
        count=hits.count,
        document_count=len(np.unique(places)),
        exact=True,
        documents=places,
        offsets=ats,
        sample_size=hits.count,
        walkable=hits.count,
        parts=hits.parts,
        hits=which,
    )
