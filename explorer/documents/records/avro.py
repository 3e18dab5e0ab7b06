"""Avro: a record per row."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, time, timedelta
from typing import Any
from uuid import UUID

from explorer.documents.content import Content
from explorer.documents.damaged import broken_file, damage_reported
from explorer.documents.record import Record, Records, plain_value
from explorer.i18n import tr

ENDINGS = (".avro",)
_MAGIC = b"Obj\x01"
_DEEPEST = 64
"""Levels of records, lists and mappings in a schema: fastavro itself has no limit but the stack of the process."""
_NAMED = ("record", "error", "enum", "fixed")


def is_avro(head: bytes, name: str) -> bool:
    """Whether a file is Avro; by its name too, so that a damaged one is reported as Avro."""
    return head.startswith(_MAGIC) or name.endswith(ENDINGS)


def read(content: Content) -> Records:
    """Read the rows of an Avro file."""
    return Records(_rows(content), "row", is_table=True)


def _rows(content: Content) -> Iterator[Record]:
    # Imported here: few builds need it.
    import fastavro

    # fastavro raises whatever its code meets in damaged data, such as KeyError, AttributeError and errors of zlib.
    with damage_reported("Avro", Exception):
        rows = fastavro.reader(content.stream)
        _Schema().check(rows.writer_schema)
        for number, row in enumerate(rows):
            if not isinstance(row, dict):
                raise broken_file("Avro", tr("its rows have no fields"))
            content.moved(content.raw.tell())
            yield Record(number, {str(name): _plain(value) for name, value in row.items()})


class _Schema:
    """The types of a schema while they are checked: a value must not nest without end, nor be repeated for free."""

    def __init__(self) -> None:
        self._open: list[str] = []
        self._empty: dict[str, bool] = {}

    def check(self, schema: Any) -> None:
        """Raise ValueError for a schema of which few bytes can be values without end."""
        if self._takes_nothing(schema, 0):
            raise ValueError(tr("its rows have no fields"))

    def _takes_nothing(self, schema: Any, depth: int) -> bool:
        """Whether a value of a type has no bytes."""
        if depth > _DEEPEST:
            raise ValueError(tr("its values are nested more than {most} levels deep", most=_DEEPEST))
        if isinstance(schema, list):
            for each in schema:
                self._takes_nothing(each, depth + 1)
            return False
        if isinstance(schema, str):
            if schema in self._open:
                raise ValueError(tr("its values of the type {name} contain values of this type", name=schema))
            return self._empty.get(schema, schema == "null")
        return self._complex(schema, depth)

    def _complex(self, schema: dict[str, Any], depth: int) -> bool:
        kind = schema["type"]
        if kind not in _NAMED:
            inner = self._takes_nothing(schema.get("items", schema.get("values", "int")), depth + 1)
            if kind == "array" and inner:
                raise ValueError(tr("it has lists of values without content"))
            return bool(kind == "null")
        name = str(schema["name"])
        self._open.append(name)
        fields = [self._takes_nothing(field["type"], depth + 1) for field in schema.get("fields", ())]
        self._open.pop()
        self._empty[name] = all(fields) if kind in ("record", "error") else kind == "fixed" and not schema["size"]
        return self._empty[name]


def _plain(value: Any) -> Any:
    """A value in JSON form, with dates, times and identifiers as texts."""
    if isinstance(value, dict):
        return {str(name): _plain(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    return str(value) if isinstance(value, date | time | timedelta | UUID) else plain_value(value)
