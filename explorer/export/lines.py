"""Concordance lines as files and for the clipboard, each with what they are: query, index, seed."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from explorer.corpus.document import document_title, flat_metadata
from explorer.errors import QueryError
from explorer.export.destination import ExportError, replacing
from explorer.export.tables import guard_formula
from explorer.jobs import CancelToken, Progress, Report, no_report
from explorer.search.concordance import Concordance, ConcordanceLine
from explorer.words import tr

LINE_FORMATS = ("csv", "tsv", "jsonl", "xlsx")
COPY_FORMATS = ("text", "tsv", "markdown", "json")
_HEADER = ("number", "left", "match", "right", "repeats", "document", "offset", "title")
_CHUNK = 500
_XLSX_ROWS = 1_048_576
_XLSX_CELL = 32_767


@dataclass(frozen=True)
class LineTable:
    """What is exported: lines with `width` of context, the metadata `fields` as further columns, and `about`,
    the facts that say what this is (query, index, seed …). numbers: only these lines; None: all.
    """

    lines: Concordance
    width: int
    characters: bool = False
    fields: tuple[str, ...] = ()
    about: tuple[tuple[str, str], ...] = ()
    numbers: Sequence[int] | None = None

    def __len__(self) -> int:
        return len(self.lines) if self.numbers is None else len(self.numbers)

    @property
    def header(self) -> tuple[str, ...]:
        """Names of the columns."""
        return (*_HEADER, *self.fields)

    def rows(self, report: Report = no_report, cancel: CancelToken | None = None) -> Iterator[tuple[Any, ...]]:
        """One tuple a line; texts keep their line breaks."""
        for done, line in enumerate(self._chosen()):
            if done % _CHUNK == 0:
                report(Progress("Writing lines", done, len(self), "lines"))
                if cancel is not None:
                    cancel.check()
            record = self.lines.metadata(line)
            flat = flat_metadata(record)
            texts = (line.left, line.match, line.right, line.repeats)
            place = (line.document, line.offset, document_title(record, line.document))
            yield (line.number + 1, *texts, *place, *(_plain(flat.get(field)) for field in self.fields))

    def _chosen(self) -> Iterator[ConcordanceLine]:
        if self.numbers is None:
            for first in range(0, len(self.lines), _CHUNK):
                yield from self.lines.lines(first, first + _CHUNK, self.width, self.characters)
            return
        for number in self.numbers:
            yield from self.lines.lines(number, number + 1, self.width, self.characters)


def _plain(value: Any) -> Any:
    return value if value is None or isinstance(value, (str, int, float, bool)) else json.dumps(value)


def save_lines(path: Path, table: LineTable, report: Report = no_report, cancel: CancelToken | None = None) -> None:
    """Write the lines in the format of the path's ending; whole, or (error, cancel) not at all.

    CSV and TSV begin with the facts as lines "# name: value", JSON lines with one object of them, and a
    workbook has them on a second sheet. Raises QueryError for another ending, or more lines than a sheet holds.
    """
    form = path.suffix.lstrip(".").lower()
    if form not in LINE_FORMATS:
        raise QueryError(
            tr("Lines are written as {names}, not as “{suffix}”.", names=", ".join(LINE_FORMATS), suffix=path.suffix)
        )
    if form == "xlsx" and len(table) >= _XLSX_ROWS:
        raise QueryError(
            tr(
                "A workbook holds {xlsx_rows:,} lines, and these are {count:,}. Write CSV instead.",
                xlsx_rows=_XLSX_ROWS - 1,
                count=len(table),
            )
        )
    rows = table.rows(report, cancel)
    with replacing(path) as partial:
        if form == "xlsx":
            _save_workbook(partial, table, rows)
            return
        with open(partial, "w", encoding="utf-8", newline="") as file:
            if form == "jsonl":
                file.write(json.dumps({"about": dict(table.about)}, ensure_ascii=False) + "\n")
                for row in rows:
                    file.write(json.dumps(dict(zip(table.header, row, strict=True)), ensure_ascii=False) + "\n")
                return
            for name, value in table.about:
                file.write(f"# {name}: {_one_line(value)}\n")
            _write_separated(
                csv.writer(file, delimiter="\t" if form == "tsv" else ",", lineterminator="\n"), table, rows
            )


def _write_separated(writer: Any, table: LineTable, rows: Iterable[Sequence[Any]]) -> None:
    writer.writerow(table.header)
    for row in rows:
        writer.writerow([guard_formula(_one_line(cell) if isinstance(cell, str) else cell) for cell in row])


def _save_workbook(path: Path, table: LineTable, rows: Iterable[Sequence[Any]]) -> None:
    # Loaded only here: it takes as long to import as all of the rest.
    from xlsxwriter.exceptions import XlsxWriterException

    # A place that cannot be written is found out before the library opens its temporary files.
    path.touch()
    try:
        _write_workbook(path, table, rows)
    except XlsxWriterException as error:
        raise ExportError(
            tr("{path} cannot be written: {error}. Choose another place.", path=path, error=error)
        ) from error


def _write_workbook(path: Path, table: LineTable, rows: Iterable[Sequence[Any]]) -> None:
    import xlsxwriter

    options = {"constant_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
    with xlsxwriter.Workbook(str(path), options) as book:
        sheet, about = book.add_worksheet("Lines"), book.add_worksheet("About")
        bold, right = book.add_format({"bold": True}), book.add_format({"align": "right"})
        sheet.set_column(1, 1, 50, right)
        sheet.set_column(2, 2, 18)
        sheet.set_column(3, 3, 50)
        sheet.write_row(0, 0, table.header, bold)
        for number, row in enumerate(rows, start=1):
            for column, cell in enumerate(row):
                value = _one_line(cell)[:_XLSX_CELL] if isinstance(cell, str) else cell
                sheet.write(number, column, value, right if column == 1 else None)
        for number, (name, value) in enumerate(table.about):
            about.write_string(number, 0, name, bold)
            about.write_string(number, 1, value[:_XLSX_CELL])


def _one_line(text: str) -> str:
    """A text without line breaks and control characters, which no cell can hold."""
    return "".join(char if char >= " " and char != "\x7f" else " " for char in text)


def copy_text(table: LineTable, form: str) -> str:
    """The lines for the clipboard in one of COPY_FORMATS; meant for what a person selects."""
    rows = list(table.rows())
    if form == "json":
        return json.dumps([dict(zip(table.header, row, strict=True)) for row in rows], ensure_ascii=False, indent=2)
    cells = [[_one_line("" if cell is None else str(cell)) for cell in row] for row in rows]
    if form == "tsv":
        return "".join("\t".join(row) + "\n" for row in [list(table.header), *cells])
    if form == "markdown":
        escaped = [[cell.replace("\\", "\\\\").replace("|", "\\|") for cell in row] for row in cells]
        lines = [list(table.header), ["---:" if i == 1 else "---" for i in range(len(table.header))], *escaped]
        return "".join("| " + " | ".join(row) + " |\n" for row in lines)
    widest = max((len(row[1]) for row in cells), default=0)
    return "".join(f"{row[1]:>{widest}} [{row[2].strip()}] {row[3].lstrip()}\t{row[7]}\n" for row in cells)
