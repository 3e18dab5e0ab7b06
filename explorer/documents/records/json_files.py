"""JSON: an object, an array of objects, or the objects of JSON Lines; any other JSON is a text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

from explorer.core.files.encoding import UTF8, line_set, otherwise_set
from explorer.core.files.json_text import parse_json
from explorer.core.files.text_field import MISSING, look_up, missing
from explorer.documents.content import PEEKED, Content, Whole
from explorer.documents.record import Document, Record, Records
from explorer.documents.records.json_lines import is_object, jsonl_records
from explorer.i18n import tr

_ARRAY = re.compile(r'\s*\[\s*\{\s*"')
_AS_TEXT = "JSON files read as plain text"


def begins_with_array(beginning: str) -> bool:
    """Whether a text begins as an array of objects."""
    return _ARRAY.match(beginning) is not None


def read(content: Content) -> Records | Iterator[Document]:
    """Read the records of JSON; any other JSON is a text, such as a configuration file."""
    whole = _in_utf8(content, content.whole())
    lines = whole.data.splitlines(keepends=True)
    if _are_lines(lines):
        # The last line was cut with the file.
        kept = lines if whole.broken is None else lines[:-1]
        return Records(_ended(content.counted(jsonl_records(kept), len(lines)), whole), "line")
    whole.end()
    return _of_value(content, whole.text or content.decoded(whole))


def _in_utf8(content: Content, whole: Whole) -> Whole:
    """The same in UTF-8, if that is not what it may be in."""
    encoding = content.encoding
    if line_set(whole.data[:PEEKED], encoding) == UTF8 and not otherwise_set(encoding):
        return whole
    text = content.decoded(whole)
    return Whole(text.encode(UTF8, "replace"), whole.broken, text)


def _are_lines(lines: Sequence[bytes]) -> bool:
    """Whether the first two non-blank lines are JSON objects, one each."""
    first = list(islice((line for line in lines if line.strip()), 2))
    return len(first) == 2 and all(map(is_object, first))


def _ended(records: Iterable[Record], whole: Whole) -> Iterator[Record]:
    """The records before a damage, and then its error."""
    yield from records
    whole.end()


def _of_value(content: Content, text: str) -> Records | Iterator[Document]:
    try:
        records = list(json_records(parse_json(text)))
    except ValueError as error:
        records = []
        content.note(_AS_TEXT, str(error))
    first = records[0].fields if records else {}
    # "text" is the default and not a request, so an object without it may be any JSON. A field that the user named
    # must exist, or it is an error.
    if records and (look_up(first, content.text_field) is not MISSING or content.text_field != "text"):
        return Records(content.counted(records, len(records)), "object")
    if records:
        content.note(_AS_TEXT, missing(first, content.text_field))
    return iter([Document(text)])


def json_records(value: Any) -> Iterator[Record]:
    """Yield the records of one JSON value.

    value: An array, whose elements are the records; or a single record. A string means {"text": …}.
    Yields: The record; an element of another type is a record with a problem.
    """
    for number, part in enumerate(value if isinstance(value, list) else [value]):
        if isinstance(part, dict | str):
            yield Record(number, part if isinstance(part, dict) else {"text": part})
        else:
            yield Record(number, {}, tr("this is not a JSON object"))
