"""What people keep: project files with indexes, queries, saved sets of lines, views and notes."""

# These are what other rooms and users import; where their parts are may change.

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from explorer.project.values import Index, KeptLine, KeptLines, LineSet, Project, Query, SavedQuery

if TYPE_CHECKING:
    from explorer.project.reading import ProjectError
    from explorer.project.storage import open_project, save_project

_WHERE = {
    "ProjectError": "explorer.project.reading",
    "open_project": "explorer.project.storage",
    "save_project": "explorer.project.storage",
}
"""What reads and writes files, and needs the search for that: the window is shown without it."""

__all__ = [
    "Index",
    "KeptLine",
    "KeptLines",
    "LineSet",
    "Project",
    "ProjectError",
    "Query",
    "SavedQuery",
    "open_project",
    "save_project",
]


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_WHERE[name]), name)
