"""What a caller gives in place of a list: columns of tables, and tables as rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.corpus.tabular import Tabular
from explorer.corpus.types import Query
from explorer.errors import QueryError
from explorer.i18n import mark

if TYPE_CHECKING:
    from explorer.building.sources.record_source import Rows


def listed(given: Iterable[Any]) -> list[Any]:
    """List texts or n-grams.

    Parameters
    ----------
    given
        A list, a generator, an array, or a column of a table: of pandas, polars, pyarrow or `datasets`.

    Returns
    -------
    list[Any]
        The items.

    Raises
    ------
    QueryError
        If it is one text or mapping, whose parts would each be an item, or a table, of which the names of the columns
        would be.
    """
    if _is_table(given):
        raise QueryError(
            mark("The {kind} is a table, not a list of queries or texts, such as one of its columns."),
            reason="queries-are-table",
            kind=type(given).__name__,
        )
    if _is_single(given):
        raise QueryError(
            mark("The queries or texts must be a list, not one {kind}."),
            reason="queries-are-text",
            kind=type(given).__name__,
        )
    return list(_plain(given))


def rows_of(given: Any) -> Iterable[Any]:
    """Give the rows of a table as mappings, and other rows as they are.

    Parameters
    ----------
    given
        Texts or mappings in any iterable, a column of a table, or a table that can be read as an Arrow stream.

    Returns
    -------
    Iterable[Any]
        The rows.

    Raises
    ------
    QueryError
        If it is one text or mapping.
    SourceError
        If it is a table that cannot be read.
    """
    if _is_table(given):
        # What builds read is imported for tables only: a script that opens a corpus should start fast.
        from explorer.building.sources.record_source import rows_of_arrow

        found = rows_of_arrow(given, f"the {type(given).__name__}", None)
        # A reader of batches gives its rows once, as a generator does.
        return TableRows(found) if found.again else (record.fields for record in found.records)
    if _is_single(given):
        raise QueryError(
            mark("The rows must be a list of texts or mappings, a dataset or a table, not one {kind}."),
            reason="rows-are-text",
            kind=type(given).__name__,
        )
    return _plain(given)


@dataclass(frozen=True)
class TableRows:
    """The rows of a table as mappings, which are read again in each pass.

    Attributes
    ----------
    rows
        The table.
    """

    rows: Rows

    def __iter__(self) -> Iterator[Mapping[str, Any]]:
        return (record.fields for record in self.rows.records)

    def __len__(self) -> int:
        return self.rows.total


def as_json(value: Any) -> Any:
    """Give a value of a row as JSON has it: arrays are lists, and what it does not have, such as a date, is a text."""
    if isinstance(value, np.generic | np.ndarray):
        return as_json(value.tolist())
    if isinstance(value, Mapping):
        return {str(name): as_json(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [as_json(part) for part in value]
    return value if value is None or isinstance(value, str | int | float) else str(value)


def _plain(given: Iterable[Any]) -> Iterable[Any]:
    """The items of a column; those of an Arrow array are values of Arrow and not of Python."""
    listing: Callable[[], Iterable[Any]] | None = getattr(given, "to_pylist", None)
    return given if listing is None else listing()


def _is_table(given: object) -> bool:
    """Whether it has columns; a single column of pandas or polars can be read by Arrow, too."""
    if not hasattr(given, "__arrow_c_stream__"):
        # As before pandas 2.2; iterated, it would give the names of its columns.
        return hasattr(given, "itertuples") and hasattr(given, "columns")
    named = any(hasattr(given, name) for name in ("columns", "column_names", "schema"))
    return named or isinstance(given, Tabular) or not isinstance(given, Iterable)


def _is_single(given: object) -> bool:
    return isinstance(given, str | bytes | PathLike | Mapping) or not isinstance(given, Iterable)


def check_one_each(given: Sequence[Query], named: Iterable[tuple[str, Sequence[str]]], optional: bool = True) -> None:
    """Check values that go with texts.

    Parameters
    ----------
    given
        The texts.
    named
        Names and values; () where no text has one.
    optional
        Whether there may be no values.

    Raises
    ------
    QueryError
        If there is no text, or not one value per text.
    """
    for name, values in named:
        if (values or not optional) and len(values) != len(given):
            raise QueryError(
                mark("There are {texts} texts, and {count} {name}."),
                reason="not-one-per-text",
                texts=len(given),
                count=len(values),
                name=name,
            )
    if not given:
        raise QueryError(mark("There is no text to score."), reason="no-text-given")
