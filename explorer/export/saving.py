"""Writing typed tables: in the format of the path's ending, whole or not at all, with the facts about them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from explorer.core.jobs import CancelToken, Progress, Report, no_report
from explorer.export.about import save_about
from explorer.export.columns import Batch, RecordTable
from explorer.export.destination import replacing
from explorer.export.figure import Figure
from explorer.export.registry import FIGURES, RECORDS


def save_records(
    path: Path,
    table: RecordTable,
    report: Report = no_report,
    cancel: CancelToken | None = None,
    about: bool = True,
) -> None:
    """Write a table, completely or (on error or cancel) not at all.

    report: Called with the rows written, once per batch.
    cancel: Stops the writing; the file is then as before.
    about: Whether to write the facts: into a Parquet file's metadata, onto a workbook's second sheet, and for other
        formats into PATH.about.json.
    Raises `QueryError` if the ending is unknown, or there are more rows than the format can hold.
    Raises `ExportError` if the path cannot be written.
    """
    # An unknown ending is refused before the file is touched.
    form = RECORDS.of_path(path)
    watched = replace(table, batches=lambda: _watched(table, report, cancel), facts=table.facts if about else ())
    with replacing(path) as partial:
        form.write(partial, watched)
    # After the table: facts about a table that could not be written would mislead.
    if about and not form.holds_facts:
        save_about(path, table.facts)


def save_figure(path: Path, figure: Figure) -> None:
    """Write a figure in the format of the path's ending, and its facts beside it unless the format holds them.

    Pictures hold them as well, for readers to whom only the picture is passed on; few programs show them there.
    """
    form = FIGURES.of_path(path)
    form.write(path, figure)
    if not form.holds_facts:
        save_about(path, figure.chart.facts)


def _watched(table: RecordTable, report: Report, cancel: CancelToken | None) -> Iterator[Batch]:
    """The batches of a table, with a report and a look at the cancel flag before each."""
    done = 0
    for batch in table.batches():
        if cancel is not None:
            cancel.check()
        report(Progress("Writing rows", done, table.row_count or 0, "rows"))
        yield batch
        # Every table has a column.
        done += len(batch[table.header[0]])
