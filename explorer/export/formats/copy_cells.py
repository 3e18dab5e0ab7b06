"""The cells of copied lines, each on one line: what the formats of the clipboard have in common."""

from __future__ import annotations

from explorer.export.cells import printable
from explorer.export.records.line import LineTable


def cells_of(table: LineTable) -> list[list[str]]:
    """The lines as rows of texts without line breaks."""
    return [[printable("" if cell is None else str(cell), breaks=False) for cell in row] for row in table.rows()]
