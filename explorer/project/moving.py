"""A project that is saved in another folder: its indexes and its views name the same files from there."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from explorer.project.places import found, stored, with_paths
from explorer.project.values import Index, Project
from explorer.project.view_files import moved_view


def moved(project: Project, old: Path | None, new: Path) -> Project:
    """The same indexes, as seen from another project file.

    old, new: The project files; `old` is None for a new project, whose paths are absolute.
    """
    if old is not None and old.parent == new.parent:
        return project
    views = tuple((name, moved_view(name, view, old or new, new)) for name, view in project.views)
    return replace(project, indexes=tuple(_moved(index, old or new, new) for index in project.indexes), views=views)


def _moved(index: Index, old: Path, new: Path) -> Index:
    return with_paths(index, lambda path: stored(found(path, old), new))
