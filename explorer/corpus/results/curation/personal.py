"""Personal data in a corpus, as the library returns them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import numpy as np

from explorer.analyses.metadata.fields import FieldColumns
from explorer.analyses.metadata.values import show_value
from explorer.analyses.personal_data.compute import Finding, PersonalData
from explorer.analyses.personal_data.kinds import KINDS
from explorer.analyses.personal_data.table import PersonalFacts, PersonalGroupRecord, PersonalKindRecord, PersonalRecord
from explorer.backends.ranges import Ranges, ranges_of
from explorer.corpus.results.origin import Origin
from explorer.corpus.results.records import RecordsResult


class PersonalTable(RecordsResult):
    """Personal data and secrets of a corpus; also a table with one row for each of the first findings.

    Examples
    --------
    >>> found = corpus.personal_data()
    >>> found.total, found.ranges.tokens, [kind.kind for kind in found.kinds]
    (0, 0, ['email', 'phone', 'ip', 'card', 'key'])
    """

    _record = PersonalRecord

    def __init__(self, found: PersonalData, fields: FieldColumns, masked: bool, origin: Origin) -> None:
        super().__init__(origin)
        self._found = found
        self._fields = fields
        self._masked = masked

    def __len__(self) -> int:
        return len(self._found.rows)

    def __iter__(self) -> Iterator[PersonalRecord]:
        return self._made()

    def __getitem__(self, row: int) -> PersonalRecord:
        return self._row(self._found.rows[row])

    @property
    def total(self) -> int:
        """All findings, also those that are not rows."""
        return len(self._found)

    @cached_property
    def ranges(self) -> Ranges:
        """The tokens that hold some of the findings, to be cut by `Corpus.export_cuts`."""
        return self._found.ranges()

    @cached_property
    def kinds(self) -> tuple[PersonalKindRecord, ...]:
        """How much there is of each kind that was looked for."""
        return tuple(map(self._kind, range(len(self._found.names))))

    @cached_property
    def facts(self) -> PersonalFacts:
        """What was found in the whole corpus."""
        ranges = self.ranges
        read = self._found.documents_read
        return PersonalFacts(
            self.total, ranges.documents_touched, ranges.tokens, read, self._masked, self.kinds, ()
        )  # fmt: skip

    def groups(self, field: str) -> tuple[PersonalGroupRecord, ...]:
        """Count the findings by the values of a metadata field.

        Parameters
        ----------
        field
            The name of the field.

        Returns
        -------
        tuple of PersonalGroupRecord
            The values and kinds with a finding; the most frequent first.

        Raises
        ------
        QueryError
            If no document has the field.
        CapabilityError
            If the index has no metadata.

        Examples
        --------
        >>> corpus.personal_data().groups("year")
        ()
        """
        self._fields.require(field)
        found = self._found
        if not len(found):
            return ()
        documents, homes = np.unique(found.documents, return_inverse=True)
        column = self._fields.column(field, documents)
        codes = column.codes.astype(np.int64)[homes.reshape(-1)] * len(found.names) + found.kinds
        counts = np.bincount(codes)
        held = np.bincount(np.unique(np.stack([codes, found.documents]), axis=1)[0], minlength=len(counts))
        rows = []
        for code in np.flatnonzero(counts).tolist():
            value, kind = column.values[code // len(found.names)], found.names[code % len(found.names)]
            told = None if value is None else show_value(value)
            rows.append(PersonalGroupRecord(told, kind, int(counts[code]), int(held[code])))
        return tuple(sorted(rows, key=lambda row: (-row.count, row.value is None, row.value or "", row.kind)))

    def _kind(self, place: int) -> PersonalKindRecord:
        found = self._found
        some = found.kinds == place
        ranges = ranges_of(found.documents[some], found.starts[some], found.ends[some])
        name = found.names[place]
        return PersonalKindRecord(name, int(some.sum()), ranges.documents_touched, ranges.tokens, KINDS[name].note)

    def revealed(self, row: int) -> PersonalRecord:
        """Give one row in full, also where the others are masked.

        Parameters
        ----------
        row
            Its number.

        Returns
        -------
        PersonalRecord
            The row with its text and what is around it as they are in the document.
        """
        return self._record_of(self._found.rows[row], masked=False)

    def _row(self, each: Finding) -> PersonalRecord:
        return self._record_of(each, self._masked)

    def _record_of(self, each: Finding, masked: bool) -> PersonalRecord:
        text = KINDS[each.kind].masked(each.text) if masked else each.text
        before, after = each.veiled if masked else each.around
        return PersonalRecord(
            each.kind,
            each.detail or None,
            text,
            each.document,
            each.token,
            each.tokens,
            each.character,
            len(each.text),
            before,
            after,
        )

    def _made(self) -> Iterator[PersonalRecord]:
        return map(self._row, self._found.rows)

    def __repr__(self) -> str:
        return f"PersonalTable({len(self):,} of {self.total:,} findings)"
