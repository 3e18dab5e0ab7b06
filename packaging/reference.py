"""The reference of the library, made from its docstrings: `make reference` writes it to build/reference.

    python packaging/reference.py FOLDER

It fails if a public name has no docstring, if a docstring names something that does not exist, or if a name is missing
from the pages. A test runs these checks without pdoc, which only the pages need.
"""

from __future__ import annotations

import ast
import builtins
import importlib
import inspect
import itertools
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import explorer
import explorer.infini_gram
from explorer.cli.described import described

MODULES = (explorer, explorer.infini_gram)
_NAME = re.compile(r"`([A-Za-z_][\w.]*)(?:\([^`]*\))?`")
_LISTED = re.compile(r"^(\w+(?:, \w+)*)$", re.MULTILINE)
"""Names above their descriptions in a section of a docstring, such as attributes."""
_FILE = re.compile(r"\w+\.(?:json|partial)")
ELSEWHERE = {"datasets", "pandas", "polars", "pyarrow", "tokenizers", "transformers"}
"""Packages that docstrings name."""
FIELDS = {"approx", "column", "created", "document", "metadata.document", "ranges", "unigram_logprob_sum"}
"""Fields of files, tables and dictionaries that no class has as an attribute."""


@dataclass(frozen=True)
class Entry:
    """A documented name.

    Attributes
    ----------
    name
        As it is called: `Corpus.count`.
    text
        Its docstring; "" without one.
    known
        The names that its docstring may use besides those of the library: parameters, and members of its class.
    """

    name: str
    text: str
    known: frozenset[str]


def entries() -> Iterator[Entry]:
    """Every public name of the library with its docstring, and the public members of every class."""
    for module in MODULES:
        yield Entry(module.__name__, module.__doc__ or "", frozenset({"folder", "corpus"}))
        for name in module.__all__:
            yield from _entries_of(module, name)


def _entries_of(module: Any, name: str) -> Iterator[Entry]:
    thing = getattr(module, name)
    if not _is_ours(thing):
        if not name.startswith("__"):
            yield Entry(name, alias_text(module, name), frozenset())
        return
    own = _members(thing) if inspect.isclass(thing) else {}
    known = frozenset(dir(thing)) | _attributes(thing) | _parameters(thing)
    yield Entry(name, inspect.getdoc(thing) or "", known)
    for member, found in own.items():
        yield Entry(f"{name}.{member}", inspect.getdoc(found) or "", known | _parameters(found))


def _is_ours(thing: object) -> bool:
    return (inspect.isclass(thing) or inspect.isfunction(thing)) and thing.__module__.startswith("explorer.")


def _members(kind: type) -> dict[str, Any]:
    """The methods and properties that a class and its bases in this program have, by name."""
    found = {}
    for name in dir(kind):
        static = inspect.getattr_static(kind, name)
        inner = getattr(static, "fget", None) or getattr(static, "func", None) or getattr(static, "__func__", static)
        if not name.startswith("_") and inspect.isfunction(inner) and inner.__module__.startswith("explorer."):
            found[name] = inner
    return found


def _attributes(thing: Any) -> frozenset[str]:
    """The names that the annotations or a list of the docstring give."""
    bases = inspect.getmro(thing) if inspect.isclass(thing) else ()
    annotated = {name for base in bases for name in vars(base).get("__annotations__", {})}
    listed = {name for found in _LISTED.findall(inspect.getdoc(thing) or "") for name in found.split(", ")}
    # A list in a sentence, such as the columns of a table.
    columns = set(re.findall(r"`(\w+)`(?=[ ,.])", _notes(thing)))
    return frozenset(annotated | listed | columns)


def _notes(thing: Any) -> str:
    """What the docstring tells about the columns of its table; "" for what is not a table."""
    found = re.search(
        r"columns of the table.*?(?:\n\n|\Z)|table has one row.*?(?:\n\n|\Z)", inspect.getdoc(thing) or "", re.S
    )
    return found[0] if found else ""


