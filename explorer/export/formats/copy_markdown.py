"""Copied lines as a table in Markdown."""

from __future__ import annotations

from explorer.export.formats.copy_cells import cells_of
from explorer.export.records.line import LineTable


def write(table: LineTable) -> str:
    """The lines with a header; the left context is aligned right."""
    left = table.header.index("left")
    # Backslashes first, or those that escape the bars would be escaped again.
    escaped = [[cell.replace("\\", "\\\\").replace("|", "\\|") for cell in row] for row in cells_of(table)]
    aligned = ["---:" if i == left else "---" for i in range(len(table.header))]
    return "".join("| " + " | ".join(row) + " |\n" for row in [[*table.header], aligned, *escaped])
