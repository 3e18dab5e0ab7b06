"""Rows of Arrow tables as values of JSON: dates and times of every unit and range become texts.

Arrow's own conversion fails for years beyond 9999, for unknown time zones and, without pandas, for nanoseconds.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from functools import cache, partial
from typing import Any
from zoneinfo import ZoneInfo

_A_SECOND = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}
_DAY = 86_400
_OFFSET = re.compile(r"([+-])(\d\d):?(\d\d)")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_FIRST, _LAST = -62_135_596_800 + _DAY, 253_402_300_799 - _DAY
"""Seconds since 1970 of the years 1 to 9999, without a day at each end for time zones."""


def rows_of(batch: Any) -> Iterator[dict[str, Any]]:
    """Yield the rows of a record batch.

    Yields: The values of a row by column: texts, numbers, bytes, lists, mappings, and None.
    """
    names = [str(name) for name in batch.schema.names]
    columns = [values_of(column) for column in batch.columns]
    for row in range(batch.num_rows):
        yield {name: column[row] for name, column in zip(names, columns, strict=True)}


def values_of(array: Any) -> list[Any]:
    """The values of a `pyarrow.Array`, with dates, times and durations as texts, at any depth.

    Returns: Its values; None for nulls.
    """
    kind = array.type
    if not _has_times(kind):
        return list(array.to_pylist())
    if spell := _spelling(kind):
        return [None if value is None else spell(value) for value in _integers(array)]
    import pyarrow.types as types

    if types.is_dictionary(kind):
        return values_of(array.dictionary_decode())
    if types.is_struct(kind):
        inner = [values_of(array.field(number)) for number in range(kind.num_fields)]
        fields = [kind.field(number).name for number in range(kind.num_fields)]
        rows = zip(array.is_valid().to_pylist(), *inner, strict=True)
        return [dict(zip(fields, row, strict=True)) if valid else None for valid, *row in rows]
    if types.is_map(kind):
        pairs = [None if not scalar.is_valid else values_of(scalar.values) for scalar in array]
        return [None if found is None else [list(pair.values()) for pair in found] for found in pairs]
    return [values_of(scalar.values) if scalar.is_valid else None for scalar in array]


def _integers(array: Any) -> list[int | None]:
    import pyarrow

    wide = array.type.bit_width == 64
    return list(array.view(pyarrow.int64() if wide else pyarrow.int32()).to_pylist())


def _has_times(kind: Any) -> bool:
    import pyarrow.types as types

    if types.is_temporal(kind) and not types.is_interval(kind):
        return True
    if types.is_dictionary(kind):
        return _has_times(kind.value_type)
    return any(_has_times(kind.field(number).type) for number in range(kind.num_fields))


def _spelling(kind: Any) -> Callable[[int], str] | None:
    """How an integer of a type of dates or times is written; None for another type."""
    import pyarrow.types as types

    if types.is_timestamp(kind):
        return partial(_moment, a_second=_A_SECOND[kind.unit], zone=kind.tz)
    if types.is_date32(kind):
        return _date
    if types.is_date64(kind):
        return lambda value: _date(value // (_DAY * 1_000))
    if types.is_time(kind):
        return partial(_time, a_second=_A_SECOND[kind.unit])
    return partial(_duration, a_second=_A_SECOND[kind.unit]) if types.is_duration(kind) else None


def _moment(value: int, a_second: int, zone: str | None) -> str:
    seconds, rest = divmod(value, a_second)
    part = _fraction(rest, a_second)
    if not _FIRST <= seconds <= _LAST:
        days, time = divmod(seconds, _DAY)
        return f"{_date(days)} {_clock(time)}{part}{'' if zone is None else '+00:00'}"
    moment = _EPOCH + timedelta(seconds=seconds)
    if zone is None:
        return f"{moment.replace(tzinfo=None)}{part}"
    whole = str(moment.astimezone(_zone(zone)))
    # Before the offset, which follows 19 characters of date and time.
    return f"{whole[:19]}{part}{whole[19:]}"


@cache
def _zone(name: str) -> tzinfo:
    """A time zone; UTC if the system does not know it, which is the same moment."""
    if found := _OFFSET.fullmatch(name):
        size = timedelta(hours=int(found[2]), minutes=int(found[3]))
        return timezone(-size if found[1] == "-" else size) if size < timedelta(days=1) else UTC
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        return UTC


def _date(days: int) -> str:
    """A day of the Gregorian calendar, counted from 1970, in a year of any size."""
    # Eras of 400 years have the same days; years begin in March, so that the day that may be missing is the last.
    era, day = divmod(days + 719_468, 146_097)
    year = (day - day // 1_460 + day // 36_524 - day // 146_096) // 365
    day -= 365 * year + year // 4 - year // 100
    month = (5 * day + 2) // 153
    day = day - (153 * month + 2) // 5 + 1
    month = month + 3 if month < 10 else month - 9
    year += 400 * era + (month <= 2)
    return f"{'-' if year < 0 else ''}{abs(year):04}-{month:02}-{day:02}"


def _clock(seconds: int, width: int = 2) -> str:
    hours, rest = divmod(seconds, 3_600)
    return f"{hours:0{width}}:{rest // 60:02}:{rest % 60:02}"


def _time(value: int, a_second: int) -> str:
    seconds, rest = divmod(value, a_second)
    return f"{_clock(seconds)}{_fraction(rest, a_second)}"


def _duration(value: int, a_second: int) -> str:
    # As Python writes its own.
    days, rest = divmod(value, _DAY * a_second)
    seconds, part = divmod(rest, a_second)
    before = f"{days} day{'' if abs(days) == 1 else 's'}, " if days else ""
    return f"{before}{_clock(seconds, 1)}{_fraction(part, a_second)}"


def _fraction(rest: int, a_second: int) -> str:
    """The part of a second: nothing, six digits or nine."""
    nanoseconds = rest * (10**9 // a_second)
    if not nanoseconds:
        return ""
    return f".{nanoseconds:09}" if nanoseconds % 1_000 else f".{nanoseconds // 1_000:06}"
