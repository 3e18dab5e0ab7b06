"""The interface that scripts rely on: commands and options, JSON fields, and the names and parameters of the library.

    python tests/support/interface.py > FILE    write the interface of today

`tests/data/interface-0.2.json` is the interface of version 0.2, written at revision 2a166a0b. It is compared with the
interface of today and never written again.
"""

from __future__ import annotations

import argparse
import inspect
import json
import re
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import explorer
from explorer import infini_gram
from explorer.cli.commands import COMMANDS, command_parser, window_parser
from explorer.cli.output.codes import MEANINGS

ROOT = Path(__file__).resolve().parents[2]
SCHEMAS = ROOT / "resources" / "schemas"
WINDOW = "(none)"
"""The name of a command line without a command."""
EVERY = "all"
"""The name of a row that is of all commands or schemas."""

Interface = dict[str, dict[str, Any]]


def interface() -> Interface:
    """The interface of today, by section and name."""
    return {
        "classes": {name: members(thing) for name, thing in public() if inspect.isclass(thing)},
        "exit codes": {str(code): "" for code, _ in MEANINGS},
        "functions": {name: parameters(thing) for name, thing in public() if inspect.isfunction(thing)},
        "options": options(),
        "schemas": schemas(),
    }


def options() -> dict[str, dict[str, str]]:
    """Each option and argument: how it is given, and the commands that have it so."""
    parsers = {command.name: command_parser(command) for command in COMMANDS} | {WINDOW: window_parser()}
    found: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for command, parser in parsers.items():
        for action in parser._actions:
            for name in action.option_strings or (f"<{action.dest}>",):
                found[name][given(action)].append(command)
    return {
        name: {how: EVERY if len(names) == len(parsers) else " ".join(sorted(names)) for how, names in ways.items()}
        for name, ways in found.items()
    }


def given(action: argparse.Action) -> str:
    """The number of values, the choices and the default of an option, in one line."""
    count = "" if action.nargs is None else f"{action.nargs} values "
    choices = "" if action.choices is None else f"of {','.join(map(str, action.choices))} "
    default = "" if action.default in (None, argparse.SUPPRESS) else f"default {shown(action.default)}"
    return f"{count}{choices}{default}".strip()


def public() -> Iterator[tuple[str, Any]]:
    """What the two public modules export, by full name."""
    for module in (explorer, infini_gram):
        for name in sorted(module.__all__):
            yield f"{module.__name__}.{name}", getattr(module, name)


def members(thing: type) -> dict[str, list[str] | None]:
    """The public members of a class, with the parameters of its methods; `()` is the class itself."""
    ours = [base for base in inspect.getmro(thing) if base.__module__.startswith("explorer")]
    names = {name for base in ours for name in (*vars(base), *vars(base).get("__annotations__", ())) if name[:1] != "_"}
    created = parameters(thing)
    # Callers do not create what holds an index: a result.
    own = {"()": created} if created and {"origin", "index", "corpus"}.isdisjoint(created) else {}
    return {**own, **{name: parameters(inspect.getattr_static(thing, name, None)) for name in names}}


def parameters(thing: Any) -> list[str] | None:
    """The parameters of a function with their defaults, as they are written; None if it is not one."""
    if isinstance(thing, staticmethod | classmethod):
        thing = thing.__func__
    if not callable(thing):
        return None
    try:
        signature = inspect.signature(thing)
    except ValueError:
        return None
    written, named = [], False
    for each in signature.parameters.values():
        if each.kind is each.KEYWORD_ONLY and not named:
            written.append("*")
        named = named or each.kind in (each.KEYWORD_ONLY, each.VAR_POSITIONAL)
        stars = "*" * ((each.kind is each.VAR_POSITIONAL) + 2 * (each.kind is each.VAR_KEYWORD))
        default = "" if each.default is each.empty else f"={shown(each.default)}"
        written.append(f"{stars}{each.name}{default}")
    return written[written[:1] in (["self"], ["cls"]) :]


def shown(value: Any) -> str:
    """A default, without what differs between runs."""
    name = getattr(value, "__qualname__", None)
    if isinstance(name, str):
        return name
    # Python's own representation of an object has an address.
    return type(value).__name__ if " at 0x" in repr(value) else repr(value)


def schemas() -> dict[str, dict[str, str]]:
    """The fields of each schema; those that all have are one row."""
    found = {path.stem: fields(path) for path in sorted(SCHEMAS.glob("*.json"))}
    common = dict(set.intersection(*(set(each.items()) for each in found.values())))
    rows = {name: {at: kind for at, kind in each.items() if at not in common} for name, each in found.items()}
    return {EVERY: common, **rows}


def fields(path: Path) -> dict[str, str]:
    """The types of all fields of a schema but its settings, which the options have, by their paths."""
    schema = json.loads(path.read_text(encoding="utf-8"))
    return dict(_fields(schema, schema.get("$defs", {}), ""))


