"""Copied lines as plain text, the match in brackets, one below the other."""

from __future__ import annotations

from explorer.export.formats.copy_cells import cells_of
from explorer.export.records.line import LineTable


def write(table: LineTable) -> str:
    """The lines as text; the left contexts are aligned at the match."""
    left, title = table.header.index("left"), table.header.index("title")
    cells = cells_of(table)
    widest = max((len(row[left]) for row in cells), default=0)
    return "".join(
        # Tokens often begin with a space, which at the brackets would look like a part of the layout.
        f"{row[left]:>{widest}} [{row[left + 1].strip()}] {row[left + 2].lstrip()}\t{row[title]}\n"
        for row in cells
    )
