"""How evenly words are spread, as the library returns it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from explorer.analyses.dispersion.compute import Parts
from explorer.analyses.dispersion.spreads import Floats, Numbers
from explorer.analyses.dispersion.table import DispersionRecord
from explorer.core.arrays import known
from explorer.corpus.results.origin import Origin
from explorer.corpus.results.records import RowsResult


class DispersionTable(RowsResult[DispersionRecord]):
    """How evenly words are spread, the most frequent first; also a table with one row per word.

    Examples
    --------
    >>> found = corpus.dispersion(min_count=3)
    >>> found.parts, found[0].form, found[0].range
    (4, 'the', 4)
    """

    _record = DispersionRecord

    def __init__(
        self, forms: Sequence[str], counts: Numbers, found: Mapping[str, Floats], parts: Parts, origin: Origin
    ) -> None:
        super().__init__(origin)
        self._parts = parts
        self._rows = tuple(dispersion_records(forms, counts, found, parts.total))

    @property
    def parts(self) -> int:
        """The number of parts; documents without words are left out."""
        return self._parts.count

    @property
    def total(self) -> int:
        """All words of the parts."""
        return self._parts.total

    def __repr__(self) -> str:
        return f"DispersionTable({len(self):,} rows, over {self.parts:,} parts)"


def dispersion_records(
    forms: Sequence[str], counts: Numbers, found: Mapping[str, Floats], total: int
) -> Iterator[DispersionRecord]:
    """Make records of measures.

    Parameters
    ----------
    forms, counts
        The words, and how often each occurs, int64.
    found
        The measures by id, float64 [words]; nan is unknown.
    total
        All words of the corpus.

    Yields
    ------
    DispersionRecord
        One per word; None for what is unknown.
    """
    columns = {name: values.tolist() for name, values in found.items()}
    for row, (form, count) in enumerate(zip(forms, counts.tolist(), strict=True)):
        values: dict[str, Any] = {name: known(column[row]) for name, column in columns.items()}
        values["range"] = int(values["range"])
        yield DispersionRecord(form=form, count=count, per_million=1e6 * count / total, **values)
