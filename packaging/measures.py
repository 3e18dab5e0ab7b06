"""Measures of the code itself, from its syntax trees.

    python packaging/measures.py           one line per measure
    python packaging/measures.py --check   fails if a file is too long, modules import each other in a circle, or a
                                           docstring describes a missing parameter

Sizes are printed and not enforced: a limit on prose or on methods is met by worse prose and by moved methods.
"""

from __future__ import annotations

import argparse
import ast
import io
import itertools
import re
import sys
import tokenize
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "explorer"
LONGEST = 600
"""The maximum number of lines of a file."""
WINDOW = "explorer.gui"

Function = ast.FunctionDef | ast.AsyncFunctionDef
Documented = ast.Module | ast.ClassDef | Function
_NO_CODE = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}


@dataclass(frozen=True)
class Module:
    """One file of the package, read and parsed."""

    path: Path
    source: str
    tree: ast.Module

    @property
    def name(self) -> str:
        """The dotted name by which it is imported."""
        return ".".join(self.path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")

    @cached_property
    def docstring_lines(self) -> set[int]:
        """Lines of the docstrings of the module, its classes and functions."""
        nodes = [node for node in ast.walk(self.tree) if isinstance(node, Documented)]
        return {line for node in nodes for line in docstring_lines(node)}

    @cached_property
    def import_lines(self) -> set[int]:
        """Lines of import statements."""
        nodes = [node for node in ast.walk(self.tree) if isinstance(node, ast.Import | ast.ImportFrom)]
        return {line for node in nodes for line in lines_of(node)}

    @cached_property
    def code_lines(self) -> set[int]:
        """Lines with code that is neither docstring nor import."""
        tokens = tokenize.generate_tokens(io.StringIO(self.source).readline)
        used = {token.start[0] for token in tokens if token.type not in _NO_CODE}
        return used - self.docstring_lines - self.import_lines


def modules() -> list[Module]:
    """All modules of the package, by path."""
    return [parsed(path) for path in sorted(PACKAGE.rglob("*.py"))]


def parsed(path: Path) -> Module:
    """A file of the package."""
    source = path.read_text(encoding="utf-8")
    return Module(path, source, ast.parse(source))


def lines_of(node: ast.stmt) -> range:
    """The lines of a statement."""
    return range(node.lineno, (node.end_lineno or node.lineno) + 1)


def docstring_lines(node: Documented) -> range:
    """The lines of the docstring of a module, class or function."""
    return range(0) if ast.get_docstring(node) is None else lines_of(node.body[0])


def function_lengths(found: Sequence[Module]) -> list[int]:
    """Lines of every function without its docstring, ascending."""
    nodes = (node for module in found for node in ast.walk(module.tree) if isinstance(node, Function))
    return sorted(len(lines_of(node)) - len(docstring_lines(node)) for node in nodes)


def values(found: Sequence[Module]) -> int:
    """The number of dataclasses and Structs."""
    marks = (
        ast.unparse(mark)
        for module in found
        for node in ast.walk(module.tree)
        if isinstance(node, ast.ClassDef)
        for mark in [*node.decorator_list, *node.bases]
    )
    return sum(bool(re.search(r"\b(dataclass|Struct)\b", mark)) for mark in marks)


def imports(found: Sequence[Module]) -> dict[str, set[str]]:
    """For each module, the modules of the package that it imports, imports for type checkers included."""
    names = {module.name for module in found}
    return {module.name: set(_imported(module, names)) - {module.name} for module in found}


def _imported(module: Module, names: set[str]) -> Iterator[str]:
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in names)
        elif isinstance(node, ast.ImportFrom) and node.module in names:
            parts = (f"{node.module}.{alias.name}" for alias in node.names)
            yield from (part if part in names else node.module for part in parts)


def circles(graph: dict[str, set[str]]) -> list[list[str]]:
    """Groups of modules that import each other, directly or by way of others."""
    reached = {name: _reached(graph, name) for name in graph}
    groups = {tuple(sorted(other for other in reached[name] if name in reached[other])) for name in graph}
    return [list(group) for group in sorted(groups) if group]


def _reached(graph: dict[str, set[str]], start: str) -> set[str]:
    reached: set[str] = set()
    waiting = [*graph[start]]
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            waiting += graph[name]
    return reached


def described(docstring: str) -> set[str]:
    """Names with an entry in the numpy-style section "Parameters": lines that are not indented, up to a title."""
    lines = docstring.splitlines()
    names: set[str] = set()
    inside = False
    for line, below in itertools.zip_longest(lines, lines[1:], fillvalue=""):
        if re.fullmatch(r"-{3,}", below.strip()):
            inside = line.strip() == "Parameters"
        elif inside and re.match(r"[\w*]", line):
            names.update(name.strip().lstrip("*") for name in line.split(":")[0].split(","))
    return names


def missing_parameters(found: Sequence[Module]) -> list[str]:
    """A line for each function whose docstring describes parameters that it does not have."""
    rows = []
    for module in found:
        for node in ast.walk(module.tree):
            if isinstance(node, Function):
                given = node.args
                known = [*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg]
                missing = described(ast.get_docstring(node) or "") - {each.arg for each in known if each}
                if missing:
                    place = f"{module.path.relative_to(ROOT)}:{node.lineno}"
                    rows.append(f"{place}: {node.name} has no {', '.join(sorted(missing))}")
    return rows


def long_files(found: Sequence[Module]) -> list[str]:
    """A line for each file that is longer than `LONGEST`."""
    lengths = ((module, module.source.count("\n")) for module in found)
    return [f"{module.path.relative_to(ROOT)}: {length} lines" for module, length in lengths if length > LONGEST]


def import_circles(found: Sequence[Module]) -> list[str]:
    """A line for each group of modules that import each other, also for type checkers."""
    return [f"These modules import each other in a circle: {' ↔ '.join(group)}" for group in circles(imports(found))]


def measures(found: Sequence[Module]) -> dict[str, str]:
    """The measures that are printed."""
    graph = imports(found)
    code = sum(len(module.code_lines) for module in found)
    docstrings = sum(len(module.docstring_lines) for module in found)
    lengths = function_lengths(found)
    core = {name for module, names in graph.items() if module.startswith(WINDOW) for name in names}
    folder, files = Counter(module.path.parent for module in found).most_common(1)[0]
    return {
        "lines in explorer": f"{sum(module.source.count(chr(10)) for module in found):,}",
        "lines of code": f"{code:,}",
        "files": f"{len(found):,}",
        "docstring lines per code line": f"{docstrings / code:.2f}",
        "lines of functions, median / ninth decile / maximum": (
            f"{lengths[len(lengths) // 2]} / {lengths[len(lengths) * 9 // 10]} / {lengths[-1]}"
        ),
        "dataclasses and Structs": f"{values(found):,}",
        "core modules that the window imports": f"{sum(not name.startswith(WINDOW) for name in core):,}",
        "files directly in one folder, maximum": f"{files} ({folder.relative_to(ROOT)})",
        "import circles": f"{len(circles(graph))}",
    }


def main() -> None:
    parser = argparse.ArgumentParser(description="Measures of the code itself.")
    parser.add_argument("--check", action="store_true", help="only report what must not be")
    check, found = parser.parse_args().check, modules()
    if check:
        rows = [*long_files(found), *import_circles(found), *missing_parameters(found)]
        sys.exit("\n".join(rows) or 0)
    for label, value in measures(found).items():
        print(f"{label}: {value}")


if __name__ == "__main__":
    main()
