"""Files of queries: a text with one per line, or records, each read as it arrives."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import replace
from io import BufferedReader
from typing import cast

from explorer.cli.options.common import STDIN
from explorer.core.files.streams import BrokenStreamError, inner_name, unpacked
from explorer.documents.inputs.text_input import InputText, TextInput, open_input
from explorer.documents.kinds import endings, kinds_of_records
from explorer.documents.lines import lines_of
from explorer.errors import CorpusError, SourceError

_PACKED = (b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"BZh", b"\xfd7zXZ")
"""The first bytes of gzip, Zstandard, bzip2 and xz."""
_EMPTY = "it is empty; a query needs a word or a phrase"


def open_queries(file: str, field: str) -> TextInput:
    """Open a file of queries.

    file: A text with a query per line, or records by its ending (JSON Lines, JSON, CSV, TSV, Parquet); "-" is standard
        input. Both can be compressed.
    Returns: The queries, each as soon as it has arrived; a line that is empty or not UTF-8, and a record without the
        field, is a text with a problem.
    Raises `SourceError` if records cannot be read. A text is opened when its first line is asked for.
    """
    # The lines of other files are texts, whatever they begin with.
    if inner_name(file).endswith(endings(kinds_of_records())):
        opened = open_input(file, "auto", field)
        return replace(opened, texts=map(_with_problem, opened.texts))
    name = shown_name(file)
    return TextInput(name, "text", "", "", (), "utf-8", 0, (), _lines(file, name))


def shown_name(file: str) -> str:
    """What to call a file in messages."""
    return "standard input" if file == STDIN else file


def _with_problem(found: InputText) -> InputText:
    return found if found.problem or found.text else replace(found, problem=_EMPTY)


def _lines(file: str, name: str) -> Iterator[InputText]:
    """Each line of a file, without its line end."""
    if file == STDIN and sys.stdin is None:
        raise CorpusError("Standard input is closed.", reason="no-standard-input")
    try:
        # Standard input is not ours to close. A ValueError is a name with a zero byte.
        with nullcontext(cast(BufferedReader, sys.stdin.buffer)) if file == STDIN else open(file, "rb") as raw:
            # `unpacked` waits for ten bytes, and a person who types queries waits for the answer to the first.
            plain = file == STDIN and not raw.peek(1).startswith(_PACKED)
            for number, line in enumerate(lines_of(raw if plain else unpacked(raw, name), name), start=1):
                yield _query(name, number, line)
    except BrokenStreamError as error:
        raise SourceError("{path} {cause}.", reason="input-damaged", path=name, cause=error) from error
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise CorpusError("{path} cannot be read: {cause}.", reason="unreadable", path=name, cause=reason) from error


def _query(name: str, number: int, line: bytes | str) -> InputText:
    try:
        # Windows programs put a byte order mark at the beginning, which is not a part of the text.
        text = line if isinstance(line, str) else line.decode("utf-8-sig" if number == 1 else "utf-8")
    except UnicodeDecodeError as error:
        return InputText(name, number, "", problem=f"it is not UTF-8 text (byte {error.start + 1:,})")
    query = text.removesuffix("\n").removesuffix("\r")
    return InputText(name, number, query, problem="" if query else _EMPTY)
