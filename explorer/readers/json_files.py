"""JSON: an object, or an array of objects."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from explorer.i18n import tr
from explorer.readers.record import Record


def json_records(value: Any) -> Iterator[Record]:
    """Yield the records of one JSON value.

    Parameters
    ----------
    value
        An array, whose elements are the records; or a single record. A string means {"text": …}.

    Yields
    ------
    Record
        The record; an element of another type is a record with a problem.
    """
    for number, part in enumerate(value if isinstance(value, list) else [value]):
        if isinstance(part, dict | str):
            yield Record(number, part if isinstance(part, dict) else {"text": part})
        else:
            yield Record(number, {}, tr("this is not a JSON object"))
