"""The views of a project on their way to the screens: files of others are read only if the user agrees. Without Qt."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any, Protocol

from explorer.project import Project

# What is below imports `view_files` where it is called: the window is shown without it.


class KnownFiles(Protocol):
    """The lists of what the user opened before, as the settings keep them."""

    def recent_indexes(self) -> list[str]:
        """The indexes that the user opened."""

    def known_files(self) -> list[str]:
        """Files that the user chose or agreed to."""

    def add_known_files(self, paths: Iterable[str]) -> None:
        """Note files that the user chose or agreed to."""


@dataclass(frozen=True)
class Views:
    """What was typed and chosen in a window. screen: the id of the screen that is shown; screens: sessions by id."""

    screen: str
    screens: dict[str, Any]


@dataclass(frozen=True)
class ReadViews:
    """The views of a project file. views: with absolute paths; outside: their files that are not in its folder."""

    views: Views
    outside: tuple[str, ...] = ()


def read_views(project: Project) -> ReadViews:
    """Read the views of a project. Runs off the interface thread, since links in its folder are followed."""
    from explorer.project.view_files import absolute_files, files_of, is_beside

    file = project.file
    screens = {name: absolute_files(name, json.loads(view), file) for name, view in project.views}
    named = dict.fromkeys(path for name, view in screens.items() for path in files_of(name, view))
    return ReadViews(Views(project.screen, screens), tuple(path for path in named if not is_beside(path, file)))


class ViewDoor:
    """Hands the views of a project to the screens, and holds back what the user has not agreed to.

    known: The stored lists of what the user opened before.
    """

    def __init__(self, known: KnownFiles, show: Callable[[Views], object]) -> None:
        self._known, self._show = known, show
        # The views whose files were held back when they were shown, with these files.
        self._held: Views | None = None
        self._held_files: set[str] = set()

    def unknown(self, read: ReadViews) -> tuple[str, ...]:
        """Give the files to ask about.

        Returns: The files outside the project's folder that the user does not know. None of them was looked at.
        """
        known = {*self._known.known_files(), *self._known.recent_indexes()}
        return tuple(path for path in read.outside if path not in known)

    def show(self, read: ReadViews, asked: tuple[str, ...]) -> tuple[str, ...]:
        """Show views without the files that the user does not know.

        Returns: Those that the user has not come to know meanwhile; what was refused is not asked again.
        """
        unknown = self._held_files = set(self.unknown(read))
        self._held = _only(read.views, unknown) if unknown else None
        self._show(_without(read.views, unknown) if unknown else read.views)
        return tuple(path for path in asked if path in unknown)

    def agree(self, files: Iterable[str]) -> None:
        """Take these files as known: the user has agreed. Views that wait for them are shown."""
        self._known.add_known_files(files)
        held, self._held = self._held, None
        if held is not None:
            self._show(held)

    def forget(self) -> None:
        """Hold nothing back: another project is open."""
        self._held = None

    def note(self, views: Views) -> None:
        """Note the files of views that the user has chosen or agreed to."""
        from explorer.project.view_files import files_of

        self._known.add_known_files(path for name, view in views.screens.items() for path in files_of(name, view))

    def written(self, project: Project, views: Views) -> Project:
        """Put views into a project, with paths as it stores them.

        views: What is typed and chosen now. Files that were held back stay in the project.
        """
        from explorer.project.view_files import put_back, relative_files

        held = {} if self._held is None else self._held.screens
        files = self._held_files
        whole = {name: put_back(name, view, held.get(name), files) for name, view in views.screens.items()}
        if project.origin is not None:
            whole = {name: relative_files(name, view, project.file) for name, view in whole.items()}
        # As text, since only a screen knows what its session holds: a project stores it without looking.
        texts = tuple((name, json.dumps(view, ensure_ascii=False)) for name, view in whole.items())
        return replace(project, screen=views.screen, views=texts)


def _without(views: Views, files: set[str]) -> Views:
    from explorer.project.view_files import with_files

    keep: Callable[[str], str | None] = lambda path: None if path in files else path  # noqa: E731
    return replace(views, screens={name: with_files(name, view, keep) for name, view in views.screens.items()})


def _only(views: Views, files: set[str]) -> Views:
    """The views of the screens that name any of these files. No screen is brought to the front."""
    from explorer.project.view_files import files_of

    kept = {name: view for name, view in views.screens.items() if not files.isdisjoint(files_of(name, view))}
    return Views("", kept)
