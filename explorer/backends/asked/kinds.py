"""Which values questions and answers have, by the names that annotations give them: nothing else is let through."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import Any

import numpy as np

from explorer.backends.places import Located, Places
from explorer.backends.protocol.values import (
    Cut,
    FieldNames,
    Followed,
    HintArrays,
    HintRule,
    Level,
    Matches,
    NextTokens,
    TextMatches,
)
from explorer.text.patterns.equates import EQUATES
from explorer.text.patterns.pattern import Pattern

VALUES: dict[str, type] = {
    kind.__name__: kind
    for kind in (
        Cut,
        FieldNames,
        Followed,
        HintArrays,
        HintRule,
        Level,
        Located,
        Matches,
        NextTokens,
        Pattern,
        Places,
        TextMatches,
    )
}
"""The frozen values that are sent, by their names."""

_ONE_LENGTH: dict[type, tuple[str, ...]] = {
    Followed: ("starts", "context", "continuation", "sparse"),
    HintArrays: ("lengths", "context_lengths", "counts"),
    Level: ("tokens", "counts"),
    Located: ("documents", "offsets", "lengths", "begins", "rests", "sources"),
    NextTokens: ("tokens", "counts"),
    Places: ("documents", "offsets"),
}
"""Arrays of one length, by the value that has them."""


LATER: dict[str, dict[str, Any]] = {"Pattern": {"equate": ()}}
"""Fields that version 0.2 does not know, by value, with what means the same to it: this is not sent."""


def _is_int(value: object) -> bool:
    # True is a number in Python, and not one here. Eight bytes, as everything that the engine counts.
    return isinstance(value, int) and not isinstance(value, bool) and -(1 << 63) <= value < 1 << 63


def _array(kind: str, dimensions: int = 1) -> Callable[[object], bool]:
    wanted = np.dtype(kind)

    def fits(value: object) -> bool:
        return isinstance(value, np.ndarray) and value.dtype == wanted and value.ndim == dimensions

    return fits


def _every(kind: str, of: type[list[Any]] | type[tuple[Any, ...]]) -> Callable[[object], bool]:
    return lambda value: isinstance(value, of) and all(_fits(kind, one) for one in value)


def _row(*kinds: str) -> Callable[[object], bool]:
    def fits(value: object) -> bool:
        return isinstance(value, tuple) and len(value) == len(kinds) and all(map(_fits, kinds, value))

    return fits


_KINDS: dict[str, Callable[[object], bool]] = {
    "int": _is_int,
    "bool": lambda value: isinstance(value, bool),
    "str": lambda value: isinstance(value, str),
    "float": lambda value: isinstance(value, float) or _is_int(value),
    "int | None": lambda value: value is None or _is_int(value),
    "tuple[Equate, ...]": lambda value: isinstance(value, tuple) and all(one in EQUATES for one in value),
    "Match": lambda value: value in ("text", "regex"),
    "Numbers": _array("int64"),
    "Numbers | None": lambda value: value is None or _fits("Numbers", value),
    "NDArray[np.bool_]": _array("bool"),
    "NDArray[np.uint64]": _array("uint64"),
    "NDArray[np.uint8]": _array("uint8"),
    "NDArray[np.int32]": lambda value: _array("int32")(value) or _array("int32", 2)(value),
    "tuple[int, ...]": _every("int", tuple),
    "tuple[int | None, ...]": _every("int | None", tuple),
    "tuple[str, ...]": _every("str", tuple),
    "tuple[Pattern, ...]": _every("Pattern", tuple),
    "tuple[Cut, ...]": _every("Cut", tuple),
    "tuple[Followed, ...]": _every("Followed", tuple),
    "tuple[Level, ...]": _every("Level", tuple),
    "tuple[tuple[int, ...], ...]": _every("tuple[int, ...]", tuple),
    "parts": lambda value: isinstance(value, tuple) and all(isinstance(one, Matches | TextMatches) for one in value),
    "list[Numbers]": _every("Numbers", list),
    "list[int]": _every("int", list),
    "list[dict]": lambda value: isinstance(value, list) and all(isinstance(one, dict) for one in value),
    "tuple[int, int]": _row("int", "int"),
    "tuple[int, int, int]": _row("int", "int", "int"),
    "tuple[int, int, bool]": _row("int", "int", "bool"),
    "tuple[int, list[int]]": _row("int", "list[int]"),
    "tuple[Numbers, Numbers]": _row("Numbers", "Numbers"),
    "tuple[Numbers, Places]": _row("Numbers", "Places"),
    "tuple[tuple[Level, ...], bool]": _row("tuple[Level, ...]", "bool"),
}


def _fits(kind: str, value: object) -> bool:
    known = VALUES.get(kind)
    return type(value) is known if known is not None else _KINDS[kind](value)


def fits(kind: str, value: object) -> bool:
    """Tell whether a value is of a kind.

    kind: The name of a value, or an annotation such as "tuple[int, int]". An unknown one is a KeyError.

    Examples
    --------
    >>> fits("tuple[int, int]", (2, 1)), fits("int", True)
    (True, False)
    """
    return _fits(kind, value)


def made(name: str, values: dict[str, Any]) -> Any:
    """Make a frozen value of fields that were read.

    Raises `ValueError` if the name is unknown, a field is missing or of another kind, or arrays differ in length.
    """
    kind = VALUES.get(name)
    values = LATER.get(name, {}) | values
    if kind is None or set(values) != {field.name for field in fields(kind)}:
        raise ValueError(f"no value {name!r} has these fields")
    for field in fields(kind):
        if not fits(str(field.type), values[field.name]):
            raise ValueError(f"{name}.{field.name} is not of the kind {field.type}")
    lengths = {len(values[field]) for field in _ONE_LENGTH.get(kind, ())}
    if len(lengths) > 1:
        raise ValueError(f"the arrays of {name} differ in length")
    return kind(**values)
