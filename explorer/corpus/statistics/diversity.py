"""How varied the vocabulary of a corpus is: what `Corpus` has of it."""

from __future__ import annotations

from typing import SupportsIndex

import numpy as np

from explorer.analyses.diversity.groups import Numbers, measure_groups
from explorer.analyses.diversity.question import DiversityQuestion
from explorer.analyses.metadata.fields import FieldColumns
from explorer.analyses.metadata.values import Value, labels, sort_key
from explorer.backends.protocol.protocol import Backend
from explorer.core.jobs import CancelToken, Report, no_report
from explorer.core.jobs.asked import checks_jobs
from explorer.corpus.results.origin import Origin
from explorer.corpus.results.statistics.diversity import DiversityTable
from explorer.corpus.search.where import Where, chosen_documents, conditions
from explorer.errors import QueryError
from explorer.i18n import mark
from explorer.words.index import open_words
from explorer.words.rule import WordRule

_USUAL = DiversityQuestion()


@checks_jobs
class CorpusDiversity:
    """The vocabulary of a `Corpus`, which inherits these methods."""

    # Set by `Corpus`.
    index: Backend
    columns: FieldColumns

    def diversity(
        self,
        by: str | None = _USUAL.by,
        *,
        per_document: bool = _USUAL.per_document,
        window: SupportsIndex = _USUAL.window,
        where: Where = (),
        report: Report = no_report,
        cancel: CancelToken | None = None,
    ) -> DiversityTable:
        """Measure how varied the vocabulary is: TTR, MATTR, MTLD, HD-D, hapaxes, Yule's K and Herdan's C.

        Parameters
        ----------
        by
            Metadata field with one row per value, and one for the documents without it. None for one row of all.
        per_document
            One row per document. Not together with `by`.
        window
            Words of a window of MATTR, 1 to 1,000,000.
        where
            Only documents that meet these conditions on metadata.
        report
            Called with the documents that were read.
        cancel
            Stops the work.

        Returns
        -------
        DiversityTable
            One row per group, sorted by value or by number. What a group is too short for is None.

        Raises
        ------
        QueryError
            If no document has the field or meets the conditions, both kinds of groups are asked for, or the window is
            out of range.
        CapabilityError
            If the index is not in folders on this machine.
        Cancelled
            If it was cancelled.

        Notes
        -----
        Words are those of `words`, in lower case. Windows of MATTR and factors of MTLD end with their document; the
        other measures take all words of a group together. `docs/diversity.md` has the formulas and their sources.

        Cost: every word is read once, some hundredths of a microsecond each, and the index of words is made if it is
        not in the cache folder.

        Examples
        --------
        >>> [row] = corpus.diversity()
        >>> row.words, row.types, row.ttr == row.types / row.words, row.mattr
        (23, 9, True, None)
        """
        question = DiversityQuestion.of(by=by, per_document=per_document, window=window)
        if by is not None:
            self.columns.require(by, cancel)
        chosen = np.flatnonzero(chosen_documents(self.index, self.columns, where, report, cancel))
        if where and not len(chosen):
            raise QueryError(mark("No document meets the conditions."), reason="empty-subset", option="where")
        names, groups = _groups(chosen.astype(np.int64), self.columns, by, per_document, report, cancel)
        made = open_words(self.index, WordRule(), report, cancel)
        found = measure_groups(made.backend, groups, len(made.vocabulary), question.window, report, cancel)
        asked = (*question.facts, ("where", "; ".join(map(str, conditions(where))) or "all documents"))
        return DiversityTable(names, found, Origin(self.index, asked))


def _groups(
    chosen: Numbers,
    columns: FieldColumns,
    by: str | None,
    per_document: bool,
    report: Report,
    cancel: CancelToken | None,
) -> tuple[list[str | None], list[Numbers]]:
    if per_document:
        return [str(number) for number in chosen], list(chosen[:, None])
    if by is None:
        return [None], [chosen]
    column = columns.column(by, chosen, report, cancel)
    order = np.argsort(column.codes, kind="stable")
    codes, firsts = np.unique(column.codes[order], return_index=True)
    values: list[Value] = [column.values[code] for code in codes]
    rows = sorted(range(len(values)), key=lambda row: sort_key(values[row]))
    parts, shown = np.split(chosen[order], firsts[1:]), labels(values)
    return [shown[row] for row in rows], [parts[row] for row in rows]
