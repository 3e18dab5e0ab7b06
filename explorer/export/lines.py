"""Concordance lines as files and for the clipboard."""

from __future__ import annotations

from pathlib import Path

from explorer.core.jobs import CancelToken, Report, no_report
from explorer.errors import QueryError
from explorer.export.about import ABOUT, About, save_about
from explorer.export.destination import replacing
from explorer.export.records.line import LineTable, LineWriting
from explorer.export.registry import COPIES, LINES
from explorer.i18n import mark


def save_lines(
    path: Path,
    table: LineTable,
    report: Report = no_report,
    cancel: CancelToken | None = None,
    about: About = "beside",
) -> None:
    """Write the lines in the format of the path's ending, completely or (on error or cancel) not at all.

    table: The lines, with their context and the facts about them.
    report: Called with the lines written, every few hundred.
    cancel: Stops the writing; the file is then as before.
    about: Where the facts go. "beside": into PATH.about.json; in a workbook, onto its second sheet. "inline": before
        the lines, as "# name: value" or as one object of JSON. "none": nowhere.
    Raises `QueryError` if the ending is unknown, or there are more lines than fit onto a sheet.
    Raises `ExportError` if the path cannot be written.
    """
    # Both refusals come before the file is touched.
    form = LINES.of_path(path)
    if about not in ABOUT:
        raise QueryError(
            mark('The facts can go {names}, not "{about}".'), reason="bad-about", names=", ".join(ABOUT), about=about
        )
    with replacing(path) as partial:
        form.write(partial, table, LineWriting(report, cancel, about))
    # After the lines: a table without its facts is a finished table, facts without a table would describe nothing.
    if about == "beside" and not form.holds_facts:
        save_about(path, table.facts)


def copy_text(table: LineTable, form: str) -> str:
    """Format lines for the clipboard; meant for what a person selects."""
    return COPIES.named(form).write(table)
