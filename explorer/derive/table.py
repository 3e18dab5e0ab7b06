"""A table of results: its columns, each declared once as a field of the row."""

from __future__ import annotations

import textwrap
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from types import MappingProxyType
from typing import Any, TypeVar, cast, dataclass_transform

from explorer.i18n import numeral

_KEY = "declared"

R = TypeVar("R")


@dataclass(frozen=True)
class Column:
    """The declaration of a column.

    Attributes
    ----------
    help
        The meaning of its values without a full stop, marked for translation.
    label
        The heading in the window, marked for translation; "" for a column that only files have.
    missing
        The cases in which a value is None or empty, such as "None if it was not counted"; "" if there are none.
    form
        The format of its numbers for people, as in `format`; "" for the usual one.
    """

    help: str
    label: str = ""
    missing: str = ""
    form: str = ""

    @property
    def description(self) -> str:
        """The sentence in the reference and in JSON Schemas."""
        return f"{self.help}; {self.missing}." if self.missing else f"{self.help}."

    def text(self, value: Any) -> str:
        """Write a value of the column for people; "?" if it is unknown."""
        if value is None:
            return "?"
        if isinstance(value, str):
            return value
        if isinstance(value, tuple):
            return ", ".join(map(str, value))
        if self.form.endswith("%") and 0 < value < 1e-4:
            # Rounded, it would be 0.
            return f"{numeral(100 * value, '.1g')}%"
        return numeral(value, self.form or (",.2f" if isinstance(value, float) else ","))


def column(help: str, label: str = "", missing: str = "", form: str = "", **default: Any) -> Any:
    """Declare a column, as a field of a row.

    Parameters
    ----------
    help, label, missing, form
        As in `Column`.
    **default
        `default` of a column that is not always computed.

    Returns
    -------
    Any
        A field of a dataclass.
    """
    return field(metadata={_KEY: Column(help, label, missing, form)}, **default)


@dataclass_transform(frozen_default=True, field_specifiers=(column,))
def row(kind: type[R]) -> type[R]:
    """Make a class of fields a frozen dataclass whose docstring lists the columns."""
    made = dataclass(frozen=True)(kind)
    lines = (f"{name}\n{textwrap.indent(each.description, '    ')}" for name, each in columns_of(made).items())
    made.__doc__ = "\n".join((made.__doc__ or "", "", "Attributes", "----------", *lines))
    return made


def columns_of(kind: type) -> Mapping[str, Column]:
    """The columns of a row by name, in their order."""
    return _columns(kind)


# Asked for each cell of a table.
@cache
def _columns(kind: Hashable) -> Mapping[str, Column]:
    return MappingProxyType({each.name: each.metadata[_KEY] for each in fields(cast(type, kind))})
