"""Corpus Explorer: what is in a text corpus, and which parts of a text occur in it.

Examples
--------
`folder` is the folder of an index, such as `build_index` or the infini-gram package makes.

>>> import explorer
>>> corpus = explorer.open_index(folder)
>>> corpus.count("the cat")
3
>>> corpus.search('"the cat" AND NOT rug').count
2

Notes
-----
Names load when they are first used, so that the command line starts fast and answers Ctrl-C from the start.
"""

from __future__ import annotations

from explorer.errors import CorpusError

# Type checkers treat this name as true. Importing `typing` itself would take longer than everything else here.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from explorer.api import Corpus, open_index
    from explorer.building.adding import add_documents
    from explorer.building.estimate import estimate_build
    from explorer.building.run import build_index
    from explorer.checking.verify import verify_index
    from explorer.files.mapped import enable_fault_guard
    from explorer.overlap.alignment import compare_texts
    from explorer.project import Project, open_project
    from explorer.trace.settings import TraceSettings
    from explorer.version import VERSION as __version__

_WHERE = {
    "Corpus": "explorer.api",
    "open_index": "explorer.api",
    "Project": "explorer.project",
    "open_project": "explorer.project",
    "add_documents": "explorer.building.adding",
    "build_index": "explorer.building.run",
    "estimate_build": "explorer.building.estimate",
    "enable_fault_guard": "explorer.files.mapped",
    "verify_index": "explorer.checking.verify",
    "TraceSettings": "explorer.trace.settings",
    "compare_texts": "explorer.overlap.alignment",
    "__version__": "explorer.version",
}
_RENAMED = {"__version__": "VERSION"}

__all__ = [
    "Corpus",
    "CorpusError",
    "Project",
    "TraceSettings",
    "__version__",
    "add_documents",
    "build_index",
    "compare_texts",
    "enable_fault_guard",
    "estimate_build",
    "open_index",
    "open_project",
    "verify_index",
]


def __getattr__(name: str) -> Any:
    # Called only for names that the module does not have. Nothing is stored, so what a program replaces in the module
    # of origin is found here, too.
    if name not in _WHERE:
        raise AttributeError(f"module 'explorer' has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(_WHERE[name]), _RENAMED.get(name, name))
