"""Parts of a corpus: its documents that meet conditions, as a corpus of their own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Self, cast

import numpy as np

from explorer.analyses.metadata.fields import FieldColumns
from explorer.backends.made_of import MadeOf, note_made_of
from explorer.backends.protocol.protocol import Backend
from explorer.core.jobs import CancelToken, Report, no_report
from explorer.core.jobs.asked import checks_jobs
from explorer.corpus.search.where import Where, chosen_documents, conditions
from explorer.errors import QueryError
from explorer.i18n import mark


@checks_jobs
class CorpusSubsets:
    """Parts of a `Corpus`, which inherits these methods."""

    # Set by `Corpus`.
    index: Backend
    columns: FieldColumns

    def subset(self, where: Where, *, report: Report = no_report, cancel: CancelToken | None = None) -> Self:
        """Choose documents by their metadata, as a corpus of their own.

        Parameters
        ----------
        where
            "year>=2020" as the command line's --where takes it, a sequence of these, all of which must be met, or a
            mapping of fields to the value or the values that they may have, such as {"source": {"a", "b"}}.
        report
            Called with the documents whose metadata are read.
        cancel
            Stops the work.

        Returns
        -------
        Corpus
            A corpus of only these documents, which keep their numbers. Every answer is exact and about them only:
            counts, next tokens, agreement, traces.

        Raises
        ------
        QueryError
            If a condition cannot be read, no document has the field or meets the conditions, or both the chosen and the
            other documents have more than 50 million tokens.
        Cancelled
            If it was cancelled.

        Notes
        -----
        Reads all metadata once, then the chosen documents or the others, whichever are shorter, and sorts their tokens
        in a temporary folder, which lives as long as the result. For one count, `count(…, where=)` is faster.

        Examples
        --------
        >>> nineties = corpus.subset("year<2000")
        >>> nineties.document_count, nineties.count("the cat"), corpus.count("the cat")
        (3, 2, 3)
        """
        numbers = np.flatnonzero(chosen_documents(self.index, self.columns, where, report, cancel))
        if not len(numbers):
            raise QueryError(mark("No document meets the conditions."), reason="empty-subset", option="where")
        self.index.capabilities.require("subtraction")
        # The class is `Corpus`, which is made of a backend.
        make = cast(Callable[[Backend], Self], type(self))
        chosen = self.index.within(numbers.astype(np.int64), cancel)
        note_made_of(chosen, MadeOf(self.index, tuple(("only documents", str(each)) for each in conditions(where))))
        return make(chosen)
