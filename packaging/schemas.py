"""Make the JSON Schemas of --json, and the page that lists them, from the records of the program.

    python packaging/schemas.py            write resources/schemas/*.json and docs/json.md
    python packaging/schemas.py --check    fail if one of them is not what would be written

A schema is made of the fields of a record and their docstrings, and of the options of the command.
"""

from __future__ import annotations

import argparse
import importlib
import inspect
import json
import re
import sys
import types
import typing
from collections.abc import Iterator, Mapping
from dataclasses import is_dataclass
from pathlib import Path
from typing import Any

import numpy as np

from explorer.cli.commands import COMMANDS
from explorer.cli.output.envelope import IndexFacts
from explorer.cli.output.shapes import Shape
from explorer.cli.parser import Parser
from explorer.export.records.problem import ProblemRecord
from explorer.export.records.record import column_names, json_fields_of

ROOT = Path(__file__).resolve().parent.parent
SCHEMAS, PAGE = ROOT / "resources" / "schemas", ROOT / "docs" / "json.md"
_SIMPLE = {str: "string", int: "integer", float: "number", bool: "boolean", type(None): "null"}
_NUMBERS = {"int": "integer", "int | None": "integer", "float": "number", "float | None": "number"}
_INTRO = """\
# JSON

<!-- Made by packaging/schemas.py of the records and their docstrings. -->

With `--json`, every command prints one object:

| field | type | meaning |
| --- | --- | --- |
| `schema` | string | The shape and its number, such as `corpus-explorer/count/1`. |
| `program` | string | The version of the program. |
| `index` | object or null | The index: `name`, `fingerprint`, `token_count`, `document_count`; null if there is none. |
| `settings` | object | The arguments and options that shape the answer, by their long names with underscores. |
| … | | What describes the whole answer, listed below for each shape. |
| `results` | array | The records. |
| `notes` | array | What else there is to know about the answer, as printed on standard error. |
| `problems` | array | What could not be used: `source`, `line` (from 1) and `reason`. |

The object is written as a stream, one record per line; `notes` and `problems` come last. With `--format jsonl`, the
records are printed alone, one per line; with `--format csv` and `tsv`, their fields are the columns, and lists and
objects are JSON in a cell.

Numbers of things end in `_count`, arrays have plural names, and sizes and times end in `_bytes` and `_seconds`. Tokens,
characters and documents count from 0; lines of a file count from 1, as in an editor. What is not known is null, and so
is a number that is not finite. Within one number of a schema, fields are only added. The JSON Schemas (draft 2020-12)
are installed with the program, in `resources/schemas`.
"""


def shapes() -> Iterator[tuple[str, Shape]]:
    """Every shape, with the name of its command."""
    for command in COMMANDS:
        module = importlib.import_module(f"explorer.cli.{command.module}")
        for shape in getattr(module, "SHAPES", {}).get(command.name, ()):
            yield command.name, shape


def schema_of(command: str, shape: Shape) -> dict[str, Any]:
    """The JSON Schema of the object that a command prints."""
    made = _Types()
    facts = _fields(made, shape.facts) if shape.facts else {}
    record = _fields(made, shape.record)
    details = _fields(made, shape.details) if shape.details else {}
    # With --fields, records have only some of their fields.
    chosen = parser_of(command).fields_of_records
    properties: dict[str, Any] = {
        "schema": {"const": shape.schema},
        "program": {"type": "string", "description": "The version of the program."},
        "index": {"anyOf": [made.of(IndexFacts), {"type": "null"}]},
        "settings": settings_of(command),
        **facts,
        "results": {"type": "array", "items": _closed({**record, **details}, [] if chosen else list(record))},
        "notes": {"type": "array", "items": {"type": "string"}},
        "problems": {"type": "array", "items": made.of(ProblemRecord)},
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"https://corpus-explorer.invalid/schemas/{shape.name}-{shape.version}.json",
        "title": f"corpus-explorer {command} --json",
        **_closed(properties, list(properties)),
        **(_unless_chosen(list(record)) if chosen else {}),
        "$defs": dict(sorted(made.defined.items())),
    }


def _unless_chosen(required: list[str]) -> dict[str, Any]:
    """The condition that records are whole if no fields were chosen."""
    none = {"properties": {"settings": {"properties": {"fields": {"maxItems": 0}}}}}
    return {"if": none, "then": {"properties": {"results": {"items": {"required": required}}}}}


def settings_of(command: str) -> dict[str, Any]:
    """The schema of a command's settings."""
    parser = parser_of(command)
    properties = {name: _setting(action) for name, action in parser.settings().items()}
    return _closed(properties, [name for name in properties if name not in parser.at_times])


def parser_of(command: str) -> Parser:
    """The parser of a command."""
    module = importlib.import_module(f"explorer.cli.{next(c.module for c in COMMANDS if c.name == command)}")
    parser = Parser(command, "")
    getattr(module, f"define_{command}".replace("-", "_"))(parser)
    return parser


def _setting(action: argparse.Action) -> dict[str, Any]:
    found: dict[str, Any]
    if isinstance(action.const, bool):
        found = {"type": "boolean"}
    elif isinstance(action.default, list) or "Append" in type(action).__name__ or action.nargs in ("*", "+"):
        found = {"type": "array", "items": {"type": "string"}}
    elif action.choices:
        found = {"enum": [*action.choices, *([None] if action.default is None else [])]}
    else:
        returned = inspect.signature(action.type).return_annotation if callable(action.type) else ""
        kind = _NUMBERS.get(str(returned), "string")
        found = {"type": [kind, "null"] if action.default is None else kind}
    # Without the help of the option, whose wording is not part of the shape.
    return found


