"""What is done with the project of a window: it is opened, changed and saved, and its indexes found. Without Qt."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Protocol

from explorer.gui.presenting.presenter import Presenter, Slot
from explorer.gui.presenting.requests import OpenRequest, Request, Saved
from explorer.gui.project.state import ProjectState
from explorer.gui.project.views import KnownFiles, ReadViews, ViewDoor, Views, read_views
from explorer.i18n import tr
from explorer.project import Index, Project

if TYPE_CHECKING:
    from explorer.corpus import Corpus
    from explorer.errors import CorpusError
    from explorer.project.checking import IndexCheck

# What is below imports `project_indexes` where it is called: the window is shown without it.


class RecentProjects(KnownFiles, Protocol):
    """The lists of recent projects and of what was opened before, as the settings keep them."""

    def recent_projects(self) -> list[str]:
        """Newest first."""

    def add_recent_project(self, path: str) -> None:
        """Move a file to the top of the list."""


class Projects(Presenter[ProjectState]):
    """Opens, changes and saves the project of a window.

    slot: Reads and writes project files, and looks for their indexes, off the interface thread.
    reader: Reads the fingerprints of opened indexes there.
    recents: The stored lists of recent projects and indexes.
    ask: Asks the window for something.
    views: Gives what is typed and chosen now.
    show: Shows what was typed and chosen, once the index is open.
    """

    def __init__(
        self,
        slot: Slot,
        reader: Slot,
        recents: RecentProjects,
        ask: Callable[[Request], object],
        views: Callable[[], Views],
        show: Callable[[Views], object],
    ) -> None:
        super().__init__(ProjectState(recent=recents.recent_projects()))
        self._slot, self._reader, self._recents, self._ask = slot, reader, recents, ask
        self._views, self._door = views, ViewDoor(recents, show)
        # The views of a project that was opened wait for its index.
        self._waiting: tuple[str, ReadViews] | None = None
        self._then: Callable[[], object] | None = None

    def new(self) -> None:
        """Begin a new project; the index stays open."""
        # A file that is still being read would replace the empty project when its answer arrives.
        self._slot.cancel()
        self._waiting = None
        self._door.forget()
        empty, current = Project(), self.state.unnamed
        cleared = {"checks": (), "files": (), "error": None, "busy": False, "other": "", "dismissed": False}
        self.change(project=empty, saved=empty, current=current, **cleared)

    def open(self, path: str, with_views: bool = True) -> None:
        """Open a project file.

        with_views: Whether to open its index and show what was typed and chosen, too; otherwise only what it keeps.
        """
        # The project that is open stays until the file is read: it may be damaged.
        self.change(busy=True, path=path)
        self._slot.run(lambda cancel: _opened(path), partial(self._take, with_views), self._fail)

    def _take(self, with_views: bool, found: tuple[Project, tuple[IndexCheck, ...], ReadViews]) -> None:
        project, checks, views = found
        self._door.forget()
        # Views of the project before may still wait for an index with the same id.
        self._waiting = None
        current = self.state.unnamed
        self._recents.add_recent_project(str(project.file))
        self.change(
            project=project,
            saved=project,
            # Whether the others have changed is known only when they are open: nothing reads their fingerprints here.
            checks=tuple(check for check in checks if check.state == "missing"),
            # Asked about beside an index that is missing, for which the views wait.
            files=self._door.unknown(views) if with_views else (),
            error=None,
            busy=False,
            other="",
            dismissed=False,
            recent=self._recents.recent_projects(),
        )
        # The open index may be one of this project's. It gets its id there, and a notice about it goes. After the
        # change, since the indexes are looked up in the state.
        if current is not None:
            self._take_index(current)
        if with_views:
            self._open_index(checks, views)

    def _open_index(self, checks: Sequence[IndexCheck], views: ReadViews) -> None:
        """Open the index that was open, if it is there and the user has opened it before or it came with the file."""
        project = self.state.project
        wanted = next((check for check in checks if check.index.id == project.opened), None) or next(iter(checks), None)
        if wanted is None:
            self.change(files=self._door.show(views, self.state.files))
            return
        self._waiting = (wanted.index.id, views)
        # The views wait also for an index that is missing: they are shown when the user has located it.
        if wanted.state == "missing":
            return
        # A project from somebody else names any folder it likes; the program reads only what the user knows.
        known = set(self._recents.recent_indexes())
        if wanted.inside or set(wanted.paths) <= known:
            self._ask(self.state.request(wanted.index))
        else:
            self.change(checks=(wanted, *self.state.checks))

    def use_corpus(self, corpus: Corpus | None, request: OpenRequest) -> None:
        """Take another index."""
        from explorer.gui.project.indexes import described

        # Until the fingerprint is read, nothing can be kept about this index.
        self._reader.cancel()
        self.change(current=None)
        if corpus is not None:
            self._reader.run(lambda cancel: described(corpus, request), self._take_index)

    def _take_index(self, index: Index) -> None:
        from explorer.gui.project.indexes import relative_index, with_changed_index

        project = self.state.project
        index = relative_index(index, project)
        same = next((known for known in project.indexes if known.fingerprint == index.fingerprint), None)
        checks = self.state.checks
        if same is not None:
            index = replace(index, id=same.id)
            checks = tuple(check for check in checks if check.index.id != same.id)
            if any(check.index.id == same.id for check in self.state.checks):
                # The same contents in another place: that is where it is from now on.
                project = with_changed_index(project, replace(index, extra=same.extra))
        else:
            there = next((known for known in project.indexes if known.paths == index.paths), None)
            # After `use_anyway` there is no fingerprint to compare: the user has accepted other contents.
            if there is not None and there.fingerprint:
                others = tuple(check for check in checks if check.index.id != there.id)
                from explorer.project.checking import IndexCheck

                checks = (IndexCheck(there, "changed", index.paths, True), *others)
        self.change(current=index, checks=checks, project=project)
        self._show_waiting(index)

    def _show_waiting(self, index: Index) -> None:
        if self._waiting is not None and index.id == self._waiting[0]:
            views, self._waiting = self._waiting[1], None
            self.change(files=self._door.show(views, self.state.files))

    def edit(self, change: Callable[[Project, Index], Project]) -> bool:
        """Change what the project keeps about the open index.

        change: Gets the project and the index as it is named in it, and gives the changed project.
        Returns: Whether it was changed: the fingerprint of the index must be known, and the project not read-only.
        """
        current = self.state.current
        if current is None or self.state.project.read_only:
            return False
        project, index = self.state.project, current
        if project.index(current.id) is None:
            project, index = project.with_index(current)
        # With the id that it has in the project, by which sets and queries name it.
        self.change(project=change(project, index), current=index)
        return True

    def rename_set(self, name: str, new: str) -> None:
        """Give a set another name; nothing changes if it is taken."""
        self.change(project=self.state.project.with_renamed_set(name, new.strip()))

    def remove_set(self, name: str) -> None:
        """Remove a set."""
        self.change(project=self.state.project.without_set(name))

    def save(self, path: str | None = None, overwrite: bool = False, then: Callable[[], object] | None = None) -> None:
        """Save the project.

        path: Another file, which the user chose and allowed to be replaced; None for its own.
        overwrite: Whether to replace changes of others.
        then: Called when it is saved; not if that fails.
        """
        # With the views of this moment; the window keeps changing them without asking.
        views = self._views()
        # What is in front of the user was chosen, or agreed to, by the user.
        self._door.note(views)
        project = self._with_views(self.state.project, views)
        from explorer.project import save_project

        self._then = then
        self.change(busy=True, error=None, path=path or str(project.file))
        self._slot.run(
            # It gets frozen values only, since it runs on another thread. `_saved` gets the project from which they
            # were made, to tell whether it was changed while it was written.
            lambda cancel: save_project(project, path, overwrite or path is not None),
            partial(self._saved, self.state.project),
            self._fail,
        )

    def _with_views(self, project: Project, views: Views) -> Project:
        current = self.state.current
        if current is not None and project.index(current.id) is None:
            project, current = project.with_index(current)
        if self._waiting is not None:
            # What was typed and chosen waits for its index: what the window shows without it must not take its place.
            return project
        return replace(self._door.written(project, views), opened="" if current is None else current.id)

    def _saved(self, before: Project, saved: Project) -> None:
        from explorer.gui.project.indexes import absolute_index, relative_index

        current = self.state.current
        if current is not None:
            # Paths may be relative to the project's file, which is another one after “Save as”.
            absolute = absolute_index(current, before)
            current = replace(relative_index(absolute, saved), id=saved.opened or current.id)
        # What was changed while it was written is not saved.
        now = saved if self.state.project is before else replace(self.state.project, origin=saved.origin)
        self._recents.add_recent_project(str(saved.file))
        self.change(project=now, saved=saved, current=current, busy=False, recent=self._recents.recent_projects())
        self._ask(Saved(saved.file, tr("Saved the project")))
        # Forgotten before it is called, since it may save or open something itself.
        then, self._then = self._then, None
        if then is not None:
            then()

    def locate(self, folder: str) -> None:
        """Use a folder in place of the missing or changed index that the notice is about."""
        check = self.state.problem
        if check is None:
            return
        from explorer.gui.project.indexes import fingerprint_at
        from explorer.project.places import relocated

        index = relocated(check.index, [folder], self.state.project.file)
        project = self.state.project
        self.change(busy=True, path=folder)
        # A fingerprint is read from the opened index, which takes too long for the interface thread.
        self._slot.run(lambda cancel: fingerprint_at(project, index), partial(self._located, index, folder), self._fail)

    def _located(self, index: Index, folder: str, fingerprint: str) -> None:
        self.change(busy=False)
        if index.fingerprint and fingerprint != index.fingerprint:
            self.change(other=folder)
        else:
            self._use(replace(index, fingerprint=fingerprint))

    def use_anyway(self) -> None:
        """Use the folder that was located, although it has other contents. Sets of its lines stay with the old ones."""
        check = self.state.problem
        if check is not None and self.state.other:
            from explorer.project.places import relocated

            # Without its fingerprint: with it, opening the folder would report once more that its contents are others.
            self._use(replace(relocated(check.index, [self.state.other], self.state.project.file), fingerprint=""))

    def _use(self, index: Index) -> None:
        from explorer.gui.project.indexes import with_changed_index

        checks = tuple(check for check in self.state.checks if check.index.id != index.id)
        self.change(project=with_changed_index(self.state.project, index), checks=checks, other="", error=None)
        self._ask(self.state.request(index))

    def open_index(self) -> None:
        """Open the index that the notice is about: the user has agreed."""
        check = self.state.problem
        if check is not None:
            self.change(checks=self.state.checks[1:])
            self._ask(self.state.request(check.index))

    def read_files(self, agreed: bool = True) -> None:
        """Read the files that the notice is about, if the user agrees; otherwise they stay in the project, unread."""
        files = self.state.files
        self.change(files=())
        if agreed:
            self._door.agree(files)

    def dismiss(self) -> None:
        """The user has read the notice."""
        # In the order of `ProjectState.notice`: what goes is what was shown.
        if self.state.error is not None:
            self.change(error=None)
        elif self.state.checks:
            self.change(checks=self.state.checks[1:], other="")
        else:
            self.change(dismissed=True)

    def _fail(self, error: CorpusError) -> None:
        # What was to follow a save, such as closing the window, would lose the changes now.
        self._then = None
        self.change(error=error, busy=False)


def _opened(path: str) -> tuple[Project, tuple[IndexCheck, ...], ReadViews]:
    from explorer.project import open_project
    from explorer.project.checking import present

    project = open_project(path)
    return project, tuple(present(project, index) for index in project.indexes), read_views(project)
