"""A figure as PDF."""

from __future__ import annotations

from pathlib import Path

from explorer.export.destination import save_bytes
from explorer.export.figure import Figure


def write(path: Path, figure: Figure) -> None:
    """Write one page of the paper's size.

    Raises `ExportError` if the file cannot be written.
    """
    save_bytes(path, figure.canvas.pdf(figure.chart, figure.paper))
