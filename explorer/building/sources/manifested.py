"""The files that a table names: the sources of a build and their metadata in one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from explorer.building.sources.side_metadata import PATH_COLUMNS, Side, read_side, slashed
from explorer.building.sources.source import NO_FILE, NO_TEXT_ROWS, TWICE, ReadState, SourceFile
from explorer.building.sources.walk import files_at
from explorer.core.files.paths import is_file
from explorer.core.files.text_field import shown_names
from explorer.errors import SourceError
from explorer.i18n import mark, tr

FILE_COLUMN = "file"


def manifest_files(table: str, state: ReadState, skip_bad: bool = False, encoding: str = "") -> list[SourceFile]:
    """List the files that a table names, in the order of its rows.

    table: The path of the table; names of files are relative to its folder.
    state: Receives a note about each row whose file does not exist or has a row before it, and about all files that are
        skipped.
    skip_bad: Whether to note files that cannot be read, instead of raising.
    encoding: The character set of the table and of the files, as of `explorer.core.files.encoding.decode_text`.
    Raises `SourceError` if the table cannot be read or names no file, or a file cannot be read and not `skip_bad`.
    """
    named = _named(table, encoding)
    files: list[SourceFile] = []
    known: set[str] = set()
    for line, name, _ in named:
        path = Path(table).parent / name
        if not name:
            state.note(NO_TEXT_ROWS, table, line, tr("its cell is empty"))
        elif name in known:
            state.note(TWICE, table, line, tr("{path} has a row before", path=name))
        elif not is_file(path):
            state.note(NO_FILE, table, line, tr("no file {path}", path=name))
        else:
            known.add(name)
            files += files_at(path, name, state, skip_bad, encoding)
    if not known:
        raise SourceError(
            mark("No file that {path} names exists: the names are relative to its folder."),
            reason="no-file-of-manifest",
            path=table,
        )
    return files


def manifest_side(table: str, encoding: str, files: Sequence[SourceFile]) -> Side:
    """Read the other columns of a table that names files.

    Returns: The values of each file by its name, without empty cells; of a file in an archive, those of the archive.
    """
    about: dict[str, dict[str, Any]] = {}
    for _, name, fields in _named(table, encoding):
        about.setdefault(name, fields)
    names = {file.name: file.name.removesuffix(f"/{file.inner}") if file.inner else file.name for file in files}
    return {name: about[outer] for name, outer in names.items() if outer in about}


def _named(table: str, encoding: str) -> list[tuple[int, str, dict[str, Any]]]:
    """Each row of a table: its line, the name of its file, and its other cells."""
    read = read_side(table, encoding)
    column = _file_column(table, read.columns)
    return [
        # An empty cell is a missing value, not an empty text.
        (line, slashed(row.get(column)), {name: cell for name, cell in row.items() if name != column and cell != ""})
        for line, row in read.rows
    ]


def _file_column(table: str, columns: Sequence[str]) -> str:
    """The column with the files: "file", or another usual name."""
    usual = (FILE_COLUMN, *PATH_COLUMNS)
    found = [column for name in usual for column in columns if column.lower() == name]
    if not found:
        raise SourceError(
            mark('{path} has no column "file" that names the files (columns: {names}).'),
            reason="no-file-column",
            path=table,
            names=shown_names(columns),
        )
    return found[0]
