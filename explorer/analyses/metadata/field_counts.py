"""How many documents have which values in each metadata field: all fields in one pass, in bounded memory."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from explorer.analyses.metadata.values import Value, is_number, plain_value, show_value, sort_key
from explorer.backends.metadata import flat_metadata
from explorer.backends.protocol.protocol import Backend
from explorer.core.jobs import CancelToken, Progress, Report, no_report

MOST_DIFFERENT = 20_000
"""Different values of a field that are counted; a field with more is one of single values, such as an address."""
_TOGETHER = 256
"""Documents whose metadata are asked for at once, between two looks at the cancel flag."""
_KEPT = 500
"""The most frequent values that are kept of a field."""
_LONG = 400
"""Characters of a value beyond which it is a text, and its values are not counted."""


@dataclass(frozen=True)
class FieldCount:
    """The values of one field.

    different: Its different values; None if there are more than `MOST_DIFFERENT`, or if they are long texts.
    values: The most frequent ones as they are shown, each with its documents; numbers that are all of them come in
        their own order. () where `different` is None.
    """

    name: str
    documents: int
    different: int | None
    values: tuple[tuple[str, int], ...]


class _Counting:
    """One field while documents are read."""

    def __init__(self) -> None:
        self.documents = 0
        self.values: Counter[tuple[type, Value]] = Counter()
        self.uncountable = False

    def add(self, value: Value) -> None:
        self.documents += 1
        if self.uncountable:
            return
        # With the type, since Python takes True and 1 for the same key.
        self.values[type(value), value] += 1
        if len(self.values) > MOST_DIFFERENT or (isinstance(value, str) and len(value) > _LONG):
            self.uncountable = True
            # What was counted so far is given up: memory is bounded by the fields, not by the documents.
            self.values.clear()


def count_values(
    index: Backend, report: Report = no_report, cancel: CancelToken | None = None
) -> tuple[FieldCount, ...]:
    """Count the values of all metadata fields.

    Returns: The fields, in the order in which they were met.
    Raises `CapabilityError` if the index cannot give metadata.

    Notes
    -----
    Parses the metadata of every document once, some 50,000 documents per second. Nothing is kept.

    Examples
    --------
    >>> [(field.name, field.different) for field in count_values(corpus.index)]
    [('path', 1), ('linenum', 4), ('author', 2), ('year', 4)]
    """
    index.capabilities.require("metadata")
    numbers = index.documents.numbers()
    fields: dict[str, _Counting] = {}
    for first in range(0, len(numbers), _TOGETHER):
        report(Progress("Reading metadata", first, len(numbers), "documents"))
        if cancel is not None:
            cancel.check()
        for record in index.documents.metadata(numbers[first : first + _TOGETHER]):
            for name, value in flat_metadata(record).items():
                # A field without a value is as good as none.
                if value is not None:
                    fields.setdefault(name, _Counting()).add(plain_value(value))
    return tuple(_counted(name, found) for name, found in fields.items())


def _counted(name: str, found: _Counting) -> FieldCount:
    if found.uncountable:
        return FieldCount(name, found.documents, None, ())
    values = [(value, count) for (_, value), count in found.values.items()]
    # Ties in the order of the values, so that the order does not depend on that of the documents.
    values.sort(key=lambda each: (-each[1], sort_key(each[0])))
    kept = values[:_KEPT]
    # Only a whole list of numbers: years with gaps where others were dropped would mislead.
    if len(values) <= _KEPT and all(is_number(value) for value, _ in values):
        kept.sort(key=lambda each: sort_key(each[0]))
    return FieldCount(name, found.documents, len(values), tuple((show_value(value), count) for value, count in kept))
