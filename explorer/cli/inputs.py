"""The files of a command: folders are read file by file, and each file by the one reader of the program."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from io import BufferedReader
from pathlib import Path
from typing import cast

from explorer.building.readers import ReadState, list_files
from explorer.cli.common import STDIN, decode, show_reading, stdin_once
from explorer.cli.terminal import remark
from explorer.errors import CorpusError, QueryError, SourceError
from explorer.files.paths import is_folder
from explorer.files.records import lines_of
from explorer.files.streams import BrokenStreamError, inner_name, unpacked
from explorer.texts.on_bad import Reading
from explorer.texts.text_input import InputText, TextInput, open_input

_PACKED = (b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"BZh", b"\xfd7zXZ")
"""The first bytes of gzip, Zstandard, bzip2 and xz."""
_RECORD_ENDINGS = (".jsonl", ".ndjson", ".json", ".csv", ".tsv", ".tab", ".parquet")
"""Files of queries that are records; the lines of other files are texts, whatever they begin with."""


def input_files(given: Sequence[str]) -> list[str]:
    """List the files that arguments name.

    Parameters
    ----------
    given
        Files, folders, and at most one "-" for standard input.

    Returns
    -------
    list[str]
        The files in order; those of a folder in place of the folder, sorted.

    Raises
    ------
    QueryError
        If standard input is given twice.
    SourceError
        If a folder cannot be read.
    """
    stdin_once(given)
    found: list[str] = []
    for name in given:
        if name != STDIN and is_folder(Path(name)):
            found += [str(file.path) for file in list_files([Path(name)], ReadState())]
        else:
            found.append(name)
    report_repeated(found)
    return found


def report_repeated(files: Sequence[str]) -> None:
    """Report files that are given several times: that can be meant, so it is not refused."""
    for name, count in Counter(files).items():
        if count > 1:
            remark(f"{name} is given {count} times, and read as often")


def texts_of(inputs: Iterator[TextInput], reading: Reading, fields: Sequence[str]) -> Iterator[InputText]:
    """Yield the texts of several inputs; a plain text is one of them.

    Parameters
    ----------
    inputs
        The inputs, each opened when the one before has been read.
    reading
        What happens to lines that cannot be read.
    fields
        The fields that were named, which a plain text does not have.

    Yields
    ------
    InputText
        A text.

    Raises
    ------
    QueryError
        If a field was named and an input is a plain text.
    SourceError
        If an input cannot be read, or a line of it with the policy "fail".
    """
    for opened in inputs:
        show_reading(opened)
        if opened.format == "text" and any(fields):
            raise QueryError(
                '{path} is a single text and has no field "{field}".',
                reason="no-fields",
                path=opened.source,
                field=next(filter(None, fields)),
                option="field",
            )
        yield from reading.texts(opened)


def opened_each(files: Sequence[str], form: str, text_field: str, prompt_field: str) -> Iterator[TextInput]:
    """Open files one after the other."""
    for file in files:
        yield open_input(file, form, text_field, prompt_field)


def queries_of(file: str, field: str) -> Iterator[str]:
    """Yield the queries of a file as soon as they have arrived.

    Parameters
    ----------
    file
        A text with a query per line, or records by its ending (JSON Lines, JSON, CSV, TSV, Parquet); "-" is standard
        input. Both can be compressed.
    field
        The field of the query in a record.

    Yields
    ------
    str
        A query.

    Raises
    ------
    QueryError
        For the first line that is empty or not UTF-8; output lines must match input lines, so none is skipped.
    SourceError
        If the file cannot be read, or for the first record without the field.
    """
    if inner_name(file).endswith(_RECORD_ENDINGS):
        found = _queries_of_records(file, field)
    else:
        found = iter(enumerate(_lines(file), start=1))
    name = _shown(file)
    for number, query in found:
        if not query:
            raise QueryError(
                "{path}, line {line:,} is empty. A query needs a word or a phrase.",
                reason="empty-line",
                path=name,
                line=number,
            )
        yield query


def _queries_of_records(file: str, field: str) -> Iterator[tuple[int, str]]:
    for text in open_input(file, "auto", field).texts:
        if text.problem:
            # A bad record is an error, as a bad line is.
            raise SourceError(
                "{path}, line {line:,}: {problem}.",
                reason="bad-query",
                path=_shown(file),
                line=text.line,
                problem=text.problem,
            )
        yield text.line, text.text


def _lines(file: str) -> Iterator[str]:
    """Each line of a file, without its line feed."""
    name = _shown(file)
    if file == STDIN and sys.stdin is None:
        raise CorpusError("Standard input is closed.", reason="no-standard-input")
    try:
        # Standard input is not ours to close. A ValueError is a name with a zero byte.
        with nullcontext(cast(BufferedReader, sys.stdin.buffer)) if file == STDIN else open(file, "rb") as raw:
            # `unpacked` waits for ten bytes, and a person who types queries waits for the answer to the first.
            plain = file == STDIN and not raw.peek(1).startswith(_PACKED)
            for number, line in enumerate(lines_of(raw if plain else unpacked(raw, name), name), start=1):
                text = line if isinstance(line, str) else decode(line, f"{name}, line {number:,},")
                yield text.removesuffix("\n").removesuffix("\r")
    except BrokenStreamError as error:
        raise SourceError("{path} {cause}.", reason="input-damaged", path=name, cause=error) from error
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise CorpusError("{path} cannot be read: {cause}.", reason="unreadable", path=name, cause=reason) from error


def _shown(file: str) -> str:
    return "standard input" if file == STDIN else file
