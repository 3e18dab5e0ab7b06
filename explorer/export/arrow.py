"""Tables as Arrow: a stream of record batches, which pyarrow, pandas, polars, DuckDB and `datasets` read."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from explorer.core.files.encoding import replace_surrogates
from explorer.export.about import Facts, facts_object
from explorer.export.columns import Column, RecordTable
from explorer.export.jsonable import to_plain

if TYPE_CHECKING:
    import pyarrow as pa

FACTS = "corpus_explorer"
"""The key of the schema's metadata under which the facts are, as JSON."""


def arrow_schema(columns: Iterable[Column], facts: Facts = ()) -> pa.Schema:
    """Make the schema of a table.

    facts: What it was computed from; stored in the schema's metadata, which Parquet keeps.
    """
    # Loaded only when a table is made: it takes as long to import as all of the library.
    import pyarrow as pa

    found = facts_object(facts)
    about = {FACTS: json.dumps(found, ensure_ascii=False)} if found else None
    return pa.schema([_field(column) for column in columns], metadata=about)


def arrow_reader(table: RecordTable) -> pa.RecordBatchReader:
    """Hand over a table as a stream of Arrow.

    Returns: The stream; each batch is computed when it is read.
    """
    import pyarrow as pa

    schema = arrow_schema(table.columns, table.facts)

    def batches() -> Iterator[pa.RecordBatch]:
        for batch in table.batches():
            arrays = [_array(batch[column.name], column) for column in table.columns]
            yield pa.RecordBatch.from_arrays(arrays, schema=schema)

    return pa.RecordBatchReader.from_batches(schema, batches())


def _field(column: Column) -> pa.Field:
    import pyarrow as pa

    return pa.field(column.name, _type(column), nullable=column.nullable)


def _type(column: Column) -> pa.DataType:
    import pyarrow as pa

    match column.kind:
        case "list":
            return pa.list_(_field(column.parts[0]))
        case "struct":
            return pa.struct([_field(part) for part in column.parts])
        case "json" | "string":
            return pa.string()
        case "bool":
            return pa.bool_()
        case _:
            return getattr(pa, column.kind)()


def _array(values: Sequence[Any] | NDArray[Any], column: Column) -> pa.Array:
    """The values of a column as Arrow; NaN becomes null where values can be unknown."""
    import pyarrow as pa

    # Arrays of numbers are handed over as they are, without an object of Python for each.
    plain = values if isinstance(values, np.ndarray) else [_value(value, column) for value in values]
    try:
        return pa.array(plain, _type(column), from_pandas=column.nullable)
    except UnicodeEncodeError:
        # Half a character, such as JSON can hold, has no form in UTF-8. It is rare, so texts are not searched for it.
        return pa.array([_whole(value) for value in plain], _type(column), from_pandas=column.nullable)


def _value(value: Any, column: Column) -> Any:
    """A value as pyarrow takes it for a column."""
    if value is None or column.kind in ("int64", "float64", "bool"):
        return value
    if column.kind == "json":
        return json.dumps(to_plain(value), ensure_ascii=False)
    if column.kind == "list":
        return [_value(item, column.parts[0]) for item in value]
    if column.kind == "struct":
        return {part.name: _value(_part(value, part.name), part) for part in column.parts}
    return str(value)


def _part(value: Any, name: str) -> Any:
    return value[name] if isinstance(value, dict) else getattr(value, name)


def _whole(value: Any) -> Any:
    """A value without halves of characters."""
    if isinstance(value, str):
        return replace_surrogates(value)
    if isinstance(value, list):
        return [_whole(item) for item in value]
    return {name: _whole(item) for name, item in value.items()} if isinstance(value, dict) else value
