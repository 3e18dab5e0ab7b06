"""Imports modules while the window is in use: those of the window one at a time, all others on a thread.

A class of Qt must be made on the interface thread. PySide keeps tables of all classes and their signals without a lock:
if another thread adds one while this thread delivers an event, the program crashes now and then. The modules below
`explorer.gui` make such classes, so they are imported here, in the order of their dependencies: each import then runs
one module and takes a few milliseconds. What needs no Qt, such as numpy and the other rooms, takes longer at a time
and is imported on the thread, before the first module that needs it.
"""

from __future__ import annotations

import dis
import logging
import sys
import threading
from collections import deque
from collections.abc import Iterator, Sequence
from functools import cache
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import CodeType

from explorer.gui.app.large_import import import_in_parts

_WINDOW = "explorer.gui"
_QT = {"PySide6", "shiboken6", "pyqtgraph"}
LARGE = {"pyqtgraph"}
"""Packages whose import would hold the event loop too long."""
_EXTENDED, _CONSTANT, _IMPORT, _NAME = (
    dis.opmap[name] for name in ("EXTENDED_ARG", "LOAD_CONST", "IMPORT_NAME", "LOAD_NAME")
)
# What `if NAME:` is compiled to depends on Python's version.
_IF_NOT = {dis.opmap.get(name) for name in ("POP_JUMP_FORWARD_IF_FALSE", "POP_JUMP_IF_FALSE")}
_CHECKING = "TYPE_CHECKING"
_LOG = logging.getLogger("explorer.gui")


def needs_interface_thread(name: str) -> bool:
    """Whether a module may make classes of Qt.

    Returns: True for the window's own modules and for the packages that consist of such classes.
    """
    return f"{name}.".startswith(f"{_WINDOW}.") or name.partition(".")[0] in _QT


class ModuleQueue:
    """Imports modules and all that they need, see above.

    names: Full names; in this order they become ready.
    """

    def __init__(self, names: Sequence[str]) -> None:
        self._names = tuple(names)
        # Filled on the thread and emptied on the interface thread: a deque needs no lock for that.
        self._steps: deque[str] = deque()
        self._done: set[str] = set()
        self._thread = threading.Thread(target=self._prepare, name="modules")
        self._begun = self._ended = False
        # The package that is being imported in parts, and its next ones.
        self._large = ""
        self._parts: Iterator[None] = iter(())

    def begin(self) -> None:
        """Begin to find what is needed; from the second call on, nothing happens."""
        if not self._begun:
            self._begun = True
            # Not a daemon: a module that is half imported when the program ends is imported completely first.
            self._thread.start()

    def end(self) -> None:
        """Import nothing more, but for the module that the thread is at, and a package that was begun."""
        self.complete()
        self._ended = True

    def step(self) -> bool:
        """Import the next module of the window, or a part of a large package. False if none is waiting.

        The thread may still add some then.
        """
        if self._large:
            self._import_part()
            return True
        if self._ended or not self._steps:
            return False
        name = self._steps.popleft()
        if name in LARGE and name not in sys.modules:
            self._large, self._parts = name, import_in_parts(name)
        else:
            _import(name)
            self._done.add(name)
        return True

    def complete(self) -> None:
        """Import the rest of a package that was begun: before anything else may import it."""
        while self._large:
            self._import_part()

    def _import_part(self) -> None:
        try:
            next(self._parts)
        except StopIteration:
            self._done.add(self._large)
            self._large = ""
        except Exception:  # noqa: BLE001 - whoever needs it imports it again, and gets the error
            _LOG.warning("the module %s cannot be imported", self._large)
            self._done.add(self._large)
            self._large = ""

    def ready(self, name: str) -> bool:
        """Whether the import of one of the names was tried: importing it again takes no time, or fails at once."""
        return name in self._done

    def _prepare(self) -> None:
        """On the thread: import what needs no Qt, and line up all else."""
        seen: set[str] = set()
        for target in self._names:
            try:
                self._prepare_one(target, seen)
            except Exception:  # noqa: BLE001 - a file that cannot be read or compiled: its import tells the same
                _LOG.warning("what the module %s needs cannot be found out", target)
            # Also if it was imported long ago, or cannot be found: `step` reports all in turn.
            self._steps.append(target)

    def _prepare_one(self, target: str, seen: set[str]) -> None:
        for name in _needed(target, seen):
            if self._ended:
                return
            if needs_interface_thread(name):
                self._steps.append(name)
            else:
                _import(name)


def _import(name: str) -> None:
    try:
        # A lane may be in the middle of a package around it. This waits for its end; the last step alone would not,
        # and packages that import each other in a circle, such as numpy, would come to grief.
        for end in (*(place for place, mark in enumerate(name) if mark == "."), None):
            import_module(name[:end])
    except Exception:  # noqa: BLE001 - whoever needs it imports it again, and gets the error
        _LOG.warning("the module %s cannot be imported", name)


def _needed(name: str, seen: set[str]) -> Iterator[str]:
    """A module and those that it imports, each after all that it imports itself; only those that are not imported yet.

    seen: Modules that are not looked at again; becomes larger.
    Yields: Full names of modules that exist.
    """
    if name in seen:
        return
    seen.add(name)
    if name in sys.modules:
        # A lane may be in the middle of it: this waits for its end, so that the interface thread need not.
        import_module(name)
        return
    parent = name.rpartition(".")[0]
    if parent:
        yield from _needed(parent, seen)
    spec = _find(name)
    if spec is None:
        return
    # Other people's packages may import what is not installed, and decide so when they run: they are taken as a whole.
    if name.partition(".")[0] == _WINDOW.partition(".")[0]:
        for other in _imported_by(spec):
            yield from _needed(other, seen)
    yield name


@cache
def _find(name: str) -> ModuleSpec | None:
    """Where a module is; None if it is an attribute of a module, or missing.

    `importlib.util.find_spec` would import the package around it, on this thread.
    """
    path: Sequence[str] | None = None
    parent = name.rpartition(".")[0]
    if parent:
        around = _find(parent)
        path = around.submodule_search_locations if around else None
        if path is None:
            return None
    found = (finder.find_spec(name, path) for finder in sys.meta_path)
    return next((spec for spec in found if spec is not None), None)


def _imported_by(spec: ModuleSpec) -> Iterator[str]:
    """The modules that one imports when it is imported itself, and names of other things that it imports from them.

    Without what only type checkers see: pyarrow alone, which most runs never use, takes 20 MiB.
    """
    code = spec.loader.get_code(spec.name) if hasattr(spec.loader, "get_code") else None  # type: ignore[union-attr]
    if not isinstance(code, CodeType):
        return
    value, argument, unseen, end = None, 0, False, 0
    for place, (op, part) in enumerate(zip(code.co_code[::2], code.co_code[1::2], strict=True)):
        argument = argument << 8 | part
        if op == _EXTENDED:
            continue
        if op in _IF_NOT:
            # What only type checkers see ends where the jump leads. Some versions have an entry of a cache after it;
            # in others, one step too many is skipped, which no import begins with.
            end = place + argument + 2 if unseen else end
            unseen = False
        elif op == _NAME:
            unseen = code.co_names[argument] == _CHECKING
        elif place < end:
            pass
        elif op == _CONSTANT:
            # The last one before an import is the tuple of names after `import`.
            value = code.co_consts[argument]
        elif op == _IMPORT:
            yield code.co_names[argument]
            if isinstance(value, tuple):
                yield from (f"{code.co_names[argument]}.{name}" for name in value)
        argument = 0
