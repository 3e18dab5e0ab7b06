"""The files of a command: folders are read file by file, and each file by the one reader of the program."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from explorer.building.sources.readers import ReadState, list_files
from explorer.cli.options.common import STDIN, show_reading, stdin_once
from explorer.cli.output.terminal import remark
from explorer.core.files.paths import is_folder
from explorer.documents.inputs.on_bad import Reading, skipped_lines
from explorer.documents.inputs.text_input import InputText, TextInput, open_input
from explorer.errors import QueryError


def input_files(given: Sequence[str]) -> list[str]:
    """List the files that arguments name.

    given: Files, folders, and at most one "-" for standard input.
    Returns: The files in order; those of a folder in place of the folder, sorted.
    Raises `QueryError` if standard input is given twice.
    Raises `SourceError` if a folder cannot be read.
    """
    stdin_once(given)
    found: list[str] = []
    for name in given:
        if name != STDIN and is_folder(Path(name)):
            found += dict.fromkeys(str(file.path) for file in list_files([Path(name)], ReadState()))
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

    inputs: The inputs, each opened when the one before has been read.
    reading: What happens to lines that cannot be read.
    fields: The fields that were named, which a plain text does not have.
    Raises `SourceError` if an input cannot be read, or a line of it with the policy "fail".
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
        for line in skipped_lines(opened):
            remark(line)


def opened_each(files: Sequence[str], form: str, text_field: str, prompt_field: str) -> Iterator[TextInput]:
    """Open files one after the other."""
    for file in files:
        yield open_input(file, form, text_field, prompt_field)
