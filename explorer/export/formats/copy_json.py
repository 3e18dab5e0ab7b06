"""Copied lines as JSON."""

from __future__ import annotations

import json

from explorer.export.records.line import LineTable
from explorer.export.records.record import as_object


def write(table: LineTable) -> str:
    """The lines as a list of objects."""
    return json.dumps([as_object(record) for record in table.records()], ensure_ascii=False, indent=2)
