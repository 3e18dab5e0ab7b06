"""Makes a Python without Qt of one that has it, and of every Python that it starts; `make test-core` puts it first."""

from __future__ import annotations

import sys
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec

QT = ("PySide6", "shiboken6", "pyqtgraph")


class _NoQt(MetaPathFinder):
    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        if name.partition(".")[0] in QT:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return None


sys.meta_path.insert(0, _NoQt())
