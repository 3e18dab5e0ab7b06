"""Concordance lines as files and for the clipboard."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import IO, Any

from explorer.errors import QueryError
from explorer.export.about import ABOUT, About, facts_object, save_about
from explorer.export.destination import ExportError, replacing
from explorer.export.records import LineTable, as_object
from explorer.export.tables import guard_formula
from explorer.i18n import tr
from explorer.jobs import CancelToken, Report, no_report

LINE_FORMATS = ("csv", "tsv", "jsonl", "xlsx")
COPY_FORMATS = ("text", "tsv", "markdown", "json")
_XLSX_ROWS = 1_048_576
_XLSX_CELL = 32_767
_XLSX_EXACT = 2**53
"""Whole numbers from this one on are not exact as numbers in a cell."""


def save_lines(
    path: Path,
    table: LineTable,
    report: Report = no_report,
    cancel: CancelToken | None = None,
    about: About = "beside",
) -> None:
    """Write the lines in the format of the path's ending, completely or (on error or cancel) not at all.

    Parameters
    ----------
    path
        Where to write; the ending decides the format: .csv, .tsv, .jsonl or .xlsx.
    table
        The lines, with their context and the facts about them.
    report
        Called with the lines written, every few hundred.
    cancel
        Stops the writing; the file is then as before.
    about
        Where the facts go. "beside": into PATH.about.json; in a workbook, onto its second sheet. "inline": before the
        lines, as "# name: value" or as one object of JSON. "none": nowhere.

    Raises
    ------
    QueryError
        If the ending is unknown, or there are more lines than fit onto a sheet.
    ExportError
        If the path cannot be written.
    """
    form = path.suffix.lstrip(".").lower()
    _check(path, form, table, about)
    with replacing(path) as partial:
        if form == "xlsx":
            _save_workbook(partial, table, table.rows(report, cancel), about != "none")
        else:
            with open(partial, "w", encoding="utf-8", newline="") as file:
                _write(file, form, table, report, cancel, about == "inline")
    if about == "beside" and form != "xlsx":
        save_about(path, table.about)


def _check(path: Path, form: str, table: LineTable, about: str) -> None:
    if form not in LINE_FORMATS:
        raise QueryError(
            tr("Lines are written as {names}, not as “{suffix}”.", names=", ".join(LINE_FORMATS), suffix=path.suffix)
        )
    if about not in ABOUT:
        raise QueryError(tr('The facts can go {names}, not "{about}".', names=", ".join(ABOUT), about=about))
    if form == "xlsx" and len(table) >= _XLSX_ROWS:
        raise QueryError(
            tr(
                "A workbook holds {xlsx_rows:,} lines, and these are {count:,}. Write CSV instead.",
                xlsx_rows=_XLSX_ROWS - 1,
                count=len(table),
            )
        )


def _write(
    file: IO[str], form: str, table: LineTable, report: Report, cancel: CancelToken | None, inline: bool
) -> None:
    if form == "jsonl":
        if inline:
            file.write(json.dumps({"about": facts_object(table.about)}, ensure_ascii=False) + "\n")
        for record in table.records(report, cancel):
            file.write(json.dumps(as_object(record), ensure_ascii=False, allow_nan=False) + "\n")
        return
    if inline:
        for name, value in table.about:
            file.write(f"# {name}: {_one_line(value)}\n")
    writer = csv.writer(file, delimiter="\t" if form == "tsv" else ",", lineterminator="\n")
    writer.writerow([guard_formula(name) for name in table.header])
    for row in table.rows(report, cancel):
        writer.writerow([guard_formula(_printable(cell) if isinstance(cell, str) else cell) for cell in row])


def _save_workbook(path: Path, table: LineTable, rows: Iterable[Sequence[Any]], with_about: bool) -> None:
    # Loaded only here: it takes as long to import as all of the rest.
    from xlsxwriter.exceptions import XlsxWriterException

    # A path that cannot be written is reported before the library opens its temporary files.
    path.touch()
    try:
        _write_workbook(path, table, rows, with_about)
    except XlsxWriterException as error:
        raise ExportError(
            tr("{path} cannot be written: {error}. Choose another place.", path=path, error=error)
        ) from error


def _write_workbook(path: Path, table: LineTable, rows: Iterable[Sequence[Any]], with_about: bool) -> None:
    import xlsxwriter

    options = {"constant_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
    with xlsxwriter.Workbook(str(path), options) as book:
        sheet = book.add_worksheet("Lines")
        bold, right = book.add_format({"bold": True}), book.add_format({"align": "right"})
        left_column = table.header.index("left")
        sheet.set_column(left_column, left_column, 50, right)
        sheet.set_column(left_column + 1, left_column + 1, 18)
        sheet.set_column(left_column + 2, left_column + 2, 50)
        sheet.write_row(0, 0, table.header, bold)
        for number, row in enumerate(rows, start=1):
            for column, cell in enumerate(row):
                sheet.write(number, column, _sheet_value(cell), right if column == left_column else None)
        if with_about:
            about = book.add_worksheet("About")
            for number, (name, value) in enumerate(table.about):
                about.write_string(number, 0, name, bold)
                about.write_string(number, 1, value[:_XLSX_CELL])


def _sheet_value(cell: Any) -> Any:
    """The content of a cell: a whole number that would be rounded is written as text."""
    if isinstance(cell, int) and abs(cell) > _XLSX_EXACT:
        cell = str(cell)
    return _printable(cell)[:_XLSX_CELL] if isinstance(cell, str) else cell


def _printable(text: str) -> str:
    """A text without control characters other than line breaks and tabs, which cells cannot contain."""
    return "".join(char if (char >= " " and char != "\x7f") or char in "\n\r\t" else " " for char in text)


def _one_line(text: str) -> str:
    """A text without line breaks and control characters, which no cell can hold."""
    return "".join(char if char >= " " and char != "\x7f" else " " for char in text)


def copy_text(table: LineTable, form: str) -> str:
    """Format lines for the clipboard; meant for what a person selects.

    Parameters
    ----------
    table
        The lines.
    form
        One of COPY_FORMATS: "text" aligns the matches, "tsv" and "markdown" are tables, "json" is a list of objects.

    Returns
    -------
    str
        The text. In all forms but "json" a line is one line of text.
    """
    if form == "json":
        return json.dumps([as_object(record) for record in table.records()], ensure_ascii=False, indent=2)
    cells = [[_one_line("" if cell is None else str(cell)) for cell in row] for row in table.rows()]
    if form == "tsv":
        guarded = [[guard_formula(cell) for cell in row] for row in [[*table.header], *cells]]
        return "".join("\t".join(row) + "\n" for row in guarded)
    left = table.header.index("left")
    if form == "markdown":
        escaped = [[cell.replace("\\", "\\\\").replace("|", "\\|") for cell in row] for row in cells]
        aligned = ["---:" if i == left else "---" for i in range(len(table.header))]
        return "".join("| " + " | ".join(row) + " |\n" for row in [[*table.header], aligned, *escaped])
    title = table.header.index("title")
    widest = max((len(row[left]) for row in cells), default=0)
    return "".join(
        f"{row[left]:>{widest}} [{row[left + 1].strip()}] {row[left + 2].lstrip()}\t{row[title]}\n" for row in cells
    )
