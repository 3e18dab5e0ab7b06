"""Metadata fields of many documents as columns, read once and kept."""

from __future__ import annotations

import threading
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.analyses.metadata.values import FieldFilter, Key, Value, plain_value, sort_key, value_key
from explorer.backends.documents.field_names import require_field
from explorer.backends.metadata import flat_metadata
from explorer.backends.protocol.protocol import Backend, FieldNames
from explorer.core.arrays import ArrayValue
from explorer.core.jobs import CancelToken, Progress, Report, no_report

_UNREAD = -1
_TOGETHER = 256
"""Documents whose metadata are asked for at once, between two looks at the cancel flag."""


@dataclass(frozen=True, eq=False)
class Column(ArrayValue):
    """One field of some documents.

    codes: The number of each document's value, int32.
    """

    codes: NDArray[np.int32]
    values: tuple[Value, ...]

    def kept(self, condition: FieldFilter) -> NDArray[np.bool_]:
        """Tell which documents meet a condition.

        Raises `QueryError` if the condition cannot be read.
        """
        test = condition.test()
        # Each distinct value is tested once, however many documents have it.
        meets = np.array([test(value) for value in self.values], dtype=np.bool_)
        return meets[self.codes] if len(self.values) else np.zeros(len(self.codes), dtype=np.bool_)

    def ranks(self, descending: bool = False) -> NDArray[np.int64]:
        """Rank documents by their values; documents without a value come last in both directions.

        descending: Whether the order is reversed.
        Returns: One rank per document, int64, equal for equal values.
        """
        order = sorted(range(len(self.values)), key=lambda i: sort_key(self.values[i]))
        if descending:
            # No value comes last in both directions, so it is not reversed with the others.
            order = [i for i in reversed(order) if self.values[i] is not None] + [
                i for i in order if self.values[i] is None
            ]
        places = np.empty(len(order), dtype=np.int64)
        places[order] = np.arange(len(order))
        return places[self.codes] if len(order) else np.zeros(len(self.codes), dtype=np.int64)


class FieldColumns:
    """Fields of an index's documents; values that were read are kept, as one number per document and field.

    known: The names of its fields; None to find them out.

    Notes
    -----
    Can be used from several threads.
    """

    def __init__(self, index: Backend, known: FieldNames | None = None) -> None:
        self._index = index
        self._known = known
        # Both are changed only under the lock: an array with one entry per document slot, filled in place, and the
        # values by number.
        self._codes: dict[str, NDArray[np.int32]] = {}
        self._values: dict[str, dict[Key, int]] = {}
        self._lock = threading.Lock()

    @property
    def known(self) -> FieldNames:
        """The names of the fields. Cost: reading, once, some documents of each shard that does not list them."""
        # Without the lock: two threads may ask at the same time, and get the same names.
        if self._known is None:
            missing = self._index.capabilities.missing("metadata")
            self._known = FieldNames((), complete=True) if missing else self._index.documents.field_names()
        return self._known

    def require(self, field: str, cancel: CancelToken | None = None) -> None:
        """Check that some document has a field.

        Raises `CapabilityError` if the index cannot give metadata.
        """
        self._index.capabilities.require("metadata")
        # A field that has been read before exists, and the search for it can be long.
        if field not in self._codes:
            require_field(self._index, self.known, field, cancel)

    def column(
        self,
        field: str,
        documents: NDArray[np.int64],
        report: Report = no_report,
        cancel: CancelToken | None = None,
    ) -> Column:
        """Read a field of some documents.

        documents: Numbers of documents, which may repeat, int64.

        Notes
        -----
        Metadata that was read once is not read again. Threads take turns.
        """
        self.require(field, cancel)
        with self._lock:
            codes = self._codes.get(field)
            if codes is None:
                codes = self._codes[field] = np.full(self._index.document_slots, _UNREAD, dtype=np.int32)
                self._values[field] = {}
            wanted = np.unique(documents)
            missing = wanted[codes[wanted] < 0]
            self._read(field, missing, codes, report, cancel)
            # A copy: more of the array may be filled while the caller uses the column. Keys are in the order in which
            # they were met, so that a key's place is its number.
            return Column(codes[documents], tuple(value for _, value in self._values[field]))

    def _read(
        self,
        field: str,
        documents: NDArray[np.int64],
        codes: NDArray[np.int32],
        report: Report,
        cancel: CancelToken | None,
    ) -> None:
        known = self._values[field]
        for first in range(0, len(documents), _TOGETHER):
            report(Progress("Reading metadata", first, len(documents), "documents"))
            if cancel is not None:
                cancel.check()
            part = documents[first : first + _TOGETHER]
            for document, record in zip(part.tolist(), self._index.documents.metadata(part), strict=True):
                value = plain_value(flat_metadata(record).get(field))
                # Document by document, so that a cancelled reading leaves nothing half-done.
                codes[document] = known.setdefault(value_key(value), len(known))
