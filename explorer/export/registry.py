"""Every export format: one row here, and one file in `explorer.export.formats`.

The choices and the help of the command line, the file filters of the window's dialogs and the menu of the clipboard are
made from these rows. To add a format, write its file and add its row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Generic, TypeVar

from explorer.errors import QueryError
from explorer.export.columns import RecordTable
from explorer.export.figure import Figure
from explorer.export.formats import (
    copy_json,
    copy_markdown,
    copy_text,
    copy_tsv,
    figure_csv,
    figure_json,
    figure_pdf,
    figure_png,
    figure_svg,
    generated_json,
    generated_text,
    lines_csv,
    lines_jsonl,
    lines_tsv,
    lines_xlsx,
    records_csv,
    records_jsonl,
    records_parquet,
    records_tsv,
    records_xlsx,
    report_html,
    report_json,
    table_csv,
    table_jsonl,
    table_tsv,
)
from explorer.export.records.line import LineTable, LineWriting
from explorer.export.records.model import GeneratedRecord
from explorer.export.reports.trace_html import Evidence
from explorer.i18n import mark

# Every kind has a signature of its own; the type variable keeps a row of one kind out of the table of another.
Write = TypeVar("Write", bound=Callable[..., object])

# A path, not an open file: a workbook is a ZIP archive and is not written as text.
WriteLines = Callable[[Path, LineTable, LineWriting], None]
"""Writes concordance lines to a new file.

path: the file. table: the lines, with the facts about them. how: progress, cancelling, and where the facts go. Raises
OSError if the file cannot be written, and Cancelled.
"""
WriteTable = Callable[[IO[str], Sequence[str], Iterable[Sequence[Any]]], None]
"""Writes a table, each row as soon as it is known.

file: a text file opened for writing with newline="". header: the names of the columns. rows: as many values per row;
they are read once, so they may be a generator.
"""
WriteRecords = Callable[[Path, RecordTable], None]
"""Writes a typed table to a new file.

path: the file. table: the columns, the rows and the facts about them. Raises OSError if the file cannot be written, and
what the rows raise.
"""
WriteFigure = Callable[[Path, Figure], None]
"""Writes a figure, or the values that it shows.

path: the file; one that exists is replaced. figure: the chart, the paper, and what paints it. Raises ExportError if the
file cannot be written.
"""
WriteReport = Callable[[Path, Evidence], None]
"""Writes a report.

path: the file; one that exists is replaced. traced: the traces and their index. Raises ExportError if the file cannot
be written.
"""
WriteGenerated = Callable[[Path, GeneratedRecord], None]
"""Writes a text that a model of the corpus wrote.

