"""Metadata of plain texts from a separate table: one row per file, joined by the column that names the files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from explorer.building.sources.source import AS_METADATA, NO_FILE, ReadState, SourceFile
from explorer.core.files.encoding import NotTextError, decode_text
from explorer.core.files.streams import BrokenStreamError, chunks, inner_name, unpacked
from explorer.core.files.text_field import shown_names
from explorer.documents.content import PEEKED, Content
from explorer.documents.kinds import kind_named, signed_kind
from explorer.documents.record import Record, Records
from explorer.documents.records.tables import csv_records
from explorer.errors import SourceError
from explorer.i18n import mark, tr

PATH_COLUMNS = ("path", "file", "filename", "file_name")
Side = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True)
class SideTable:
    """A table of metadata.

    rows: Its rows, each with its line, counted from 1.
    """

    path: str
    rows: tuple[tuple[int, dict[str, Any]], ...] = ()
    columns: tuple[str, ...] = ()


@dataclass(frozen=True)
class Match:
    """How the rows of a table belong to files.

    column: The column that names the files; "" if none does.
    side: The values of each row by the name of its file, without empty cells.
    strays: What rows without a file name instead.
    twice: The line of a row whose file has a row before it, and the file; None if there is none.
    """

    column: str
    fields: tuple[str, ...]
    side: Side
    strays: tuple[str, ...]
    twice: tuple[int, str] | None = None


def read_side(table: str, encoding: str = "") -> SideTable:
    """Read a table of metadata.

    table: The path of a CSV or TSV file, a spreadsheet or a Parquet file; "" for none.
    encoding: The character set of a CSV or TSV file, as of `explorer.core.files.encoding.decode_text`.
    Raises `SourceError` if the table or one of its rows cannot be read.
    """
    if not table:
        return SideTable("")
    rows: list[tuple[int, dict[str, Any]]] = []
    for record in _records(Path(table), encoding):
        if record.problem:
            raise SourceError(
                mark("{path}, line {line}: {problem}."),
                reason="bad-row",
                problem=record.problem,
                path=table,
                line=record.number + 1,
            )
        rows.append((record.number + 1, record.fields))
    return SideTable(table, tuple(rows), tuple(rows[0][1]) if rows else ())


def _records(path: Path, encoding: str) -> list[Record]:
    """The rows of a CSV file, or of any kind of table that is recognized by its content."""
    name = inner_name(path.name)
    try:
        with open(path, "rb") as raw:
            stream = unpacked(raw, path.name)
            kind = signed_kind(stream.peek(PEEKED)[:PEEKED], name)
            if kind is None or not kind.has_records:
                return list(csv_records(decode_text(b"".join(chunks(stream)), encoding).text, name))
            if not kind.is_installed:
                raise _unreadable(path, kind.why_not)
            # Without a field for the text, each column is metadata.
            found = kind.read(Content(name, str(path), raw, stream, path, path.stat().st_size, text_field=""))
            assert isinstance(found, Records)
            return list(found.records)
    except OSError as error:
        raise _unreadable(path, error.strerror) from error
    except (BrokenStreamError, NotTextError) as error:
        raise SourceError(mark("{path}: {cause}."), reason="not-a-table", path=path, cause=error) from error


def _unreadable(path: Path, cause: str | None) -> SourceError:
    return SourceError(mark("{path} cannot be read: {cause}."), reason="unreadable", path=path, cause=cause)


def match_files(table: SideTable, files: Sequence[SourceFile]) -> Match:
    """Find the column of a table that names the files, and the row of each file.

    Returns: By the column in which most files are found: by their path in the source, their whole path, or their name
        with or without its ending. Of equal columns, one that is called path, file or filename.
    """
    return _match(table, _names_of(files))


def _match(table: SideTable, known: Mapping[str, str]) -> Match:
    """The same, by the names of the files as of `_names_of`."""

    def fits(column: str) -> tuple[int, bool]:
        found = {name for _, row in table.rows if (name := _file_of(row.get(column), known))}
        return len(found), column.lower() in PATH_COLUMNS

    # The first of equals: `max` keeps it.
    column = max(table.columns, key=fits, default="")
    if not column or not fits(column)[0]:
        named = next((name for name in table.columns if name.lower() in PATH_COLUMNS), "")
        return Match("", (), {}, tuple(slashed(row.get(named)) for _, row in table.rows) if named else ())
    side: dict[str, dict[str, Any]] = {}
    strays, twice = [], None
    for line, row in table.rows:
        name = _file_of(row.get(column), known)
        if not name:
            strays.append(slashed(row.get(column)))
        elif name in side:
            twice = twice or (line, slashed(row.get(column)))
        else:
            # An empty cell is a missing value, not an empty text.
            side[name] = {field: value for field, value in row.items() if field != column and value != ""}
    return Match(column, tuple(name for name in table.columns if name != column), side, tuple(strays), twice)


@dataclass(frozen=True)
class Proposal:
    """A table among the sources that names other files of them: it may be their metadata.

    fields: The columns that would be metadata.
    matched: The files that it has a row for.
    files: The files that it could have a row for.
    """

    path: Path
    fields: tuple[str, ...]
    matched: int
    files: int


_TABLES = ("csv", "spreadsheet")
_MOST_TABLES, _MOST_BYTES = 8, 32 << 20
"""Tables that are looked at before a build, and bytes of each: tables of metadata are few and small."""


def propose_tables(files: Sequence[SourceFile], encoding: str) -> tuple[Proposal, ...]:
    """Find tables among the files of a build that name other files.

    encoding: Their character set, as of `explorer.core.files.encoding.decode_text`.
    Returns: The tables of which a row matches a file, in the order of the files.
    """
    texts = [file for file in files if not file.kind or file.kind == "json" or not kind_named(file.kind).has_records]
    tables = [file for file in files if file.kind in _TABLES and not file.inner and file.size <= _MOST_BYTES]
    found = []
    # Once for all tables: thousands of files have tens of thousands of names.
    known = _names_of(texts) if tables else {}
    for file in tables[:_MOST_TABLES] if texts else ():
        try:
            match = _match(read_side(str(file.path), encoding), known)
        except SourceError:
            continue
        if match.side:
            found.append(Proposal(file.path, match.fields, len(match.side), len(texts)))
    return tuple(found)


def _names_of(files: Sequence[SourceFile]) -> dict[str, str]:
    """The name in the source of each file, by all that a table may call it; "" for what two files could be called."""
    known: dict[str, str] = {}
    for file in files:
        known[file.name] = known[slashed(file.place)] = file.name
    exact = set(known)
    for file in files:
        for other in _short_names(file.name):
            if other not in exact:
                known[other] = file.name if known.get(other, file.name) == file.name else ""
    return known


def _short_names(name: str) -> Iterator[str]:
    """A name without its ending, and without its folders."""
    yield from {name.rpartition("/")[2], *_without_ending(name), *_without_ending(name.rpartition("/")[2])}


def _without_ending(name: str) -> Iterator[str]:
    inner = name[: len(inner_name(name))]
    for each in (name, inner):
        stem, dot, ending = each.rpartition(".")
        if stem and dot and "/" not in ending:
            yield stem


def _file_of(value: Any, known: Mapping[str, str]) -> str:
    path = slashed(value)
    # A table that was written elsewhere has other folders before the names.
    return known.get(path) or known.get(path.rpartition("/")[2], "") if path else ""


def slashed(value: Any) -> str:
    """The name of a file as it is written on every system."""
    # As spreadsheets on Windows and `find .` write paths.
    return "" if value is None else str(value).strip().replace("\\", "/").removeprefix("./")


def fields_of(side: Side, file: SourceFile) -> dict[str, Any] | None:
    """A copy of the fields of a file, for its document; None if the table of metadata has no row for it.

    Returns: The values; None if the table has no row for it.
    """
    found = side.get(file.name)
    return None if found is None else dict(found)


def without_table(table: str, files: Sequence[SourceFile], state: ReadState) -> list[SourceFile]:
    """The files without the table of metadata itself, which may be among them; it is noted.

    table: The path of the table; "" for none.
    state: Receives a note about the table.
    """
    if not table:
        return list(files)
    path = Path(table).resolve()
    kept = [file for file in files if file.path.name != path.name or file.path.resolve() != path]
    if len(kept) < len(files):
        state.note(AS_METADATA, table)
    return kept


def side_of(table: str, encoding: str, files: Sequence[SourceFile], state: ReadState) -> Side:
    """Read the table of metadata of a build, and note its rows that match no file.

    table: The path of the table; "" for none.
    state: Receives one note per row without a file.
    Raises `SourceError` if the table cannot be read, if no row matches a file, or two rows match one.
    """
    read = read_side(table, encoding)
    if not read.rows:
        return {}
    match = match_files(read, files)
    if not match.column:
        raise _no_match(read, match, files)
    if match.twice is not None:
        raise SourceError(
            mark("{path}, line {line}: {named} occurs twice."),
            reason="row-twice",
            named=match.twice[1],
            path=table,
            line=match.twice[0],
        )
    # A few strays are noted, since a table may cover more than these sources.
    for path in match.strays:
        state.note(NO_FILE, table, reason=tr("no file {path}", path=path))
    return match.side


def _no_match(table: SideTable, match: Match, files: Sequence[SourceFile]) -> SourceError:
    name = files[0].name if files else tr("no file")
    if not match.strays:
        return SourceError(
            mark(
                '{path} has no column that names the files, such as "path" (columns: {names}); the sources contain '
                "{name}."
            ),
            reason="no-path-column",
            path=table.path,
            names=shown_names(table.columns),
            name=name,
        )
    return SourceError(
        mark(
            "No row of {path} matches a source file: the table names, for example, {named}, and the sources contain "
            "{name}."
        ),
        reason="no-row-matches",
        path=table.path,
        named=match.strays[0],
        name=name,
    )