class _Types:
    """Schemas of Python types; those of dataclasses are kept by name."""

    def __init__(self) -> None:
        self.defined: dict[str, Any] = {}

    def of(self, kind: Any) -> dict[str, Any]:
        """The schema of a type."""
        origin, inner = typing.get_origin(kind), typing.get_args(kind)
        if kind in _SIMPLE:
            return {"type": _SIMPLE[kind]}
        if origin in (typing.Union, types.UnionType):
            return self._union(inner)
        if origin is np.ndarray or kind is np.ndarray:
            # Arrays of numbers, whatever their shape.
            return {"type": "array"}
        if origin in (tuple, list):
            return {"type": "array", "items": self.of(inner[0])}
        if origin in (dict, Mapping) or (isinstance(origin, type) and issubclass(origin, Mapping)):
            # The names are those of the user's own data.
            return {"type": "object"}
        if is_dataclass(kind):
            return self._defined(kind)
        raise TypeError(f"no schema for {kind!r}")

    def _union(self, inner: tuple[Any, ...]) -> dict[str, Any]:
        parts = [self.of(part) for part in inner]
        if all(set(part) == {"type"} for part in parts):
            return {"type": [part["type"] for part in parts]}
        return {"anyOf": parts}

    def _defined(self, kind: Any) -> dict[str, Any]:
        name = kind.__name__
        if name not in self.defined:
            self.defined[name] = {}
            found = _fields(self, kind)
            self.defined[name] = {"description": _summary(kind), **_closed(found, list(found))}
        return {"$ref": f"#/$defs/{name}"}


def _fields(made: _Types, kind: Any) -> dict[str, Any]:
    hints, told = typing.get_type_hints(kind), described(kind)
    names = dict(zip(column_names(kind), json_fields_of(kind), strict=True))
    return {column: {**made.of(hints[name]), "description": told[name]} for column, name in names.items()}


def _closed(properties: dict[str, Any], required: list[str]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def described(kind: type) -> dict[str, str]:
    """What the docstring of a class states about each field."""
    lines = inspect.cleandoc(kind.__doc__ or "").splitlines()
    begin = lines.index("Attributes") + 2
    found: dict[str, str] = {}
    names: list[str] = []
    for line in lines[begin:]:
        if re.fullmatch(r"-+", line):
            break
        if line and not line.startswith(" "):
            names = [name.strip() for name in line.split(",")]
        for name in names if line.startswith(" ") else ():
            found[name] = f"{found.get(name, '')} {line.strip()}".strip()
    return found


def page() -> str:
    """The page that lists all shapes."""
    parts = [_INTRO]
    inner: dict[str, Any] = {}
    for command, shape in shapes():
        schema = schema_of(command, shape)
        inner |= {name: found for name, found in schema["$defs"].items() if name not in ("IndexFacts", "ProblemRecord")}
        parts.append(f"\n## {shape.name}\n\n{_summary(shape.record)} Schema `{shape.schema}`, of `{command}`.\n")
        own = [name for name in schema["properties"] if name not in _ENVELOPE]
        if own:
            parts.append(_table("of the whole", {name: schema["properties"][name] for name in own}))
        parts.append(_table("of a record", schema["properties"]["results"]["items"]["properties"]))
    parts.append("\n## Objects inside records\n")
    for name, found in sorted(inner.items()):
        parts.append(f"\n### {_object(name)} object\n\n{found['description']}\n{_table('field', found['properties'])}")
    return "".join(parts)


def _object(name: str) -> str:
    """What the page calls an object inside a record."""
    return name.removesuffix("Record").removesuffix("Facts")


_ENVELOPE = ("schema", "program", "index", "settings", "results", "notes", "problems")


def _summary(kind: type) -> str:
    return inspect.cleandoc(kind.__doc__ or "").splitlines()[0]


def _table(title: str, properties: dict[str, Any]) -> str:
    rows = [f"| `{name}` | {_type(found)} | {_cell(found['description'])} |\n" for name, found in properties.items()]
    return f"\n| {title} | type | meaning |\n| --- | --- | --- |\n{''.join(rows)}"


def _cell(text: str) -> str:
    return text.replace("None", "null").replace("|", "\\|")


def _type(found: dict[str, Any]) -> str:
    if "anyOf" in found:
        return " or ".join(map(_type, found["anyOf"]))
    if "$ref" in found:
        name = _object(found["$ref"].rsplit("/", 1)[-1])
        return f"[{name}](#{name.lower()}-object)"
    kinds = found["type"] if isinstance(found["type"], list) else [found["type"]]
    items = f" of {_type(found['items'])}" if kinds == ["array"] and "items" in found else ""
    return " or ".join(kinds) + items


def files() -> dict[Path, str]:
    """The content of every file."""
    made = {PAGE: page()}
    for command, shape in shapes():
        text = json.dumps(schema_of(command, shape), indent=2, ensure_ascii=False) + "\n"
        made[SCHEMAS / f"{shape.name}-{shape.version}.json"] = text
    return made


def main() -> int:
    """Write the files, or check them."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--check", action="store_true")
    check, stale = options.parse_args().check, []
    for path, text in files().items():
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            stale.append(path)
            if not check:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
    print(*(f"{'not current' if check else 'written'}: {path.relative_to(ROOT)}" for path in stale), sep="\n")
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
