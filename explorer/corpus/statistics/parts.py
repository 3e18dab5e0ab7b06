"""The parts of a corpus over which dispersion is measured: documents, values of a field, or slices."""

from __future__ import annotations

import numpy as np

from explorer.analyses.dispersion.compute import Parts
from explorer.analyses.dispersion.question import DispersionQuestion
from explorer.analyses.metadata.fields import FieldColumns
from explorer.analyses.metadata.values import labels
from explorer.backends.protocol.protocol import Backend
from explorer.core.jobs import CancelToken, Report
from explorer.errors import QueryError
from explorer.i18n import mark


def parts_of(
    words: Backend,
    columns: FieldColumns,
    question: DispersionQuestion,
    report: Report,
    cancel: CancelToken | None,
) -> tuple[Parts, tuple[str, ...] | None]:
    """Cut a corpus into parts that have words, with the values of the field; None for documents and slices.

    Raises `QueryError` if there are fewer words than slices, or no document has the field.
    """
    by, slices = question.by, question.slices
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
