"""From the text of a project file to its values. The file is untrusted: sizes, depth and types are checked."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeVar

from explorer.analyses.metadata.values import OPERATORS, FieldFilter
from explorer.analyses.search.arrange import Filter, NearFilter, parse_sort
from explorer.analyses.search.find import MATCHES, MAX_DISTANCE
from explorer.analyses.search.limits import MOST_TOKENS_AROUND
from explorer.analyses.search.query import VARIANTS
from explorer.backends.places import HitPlace
from explorer.core.files.json_text import MOST_DIGITS
from explorer.errors import CorpusError, QueryError
from explorer.i18n import mark, tr
from explorer.project.lines import KeptLine, KeptLines
from explorer.project.nodes import Node, Wrong, named
from explorer.project.places import checked_path
from explorer.project.positions import Path, line_and_column, position_of
from explorer.project.values import VERSION, Index, LineSet, Project, Query, SavedQuery
from explorer.text.patterns.equal import checked_equate
from explorer.text.patterns.equates import EQUATES

T = TypeVar("T")
FORMAT = "corpus-explorer project"
MOST_BYTES = 64 << 20
"""Of a project file."""
MOST_DEPTH = 32
"""Objects and lists inside each other."""
_NAME = 1_000
"""Characters of a name."""


class ProjectError(CorpusError):
    """A project file cannot be read or written."""


def parse_project(data: bytes, path: str) -> tuple[Project, int, tuple[str, ...]]:
    """Read a project file.

    data: The bytes of the file.
    Returns: The project without its origin, the version of its format, and what a newer version wrote that this one
        does not understand.
    Raises `ProjectError` if it is not a project file, too large or damaged; with `line` and `column`, both from 1.
    """
    if len(data) > MOST_BYTES:
        raise ProjectError(
            mark("{path} is too large for a project file ({size:,} bytes; at most {most:,})."),
            reason="project-too-large",
            path=path,
            size=len(data),
            most=MOST_BYTES,
        )
    text = _decoded(data, path)
    # Parsed before it is known to be a project: a file that is cut short should be called damaged, not foreign.
    value = _parsed(text, path)
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        raise ProjectError(mark("{path} is not a project of Corpus Explorer."), reason="not-a-project", path=path)
    try:
        return _project(Node(value))
    except Wrong as wrong:
        line, column = line_and_column(text, position_of(text, wrong.path))
        raise _damaged(path, line, column, tr(wrong.expected), named(wrong.path)) from wrong


def _damaged(path: str, line: int, column: int, expected: str, where: str) -> ProjectError:
    return ProjectError(
        mark("{path} is damaged at line {line:,}, column {column:,}: {where} must be {expected}."),
        reason="project-damaged",
        path=path,
        line=line,
        column=column,
        where=where,
        expected=expected,
    )


def _broken(path: str, line: int, column: int, cause: str) -> ProjectError:
    return ProjectError(
        mark("{path} is damaged at line {line:,}, column {column:,}: {cause}."),
        reason="project-damaged",
        path=path,
        line=line,
        column=column,
        cause=cause,
    )


def _odd(path: str, cause: str) -> ProjectError:
    """What has no place, since Python does not tell one."""
    return ProjectError(mark("{path} is damaged: {cause}."), reason="project-damaged", path=path, cause=cause)


def _decoded(data: bytes, path: str) -> str:
    try:
        # Some editors put a byte order mark in front, which is not JSON.
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        # Columns are counted in characters, so what precedes the byte is decoded.
        before = data[: error.start].decode("utf-8", "replace")
        raise _broken(path, *line_and_column(before, len(before)), tr("this is not UTF-8")) from error


def _parsed(text: str, path: str) -> Any:
    try:
        value = json.loads(
            text, object_pairs_hook=_object, parse_constant=_refuse, parse_float=_number, parse_int=_whole
        )
    except json.JSONDecodeError as error:
        raise _broken(path, error.lineno, error.colno, tr("this is not JSON ({error})", error=error.msg)) from error
    except RecursionError as error:
        raise _odd(path, tr("it is nested too deeply")) from error
    except ValueError as error:
        raise _odd(path, tr("a value cannot be read ({error})", error=error)) from error
    _check_depth(value, path)
    return value


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        # Reading one of them and writing it back would lose the other.
        twice = next(key for key, times in Counter(key for key, _ in pairs).items() if times > 1)
        raise ValueError(tr("the key “{key}” is there twice", key=twice[:_NAME]))
    return made


def _refuse(name: str) -> float:
    # Python would read NaN and Infinity, and write them back; other programs would refuse the file.
    raise ValueError(tr("{name} is not a number of JSON", name=name))


def _number(text: str) -> float:
    # 1e999 is valid JSON, but Python makes it infinite, and then it cannot be written.
    found = float(text)
    if math.isinf(found):
        raise ValueError(tr("{name} is not a number of JSON", name=text[:40]))
    return found


def _whole(text: str) -> int:
    # Python would refuse it, with advice for programmers.
    if len(text) > MOST_DIGITS:
        raise ValueError(tr("a number has {count:,} digits", count=len(text)))
    return int(text)


def _check_depth(value: Any, path: str) -> None:
    # Level by level and not by recursion, which a deep file would exhaust.
    level = [value]
    for _ in range(MOST_DEPTH):
        level = [
            part
            for whole in level
            if isinstance(whole, dict | list)
            for part in (whole.values() if isinstance(whole, dict) else whole)
        ]
        if not level:
            return
    raise _odd(path, tr("it is nested too deeply"))


def _project(top: Node) -> tuple[Project, int, tuple[str, ...]]:
    # Only so that they count as known: each save writes them itself.
    for written in ("format", "program"):
        top.text(written)
    version = top.whole("version", least=1)
    # Of a newer version, each part is understood or not by itself; of this one, what is not understood is damage.
    skipped: list[str] = []
    read = _Reading(skipped if version > VERSION else None)
    indexes = read.each(top, "indexes", _index)
    queries = read.each(top, "queries", _saved_query)
    sets = read.each(top, "sets", _line_set)
    _check_unique([index.id for index in indexes], top, "indexes")
    _check_unique([kept.name for kept in sets], top, "sets")
    views = read.one(lambda: _views(top)) or ()
    screen = read.one(lambda: top.text("screen", most=_NAME)) or ""
    opened = read.one(lambda: top.text("opened", most=_NAME)) or ""
    notes = read.one(lambda: top.text("notes")) or ""
    # `extra` last, here and below: it is what nothing before it has asked for.
    return Project(indexes, queries, sets, views, screen, opened, notes, top.extra), version, tuple(skipped)


class _Reading:
    """Reads parts of a file. skipped: takes a sentence about each part that is left out; None: they are damage."""

    def __init__(self, skipped: list[str] | None) -> None:
        self._skipped = skipped

    def each(self, top: Node, key: str, read: Callable[[Node], T]) -> tuple[T, ...]:
        """The items of a list."""
        items = self.one(lambda: top.items(key)) or []
        found = (self.one(partial(_read_item, read, *item)) for item in items)
        return tuple(item for item in found if item is not None)

    def one(self, read: Callable[[], T]) -> T | None:
        """One part; None if it is left out."""
        try:
            return read()
        except Wrong as wrong:
            if self._skipped is None:
                raise
            self._skipped.append(tr("{where} is not understood", where=named(wrong.path)))
            return None


def _read_item(read: Callable[[Node], T], value: Any, path: Path) -> T:
    return read(Node(value, path))


def _check_unique(names: Sequence[str], top: Node, key: str) -> None:
    if len(set(names)) < len(names):
        raise top.wrong(key, mark("items with different names"))


def _index(node: Node) -> Index:
    tokenizer = None if node.is_null("tokenizer") else node.text("tokenizer")
    return Index(
        id=node.text("id", None, _NAME),
        name=node.text("name", most=_NAME),
        paths=node.texts("paths", checked_path),
        minus=node.texts("minus", checked_path),
        tokenizer=None if tokenizer is None else _path_at(node, "tokenizer", tokenizer),
        check_fit=node.flag("check_fit", True),
        fingerprint=node.text("fingerprint", most=_NAME),
        documents=node.whole("documents", -1, -1),
        tokens=node.whole("tokens", -1, -1),
        extra=node.extra,
    )


def _path_at(node: Node, key: str, text: str) -> str:
    try:
        return checked_path(text)
    except ValueError as error:
        raise node.wrong(key, str(error)) from error


def _query(node: Node) -> Query:
    text = node.text("text", None)
    query = Query(
        text=text,
        match=node.choice("match", "text", MATCHES),
        ignore_case=node.flag("ignore_case", False),
        whole_words=node.flag("whole_words", False),
        equate=checked_equate(node.texts("equate", _equated)),
        variants=node.texts("variants", _variant),
        distance=node.whole("distance", 100, most=MAX_DISTANCE),
        # null is the rarest clause; a missing key is the first one.
        node=None if node.has("node") and node.is_null("node") else node.whole("node", 0),
        literal=node.flag("literal", False),
        filters=tuple(_filter(Node(*item)) for item in node.items("filters")),
        sort=node.text("sort", "right", _NAME),
        sample=node.whole("sample", 0),
        collapse=node.whole("collapse", 0, most=MOST_TOKENS_AROUND),
        seed=node.whole("seed", 0),
        extra=node.extra,
    )
    try:
        parse_sort(query.sort)
    except QueryError as error:
        raise node.wrong("sort", mark("an order of lines")) from error
    try:
        # A search would refuse it, too, but only here is its line in the file known.
        query.options.check()
    except QueryError as error:
        raise node.wrong("match", mark("a match that its options can be used with")) from error
    return query


def _variant(text: str) -> str:
    if text not in VARIANTS:
        raise ValueError(mark("a known name"))
    return text


def _equated(text: str) -> str:
    if text not in EQUATES:
        raise ValueError(mark("a known name"))
    return text


def _filter(node: Node) -> Filter:
    made: Filter
    if node.has("near"):
        text, distance = node.text("near", None), node.whole("distance", most=MAX_DISTANCE)
        made = NearFilter(text, (), distance, node.flag("wanted", True))
    else:
        field, operator = node.text("field", None), node.choice("operator", "=", tuple(OPERATORS))
        made = FieldFilter(field, operator, node.text("value", None))
    # A condition that is understood in part would keep other lines than was meant.
    for key, _ in node.extra:
        raise node.wrong(key, mark("a known part of a condition"))
    return made


def _line(node: Node) -> KeptLine:
    place = HitPlace(
        document=node.whole("document"),
        offset=node.whole("offset"),
        length=node.whole("length"),
        begin=node.whole("begin", 0),
        rest=node.whole("rest", 0),
    )
    marked, note, deleted = node.flag("marked", False), node.text("note"), node.flag("deleted", False)
    return KeptLine(place, marked, note, deleted, node.extra)


def _lines(node: Node) -> KeptLines:
    return KeptLines(_line(Node(*item)) for item in node.items("lines"))


def _saved_query(node: Node) -> SavedQuery:
    index, query, note = node.text("index", most=_NAME), _query(node.node("query")), node.text("note")
    return SavedQuery(index, query, note, _lines(node), node.extra)


def _line_set(node: Node) -> LineSet:
    return LineSet(
        name=node.text("name", None, _NAME),
        index=node.text("index", most=_NAME),
        query=_query(node.node("query")),
        note=node.text("note"),
        fingerprint=node.text("fingerprint", most=_NAME),
        lines=_lines(node),
        extra=node.extra,
    )


def _views(top: Node) -> tuple[tuple[str, str], ...]:
    def view(value: Any, path: Path) -> str:
        if not isinstance(value, dict):
            raise Wrong(path, mark("an object"))
        return json.dumps(value, ensure_ascii=False)

    return tuple((name, view(value, path)) for name, value, path in top.node("views").members())
