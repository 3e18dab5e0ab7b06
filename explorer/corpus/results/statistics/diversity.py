"""How varied vocabularies are, as the library returns it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from explorer.analyses.diversity.groups import GroupDiversity
from explorer.analyses.diversity.table import DiversityRecord
from explorer.corpus.results.origin import Origin
from explorer.corpus.results.records import RowsResult


class DiversityTable(RowsResult[DiversityRecord]):
    """How varied the vocabulary of each group is; also a table with one row per group.

    Examples
    --------
    >>> found = corpus.diversity()
    >>> len(found), found[0].group, found[0].hapaxes <= found[0].types
    (1, None, True)
    """

    _record = DiversityRecord

    def __init__(self, groups: Sequence[str | None], found: Sequence[GroupDiversity], origin: Origin) -> None:
        super().__init__(origin)
        self._rows = tuple(
            DiversityRecord(group, **asdict(measured)) for group, measured in zip(groups, found, strict=True)
        )

    def __repr__(self) -> str:
        return f"DiversityTable({len(self):,} rows)"
