"""The parts of a corpus over which dispersion is measured: documents, values of a field, or slices."""

from __future__ import annotations

from typing import SupportsIndex

import numpy as np

from explorer.backends.protocol import Backend
from explorer.errors import QueryError
from explorer.i18n import mark
from explorer.jobs import CancelToken, Report
from explorer.search.fields import FieldColumns
from explorer.search.limits import whole_number
from explorer.search.values import labels
from explorer.statistics.word_dispersion import Parts


def checked_slices(by: str | None, slices: SupportsIndex | None) -> int | None:
    """Check which parts are asked for.

    Parameters
    ----------
    by
        A field; None for another kind of parts.
    slices
        How many slices; None for another kind of parts.

    Returns
    -------
    int | None
        How many slices; None for another kind of parts.

    Raises
    ------
    QueryError
        If two kinds are asked for, or the number is not whole or below 1.
    """
    if by is not None and slices is not None:
        raise QueryError(mark("Give by or slices, not both."), reason="wrong-argument")
    return None if slices is None else whole_number(slices, "slices", 1)


def asked_parts(by: str | None, slices: int | None) -> str:
    """Name the parts, for the facts of a table.

    Parameters
    ----------
    by
        The field; None for another kind of parts.
    slices
        How many slices; None for another kind of parts.

    Returns
    -------
    str
        The name.

    Examples
    --------
    >>> asked_parts(None, 5), asked_parts(None, None)
    ('5 slices', 'documents')
    """
    return by or (f"{slices} slices" if slices is not None else "documents")


def parts_of(
    words: Backend,
    columns: FieldColumns,
    by: str | None,
    slices: int | None,
    report: Report,
    cancel: CancelToken | None,
) -> tuple[Parts, tuple[str, ...] | None]:
    """Cut a corpus into parts.

    Parameters
    ----------
    words
        Its index of words.
    columns
        The metadata of its documents.
    by
        The field whose values are the parts; None for another kind.
    slices
        How many slices; None for another kind.
    report
        Called with the documents whose metadata are read.
    cancel
        Stops the work.

    Returns
    -------
    tuple of Parts and labels
        The parts that have words, and the values of the field; None for documents and slices.

    Raises
    ------
    QueryError
        If there are fewer words than slices, or no document has the field.
    """
    numbers = np.asarray(words.documents.numbers(), np.int64)
    lengths = np.asarray(words.documents.lengths(numbers), np.int64)
    if slices is not None:
        if slices > int(lengths.sum()):
            raise QueryError(mark("The corpus has fewer words than slices."), reason="wrong-argument")
        return Parts.slices(numbers, lengths, slices), None
    if by is None:
        return Parts.by_label(numbers, lengths, numbers), None
    # By the documents of the original: those of the words have the same numbers.
    column = columns.column(by, numbers, report, cancel)
    kept = np.unique(column.codes[lengths > 0]).tolist()
    return Parts.by_label(numbers, lengths, column.codes), labels([column.values[code] for code in kept])
