"""The data of a figure as CSV."""

from __future__ import annotations

import io
from pathlib import Path

from explorer.export.destination import save_text
from explorer.export.figure import Figure
from explorer.export.formats.separated import write_separated


def write(path: Path, figure: Figure) -> None:
    """Write the values that are drawn.

    Raises `ExportError` if the file cannot be written.
    """
    out = io.StringIO()
    write_separated(out, figure.chart.header, figure.chart.data, ",")
    save_text(path, out.getvalue())
