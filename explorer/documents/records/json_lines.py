"""JSON Lines: a record per line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any

from explorer.core.files.encoding import UTF8, line_set, otherwise_set
from explorer.core.files.json_text import parse_json
from explorer.documents.content import PEEKED, Content
from explorer.documents.record import Record, Records
from explorer.i18n import tr

_LONG = 2_000
"""Characters from which on a beginning without a line feed may be the beginning of a line."""


def read(content: Content) -> Records:
    """Read JSON Lines, each line decoded by itself, so that one bad line is one bad line."""
    known = line_set(content.stream.peek(PEEKED), content.encoding)
    if known not in ("", UTF8):
        content.note(f"files read as {known}", "")
    sets = [name for name in (known or UTF8, otherwise_set(content.encoding)) if name]
    return Records(jsonl_records(content.lines(), partial(_parse_in, sets)), "line")


def begins_with_object(beginning: str) -> bool:
    """Whether the first line of a text that is not blank is a JSON object; of a long line, whether it begins as one."""
    first, ended, _ = beginning.lstrip().partition("\n")
    is_cut = not ended and len(beginning) > _LONG
    return first.startswith('{"') if is_cut else is_object(first)


def is_object(line: bytes | str) -> bool:
    """Whether a line is a JSON object."""
    try:
        return isinstance(parse_json(line), dict)
    except ValueError:
        return False


def _parse_in(sets: Sequence[str], line: bytes | str) -> Any:
    """The value of a line in the first set that it fits; raises ValueError if it is not JSON in any."""
    for name in sets[:-1]:
        try:
            return parse_json(line, encoding=name)
        except ValueError:
            continue
    return parse_json(line, encoding=sets[-1])


def jsonl_records(lines: Iterable[bytes | str], parse: Callable[[bytes | str], Any] = parse_json) -> Iterator[Record]:
    """Yield a record for each line that is not blank.

    lines: The lines; bytes are UTF-8.
    parse: Reads the value of a line; it raises ValueError for what is not JSON.
    Yields: The record, numbered by its line; a line that is not a JSON object is a record with a problem.

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
