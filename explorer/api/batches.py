"""What a corpus is asked about many queries or texts in one call."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.api.many import Many
from explorer.api.queries import checked_options
from explorer.api.types import Query, Variant
from explorer.api.where import Where, chosen_documents
from explorer.backends.protocol import Backend
from explorer.jobs import CancelToken, Report, no_report
from explorer.search.fields import FieldColumns
from explorer.search.find import Match


class CorpusBatches:
    """Questions about many items to a `Corpus`, which inherits these methods."""

    # Set by `Corpus`.
    index: Backend
    columns: FieldColumns

    def count_many(
        self,
        queries: Iterable[Query] | NDArray[Any],
        variants: Sequence[Variant] = (),
        *,
        match: Match = "text",
        ignore_case: bool = False,
        whole_words: bool = False,
        where: Where | None = None,
        threads: int = 1,
        report: Report = no_report,
        cancel: CancelToken | None = None,
    ) -> NDArray[np.int64]:
        """Count many queries in one call.

        Parameters
        ----------
        queries
            Texts and n-grams of token ids, in any mixture; or a two-dimensional array of ids, one n-gram per row.
        variants, match, ignore_case, whole_words
            As in `count`, for every text.
        where
            Conditions on the metadata of documents, as in `count`.
        threads
            Threads that count n-grams, from 1; more than there are cores are not used.
        report
            Called with the queries that are done.
        cancel
            Stops the count.

        Returns
        -------
        NDArray[np.int64]
            One count per query, int64, in their order.

        Raises
        ------
        QueryError
            As from `count`, for the first query that cannot be counted; its number is `item`, from 0.
        Cancelled
            If it was cancelled.

        Notes
        -----
        N-grams go to the engine together: 100,000 take a tenth of a second or two, and an array is faster than lists.
        This is several times as fast as a loop over `count`, and threads that each call `count` are slower than one.
        Texts with match="tokens" are tokenized together; other texts take some milliseconds each. With `where`, every
        occurrence of every query is looked up: `subset(where).count_many(…)` is faster for many queries.

        Examples
        --------
        >>> corpus.count_many(["cat", "the dog", corpus.encode(" sat on")]).tolist()
        [3, 1, 3]
        """
        options = checked_options("", variants, match, ignore_case, whole_words)
        cancel = cancel or CancelToken()
        chosen = None if where is None else chosen_documents(self.index, self.columns, where, report, cancel)
        return Many(self.index, options, threads, report, cancel, chosen).counts(queries)
