"""One line of a concordance as a record: the same on standard output, in files and on the clipboard."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from explorer.analyses.metadata.values import plain_json, plain_value, show_value
from explorer.analyses.search.concordance import Concordance, ConcordanceLine
from explorer.backends.documents.document import document_title
from explorer.backends.metadata import flat_metadata
from explorer.core.jobs import CancelToken, Progress, Report, no_report
from explorer.export.about import About
from explorer.export.characters import CharacterPlaces
from explorer.i18n import mark, tr

Facts = tuple[tuple[str, str], ...]

METADATA = "metadata"
COLUMNS = (
    "number",
    "document",
    "offset",
    "length",
    "start",
    "end",
    "left",
    "match",
    "right",
    "repeats",
    "title",
    "path",
)
COLUMN_MEANINGS = {
    "number": mark("Number of the line in the list, from 0"),
    "document": mark("Number of the document in the index, from 0; the window counts from 1"),
    "offset": mark("Tokens of the document before the match"),
    "length": mark("Tokens of the match"),
    "start": mark("Characters of the document before the match"),
    "end": mark("Characters of the document up to the end of the match"),
    "left": mark("Text before the match"),
    "match": mark("The match"),
    "right": mark("Text after the match"),
    "repeats": mark("Identical lines that were merged into this one, itself included; 1 if none were"),
    "title": mark("Title of the document"),
    "path": mark("Where the document comes from; empty if unknown"),
    "mark": mark("“marked” if the line is marked in the project"),
    "note": mark("Note on the line in the project"),
}
"""What the columns of exported lines mean; see `LineTable.meanings`."""
# Lines per request to the backend: their windows and the metadata of their documents come in one call each.
_CHUNK = 500
_SPACE = re.compile(r"\s+")


@dataclass(frozen=True)
class LineRecord:
    """A line, its place and its document.

    Attributes
    ----------
    number
        The number of the line, from 0.
    document
        The number of the document, from 0.
    offset
        The match's first token in it, from 0.
    length
        The match's tokens.
    start
        The match's first character in the document's text.
    end
        One past its last character.
    left
        The text before the match.
    match
        The match.
    right
        The text after it.
    repeats
        The number of merged lines that it represents.
    title
        The title of the document.
    path
        Where the document comes from; None if unknown.
    metadata
        The document's other fields.
    more
        What the user noted about it, by the names of `LineTable.more`.
    """

    number: int
    document: int
    offset: int
    length: int
    start: int
    end: int
    left: str
    match: str
    right: str
    repeats: int
    title: str
    path: str | None
    metadata: dict[str, Any]
    # Its names become columns, in place of one column for all of them.
    more: dict[str, str] = field(default_factory=dict, metadata={"column": False})

    def json_fields(self) -> dict[str, Any]:
        """The columns, then what the user noted, then the metadata in an object of its own."""
        found = {name: getattr(self, name) for name in COLUMNS}
        metadata = plain_metadata(self.metadata)
        return {**found, **self.more, "metadata": metadata}


@dataclass(frozen=True)
class LinesFacts:
    """What `kwic` states about its lines.

    Attributes
    ----------
    query
        The query as it was given.
    parsed
        The query as it was read.
    echo
        The query with parentheses if it mixes AND and OR without them; in quotes if its own quotes or parentheses are
        text; otherwise "".
    line_count
        All lines, also those that are not printed.
    exact
        Whether every occurrence was checked; otherwise lines may be missing, and `line_count` is a lower bound if parts
        of the index are.
    """

    query: str
    parsed: str
    echo: str
    line_count: int
    exact: bool


def plain_metadata(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """The metadata of a document as all formats have them: the same names and values."""
    return {field: plain_json(value) for field, value in metadata.items()}


def json_metadata(metadata: Mapping[str, Any]) -> str:
    """The same as JSON, for a cell."""
    return json.dumps(plain_metadata(metadata), ensure_ascii=False, allow_nan=False)


def _no_cells(_: ConcordanceLine) -> Sequence[str]:
    return ()


@dataclass(frozen=True)
class LineTable:
    """What is exported: lines and the facts about them.

    Attributes
    ----------
    lines
        The lines.
    width
        Context on each side, in tokens.
    characters
        Whether `width` counts characters instead.
    fields
        Metadata fields as further columns. JSON has all fields if none is named.
    about
        Facts such as query, index and seed.
    numbers
        The numbers of the lines to export; None for all.
    more, more_cells
        Names of further columns, such as marks and notes, and their cells for a line.
    squash
        Whether to collapse white space in texts, including line breaks.
    explained
        Whether a workbook has a sheet with the meanings of the columns.
    whole
        Whether all metadata are one more column, as JSON, if no field is named: as in files of typed tables.
    """

    lines: Concordance
    width: int
    characters: bool = False
    fields: tuple[str, ...] = ()
    about: Facts = ()
    numbers: Sequence[int] | None = None
    squash: bool = False
    more: tuple[str, ...] = ()
    more_cells: Callable[[ConcordanceLine], Sequence[str]] = _no_cells
    explained: bool = False
    whole: bool = False

    def __len__(self) -> int:
        return len(self.lines) if self.numbers is None else len(self.numbers)

    @property
    def header(self) -> tuple[str, ...]:
        """Names of the columns, all different."""
        # A field named like a column of ours would make two columns of one name, and a reader by names would keep
        # either.
        ours = (*COLUMNS, *self.more)
        named = tuple(f"metadata.{field}" if field in ours else field for field in self.fields)
        return (*ours, *(named or ((METADATA,) if self.whole else ())))

    @property
    def facts(self) -> Facts:
        """The facts about the lines, and what of them is written; none if nothing is known about the lines."""
        return self.stating(self.about)

    def stating(self, about: Facts) -> Facts:
        """Add to facts about the lines what of them is written."""
        if not about:
            return ()
        unit = "characters" if self.characters else "tokens"
        return (
            *about,
            ("context", f"{self.width} {unit} on each side"),
            *((("lines written", f"{len(self)} of {len(self.lines)}"),) if self.numbers is not None else ()),
            *((("metadata fields", ", ".join(self.fields)),) if self.fields else ()),
            *((("white space", "collapsed"),) if self.squash else ()),
        )

    @property
    def meanings(self) -> tuple[tuple[str, str], ...]:
        """The columns with what they mean, in the order of `header`."""
        ours = (*COLUMNS, *self.more)
        told = [tr(COLUMN_MEANINGS[name]) for name in ours]
        fields = [tr("Metadata field “{name}” of the document", name=name) for name in self.fields]
        fields += [tr("All metadata of the document as JSON")] if self.whole and not self.fields else []
        return tuple(zip(self.header, [*told, *fields], strict=True))

    def records(self, report: Report = no_report, cancel: CancelToken | None = None) -> Iterator[LineRecord]:
        """Yield one record per line.

        Parameters
        ----------
        report
            Called with the lines read, every few hundred.
        cancel
            Checked as often.

        Yields
        ------
        LineRecord
            A record; its texts keep their line breaks unless they are squashed.

        Raises
        ------
        Cancelled
            If it was cancelled.
        """
        # One per pass, because it keeps parts of the documents that it has read.
        places = CharacterPlaces(self.lines.index)
        for done, (line, metadata) in enumerate(self._chosen()):
            # Also at line 0, so that a cancelled export writes nothing.
            if done % _CHUNK == 0:
                report(Progress("Writing lines", done, len(self), "lines"))
                if cancel is not None:
                    cancel.check()
            yield self._record(line, metadata, places)

    def rows(self, report: Report = no_report, cancel: CancelToken | None = None) -> Iterator[tuple[Any, ...]]:
        """Yield the records as rows under `header`, for tables whose cells contain numbers and texts.

        Parameters
        ----------
        report
            As in `records`.
        cancel
            As in `records`.

        Yields
        ------
        tuple[Any, ...]
            A row with as many cells as `header`.

        Raises
        ------
        Cancelled
            If it was cancelled.
        """
        for record in self.records(report, cancel):
            yield self.cells(record)

    def cells(self, record: LineRecord) -> tuple[Any, ...]:
        """A record as a row under `header`."""
        # `more` keeps the order of its names, which is that of the header.
        place = tuple(getattr(record, name) for name in COLUMNS)
        fields = tuple(cell_value(record.metadata.get(field)) for field in self.fields)
        whole = (json_metadata(record.metadata),) if self.whole and not self.fields else ()
        return (*place, *record.more.values(), *fields, *whole)

    def _record(self, line: ConcordanceLine, metadata: dict[str, Any], places: CharacterPlaces) -> LineRecord:
        flat = flat_metadata(metadata)
        path = flat.get("path")
        left, match, right = (
            _SPACE.sub(" ", text) if self.squash else text for text in (line.left, line.match, line.right)
        )
        start, end = places.span(line)
        # `path` has a place of its own in the record.
        wanted = self.fields or [field for field in flat if field != "path"]
        return LineRecord(
            number=line.number,
            document=line.document,
            offset=line.offset,
            length=line.length,
            start=start,
            end=end,
            left=left,
            match=match,
            right=right,
            repeats=line.repeats,
            title=document_title(metadata, line.document),
            path=path if isinstance(path, str) and path else None,
            metadata={field: flat.get(field) for field in wanted},
            more=dict(zip(self.more, self.more_cells(line), strict=True)),
        )

    def _chosen(self) -> Iterator[tuple[ConcordanceLine, dict[str, Any]]]:
        """The lines with the metadata of their documents, read a chunk at a time."""
        numbers = range(len(self.lines)) if self.numbers is None else self.numbers
        for first in range(0, len(numbers), _CHUNK):
            lines = self.lines.lines_at(numbers[first : first + _CHUNK], self.width, self.characters)
            yield from zip(lines, self.lines.all_metadata(lines), strict=True)


@dataclass(frozen=True)
class LineWriting:
    """How lines are written: who hears of progress, what stops it, and where the facts go."""

    report: Report = no_report
    cancel: CancelToken | None = None
    about: About = "beside"


def cell_value(value: Any) -> str | int | float | None:
    """A metadata value for a cell: numbers stay numbers; true, false and Infinity are words; no value is an empty
    cell."""
    plain = plain_value(value)
    if plain is None or isinstance(plain, str) or (isinstance(plain, int) and not isinstance(plain, bool)):
        return plain
    shown = show_value(plain)
    # `show_value` of NaN does not get here: `plain_value` makes it None.
    return plain if isinstance(plain, float) and not shown.endswith("Infinity") else shown
