"""Conditions on the metadata of documents, as callers give them, and as a setting."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from explorer.analyses.metadata.values import OPERATORS, FieldFilter, Value, one_of, parse_filter
from explorer.derive.kinds import Kind
from explorer.errors import QueryError
from explorer.i18n import mark

Where = str | Sequence[str | FieldFilter] | Mapping[str, Value | Collection[Value]]
"""A condition such as "year>=2020", several of them, or the values that fields may have."""


def conditions(where: Where) -> tuple[FieldFilter, ...]:
    """Read conditions.

    Parameters
    ----------
    where
        "year>=2020" as the command line's --where takes it, a sequence of these, all of which must be met, or a mapping
        of fields to the value or the values that they may have.

    Returns
    -------
    tuple[FieldFilter, ...]
        The conditions.

    Raises
    ------
    QueryError
        If one cannot be read.

    Examples
    --------
    >>> [str(condition) for condition in conditions({"author": {"Ann"}, "year": [1990, 1994]})]
    ['author is Ann', 'year is 1990, 1994']
    """
    if isinstance(where, str):
        return (parse_filter(where),)
    if isinstance(where, Mapping):
        return tuple(one_of(str(field), _values(given)) for field, given in where.items())
    found = list(where) if isinstance(where, Sequence) else [where]
    for each in found:
        if not isinstance(each, str | FieldFilter):
            raise QueryError(
                mark('"{text}" is not a condition.'),
                reason="not-a-condition",
                text=repr(each),
                signs=" ".join(OPERATORS),
            )
    return tuple(parse_filter(each) if isinstance(each, str) else each for each in found)


def _values(given: Any) -> list[Any]:
    """One value, or several; numbers of numpy become Python's."""
    listed = list(given) if isinstance(given, Collection) and not isinstance(given, str | bytes | Mapping) else [given]
    return [each.item() if isinstance(each, np.generic) else each for each in listed]


@dataclass(frozen=True)
class Conditions(Kind):
    """Conditions on the metadata of documents, all of which must be met; the window offers one."""

    metavar: str | None = field(default="CONDITION", kw_only=True)

    def check(self, name: str, value: Any) -> tuple[FieldFilter, ...]:
        return conditions(value) if value else ()

    def text(self, value: Any) -> str:
        return ", ".join(map(_typed, value))

    def stated(self, value: Any) -> tuple[str, ...]:
        return tuple(map(str, value))

    def options(self, name: str, value: Any) -> list[str]:
        return [self.option(name, (each,)) for each in value]

    def python(self, value: Any) -> str:
        return repr([_typed(each) for each in value] if len(value) > 1 else self.text(value))

    def saved(self, value: Any) -> Any:
        return [_typed(each) for each in value]

    def restored(self, value: Any) -> Any:
        return value.strip() if isinstance(value, str) else value

    def offers(self, value: Any) -> bool:
        return len(value) <= 1


def _typed(condition: FieldFilter) -> str:
    """A condition as it is typed."""
    return f"{condition.field}{condition.operator}{condition.value}"
