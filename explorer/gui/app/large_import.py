"""Imports a package that takes longer than a turn of the event loop, in parts.

pyqtgraph needs a third of a second. Half of it is what PySide defers: it makes its own classes when they are first
looked at, and pyqtgraph looks at all of them. The other half is the package's `__init__`, which imports two hundred
modules one after the other. Both can be done a little at a time, with the same result.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from importlib import import_module
from importlib.machinery import ModuleSpec
from importlib.util import find_spec, module_from_spec

_BINDINGS = ("PySide6.QtCore", "PySide6.QtGui", "PySide6.QtWidgets")
_CLASSES_AT_ONCE = 20


def import_in_parts(name: str) -> Iterator[None]:
    """Import a package that is built on Qt, statement by statement.

    Yields: After each part. Until the end, the package is in `sys.modules` but not complete: nobody may import it
        meanwhile. If the iterator is closed before its end, the package is as if it had never been imported.
    Raises `ImportError` if there is no such package, or one that it needs; also whatever else its code raises.

    Notes
    -----
    The longest part of pyqtgraph takes about 25 ms of the 300.
    """
    spec = find_spec(name)
    # A package without its source, or one that is compiled, cannot be taken apart.
    source = getattr(spec.loader, "get_source", lambda _: None)(name) if spec else None
    if name in sys.modules or spec is None or source is None:
        import_module(name)
        return
    yield from _make_classes()
    yield from _run(spec, ast.parse(source).body)


def _make_classes() -> Iterator[None]:
    """Look at the classes of Qt, which makes them."""
    for binding in map(import_module, _BINDINGS):
        for number, name in enumerate(dir(binding), start=1):
            getattr(binding, name)
            if number % _CLASSES_AT_ONCE == 0:
                yield
        yield


def _run(spec: ModuleSpec, statements: list[ast.stmt]) -> Iterator[None]:
    """Make the module of a package, as an import does, with a pause after each of its statements."""
    module = sys.modules[spec.name] = module_from_spec(spec)
    try:
        for statement in statements:
            part = ast.Module([statement], type_ignores=[])
            # Not with this file's `from __future__`; a package that has its own would need it in each part.
            exec(compile(part, spec.origin or spec.name, "exec", dont_inherit=True), module.__dict__)
            yield
    # Also if the iterator is closed: half a package must not be found.
    except BaseException:
        sys.modules.pop(spec.name, None)
        raise