path: the file; one that exists is replaced. generated: the prompt, the text, and where each token comes from. Raises
ExportError if the file cannot be written.
"""
WriteCopy = Callable[[LineTable], str]
"""Makes the text that goes to the clipboard."""


@dataclass(frozen=True)
class Exporter(Generic[Write]):
    """One format of one kind of thing.

    id: What the command line calls the format; unique among the formats of a kind.
    suffix: The ending of its files, with the dot; "" for a format of the clipboard.
    label: What the window calls it, marked for translation.
    write: Writes it; the parameters depend on the kind.
    other_suffixes: Further endings by which the format is recognized.
    holds_facts: Whether the file itself has a place for the facts about it, so that none is written beside it.
    is_json: Whether the format escapes control characters, so that texts keep theirs when it is printed.
    takes: What can be chosen for a figure: "title", "size", "dpi".
    """

    id: str
    suffix: str
    label: str
    write: Write
    other_suffixes: tuple[str, ...] = ()
    holds_facts: bool = False
    is_json: bool = False
    takes: frozenset[str] = frozenset()


class Formats(Generic[Write]):
    """The formats of one kind of thing, in the order in which they are offered.

    refusal: the sentence about an unknown format, with {names} for those that exist and {suffix} for the unknown one.
    """

    def __init__(self, refusal: str, *rows: Exporter[Write]) -> None:
        self.refusal = refusal
        self.rows: tuple[Exporter[Write], ...] = rows

    def __iter__(self) -> Iterator[Exporter[Write]]:
        return iter(self.rows)

    @property
    def ids(self) -> tuple[str, ...]:
        """The names of the formats."""
        return tuple(row.id for row in self.rows)

    @property
    def suffixes(self) -> tuple[str, ...]:
        """The endings of their files."""
        # Without the other endings, which are only recognized.
        return tuple(row.suffix for row in self.rows)

    def named(self, name: str) -> Exporter[Write]:
        """Find a format by its id.

        Raises `QueryError` if there is none.
        """
        return self._only((row for row in self.rows if row.id == name), name)

    def of_path(self, path: Path) -> Exporter[Write]:
        """Find the format of a path's ending.

        Raises `QueryError` if there is none.
        """
        # OUT.CSV is a CSV file, and the sentence of a refusal quotes the ending as it was typed.
        suffix = path.suffix.lower()
        return self._only((row for row in self.rows if suffix in (row.suffix, *row.other_suffixes)), path.suffix)

    def _only(self, found: Iterator[Exporter[Write]], wanted: str) -> Exporter[Write]:
        row = next(found, None)
        if row is None:
            # The clipboard has no endings, so its formats are called by their ids.
            names = ", ".join(row.suffix or row.id for row in self.rows)
            raise QueryError(self.refusal, reason="unknown-ending", names=names, suffix=wanted)
        return row


# Labels are marked here, and translated where they are shown.
LINES: Formats[WriteLines] = Formats(
    mark("Lines are written as {names}, not as “{suffix}”."),
    Exporter("csv", ".csv", mark("CSV"), lines_csv.write),
    Exporter("tsv", ".tsv", mark("TSV"), lines_tsv.write),
    Exporter("jsonl", ".jsonl", mark("JSON Lines"), lines_jsonl.write, is_json=True),
    Exporter("xlsx", ".xlsx", mark("Workbook"), lines_xlsx.write, holds_facts=True),
)
TABLES: Formats[WriteTable] = Formats(
    mark("The table is written as {names}, not as “{suffix}”."),
    Exporter("csv", ".csv", mark("CSV"), table_csv.write),
    Exporter("tsv", ".tsv", mark("TSV"), table_tsv.write),
    Exporter("jsonl", ".jsonl", mark("JSON Lines"), table_jsonl.write, is_json=True),
)
RECORDS: Formats[WriteRecords] = Formats(
    mark("A table is written as {names}, not as “{suffix}”."),
    Exporter("parquet", ".parquet", mark("Parquet"), records_parquet.write, holds_facts=True),
    Exporter("csv", ".csv", mark("CSV"), records_csv.write),
    Exporter("tsv", ".tsv", mark("TSV"), records_tsv.write),
    Exporter("jsonl", ".jsonl", mark("JSON Lines"), records_jsonl.write, is_json=True),
    Exporter("xlsx", ".xlsx", mark("Workbook"), records_xlsx.write, holds_facts=True),
)
# Only pixels need a resolution; SVG and PDF are drawn in points.
_DRAWN = frozenset({"title", "size"})
FIGURES: Formats[WriteFigure] = Formats(
    mark("A figure is written as {names}, not as “{suffix}”."),
    Exporter("png", ".png", mark("PNG"), figure_png.write, takes=_DRAWN | {"dpi"}),
    Exporter("svg", ".svg", mark("SVG"), figure_svg.write, takes=_DRAWN),
    Exporter("pdf", ".pdf", mark("PDF"), figure_pdf.write, takes=_DRAWN),
    Exporter("csv", ".csv", mark("CSV (the plotted values)"), figure_csv.write),
    # A table of comma-separated values has no place for a title.
    Exporter(
        "json",
        ".json",
        mark("JSON (the plotted values)"),
        figure_json.write,
        holds_facts=True,
        takes=frozenset({"title"}),
    ),
)
REPORTS: Formats[WriteReport] = Formats(
    mark("A report is written as {names}, not as “{suffix}”."),
    Exporter("html", ".html", mark("Web page"), report_html.write, other_suffixes=(".htm",)),
    Exporter("json", ".json", mark("Data"), report_json.write),
)
GENERATED: Formats[WriteGenerated] = Formats(
    mark("A generated text is written as {names}, not as “{suffix}”."),
    Exporter("text", ".txt", mark("Text"), generated_text.write),
    Exporter("json", ".json", mark("Data"), generated_json.write),
)
COPIES: Formats[WriteCopy] = Formats(
    mark("Lines are copied as {names}, not as “{suffix}”."),
    Exporter("text", "", mark("Text"), copy_text.write),
    Exporter("tsv", "", mark("Table (TSV)"), copy_tsv.write),
    Exporter("markdown", "", mark("Markdown"), copy_markdown.write),
    Exporter("json", "", mark("JSON"), copy_json.write),
)
