"""Where hits are, as the library returns it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from explorer.core.arrays import ArrayValue
from explorer.corpus.results.origin import Origin
from explorer.corpus.tabular import Tabular
from explorer.export.columns import BATCH, Batch, Column
from explorer.export.provenance import Facts
from explorer.i18n import counted

_COLUMNS = tuple(Column(name, "int64") for name in ("document", "offset", "length"))


@dataclass(frozen=True, eq=False, repr=False)
class Located(ArrayValue, Tabular):
    """Where some hits are: three arrays of one length; also a table, whose columns have the same names.

    Attributes
    ----------
    document
        The number of each hit's document, int64.
    offset
        Its first token in the document, from 0, int64.
    length
        The tokens that it is in, int64: for a text, those of which it has any part.
    origin
        The index that was asked, and what for.

    Examples
    --------
    >>> found = corpus.locate("sat on the")
    >>> sorted(found.document.tolist()), found.offset.tolist()
    ([0, 1, 2], [2, 2, 2])
    """

    document: NDArray[np.int64]
    offset: NDArray[np.int64]
    length: NDArray[np.int64]
    origin: Origin = field(compare=False)

    def __len__(self) -> int:
        return len(self.document)

    def __repr__(self) -> str:
        return f"Located({counted('hit', len(self))})"

    def _columns(self) -> tuple[Column, ...]:
        return _COLUMNS

    def _batches(self) -> Iterator[Batch]:
        for first in range(0, len(self), BATCH):
            yield {column.name: getattr(self, column.name)[first : first + BATCH] for column in _COLUMNS}

    @property
    def provenance(self) -> Facts:
        """What the rows were computed from, by name; see `Tabular.provenance`."""
        return self.origin.facts
