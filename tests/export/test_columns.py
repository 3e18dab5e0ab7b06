"""Typed columns: made of a record's annotations, and of the values of a field."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pytest

from explorer.export.columns import BATCH, Column, RecordTable, columns_of, kind_of_values, record_table


@dataclass(frozen=True)
class Place:
    document: int
    share: float | None


@dataclass(frozen=True)
class Record:
    text: str
    count: int
    exact: bool
    by: Literal["count", "probability"]
    places: tuple[Place, ...]
    best: Place | None
    metadata: Mapping[str, Any]
    problem: str | None = None


@dataclass(frozen=True)
class Odd:
    made: complex


def test_columns_are_the_fields():
    text, count, exact, by, places, best, metadata, problem = columns_of(Record)
    assert [column.kind for column in (text, count, exact, by, metadata)] == [
        "string", "int64", "bool", "string", "json",
    ]  # fmt: skip
    assert places.kind == "list"
    assert places.parts == (Column("item", "struct", parts=columns_of(Place)),)
    assert (best.kind, best.nullable) == ("struct", True)
    assert problem == Column("problem", "string", nullable=True)


def test_a_type_without_column_is_refused():
    with pytest.raises(TypeError, match="made"):
        columns_of(Odd)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([1, 2, None], "int64"),
        ([0.5], "float64"),
        ([1, 0.5], "float64"),
        ([True, False], "bool"),
        ([True, 1], "string"),
        (["a", None], "string"),
        ([2**63], "string"),
        ([-(2**63)], "int64"),
        ([None], "string"),
        ([], "string"),
    ],
)
def test_the_one_type_of_values(values: Sequence[Any], expected: str):
    assert kind_of_values(values) == expected


def test_records_are_read_a_batch_at_a_time():
    read = 0

    def records():
        nonlocal read
        for number in range(BATCH + 3):
            read += 1
            yield Place(number, None)

    table = record_table(Place, records)
    batches = table.batches()
    assert len(next(batches)["document"]) == BATCH
    assert read == BATCH
    assert list(next(batches)["document"]) == [BATCH, BATCH + 1, BATCH + 2]
    # The table can be read again.
    assert sum(1 for _ in table.rows()) == BATCH + 3


def test_rows_have_plain_values():
    columns = Column("count", "int64"), Column("text", "string")
    table = RecordTable(columns, lambda: iter([{"text": ["a", "b"], "count": np.array([1, 2])}]))
    rows = list(table.rows())
    assert rows == [(1, "a"), (2, "b")]
    assert [type(count) for count, _ in rows] == [int, int]


def test_columns_of_different_lengths_are_an_error():
    columns = Column("a", "int64"), Column("b", "int64")
    with pytest.raises(ValueError, match="zip"):
        list(RecordTable(columns, lambda: iter([{"a": [1], "b": [1, 2]}])).rows())
