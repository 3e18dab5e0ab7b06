"""The data of a figure as JSON."""

from __future__ import annotations

from pathlib import Path

from explorer.chart import Chart
from explorer.export.about import facts_object
from explorer.export.destination import save_text
from explorer.export.figure import Figure
from explorer.export.jsonable import to_json, to_plain


def write(path: Path, figure: Figure) -> None:
    """Write title, facts and values.

    Raises `ExportError` if the file cannot be written.
    """
    save_text(path, chart_json(figure.chart))


def chart_json(chart: Chart) -> str:
    """Title, facts and rows of a chart, the rows with the table's column names."""
    rows = [dict(zip(chart.header, to_plain(list(row)), strict=True)) for row in chart.data]
    # Objects and not arrays for rows: a reader finds a value by its name when a later version adds a column.
    return (
        to_json({"figure": chart.name, "title": chart.title, "facts": facts_object(chart.facts), "rows": rows}) + "\n"
    )
