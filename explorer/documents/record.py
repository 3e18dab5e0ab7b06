"""What a reader finds in a file: documents, or records of which a field is the text."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from explorer.core.arrays import ArrayValue

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Record:
    """A line or row.

    fields: Its fields; empty if it has a problem.
    problem: Why it cannot be read, as a message that can follow "line N:"; "" if it can.
    most: The most bytes that the fields can take as JSON; 0 if unknown.
    """

    number: int
    fields: dict[str, Any]
    problem: str = ""
    most: int = 0


@dataclass(frozen=True)
class Records:
    """The records of a file.

    unit: What a record is in messages: "line", "row" or "object".
    is_table: Whether all records have the same fields, and an empty field is a missing value.
    """

    records: Iterable[Record]
    unit: str
    is_table: bool = False


@dataclass(frozen=True)
class IdForm:
    """How token ids are stored, as far as files do not state it.

    type: The type of the numbers in files without a header; "" if it is unknown.
    eos: The id that ends a document; None if it is unknown.
    """

    type: str = ""
    eos: int | None = None


@dataclass(frozen=True, eq=False)
class Document(ArrayValue):
    """A text of a file.

    metadata: What the file states about it.
    place: Its number in the file, from 0.
    problem: Why it cannot be read, as a message that can follow "document N:"; "" if it can.
    skipped: The group of `explorer.documents.skipped` to which it belongs, for the reason in `problem`; "" for none.
    ids: Its token ids, of any type of whole numbers, if it has these in place of a text; otherwise None.
    """

    text: str
    metadata: Mapping[str, Any] = field(default_factory=dict)
    place: int = 0
    problem: str = ""
    skipped: str = ""
    ids: NDArray[Any] | None = None


def plain_value(value: Any) -> Any:
    """Bring a value of a table into JSON form.

    Returns: NaN, which pandas uses for gaps, becomes None; bytes become text; decimal numbers become int or float, or
        text where a float has too few digits.
    """
    if isinstance(value, float) and math.isnan(value):
        return None
    if isinstance(value, Decimal) and value.is_finite():
        if value == value.to_integral_value():
            return int(value)
        return float(value) if Decimal(repr(float(value))) == value else f"{value:f}".rstrip("0")
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    if isinstance(value, dict):
        return {str(name): plain_value(part) for name, part in value.items()}
    return [plain_value(part) for part in value] if isinstance(value, list | tuple) else value
