"""Measures of the code itself, from its syntax trees. Run it with the names of rooms to list what falls short there.

    python packaging/measures.py                one line per measure, and a table per room
    python packaging/measures.py files tokens   also the functions of these rooms that leave something out
    python packaging/measures.py --floors       only what got worse; fails if there is something

Each measure is a function of all modules and one row of `MEASURES`.
"""

from __future__ import annotations

import argparse
import ast
import io
import itertools
import re
import sys
import tokenize
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "explorer"
DESCRIBED, LONGEST, METHODS, ATTRIBUTES = 0.92, 46, 25, 20
"""The floors; see `FLOORS`."""
FACES, FACE_METHODS = ("Corpus", "Engine"), 72
"""The library's faces have a floor of their own: their methods are the words in which users ask (`Engine`: the calls of
another package), each one a few lines that pass the question on, and one class is where they look for them."""

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Module:
    """One file of the package, read and parsed."""

    path: Path
    source: str
    tree: ast.Module

    @property
    def room(self) -> str:
        """The folder directly below the package; "explorer" for the files that lie in the package itself."""
        parts = self.path.relative_to(PACKAGE).parts
        return parts[0] if len(parts) > 1 else PACKAGE.name

    @property
    def public(self) -> bool:
        """Whether no part of its path begins with an underscore; `__init__` and `__main__` are public."""
        parts = self.path.relative_to(PACKAGE).with_suffix("").parts
        return not any(part.startswith("_") and not part.startswith("__") for part in parts)


@dataclass(frozen=True)
class Described:
    """A public function or method, and the parameters or errors that its docstring leaves out."""

    module: Module
    name: str
    line: int
    parameters: tuple[str, ...]
    missing: tuple[str, ...]

    @property
    def place(self) -> str:
        """Where it is, as editors open it."""
        return f"{self.module.path.relative_to(ROOT)}:{self.line}"


