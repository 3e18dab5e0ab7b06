"""Result dataclasses as JSON, with the same field names."""

from __future__ import annotations

import dataclasses
import functools
import json
import math
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

# Subclasses are not in it: an enum or numpy's str is a text but not of the exact type, and takes the long way.
_PLAIN = frozenset({str, int, bool, type(None)})
_MOST_INDENTED = 20_000
"""Values that are written on lines of their own; the json module writes without indentation ten times as fast."""


def to_plain(value: Any) -> Any:
    """Turn a result into plain values.

    value: Dataclasses, arrays, paths, and what they contain.
    Returns: Lists, dicts, numbers and texts; nan becomes None.
    """
    if type(value) in _PLAIN:
        return value
    # JSON has no nan and no infinity; Python would write both, and other readers refuse the file.
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    # Before dataclasses, because a result that chooses its fields is one, too. A protocol's `isinstance` would take ten
    # times as long as all the rest.
    if hasattr(type(value), "json_fields"):
        return {name: to_plain(item) for name, item in value.json_fields().items()}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {name: to_plain(getattr(value, name)) for name in _field_names(type(value))}
    if isinstance(value, np.ndarray):
        return to_plain(value.tolist())
    # Also for nan, which `item` turns into a float of Python for the test below.
    if isinstance(value, np.generic):
        return to_plain(value.item())
    if isinstance(value, dict):
        return {str(key): to_plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [to_plain(item) for item in value]
    if isinstance(value, Path):
        return str(value)
    return value


@functools.cache
def _field_names(kind: type) -> tuple[str, ...]:
    return tuple(field.name for field in dataclasses.fields(kind))


def to_json(value: Any, indent: int | None = 2) -> str:
    """Write a result as JSON.

    value: Any result of the library: dataclasses become objects, arrays lists, NaN null.
    indent: Spaces per level; a result of more than 20,000 values is written on one line all the same.

    Examples
    --------
    >>> to_json({"share": float("nan")}, indent=None)
    '{"share": null}'
    """
    plain = to_plain(value)
    # Counts no further than the limit, so a large result costs no second pass.
    few = next(islice(_values(plain), _MOST_INDENTED, None), None) is None
    return json.dumps(plain, ensure_ascii=False, indent=indent if few else None)


def _values(plain: Any) -> Iterator[bool]:
    """One item for each value that plain data contains."""
    for item in plain.values() if isinstance(plain, dict) else plain if isinstance(plain, list) else ():
        yield True
        yield from _values(item)
