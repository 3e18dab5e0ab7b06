"""A project as text: keys in a fixed order, one row per line, query and index, so that versions can be compared."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from explorer.analyses.metadata.values import FieldFilter
from explorer.analyses.search.arrange import Filter
from explorer.core.files.json_text import own_json_text
from explorer.project.lines import Extra, KeptLine, KeptLines
from explorer.project.reading import FORMAT
from explorer.project.values import VERSION, Index, LineSet, Project, Query, SavedQuery
from explorer.version import VERSION as PROGRAM

_STEP = "  "


# Types decide about line breaks, not depth: the choice is made where the value is made.
class _Rows(list[Any]):
    """A list that is written with one row per item."""


class _Parts(dict[str, Any]):
    """An object that is written with one row per key."""


def project_text(project: Project) -> str:
    """Write a project as the text of its file.

    Returns: JSON that ends with a line feed. Equal projects have equal texts.

    Examples
    --------
    >>> project_text(Project()).splitlines()[:3]
    ['{', '  "format": "corpus-explorer project",', '  "version": 1,']
    """
    # This order is that of the file; what a person looks for comes first, and long lists last.
    whole = _Parts(
        format=FORMAT,
        version=VERSION,
        program=PROGRAM,
        notes=project.notes,
        indexes=_Rows(map(_index, project.indexes)),
        queries=_Rows(map(_saved_query, project.queries)),
        sets=_Rows(map(_line_set, project.sets)),
        opened=project.opened,
        screen=project.screen,
        views=_Parts((name, json.loads(view)) for name, view in project.views),
    )
    return _text({**whole, **_unknown(project.extra, whole)}, top=True) + "\n"


def _text(value: Any, indent: str = "", top: bool = False) -> str:
    if (top or isinstance(value, _Parts)) and value:
        rows = [f"{own_json_text(key)}: {_text(part, indent + _STEP)}" for key, part in value.items()]
        return _block("{", rows, "}", indent)
    if isinstance(value, _Rows) and value:
        return _block("[", [_text(part, indent + _STEP) for part in value], "]", indent)
    return own_json_text(value)


def _block(begin: str, rows: Iterable[str], end: str, indent: str) -> str:
    inner = indent + _STEP
    return f"{begin}\n{inner}" + f",\n{inner}".join(rows) + f"\n{indent}{end}"


def _unknown(extra: Extra, known: Mapping[str, Any]) -> dict[str, Any]:
    """What another version wrote, without what this one writes itself."""
    # A key may have been unknown to the version that read it, and known to the one that writes it.
    return {key: json.loads(text) for key, text in extra if key not in known}


def _without_defaults(whole: dict[str, Any], defaults: Mapping[str, Any]) -> dict[str, Any]:
    # A set may have a hundred thousand lines, and each is a row of the file.
    return {key: value for key, value in whole.items() if key not in defaults or value != defaults[key]}


def _index(index: Index) -> dict[str, Any]:
    whole = {
        "id": index.id,
        "name": index.name,
        "paths": list(index.paths),
        "minus": list(index.minus),
        "tokenizer": index.tokenizer,
        "check_fit": index.check_fit,
        "fingerprint": index.fingerprint,
        "documents": index.documents,
        "tokens": index.tokens,
    }
    known = _without_defaults(whole, {"minus": [], "tokenizer": None, "check_fit": True, "documents": -1, "tokens": -1})
    return {**known, **_unknown(index.extra, whole)}


def _query(query: Query) -> dict[str, Any]:
    whole = {
        "text": query.text,
        "match": query.match,
        "ignore_case": query.ignore_case,
        "whole_words": query.whole_words,
        "equate": list(query.equate),
        "variants": list(query.variants),
        "distance": query.distance,
        "node": query.node,
        "literal": query.literal,
        "filters": [_filter(condition) for condition in query.filters],
        "sort": query.sort,
        "sample": query.sample,
        "collapse": query.collapse,
        "seed": query.seed,
    }
    # How it is matched and ordered is always written: a reader of the file should see it.
    usual = {
        "equate": [],
        "variants": [],
        "literal": False,
        "filters": [],
        "sample": 0,
        "collapse": 0,
        "seed": 0,
        "node": 0,
    }
    return {**_without_defaults(whole, usual), **_unknown(query.extra, whole)}


def _filter(condition: Filter) -> dict[str, Any]:
    if isinstance(condition, FieldFilter):
        return {"field": condition.field, "operator": condition.operator, "value": condition.value}
    return {"near": condition.text, "distance": condition.distance, "wanted": condition.wanted}


def _line(line: KeptLine) -> dict[str, Any]:
    place = line.place
    whole = {
        "document": place.document,
        "offset": place.offset,
        "length": place.length,
        "begin": place.begin,
        "rest": place.rest,
        "marked": line.marked,
        "note": line.note,
        "deleted": line.deleted,
    }
    usual = {"begin": 0, "rest": 0, "marked": False, "note": "", "deleted": False}
    return {**_without_defaults(whole, usual), **_unknown(line.extra, whole)}


def _lines(lines: KeptLines) -> _Rows:
    return _Rows(map(_line, lines))


def _saved_query(saved: SavedQuery) -> _Parts:
    whole = _Parts(index=saved.index, query=_query(saved.query), note=saved.note, lines=_lines(saved.lines))
    return _Parts({**whole, **_unknown(saved.extra, whole)})


def _line_set(kept: LineSet) -> _Parts:
    whole = _Parts(
        name=kept.name,
        index=kept.index,
        query=_query(kept.query),
        note=kept.note,
        fingerprint=kept.fingerprint,
        lines=_lines(kept.lines),
    )
    return _Parts({**whole, **_unknown(kept.extra, whole)})
