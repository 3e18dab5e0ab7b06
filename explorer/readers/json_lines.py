"""JSON Lines: a record per line."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from explorer.errors import SourceError
from explorer.files.encoding import decode_text, line_set
from explorer.files.json_text import parse_json
from explorer.files.streams import MAX_LINE, chunks
from explorer.i18n import mark, tr
from explorer.readers.record import Record

_PEEKED = 1 << 12


def lines_of(stream: io.BufferedReader, name: str, encoding: str = "") -> Iterator[bytes | str]:
    """Yield the lines of a stream, which may be in UTF-16.

    Parameters
    ----------
    stream
        The content, decompressed, from its beginning.
    name
        The file's name, for the message.
    encoding
        As of `decode_text`.

    Yields
    ------
    bytes | str
        A line with its line feed: text if the stream is UTF-16 or UTF-32, else bytes.

    Raises
    ------
    SourceError
        If a line has more than 1 GiB.
    """
    # A line feed of UTF-16 is two bytes, so lines of bytes would be cut inside characters. Such files are decoded as a
    # whole.
    if not line_set(stream.peek(_PEEKED), encoding):
        yield from io.StringIO(decode_text(b"".join(chunks(stream)), encoding).text, newline="\n")
        return
    # With a limit, since a file without line feeds would be read into memory as one line.
    while line := stream.readline(MAX_LINE):
        if len(line) == MAX_LINE:
            raise SourceError(
                mark("{path} has a line of more than 1 GiB, which is too long for a document."),
                reason="line-too-long",
                path=name,
            )
        yield line


def jsonl_records(lines: Iterable[bytes | str], parse: Callable[[bytes | str], Any] = parse_json) -> Iterator[Record]:
    """Yield a record for each line that is not blank.

    Parameters
    ----------
    lines
        The lines; bytes are UTF-8.
    parse
        Reads the value of a line; it raises ValueError for what is not JSON.

    Yields
    ------
    Record
        The record, numbered by its line; a line that is not a JSON object is a record with a problem.

    Examples
    --------
    >>> [record.fields for record in jsonl_records([b'{"text": "a cat"}'])]
    [{'text': 'a cat'}]
    """
    for number, line in enumerate(lines):
        if line.strip():
            yield _record(number, line, parse)


def _record(number: int, line: bytes | str, parse: Callable[[bytes | str], Any]) -> Record:
    try:
        value = parse(line)
    except ValueError as error:
        return Record(number, {}, str(error))
    if not isinstance(value, dict):
        return Record(number, {}, tr("this is not a JSON object"))
    # The output has at most four times as many bytes: 1e15, becomes 1000000000000000.0 and a space.
    return Record(number, value, most=8 * len(line))