def modules() -> list[Module]:
    """All modules of the package, by path."""
    found = []
    for path in sorted(PACKAGE.rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        found.append(Module(path, source, ast.parse(source)))
    return found


def public_functions(body: Sequence[ast.stmt], prefix: str = "") -> Iterator[tuple[str, Function]]:
    """Functions and methods without a leading underscore, outside private classes; not those inside functions."""
    for node in body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield from public_functions(node.body, f"{prefix}{node.name}.")
        elif isinstance(node, Function) and not node.name.startswith("_"):
            yield prefix + node.name, node


def parameters(node: Function, method: bool) -> tuple[str, ...]:
    """Names of the parameters, without the `self` or `cls` of a method."""
    given = node.args
    names = [a.arg for a in [*given.posonlyargs, *given.args]]
    if method and not any(isinstance(d, ast.Name) and d.id == "staticmethod" for d in node.decorator_list):
        names = names[1:]
    names += [given.vararg.arg] if given.vararg else []
    names += [a.arg for a in given.kwonlyargs]
    names += [given.kwarg.arg] if given.kwarg else []
    return tuple(names)


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


ELSEWHERE = "which describes them"
"""What the docstring of a class has after the name of the protocol whose methods it implements."""


def implementing(module: Module) -> set[str]:
    """Classes whose methods are described by a protocol: docstrings of their own would only repeat it."""
    classes = (node for node in module.tree.body if isinstance(node, ast.ClassDef))
    return {node.name for node in classes if ELSEWHERE in (ast.get_docstring(node) or "")}


def with_parameters(found: Sequence[Module]) -> list[Described]:
    """Public functions and methods with two or more parameters, in public modules; see `implementing` for others."""
    rows = []
    for module in found:
        elsewhere = implementing(module)
        for name, node in public_functions(module.tree.body) if module.public else ():
            names = parameters(node, method="." in name)
            if len(names) > 1 and name.partition(".")[0] not in elsewhere:
                told = described(ast.get_docstring(node) or "")
                missing = tuple(each for each in names if each not in told)
                rows.append(Described(module, name, node.lineno, names, missing))
    return rows


def docstrings(found: Sequence[Module]) -> str:
    """Share of the functions with two or more parameters whose docstring describes every one of them."""
    rows = with_parameters(found)
    whole = sum(not row.missing for row in rows)
    return f"{whole} of {len(rows)} ({whole / max(len(rows), 1):.0%})"


def raising(found: Sequence[Module]) -> list[Described]:
    """Public functions outside of window and command line that raise an error themselves; missing: its name."""
    rows = []
    for module in found:
        if not module.public or module.room in ("gui", "cli"):
            continue
        for name, node in public_functions(module.tree.body):
            if errors := tuple(sorted(raised(node))):
                told = "aises" in (ast.get_docstring(node) or "")
                rows.append(Described(module, name, node.lineno, errors, () if told else errors))
    return rows


def raised(node: Function) -> set[str]:
    """Names of the errors in the function's own `raise` statements, not in those of functions inside it."""
    names: set[str] = set()
    waiting: list[ast.AST] = [*node.body]
    while waiting:
        each = waiting.pop()
        if isinstance(each, ast.Raise) and each.exc is not None:
            made = each.exc.func if isinstance(each.exc, ast.Call) else each.exc
            names.add(ast.unparse(made))
        elif not isinstance(each, Function | ast.Lambda):
            waiting += ast.iter_child_nodes(each)
    return names


def errors(found: Sequence[Module]) -> str:
    """How many of the functions that raise have a docstring that says so."""
    rows = raising(found)
    return f"{sum(not row.missing for row in rows)} of {len(rows)}"


def unknown(found: Sequence[Module]) -> list[Described]:
    """Public functions whose docstring describes parameters that they do not have; missing: their names."""
    rows = []
    for module in found:
        for name, node in public_functions(module.tree.body) if module.public else ():
            names = parameters(node, method="." in name)
            strange = described(ast.get_docstring(node) or "") - set(names)
            if strange:
                rows.append(Described(module, name, node.lineno, names, tuple(sorted(strange))))
    return rows


def examples(found: Sequence[Module]) -> str:
    """Runnable examples: docstring lines that begin with `>>>`."""
    lines = 0
    for module in found:
        for node in ast.walk(module.tree):
            if isinstance(node, ast.Module | ast.ClassDef | Function):
                lines += len(re.findall(r"^\s*>>> ", ast.get_docstring(node) or "", re.MULTILINE))
    return str(lines)


def comment_share(found: Sequence[Module]) -> float:
    """Comment tokens per line that is not blank."""
    comments = lines = 0
    for module in found:
        lines += sum(bool(line.strip()) for line in module.source.splitlines())
        tokens = tokenize.generate_tokens(io.StringIO(module.source).readline)
        comments += sum(token.type == tokenize.COMMENT for token in tokens)
    return comments / max(lines, 1)


def comments(found: Sequence[Module]) -> str:
    """The share of comments."""
    return f"{comment_share(found):.1%}"


def lengths(found: Sequence[Module]) -> list[int]:
    """Lines of every function without its docstring, ascending."""
    return sorted(
        each.end_lineno - each.lineno + 1 - docstring_lines(each)
        for module in found
        for each in ast.walk(module.tree)
        if isinstance(each, Function) and each.end_lineno is not None
    )


def docstring_lines(node: Function) -> int:
    """Lines that the docstring of a function takes."""
    first = node.body[0]
    if ast.get_docstring(node) is None or first.end_lineno is None:
        return 0
    return first.end_lineno - first.lineno + 1


def functions(found: Sequence[Module]) -> str:
    """Median, ninth decile and maximum of the lines of functions, without docstrings."""
    lines = lengths(found)
    return f"{lines[len(lines) // 2]} / {lines[len(lines) * 9 // 10]} / {lines[-1]} ({len(lines):,} functions)"


@dataclass(frozen=True)
class Kind:
    """One class: names of its methods, and of the attributes that its objects carry."""

    module: Module
    name: str
    bases: tuple[str, ...]
    methods: frozenset[str]
    attributes: frozenset[str]

    def joined(self, other: Kind) -> Kind:
        """Return this class with what another brings into it; an overridden method counts once."""
        return replace(self, methods=self.methods | other.methods, attributes=self.attributes | other.attributes)


def kinds(found: Sequence[Module]) -> list[Kind]:
    """Return every class with all that its objects bring: see `Notes`.

    Notes
    -----
    Methods are the functions in the class's body, those of its bases in the package, and functions outside it that
    use private names of an instance that they are given: a class does not get smaller by moving its methods out.
    Attributes are what methods assign to the instance, and the fields of a dataclass, own and inherited. The fields of
    a frozen dataclass do not count: it is a value, whose fields are its columns and never change.
    """
    own = {}
    for module in found:
        for node in ast.walk(module.tree):
            if isinstance(node, ast.ClassDef):
                own[module.path, node.name] = kind_of(module, node)
    by_name = {kind.name: kind for kind in own.values()}
    outside = list(itertools.chain.from_iterable(methods_outside(module) for module in found))
    return [with_outside(inherited(kind, by_name), outside) for kind in own.values()]


def kind_of(module: Module, node: ast.ClassDef) -> Kind:
    """Return what the class itself defines."""
    methods = [each for each in node.body if isinstance(each, Function)]
    attributes = {name for method in methods for name in assigned(method)}
    decorators = [ast.unparse(each) for each in node.decorator_list]
    if any("dataclass" in each and "frozen=True" not in each for each in decorators):
        attributes |= fields(node)
    bases = tuple(ast.unparse(base).partition("[")[0].rpartition(".")[2] for base in node.bases)
    return Kind(module, node.name, bases, frozenset(each.name for each in methods), frozenset(attributes))


def fields(node: ast.ClassDef) -> set[str]:
    """Return the names of the fields that a dataclass declares."""
    return {
        each.target.id
        for each in node.body
        if isinstance(each, ast.AnnAssign)
        and isinstance(each.target, ast.Name)
        and "ClassVar" not in ast.unparse(each.annotation)
    }


def assigned(method: Function) -> set[str]:
    """Return the names that a method assigns on its first parameter, alone or among others."""
    if not method.args.args:
        return set()
    instance = method.args.args[0].arg
    return {
        each.attr
        for each in ast.walk(method)
        if isinstance(each, ast.Attribute) and isinstance(each.ctx, ast.Store) and is_named(each.value, instance)
    }


def is_named(node: ast.expr, name: str) -> bool:
    """Whether an expression is this name."""
    return isinstance(node, ast.Name) and node.id == name


def methods_outside(module: Module) -> Iterator[tuple[str, str]]:
    """Yield the class and the name of each function that uses private names of a parameter of that class."""
    for node in module.tree.body:
        if isinstance(node, Function):
            for parameter in [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]:
                if parameter.annotation is not None and uses_private_names(node, parameter.arg):
                    yield ast.unparse(parameter.annotation).strip("'\""), node.name


def uses_private_names(node: Function, parameter: str) -> bool:
    """Whether a function reads or writes `parameter._name`."""
    return any(
        isinstance(each, ast.Attribute) and each.attr.startswith("_") and is_named(each.value, parameter)
        for each in ast.walk(node)
    )


def inherited(kind: Kind, by_name: Mapping[str, Kind]) -> Kind:
    """Return a class with what its bases in the package bring."""
    for base in kind.bases:
        if base in by_name and base != kind.name:
            kind = kind.joined(inherited(by_name[base], by_name))
    return kind


def with_outside(kind: Kind, outside: Sequence[tuple[str, str]]) -> Kind:
    """Return a class with the functions that are its methods in all but their place."""
    return replace(kind, methods=kind.methods | {name for owner, name in outside if owner == kind.name})


def sizes(found: Sequence[Module], window: bool, what: str) -> list[tuple[int, str]]:
    """Return the number of `what`, "methods" or "attributes", per class: of the window's classes, or of the others."""
    chosen = [kind for kind in kinds(found) if (kind.module.room == "gui") == window]
    return sorted(((len(getattr(kind, what)), kind.name) for kind in chosen), reverse=True)


def largest_classes(found: Sequence[Module], window: bool) -> list[tuple[int, str]]:
    """Return the methods of every class; see `sizes`."""
    return sizes(found, window, "methods")


def classes(found: Sequence[Module]) -> str:
    """Return the three classes with the most methods, in the window and outside it."""
    return both(found, "methods")


def attributes(found: Sequence[Module]) -> str:
    """Return the three classes with the most attributes, in the window and outside it."""
    return both(found, "attributes")


def both(found: Sequence[Module], what: str) -> str:
    """Return the three largest classes, in the window and outside it."""
    core, window = (
        ", ".join(f"{name} {number}" for number, name in sizes(found, of_window, what)[:3])
        for of_window in (False, True)
    )
    return f"{core}; window: {window}"


def described_share(found: Sequence[Module]) -> float:
    """The share that `docstrings` prints."""
    rows = with_parameters(found)
    return sum(not row.missing for row in rows) / max(len(rows), 1)


FLOORS: dict[str, tuple[Callable[[Sequence[Module]], float], float]] = {
    "share of functions that describe each parameter": (described_share, DESCRIBED),
    "lines of the longest function, negative": (lambda found: -lengths(found)[-1], -LONGEST),
    "methods of the largest class outside the window, negative": (
        lambda found: -next(number for number, name in largest_classes(found, window=False) if name not in FACES),
        -METHODS,
    ),
    "methods of the library's faces, negative": (
        lambda found: -next((number for number, name in largest_classes(found, window=False) if name in FACES), 0),
        -FACE_METHODS,
    ),
    "attributes of the largest class outside the window, negative": (
        lambda found: -sizes(found, window=False, what="attributes")[0][0],
        -ATTRIBUTES,
    ),
    "methods of the largest class of the window, negative": (
        lambda found: -largest_classes(found, window=True)[0][0],
        -METHODS,
    ),
    "attributes of the largest class of the window, negative": (
        lambda found: -sizes(found, window=True, what="attributes")[0][0],
        -ATTRIBUTES,
    ),
}
"""Measures that may get better but not worse. The bounds are about what holds now, and are raised with the code."""


def below_floor(found: Sequence[Module]) -> list[str]:
    """A line for each measure that got worse than its floor."""
    values = [(label, measure(found), floor) for label, (measure, floor) in FLOORS.items()]
    return [f"{label}: {value:.3f}, and was {floor:.3f}" for label, value, floor in values if value < floor]


MEASURES: dict[str, Callable[[Sequence[Module]], str]] = {
    "public functions with two or more parameters that describe each": docstrings,
    "public functions of the core that raise an error and say so": errors,
    "lines of runnable examples in docstrings": examples,
    "comments per line that is not blank": comments,
    "lines of functions, median / ninth decile / maximum": functions,
    "classes with the most methods": classes,
    "classes with the most attributes": attributes,
}


def by_room(rows: Sequence[Described]) -> Iterator[str]:
    """One line per room, with the functions that describe every parameter and all of them."""
    for room in sorted({row.module.room for row in rows}):
        here = [row for row in rows if row.module.room == room]
        whole = sum(not row.missing for row in here)
        yield f"  {room:<12} {whole:4} of {len(here):4} ({whole / len(here):4.0%})"


def main() -> None:
    parser = argparse.ArgumentParser(description="Measures of the code itself.")
    parser.add_argument("rooms", nargs="*", help="list what falls short in these rooms")
    parser.add_argument("--floors", action="store_true", help="only check that nothing got worse")
    args = parser.parse_args()
    rooms, found = args.rooms, modules()
    if args.floors:
        sys.exit("\n".join(below_floor(found)) or 0)
    for label, measure in MEASURES.items():
        print(f"{label}: {measure(found)}")
    rows = with_parameters(found)
    print(*by_room(rows), sep="\n")
    for row in [*rows, *raising(found)]:
        if row.missing and row.module.room in rooms:
            print(f"{row.place}: {row.name} leaves out {', '.join(row.missing)}")
    for row in unknown(found):
        print(f"{row.place}: {row.name} has no {', '.join(row.missing)}")


if __name__ == "__main__":
    main()