def _fields(schema: Mapping[str, Any], records: Mapping[str, Any], path: str) -> Iterator[tuple[str, str]]:
    for name, each in schema.get("properties", {}).items():
        yield f"{path}{name}", kind(each)
        for inner, suffix in () if f"{path}{name}" == "settings" else _inner(each, ""):
            record = records[inner["$ref"].rpartition("/")[2]] if "$ref" in inner else inner
            yield from _fields(record, records, f"{path}{name}{suffix}.")


def _inner(schema: Mapping[str, Any], suffix: str) -> Iterator[tuple[Mapping[str, Any], str]]:
    yield schema, suffix
    for each in schema.get("anyOf", ()):
        yield from _inner(each, suffix)
    if isinstance(items := schema.get("items"), dict):
        yield from _inner(items, f"{suffix}[]")


def kind(schema: Mapping[str, Any]) -> str:
    """The type of a field in a word or two."""
    if "anyOf" in schema:
        return "|".join(sorted(kind(each) for each in schema["anyOf"]))
    # The name of a record is not part of the interface: its fields are listed.
    if "$ref" in schema:
        return "record"
    for key in ("const", "enum"):
        if key in schema:
            return f"{key} {json.dumps(schema[key])}"
    types = schema.get("type", "any")
    return types if isinstance(types, str) else "|".join(sorted(types))


def breaks(recorded: Interface, today: Interface) -> Iterator[str]:
    """What a script that relies on a recorded interface does not find today; new names are no break."""
    for code in recorded["exit codes"].keys() - today["exit codes"].keys():
        yield f"exit code {code} is missing"
    for name, row in recorded["functions"].items():
        yield from _broken_call(name, row, today["functions"].get(name))
    for name, row in recorded["classes"].items():
        found = today["classes"].get(name, {})
        for member, each in row.items():
            if member not in found:
                yield f"{name}.{member} is missing"
            elif each is not None:
                yield from _broken_call(f"{name}.{member}", each, found[member])
    for name, row in recorded["schemas"].items():
        found = today["schemas"][EVERY] | today["schemas"].get(name, {})
        for field, each in row.items():
            if not _fits(each, found.get(field, "missing")):
                yield f"schema {name}: {field} was {each} and is {found.get(field, 'missing')}"
    yield from _broken_options(recorded["options"], today["options"])


def _broken_call(name: str, recorded: list[str], today: list[str] | None) -> Iterator[str]:
    if today is None:
        yield f"{name} is missing or cannot be called"
        return
    before, now = _by_position(recorded), _by_position(today)
    if now[: len(before)] != before:
        yield f"{name}: by position it took {before} and takes {now}"
    for each in set(recorded) - set(today) - {"*"}:
        yield f"{name} took {each}"


def _by_position(parameters: list[str]) -> list[str]:
    end = next((at for at, each in enumerate(parameters) if each.startswith("*")), len(parameters))
    return parameters[:end]


def _broken_options(recorded: dict[str, dict[str, str]], today: dict[str, dict[str, str]]) -> Iterator[str]:
    commands = {command.name for command in COMMANDS} | {WINDOW}
    for name, ways in recorded.items():
        now = {
            command: how
            for how, names in today.get(name, {}).items()
            for command in (commands if names == EVERY else names.split())
        }
        for how, names in ways.items():
            for command in sorted(commands) if names == EVERY else names.split():
                if not _fits(how, now.get(command, "missing")):
                    yield f"{command} {name} was “{how}” and is “{now.get(command, 'missing')}”"


def _fits(recorded: str, today: str) -> bool:
    """Whether two descriptions are equal but for what more is accepted: further choices, or none of several values."""
    if today in (recorded, recorded.replace("+ values", "* values")):
        return True
    old, new = (re.fullmatch(r"(.*?)(?:of|enum) (\[.*\]|\S+)(.*)", each) for each in (recorded, today))
    if old is None or new is None or (old[1], old[3]) != (new[1], new[3]):
        return False
    return set(re.findall(r"[^][\", ]+", old[2])) <= set(re.findall(r"[^][\", ]+", new[2]))


def written(found: Interface) -> str:
    """An interface as JSON, with one line for each name."""
    sections = []
    for section, rows in sorted(found.items()):
        lines = ",\n".join(
            f"  {json.dumps(name)}: {json.dumps(row, sort_keys=True, ensure_ascii=False, separators=(',', ':'))}"
            for name, row in sorted(rows.items())
        )
        sections.append(f" {json.dumps(section)}: {{\n{lines}\n }}")
    return "{\n" + ",\n".join(sections) + "\n}\n"


if __name__ == "__main__":
    sys.stdout.write(written(interface()))
