"""Metadata fields of many documents as columns, read once and kept; and conditions on them."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.corpus.document import flat_metadata
from explorer.corpus.index import Index
from explorer.errors import QueryError
from explorer.jobs import CancelToken, Progress, Report, no_report
from explorer.words import mark, tr

Value = str | int | float | bool | None

OPERATORS = {
    "=": mark("is"),
    "!=": mark("is not"),
    "~": mark("contains"),
    "!~": mark("does not contain"),
    "^=": mark("starts with"),
    ">=": mark("is at least"),
    "<=": mark("is at most"),
}
_MISSING = "(none)"


@dataclass(frozen=True)
class FieldFilter:
    """Keep hits of documents whose field stands in this relation to the value; operator: one of OPERATORS."""

    field: str
    operator: str
    value: str

    def __str__(self) -> str:
        return f"{self.field} {tr(OPERATORS[self.operator])} {self.value}"


def parse_filter(text: str) -> FieldFilter:
    """A condition written as FIELD=VALUE, or with another of OPERATORS."""
    places = [(text.find(sign), -len(sign), sign) for sign in OPERATORS if text.find(sign) > 0]
    if not places:
        signs = " ".join(OPERATORS)
        raise QueryError(
            tr(
                '"{text}" is no condition. Write FIELD=VALUE, or with one of {signs} between them.',
                text=text,
                signs=signs,
            )
        )
    at, size, sign = min(places)
    return FieldFilter(text[:at].strip(), sign, text[at - size :].strip())


@dataclass(frozen=True)
class Column:
    """One field of some documents: `codes` number into `values`."""

    codes: NDArray[np.int32]
    values: tuple[Value, ...]

    def kept(self, condition: FieldFilter) -> NDArray[np.bool_]:
        """Which documents meet the condition."""
        meets = np.array([_meets(value, condition) for value in self.values], dtype=np.bool_)
        return meets[self.codes] if len(self.values) else np.zeros(len(self.codes), dtype=np.bool_)

    def ranks(self) -> NDArray[np.int64]:
        """Order of each document by its value: numbers by size, then texts, then none."""
        order = sorted(range(len(self.values)), key=lambda i: sort_key(self.values[i]))
        places = np.empty(len(order), dtype=np.int64)
        places[order] = np.arange(len(order))
        return places[self.codes] if len(order) else np.zeros(len(self.codes), dtype=np.int64)


def sort_key(value: Value) -> tuple[int, float, str]:
    """Numbers before texts before nothing."""
    if value is None:
        return (2, 0.0, "")
    if isinstance(value, (int, float)):
        return (0, float(value), "")
    return (1, 0.0, value.casefold())


def show_value(value: Value) -> str:
    """A value as a person reads it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return _MISSING if value is None else str(value)


def _meets(value: Value, condition: FieldFilter) -> bool:
    shown = show_value(value)
    tests: dict[str, Callable[[], bool]] = {
        "=": lambda: shown == condition.value,
        "!=": lambda: shown != condition.value,
        "~": lambda: condition.value.casefold() in shown.casefold(),
        "!~": lambda: condition.value.casefold() not in shown.casefold(),
        "^=": lambda: shown.startswith(condition.value),
        ">=": lambda: value is not None and _compare(value, condition.value) >= 0,
        "<=": lambda: value is not None and _compare(value, condition.value) <= 0,
    }
    if condition.operator not in tests:
        raise QueryError(
            tr(
                'There is no operator "{operator}". Choose from {names}.',
                operator=condition.operator,
                names=" ".join(OPERATORS),
            )
        )
    return tests[condition.operator]()


def _compare(value: Value, other: str) -> int:
    """-1, 0 or 1; as numbers where both are, else as texts."""
    try:
        a, b = float(str(value)), float(other)
    except ValueError:
        return (show_value(value) > other) - (show_value(value) < other)
    return (a > b) - (a < b)


class FieldColumns:
    """Fields of an index's documents; what was read once is kept, as one number a document and field.

    May be asked from several threads.
    """

    def __init__(self, index: Index) -> None:
        self._index = index
        self._codes: dict[str, NDArray[np.int32]] = {}
        self._values: dict[str, dict[Value, int]] = {}
        self._lock = threading.Lock()

    def column(
        self,
        field: str,
        documents: NDArray[np.int64],
        report: Report = no_report,
        cancel: CancelToken | None = None,
    ) -> Column:
        """The field of these documents (which may repeat); reads the metadata that was not read yet."""
        with self._lock:
            codes = self._codes.get(field)
            if codes is None:
                codes = self._codes[field] = np.full(self._index.document_slots, -1, dtype=np.int32)
                self._values[field] = {}
            wanted = np.unique(documents)
            missing = wanted[codes[wanted] < 0].tolist()
            self._read(field, missing, codes, report, cancel)
            return Column(codes[documents], tuple(self._values[field]))

    def _read(
        self,
        field: str,
        documents: Sequence[int],
        codes: NDArray[np.int32],
        report: Report,
        cancel: CancelToken | None,
    ) -> None:
        known = self._values[field]
        for i, document in enumerate(documents):
            if i % 256 == 0:
                report(Progress("Reading metadata", i, len(documents), "documents"))
                if cancel is not None:
                    cancel.check()
            value = plain_value(flat_metadata(self._index.metadata(document)).get(field))
            codes[document] = known.setdefault(value, len(known))


def plain_value(value: Any) -> Value:
    """A field's value as one that can be compared; lists and objects as their JSON."""
    if value is None or isinstance(value, (str, int, float, bool)):
        return value
    return json.dumps(value, ensure_ascii=False, sort_keys=True)
