"""Concordance lines as JSON Lines: one object per line, with all metadata unless fields are chosen."""

from __future__ import annotations

import json
from pathlib import Path

from explorer.export.about import facts_object
from explorer.export.records.line import LineTable, LineWriting
from explorer.export.records.record import as_object


def write(path: Path, table: LineTable, how: LineWriting) -> None:
    """Write the lines; facts that go inline are the first object, under "about".

    Raises `OSError` if the file cannot be written.
    """
    named = table.header[len(table.header) - len(table.fields) :]
    # `newline=""` keeps \n on Windows, too: files of one query are the same bytes everywhere.
    with open(path, "w", encoding="utf-8", newline="") as file:
        if how.about == "inline":
            file.write(json.dumps({"about": facts_object(table.facts)}, ensure_ascii=False) + "\n")
        # `allow_nan=False` is a guard: values pass through `plain_json`, which makes NaN null.
        for record in table.records(how.report, how.cancel):
            found = as_object(record)
            # Fields that were named are columns, as in every other format; the object is that of all formats of JSON.
            found |= {name: found["metadata"].get(field) for name, field in zip(named, table.fields, strict=True)}
            file.write(json.dumps(found, ensure_ascii=False, allow_nan=False) + "\n")
