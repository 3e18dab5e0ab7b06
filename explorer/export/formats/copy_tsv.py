"""Copied lines as a table with tabs, to paste into a spreadsheet."""

from __future__ import annotations

from explorer.export.cells import guard_formula
from explorer.export.formats.copy_cells import cells_of
from explorer.export.records.line import LineTable


def write(table: LineTable) -> str:
    """The lines with a header."""
    rows = [[*table.header], *cells_of(table)]
    return "".join("\t".join(guard_formula(cell) for cell in row) + "\n" for row in rows)
