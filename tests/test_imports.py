"""No module of the program imports itself by way of others: two threads that import at once then wait in one order."""

from __future__ import annotations

import ast
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent / "explorer"


def when_imported(body):
    """Statements that import when their module is imported itself; a type checker's do not."""
    for statement in body:
        if isinstance(statement, ast.Import | ast.ImportFrom):
            yield statement
        elif isinstance(statement, ast.If) and ast.unparse(statement.test) == "TYPE_CHECKING":
            yield from when_imported(statement.orelse)
        elif not isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from when_imported(ast.iter_child_nodes(statement))


def names(statement):
    if isinstance(statement, ast.Import):
        return {each.name for each in statement.names}
    return {statement.module, *(f"{statement.module}.{each.name}" for each in statement.names)}


def graph(sources):
    """From each module to those that it imports itself."""
    found = {
        module: {name for statement in when_imported(ast.parse(text).body) for name in names(statement)}
        for module, text in sources.items()
    }
    return {module: needed & found.keys() for module, needed in found.items()}


def sources():
    paths = {path: ".".join(path.relative_to(ROOT.parent).with_suffix("").parts) for path in ROOT.rglob("*.py")}
    return {name.removesuffix(".__init__"): path.read_text("utf-8") for path, name in paths.items()}


def test_no_module_imports_itself_by_way_of_others():
    found = graph(sources())
    assert len(found) > 500
    TopologicalSorter(found).prepare()


def test_a_package_that_imports_its_own_modules_is_found():
    here = {
        "a": "from a.b import c",
        "a.b": "def late():\n    import d\nfrom a import x",
        "d": "if TYPE_CHECKING:\n    import a",
    }
    with pytest.raises(CycleError):
        TopologicalSorter(graph(here)).prepare()
    TopologicalSorter(graph({**here, "a.b": "def late():\n    from a import x"})).prepare()
