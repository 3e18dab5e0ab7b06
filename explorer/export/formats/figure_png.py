"""A figure as PNG."""

from __future__ import annotations

from pathlib import Path

from explorer.export.destination import save_bytes
from explorer.export.figure import Figure


def write(path: Path, figure: Figure) -> None:
    """Write the picture in the resolution of the paper.

    Raises `ExportError` if the file cannot be written, or the picture would be too large.
    """
    save_bytes(path, figure.canvas.pixels(figure.chart, figure.paper, "png"))
