"""Metadata of plain texts from a separate table: one row per file, joined by its path."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from explorer.building.source import ReadState, SourceFile
from explorer.errors import SourceError
from explorer.files.encoding import NotTextError, decode_text
from explorer.files.records import csv_records
from explorer.files.streams import BrokenStreamError, chunks, inner_name, unpacked
from explorer.files.text_field import shown_names
from explorer.i18n import mark, tr

PATH_COLUMNS = ("path", "file", "filename", "file_name")
Side = Mapping[str, Mapping[str, Any]]


def read_side(table: str, encoding: str = "") -> Side:
    """Read a table of metadata.

    Parameters
    ----------
    table
        The path of a CSV or TSV file; "" for none. Its column path, file or filename has the file's path relative to
        its source folder, or its name if the file is a source itself.
    encoding
        Its character set, as of `explorer.files.encoding.decode_text`.

    Returns
    -------
    Side
        The other columns of each row, by that path.

    Raises
    ------
    SourceError
        If the table cannot be read, has no such column, or has a path twice.
    """
    if not table:
        return {}
    found: dict[str, dict[str, Any]] = {}
    column = ""
    for record in csv_records(_text(Path(table), encoding), inner_name(table)):
        if record.problem:
            raise SourceError(
                mark("{path}, line {line}: {problem}."),
                reason="bad-row",
                problem=record.problem,
                path=table,
                line=record.number + 1,
            )
        # An empty cell is a missing value, not an empty text.
        fields = {name: value for name, value in record.fields.items() if value != ""}
        # Once: all rows of a table have the same columns.
        column = column or _path_column(table, record.fields)
        path = _normal(str(fields.pop(column, "")))
        if path in found:
            raise SourceError(
                mark("{path}, line {line}: {named} occurs twice."),
                reason="row-twice",
                named=path,
                path=table,
                line=record.number + 1,
            )
        found[path] = fields
    return found


def _text(path: Path, encoding: str) -> str:
    try:
        with open(path, "rb") as raw:
            return decode_text(b"".join(chunks(unpacked(raw, path.name))), encoding).text
    except OSError as error:
        raise SourceError(
            mark("{path} cannot be read: {cause}."),
            reason="unreadable",
            path=path,
            cause=error.strerror,
        ) from error
    except (BrokenStreamError, NotTextError) as error:
        raise SourceError(mark("{path}: {cause}."), reason="not-a-table", path=path, cause=error) from error


def _path_column(table: str, fields: Mapping[str, Any]) -> str:
    for name in fields:
        if name.lower() in PATH_COLUMNS:
            return name
    raise SourceError(
        mark('{path} has no column "path" to name the files (columns: {names}).'),
        reason="no-path-column",
        path=table,
        names=shown_names(fields),
    )


def _normal(path: str) -> str:
    # As spreadsheets on Windows and `find .` write paths.
    return path.replace("\\", "/").removeprefix("./")


def fields_of(side: Side, file: SourceFile) -> dict[str, Any] | None:
    """Find the fields of a file in the table of metadata.

    Parameters
    ----------
    side
        The table: fields by path.
    file
        The file, found by its name in the source or by its whole path.

    Returns
    -------
    dict[str, Any] | None
        A copy of its fields; None if no row matches.
    """
    # A row may have no values: it is found all the same. The copy belongs to the document.
    found = side.get(file.name, side.get(str(file.path)))
    return None if found is None else dict(found)


def check_side(table: str, side: Side, files: Sequence[SourceFile], state: ReadState) -> None:
    """Note the rows of the table of metadata that match no file.

    Parameters
    ----------
    table
        The path of the table, for messages.
    side
        The table: fields by path.
    files
        The files of the build.
    state
        Receives one note per row without a file.

    Raises
    ------
    SourceError
        If no row matches a file.
    """
    # A few strays are noted, since a table may cover more than these sources. None that fits is a mistake in the paths.
    known = {name for file in files for name in (file.name, str(file.path))}
    strays = [path for path in side if path not in known]
    if side and len(strays) == len(side):
        raise SourceError(
            mark(
                "No row of {path} matches a source file: the table names, for example, {named}, and the sources "
                "contain {name}."
            ),
            reason="no-row-matches",
            path=table,
            named=strays[0],
            name=files[0].name if files else tr("no file"),
        )
    for path in strays:
        state.note("rows of the metadata without a file", table, reason=tr("no file {path}", path=path))
