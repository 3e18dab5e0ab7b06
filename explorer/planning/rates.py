"""The rates that a plan is made of: one file, each with its unit and where it comes from."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from explorer.core.files.json_text import parse_json
from explorer.errors import SourceError
from explorer.i18n import mark
from explorer.resources import resource_text

RATES_FILE = "rates.json"
"""In `resources`. Changing a rate there changes every plan and the page docs/planning.md."""


@dataclass(frozen=True)
class Rate:
    """One rate.

    value: The number, above 0.
    source: Whether it was measured, published, wanted or assumed, and where.
    """

    value: float
    unit: str
    source: str


@dataclass(frozen=True)
class Rates:
    """All rates, by the names that they have in the file, where their units are.

    tokenize_tokens, sort_tokens, sort_slowdown, sort_bytes, sort_bytes_wide, memory_share: Of building a suffix array.
    ig_tokens, ig_memory, mini_bytes, mini_memory: Of building with infini-gram and with infini-gram mini.
    cold_reads, fm_cold_reads, ig_cold_reads, read_seconds, reads_at_once: Of a search that finds nothing in memory.
    """

    tokenize_tokens: float
    sort_tokens: float
    sort_slowdown: float
    sort_bytes: float
    sort_bytes_wide: float
    memory_share: float
    raw_bytes: float
    metadata_bytes: float
    disk_bytes: float
    fm_size: float
    fm_text: float
    fm_build_bytes: float
    fm_memory: float
    ig_tokens: float
    ig_memory: float
    mini_bytes: float
    mini_memory: float
    cold_reads: float
    fm_cold_reads: float
    ig_cold_reads: float
    read_seconds: float
    reads_at_once: float
    disk_price: float
    object_price: float
    core_price: float


NAMES = tuple(field.name for field in fields(Rates))


def shipped_rates() -> Mapping[str, Rate]:
    """Read the rates that ship with the program."""
    return _read(resource_text(RATES_FILE), RATES_FILE)


def read_rates(path: Path | None = None) -> Rates:
    """Read rates, from a file of one's own if there is one.

    path: A JSON file with some rates under the names of the shipped file, each a number or an object with a value;
        those that it leaves out are the shipped ones.
    Raises `SourceError` if the file cannot be read, or has a name that is not known, or a value that is not a number
        above 0.

    Examples
    --------
    >>> read_rates().raw_bytes
    3.84
    """
    rates = dict(shipped_rates())
    if path is not None:
        try:
            text = path.read_text(encoding="utf-8-sig")
        except (OSError, UnicodeDecodeError) as error:
            raise SourceError(
                mark("The rates in {path} cannot be read: {why}."), reason="bad-rates", path=str(path), why=str(error)
            ) from error
        rates |= _read(text, str(path))
    return Rates(**{name: rates[name].value for name in NAMES})


def _read(text: str, path: str) -> dict[str, Rate]:
    try:
        found = parse_json(text)
    except ValueError as error:
        raise SourceError(
            mark("The rates in {path} cannot be read: {why}."), reason="bad-rates", path=path, why=str(error)
        ) from error
    if not isinstance(found, dict):
        raise SourceError(mark("The rates in {path} are not a JSON object."), reason="bad-rates", path=path)
    return {name: _rate(name, value, path) for name, value in found.items()}


def _rate(name: str, value: Any, path: str) -> Rate:
    given = value if isinstance(value, dict) else {"value": value}
    number = given.get("value")
    if name not in NAMES:
        raise SourceError(
            mark("{path} has a rate {name}, which is not known."), reason="bad-rates", path=path, name=name
        )
    if isinstance(number, bool) or not isinstance(number, int | float) or not (0 < number < math.inf):
        raise SourceError(
            mark("The rate {name} in {path} is not a number above 0."), reason="bad-rates", path=path, name=name
        )
    return Rate(float(number), str(given.get("unit", "")), str(given.get("source", "")))
