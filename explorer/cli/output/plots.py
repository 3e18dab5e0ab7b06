"""Charts that commands write: drawn with the window's toolkit where it is installed, otherwise as SVG."""

from __future__ import annotations

from pathlib import Path

from explorer.chart import Chart
from explorer.cli.window import has_window
from explorer.export.drawing.svg import SvgCanvas
from explorer.export.figure import Figure, Paper
from explorer.export.saving import save_figure


def save_plot(chart: Chart, path: Path, paper: Paper) -> None:
    """Write a chart in the format of a file's ending.

    Raises `ExportError` if the file cannot be written, or the format needs the window's toolkit, which is not
        installed.
    """
    if not has_window():
        save_figure(path, Figure(chart, paper, SvgCanvas()))
        return
    # Drawn with Qt, which no other command needs: it measures texts in the fonts of this machine.
    from explorer.gui.charts.export.save import save_without_window

    save_without_window(chart, path, paper)
