"""Collocates, as the library returns them."""

from __future__ import annotations

import copy
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.analyses.collocates.association import ASSOCIATIONS
from explorer.analyses.collocates.cells import Collocates
from explorer.analyses.collocates.details import CollocateDetails
from explorer.analyses.collocates.table import CollocateRecord
from explorer.backends.protocol.protocol import Backend
from explorer.core.arrays import known
from explorer.corpus.results.origin import Origin
from explorer.corpus.results.records import RowsResult
from explorer.corpus.results.statistics.ngrams import form_of
from explorer.errors import QueryError
from explorer.i18n import counted, mark


@dataclass(frozen=True)
class Listed:
    """Which collocates are rows, and what is known of them besides their cells.

    Attributes
    ----------
    details
        Their pairs, places and documents; None if they were not counted.
    min_documents
        The least documents of a row.
    left_out
        Tokens without a row.
    hits_left_out
        Hits in which no word begins; None for a query of words or tokens.
    """

    details: CollocateDetails | None = None
    min_documents: int = 1
    left_out: frozenset[int] = frozenset()
    hits_left_out: int | None = None

    def shows(self, token: int, documents: int | None) -> bool:
        """Whether a token that is near in that number of documents is a row."""
        return token not in self.left_out and (documents is None or documents >= self.min_documents)


class CollocateTable(RowsResult[CollocateRecord]):
    """The words near a query, the most attracted first; also a table with one row per word.

    Examples
    --------
    >>> found = corpus.collocates("cat", min_count=1)
    >>> found.node_count, found[0].form == next(iter(found)).form
    (3, True)
    """

    _record = CollocateRecord

    def __init__(
        self,
        found: Collocates,
        counted: Backend,
        origin: Origin,
        listed: Listed | None = None,
    ) -> None:
        super().__init__(origin)
        self._cells = found.cells
        listed = listed or Listed()
        self.hits_left_out = listed.hits_left_out
        self.window_slots = None if listed.details is None else listed.details.slots
        rows = tuple(_records(found, counted, listed.details))
        # All words have measures, since a correction for their number depends on it.
        kept = (row for row in range(len(rows)) if listed.shows(int(found.ids[row]), rows[row].documents))
        order = sorted(kept, key=lambda row: -rows[row].logdice)
        self._rows = tuple(rows[row] for row in order)
        self._ids = found.ids[order]

    def sorted_by(self, measure: str) -> CollocateTable:
        """Sort the rows by another measure; rows whose value is unknown come last.

        Parameters
        ----------
        measure
            The id of a measure, such as "mi".

        Returns
        -------
        CollocateTable
            The same rows in another order, which is stated beside a file.

        Raises
        ------
        QueryError
            If there is no such measure.
        """
        if measure not in ASSOCIATIONS:
            raise QueryError(
                mark('There is no measure "{measure}". The choices are {names}.'),
                reason="wrong-argument",
                measure=measure,
                names=", ".join(ASSOCIATIONS),
            )
        values = [getattr(row, measure) for row in self._rows]
        order = sorted(range(len(values)), key=lambda row: math.inf if values[row] is None else -values[row])
        made = copy.copy(self)
        made._rows, made._ids = tuple(self._rows[row] for row in order), self._ids[order]
        others = (fact for fact in self._origin.asked if fact[0] != "sorted by")
        made._origin = Origin(self._origin.index, (*others, ("sorted by", measure)))
        return made

    @property
    def ids(self) -> NDArray[np.int64]:
        """The words' ids in the corpus of words, or the tokens, in the order of the rows; int64 [rows]."""
        return self._ids

    @property
    def node_count(self) -> int:
        """How often the query occurs."""
        return self._cells.node

    @property
    def window_tokens(self) -> int:
        """R1: the words or tokens of all windows, each once."""
        return self._cells.window

    @property
    def total(self) -> int:
        """N: the words or tokens of the corpus that are not part of the query's hits."""
        return self._cells.total

    def __repr__(self) -> str:
        return f"CollocateTable({counted('collocate', len(self))}, {counted('hit', self.node_count)})"


def _records(found: Collocates, counted: Backend, details: CollocateDetails | None) -> Iterator[CollocateRecord]:
    cells = found.cells
    if not len(found):
        return
    measures = {name: row.compute(cells).tolist() for name, row in ASSOCIATIONS.items()}
    counts = zip(found.ids.tolist(), cells.observed.tolist(), cells.frequency.tolist(), strict=True)
    expected = cells.expected.tolist()
    for at, (token, observed, count) in enumerate(counts):
        form = form_of(counted, np.array([token], dtype=np.int64))
        values: dict[str, Any] = {name: known(each[at]) for name, each in measures.items()}
        if details is not None:
            values["documents"], values["pairs"] = int(details.documents[at]), int(details.pairs[at])
            values["positions"] = tuple(details.positions[at].tolist())
        yield CollocateRecord(form, int(observed), int(count), expected[at], **values)
