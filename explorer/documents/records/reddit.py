"""Dumps of Reddit (Pushshift): comments and submissions in JSON Lines, as texts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from explorer.core.files.json_text import parse_json
from explorer.documents.content import Content
from explorer.documents.record import Document, Record, Records
from explorer.documents.records import json_lines
from explorer.documents.skipped import DELETED
from explorer.i18n import tr

_DELETED = {"[deleted]", "[removed]", "[deleted by user]", "[ Removed by Reddit ]"}
_KEPT = ("id", "author", "subreddit", "created_utc")
_NEEDED = {"author", "subreddit", "created_utc"}
_TEXTS = {"body", "selftext"}
_KEY = re.compile(r'"(\w+)"\s*:')
_USUAL = ("", "text")
_LAST_SECOND = 253_402_300_799
"""Of the year 9999, which is the last one of Python."""


def is_dump(head: bytes, name: str) -> bool:
    """Whether the first line is a comment or a submission, and has no field "text", which would be read as such."""
    del name  # Dumps have names without an ending, such as RC_2019-04.
    if not head.startswith(b'{"'):
        return False
    line = head.partition(b"\n")[0].decode("utf-8", "replace")
    try:
        fields = set(parse_json(line))
    except ValueError:
        # The line is longer than the beginning, which shows the names of the first fields and of what is inside them.
        fields = set(_KEY.findall(line)) - {"text"}
    return fields >= _NEEDED and bool(fields & _TEXTS) and "text" not in fields


def read(content: Content) -> Records | Iterator[Document]:
    """Read the posts of a dump; the records as they are if a field for the text is named."""
    records = json_lines.read(content)
    return map(_document, records.records) if content.text_field in _USUAL else records


def _document(record: Record) -> Document:
    if record.problem:
        return Document("", place=record.number, problem=record.problem)
    text = _text_of(record.fields)
    if text is None:
        return Document("", place=record.number, problem=tr('there is no text in "body", "selftext" or "title"'))
    if not text:
        problem = tr("{name} was deleted", name=str(record.fields.get("id", "")) or tr("the post"))
        return Document("", place=record.number, problem=problem, skipped=DELETED)
    return Document(_unescaped(text), _metadata(record.fields), record.number)


def _text_of(fields: Mapping[str, Any]) -> str | None:
    """The text of a post; "" if it was deleted, None if it has none."""
    body, title = fields.get("body"), fields.get("title")
    if isinstance(body, str):
        return "" if body in _DELETED else body
    selftext = fields.get("selftext")
    parts = [part for part in (title, selftext) if isinstance(part, str)]
    if any(part in _DELETED for part in parts):
        return ""
    return "\n\n".join(filter(None, parts)) or None


def _unescaped(text: str) -> str:
    """The text as people wrote it: Reddit's interface replaces these three characters."""
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


def _metadata(fields: Mapping[str, Any]) -> dict[str, Any]:
    found = {name: fields[name] for name in _KEPT if isinstance(fields.get(name), str | int | float)}
    moment = _seconds(found.get("created_utc"))
    if moment is None:
        return found
    date = datetime.fromtimestamp(moment, UTC).isoformat().replace("+00:00", "Z")
    return {**found, "created_utc": moment, "date": date}


def _seconds(value: object) -> int | None:
    """A time in seconds, which old dumps have as text; None for any other value."""
    try:
        moment = int(value) if isinstance(value, int | float | str) else -1
    except (ValueError, OverflowError):
        return None
    return moment if 0 <= moment <= _LAST_SECOND else None
