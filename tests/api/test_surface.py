"""What `explorer` exports: every type that its signatures and results name, and nothing else."""

from __future__ import annotations

import ast
import dataclasses
import importlib
import inspect
import subprocess
import sys
import typing
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import explorer
from explorer.backends.places import Located
from explorer.version import VERSION

PRIVATE = {
    # The seam to storage, which documents and results hold.
    "Backend",
    "Hits",
    # What a corpus knows of the tokens of a neural model: between `LanguageModel` and `MixedModel`.
    "CorpusSide",
    # The declaration of a setting: settings of a trace are a question, which names its changed ones.
    "Setting",
    # What was found of an item: rows are made of it.
    "ItemMatches",
    # Project files have a room of their own, `explorer.project`, and values of views that only the window reads.
    "Index",
    "KeptLine",
    "KeptLines",
    "LineSet",
    "Origin",
    "Query",
    "SavedQuery",
    # How patterns, pictures and the cells of the window are made.
    "Chart",
    "Pattern",
    "Quote",
    "TokenView",
    "Variant",
    # `TokenizerObject` covers both.
    "HasBackend",
    "TextTokenizer",
}
"""Classes that signatures and results name, but that are not part of the library."""


def test_names_agree():
    tree = ast.parse(Path(explorer.__file__).read_text(encoding="utf-8"))
    hidden = next(node for node in tree.body if isinstance(node, ast.If))
    imports = [node for node in hidden.body if isinstance(node, ast.ImportFrom)]
    imported = {alias.asname: node.module for node in imports for alias in node.names}
    # Names of things that are called otherwise in their modules are declared below the imports.
    assert {*imported, "LinePlaces", "__version__"} - {"_Places"} == {*explorer.__all__}
    for name in imported.keys() - {"_Places"}:
        assert getattr(explorer, name) is getattr(importlib.import_module(imported[name]), name)
    assert (explorer.LinePlaces, explorer.__version__) == (Located, VERSION)


def test_only_names_of_the_library_are_listed():
    assert dir(explorer) == sorted(explorer.__all__)
    assert {"importlib", "Any", "TYPE_CHECKING"}.isdisjoint(dir(explorer))


def test_importing_it_loads_nothing():
    code = "import sys, explorer; print(sorted(name for name in sys.modules if name.startswith('explorer.')))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"


def parts(hint: object) -> Iterator[type]:
    """The classes of the program in an annotation."""
    if isinstance(hint, type):
        if hint.__module__.startswith("explorer."):
            yield hint
    elif isinstance(hint, list | tuple):
        for each in hint:
            yield from parts(each)
    else:
        yield from parts(typing.get_args(hint))


@cache
def names_of(module: str) -> dict[str, object]:
    """The names of a module, those included that only type checkers import."""
    loaded = importlib.import_module(module)
    names = dict(vars(loaded))
    for node in ast.parse(inspect.getsource(loaded)).body:
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            exec(compile(ast.Module(node.body, []), module, "exec"), names)
    return names


def hints(thing: object) -> Iterator[type]:
    """The classes that a function, or the public members of a class, name."""
    members = [thing]
    if isinstance(thing, type):
        members = [member for name, member in inspect.getmembers(thing) if not name.startswith("_")]
        if dataclasses.is_dataclass(thing):
            for base in inspect.getmro(thing):
                yield from annotated(vars(base).get("__annotations__", {}), base.__module__)
    for member in members:
        function = member.fget if isinstance(member, property) else getattr(member, "func", member)
        if inspect.isroutine(function) and hasattr(function, "__annotations__"):
            yield from annotated(function.__annotations__, function.__module__)


def annotated(annotations: dict[str, object], module: str) -> Iterator[type]:
    """The classes in the annotations of public names."""
    public = {name: value for name, value in annotations.items() if not name.startswith("_")}
    if public:
        plain = type("Plain", (), {"__annotations__": public, "__module__": module})
        yield from parts(list(typing.get_type_hints(plain, names_of(module)).values()))


def test_every_type_that_is_named_is_exported():
    public = {getattr(explorer, name) for name in explorer.__all__ if inspect.isclass(getattr(explorer, name))}
    functions = {getattr(explorer, name) for name in explorer.__all__ if inspect.isfunction(getattr(explorer, name))}
    missing = {}
    for thing in public | functions:
        for named in hints(thing):
            # A result is exported instead of the value of the seam from which it derives.
            if not any(named in inspect.getmro(known) for known in public) and named.__name__ not in PRIVATE:
                missing[named.__name__] = thing.__name__
    assert missing == {}
