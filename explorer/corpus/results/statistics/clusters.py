"""N-grams that contain a query, as the library returns them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from explorer.analyses.clusters.compute import Clusters
from explorer.analyses.clusters.table import ClusterRecord
from explorer.backends.protocol.protocol import Backend
from explorer.corpus.results.origin import Origin
from explorer.corpus.results.records import RecordsResult
from explorer.corpus.results.statistics.ngrams import form_of


class ClusterTable(RecordsResult):
    """The n-grams that contain a query, the most frequent first; also a table with one row per n-gram.

    Examples
    --------
    >>> found = corpus.clusters("cat", size=(2, 3), min_count=2)
    >>> [(row.form, row.count, row.documents) for row in found]
    [('the cat', 3, 3), ('cat sat', 2, 2), ('the cat sat', 2, 2), ('cat sat on', 2, 2)]
    >>> found.node_count, found[0].size
    (3, 2)
    """

    _record = ClusterRecord

    def __init__(self, found: Clusters, counted: Backend, origin: Origin, left_out: int | None = None) -> None:
        super().__init__(origin)
        self.hits_left_out = left_out
        self._found = found
        # Texts are made for the rows that are looked at: there may be millions.
        self._counted = Origin(counted)

    def __len__(self) -> int:
        return len(self._found)

    def __iter__(self) -> Iterator[ClusterRecord]:
        return self._made()

    def __getitem__(self, row: int) -> ClusterRecord:
        found = self._found
        count = int(found.counts[row])
        form = form_of(self._counted.index, found.row(row))
        rate = 1e6 * count / found.tokens
        return ClusterRecord(int(found.sizes[row]), form, count, int(found.documents[row]), rate)

    def ids(self, row: int) -> NDArray[np.int64]:
        """Give the ids of one row in the corpus of words, or its tokens.

        Parameters
        ----------
        row
            Its number, from 0.

        Returns
        -------
        NDArray[np.int64]
            As many as its size.
        """
        return self._found.row(row)

    @property
    def node_count(self) -> int:
        """How often the query occurs."""
        return self._found.node

    @property
    def total(self) -> int:
        """Occurrences of all clusters of all sizes, those without a row included."""
        return self._found.total

    @property
    def types(self) -> int:
        """Distinct clusters of all sizes, those without a row included."""
        return self._found.types

    @property
    def tokens(self) -> int:
        """Words or tokens of the documents that count, of which rates are."""
        return self._found.tokens

    def _made(self) -> Iterator[ClusterRecord]:
        return map(self.__getitem__, range(len(self)))

    def __repr__(self) -> str:
        return f"ClusterTable({len(self):,} around {self.node_count:,} hits)"