def _parameters(thing: Any) -> frozenset[str]:
    try:
        return frozenset(inspect.signature(thing).parameters)
    except (TypeError, ValueError):
        return frozenset()


def alias_text(module: Any, name: str) -> str:
    """The text below the definition of a type that is only a name for others, such as `Query`; "" without one."""
    body = ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8")).body
    for node, after in itertools.pairwise([*body, ast.Pass()]):
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == name:
            said = isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant)
            return str(after.value.value) if said else ""  # type: ignore[attr-defined]
    # Imported, perhaps under another name, from where it is defined.
    for imported in (node for node in ast.walk(ast.Module(body, [])) if isinstance(node, ast.ImportFrom)):
        for each in imported.names:
            if name == (each.asname or each.name) and imported.module:
                return alias_text(importlib.import_module(imported.module), each.name)
    return ""


def problems() -> list[str]:
    """What is wrong with the docstrings, one sentence each; [] for nothing."""
    found = []
    for entry in entries():
        if not entry.text:
            found.append(f"{entry.name} has no docstring")
        found += [f"{entry.name} names `{name}`, which does not exist" for name in broken(entry)]
    return found


def broken(entry: Entry) -> list[str]:
    """The names in backticks of a docstring that are nowhere."""
    return [name for name in _NAME.findall(entry.text) if not (name.split(".")[0] in entry.known or _exists(name))]


@cache
def _exists(name: str) -> bool:
    """Whether a name is one of the library, of Python, of another package, of a command or of a file."""
    first, *rest = name.split(".")
    if first in ELSEWHERE or name in FIELDS or hasattr(builtins, first) or _FILE.fullmatch(name):
        return True
    if first in {command.name for command in described()} or (first in _all_members() and not rest):
        return True
    # As examples call it.
    if first == "corpus":
        first = "Corpus"
    thing: Any = (
        explorer if first == "explorer" else getattr(explorer, first, getattr(explorer.infini_gram, first, None))
    )
    for part in rest:
        thing = getattr(thing, part, None) or (part in _attributes(thing) or None)
    return thing is not None


@cache
def _all_members() -> frozenset[str]:
    """The names of all members of all classes: a method may name one of its result."""
    kinds = [getattr(module, name) for module in MODULES for name in module.__all__]
    return frozenset(name for kind in kinds if _is_ours(kind) for name in {*dir(kind), *_attributes(kind)})


def build(folder: Path) -> None:
    """Write the pages.

    Parameters
    ----------
    folder
        Where to.
    """
    import pdoc
    import pdoc.render

    for module in MODULES:
        _lay_open(module)
    pdoc.render.configure(docformat="numpy", search=True, show_source=False)
    pdoc.pdoc(*(module.__name__ for module in MODULES), output_directory=folder)
    for module in MODULES:
        page = (folder / f"{module.__name__.replace('.', '/')}.html").read_text(encoding="utf-8")
        missing = [name for name in module.__all__ if f'id="{name}"' not in page]
        if missing:
            raise SystemExit(f"{module.__name__}: not in the reference: {', '.join(missing)}")


def _lay_open(module: Any) -> None:
    """Let pdoc find names that load when they are used, and members that a class has from private bases."""
    aliases = []
    for name in module.__all__:
        thing = getattr(module, name)
        setattr(module, name, thing)
        if inspect.isclass(thing) and _is_ours(thing):
            for member in _members(thing):
                setattr(thing, member, inspect.getattr_static(thing, member))
        elif not _is_ours(thing) and not name.startswith("__"):
            aliases.append(f"- `{name}`: {' '.join(alias_text(module, name).split())}")
    if aliases:
        module.__doc__ = "\n".join([module.__doc__ or "", "", "Types that are names for others:", "", *aliases])


def main(folder: str) -> None:
    """Check the docstrings, then write the pages."""
    found = problems()
    if found:
        raise SystemExit("\n".join(found))
    build(Path(folder))


if __name__ == "__main__":
    main(sys.argv[1])
