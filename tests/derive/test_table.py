"""Rows of tables: frozen dataclasses whose docstrings list the declared columns."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, fields

import pytest

from explorer.derive.table import column, columns_of, row


@row
class Longest:
    """One long word."""

    form: str = column("The word", "Word")
    length: int | None = column("Its letters", missing="None if it has digits")
    count: int = column("Its occurrences", "Hits", default=0)


def test_a_row_is_a_frozen_dataclass():
    made = Longest("a", length=None)
    assert made == Longest("a", None, 0) and [each.name for each in fields(Longest)] == ["form", "length", "count"]
    with pytest.raises(FrozenInstanceError):
        made.form = "b"
    with pytest.raises(TypeError, match="length"):
        Longest("a")


def test_columns_are_described_where_they_are_read():
    assert Longest.__doc__ == (
        "One long word.\n\nAttributes\n----------\nform\n    The word.\n"
        "length\n    Its letters; None if it has digits.\ncount\n    Its occurrences."
    )
    assert [(name, each.label, each.help) for name, each in columns_of(Longest).items()] == [
        ("form", "Word", "The word"),
        ("length", "", "Its letters"),
        ("count", "Hits", "Its occurrences"),
    ]
