"""The project of a window: what is kept, whether it is saved, and what is wrong with it. Without Qt."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol

from explorer.gui.hints import told
from explorer.gui.presenter import Presenter, Slot
from explorer.gui.project_views import KnownFiles, ReadViews, ViewDoor, Views, files_sentence, read_views
from explorer.gui.requests import OpenRequest, Request, Saved
from explorer.i18n import counted, mark, tr, trn
from explorer.project import Index, LineSet, Project
from explorer.project.places import found, relocated, stored

if TYPE_CHECKING:
    from explorer.api import Corpus
    from explorer.errors import CorpusError
    from explorer.project.checking import IndexCheck

Remedy = Literal["locate", "use_anyway", "open_index", "read_files", "overwrite", "save_as", "choose", "dismiss"]
REMEDIES: dict[Remedy, str] = {
    "locate": mark("Locate …"),
    "use_anyway": mark("Use it anyway"),
    "open_index": mark("Open it"),
    "read_files": mark("Read these files"),
    "overwrite": mark("Overwrite"),
    "save_as": mark("Save as …"),
    "choose": mark("Open another …"),
    "dismiss": mark("Dismiss"),
}
"""What can be done about a notice, and the text of its button."""


class RecentProjects(KnownFiles, Protocol):
    """The lists of recent projects and of what was opened before, as the settings keep them."""

    def recent_projects(self) -> list[str]:
        """Newest first."""

    def add_recent_project(self, path: str) -> None:
        """Move a file to the top of the list."""


@dataclass(frozen=True)
class ProjectNotice:
    """Something about the project that the user should know.

    kind: "info", "warn" or "error". remedies: at most three buttons.
    """

    kind: Literal["info", "warn", "error"]
    title: str
    sentence: str
    remedies: tuple[Remedy, ...]


@dataclass(frozen=True, eq=False)
class ProjectState:
    """The project of a window.

    Attributes
    ----------
    project
        As it is now.
    saved
        As it was saved or opened last.
    current
        The open index, as a project names it; None without one, and until its fingerprint is read.
    checks
        Indexes of the project that are missing, changed, or outside of its folder.
    files
        Files of its views that the user has not agreed to read.
    other
        A folder that the user chose in place of a missing index, but that has other contents.
    error
        Why something could not be opened or saved.
    path
        What could not be opened or saved.
    busy
        Whether it is being read or written.
    recent
        Recent projects, newest first.
    dismissed
        Whether the user has read that a newer version wrote it.
    """

    project: Project = field(default_factory=Project)
    saved: Project = field(default_factory=Project)
    current: Index | None = None
    checks: tuple[IndexCheck, ...] = ()
    files: tuple[str, ...] = ()
    other: str = ""
    error: CorpusError | None = None
    path: str = ""
    busy: bool = False
    recent: Sequence[str] = ()
    dismissed: bool = False

    @property
    def changed(self) -> bool:
        """Whether anything would be lost without saving. What was typed is kept by the session as well."""
        return _kept(self.project) != _kept(self.saved)

    @property
    def shown(self) -> bool:
        """Whether the title names the project: it has a file, or something in it."""
        return self.project.origin is not None or self.changed

    @property
    def name(self) -> str:
        """What to call it."""
        return self.project.name or tr("Untitled project")

    @property
    def sets(self) -> tuple[LineSet, ...]:
        """The saved sets."""
        return self.project.sets

    def fits(self, kept: LineSet) -> bool:
        """Whether a set is from the contents of the open index."""
        # A set without a fingerprint fits no index: nothing tells what its lines were taken from.
        return self.current is not None and (kept.fingerprint or None) == self.current.fingerprint

    @property
    def problem(self) -> IndexCheck | None:
        """The first index that something is wrong with."""
        return next(iter(self.checks), None)

    @property
    def notice(self) -> ProjectNotice | None:
        """What the user should know, the worst first; None for nothing."""
        if self.error is not None:
            return _error_notice(self.error)
        if self.problem is not None:
            return _index_notice(self.problem, len(self.checks), self.other)
        if self.files:
            title = trn("Read this file?", "Read these files?", len(self.files))
            return ProjectNotice("info", title, files_sentence(self.files), ("read_files", "dismiss"))
        if self.project.read_only and not self.dismissed:
            skipped = trn("One part is not shown.", "{n:,} parts are not shown.", len(self.project.skipped))
            said = tr("A newer version of this program wrote {name}. It cannot be saved here.", name=self.name)
            sentence = f"{said} {skipped}" if self.project.skipped else said
            return ProjectNotice("info", tr("This project is read-only"), sentence, ("dismiss",))
        return None

    @property
    def would_be_lost(self) -> str:
        """What closing without saving would lose, in a sentence."""
        project = self.project
        marks = sum(len(saved.lines.touched) for saved in project.queries)
        parts = [trn("{n:,} saved set", "{n:,} saved sets", len(project.sets))] if project.sets else []
        parts += [tr("marks and notes on {lines}", lines=counted("line", marks))] if marks else []
        if not parts:
            return tr("The changes would be lost.")
        return tr("The changes would be lost; the project has {parts}.", parts=", ".join(parts))


def _kept(project: Project) -> Project:
    """What only the project file keeps."""
    # Which indexes it names follows from the rest, and changes when one is opened.
    return replace(project, views=(), screen="", opened="", indexes=())


def _error_notice(error: CorpusError) -> ProjectNotice:
    remedies: dict[str, tuple[Remedy, ...]] = {
        "project-changed": ("overwrite", "save_as", "dismiss"),
        "project-newer": ("dismiss",),
        "unwritable": ("save_as", "dismiss"),
    }
    titles = {"project-changed": tr("The file was changed"), "project-newer": tr("This project is read-only")}
    from explorer.project import ProjectError

    usual = tr("The project does not open") if isinstance(error, ProjectError) else tr("The project is not saved")
    chosen = remedies.get(error.reason, ("choose", "dismiss"))
    return ProjectNotice("error", titles.get(error.reason, usual), told(error), chosen)


def _index_notice(check: IndexCheck, count: int, other: str) -> ProjectNotice:
    name, path = check.index.name or check.index.id, ", ".join(check.paths)
    if other:
        sentence = tr("{path} has other contents than {name} had.", path=other, name=name)
        return ProjectNotice("warn", tr("Another index"), sentence, ("locate", "use_anyway", "dismiss"))
    if check.state == "missing":
        title = trn("An index is missing", "{n:,} indexes of this project need attention", count)
        sentence = tr("{name} is not at {path}.", name=name, path=path)
        return ProjectNotice("warn", title, sentence, ("locate", "dismiss"))
    if check.state == "changed":
        sentence = tr(
            "{name} has other contents than when the project was saved. Sets of its lines are not shown.", name=name
        )
        return ProjectNotice("warn", tr("An index has changed"), sentence, ("locate", "dismiss"))
    sentence = tr("{name} is outside the project's folder: {path}", name=name, path=path)
    return ProjectNotice("info", tr("Open this index?"), sentence, ("open_index", "locate", "dismiss"))


class Projects(Presenter[ProjectState]):
    """Opens, changes and saves the project of a window.

    Parameters
    ----------
    slot
        Reads and writes project files, and looks for their indexes, off the interface thread.
    reader
        Reads the fingerprints of opened indexes there.
    recents
        The stored lists of recent projects and indexes.
    ask
        Asks the window for something.
    views
        Gives what is typed and chosen now.
    show
        Shows what was typed and chosen, once the index is open.
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
        empty, before = Project(), self.state
        # Of no project, so with the paths and without the id that it had in this one.
        current = None if before.current is None else replace(_absolute(before.current, before.project), id="")
        cleared = {"checks": (), "files": (), "error": None, "busy": False, "other": "", "dismissed": False}
        self.change(project=empty, saved=empty, current=current, **cleared)

    def open(self, path: str, with_views: bool = True) -> None:
        """Open a project file.

        Parameters
        ----------
        path
            The file.
        with_views
            Whether to open its index and show what was typed and chosen, too; otherwise only what it keeps.
        """
        # The project that is open stays until the file is read: it may be damaged.
        self.change(busy=True, path=path)
        self._slot.run(lambda cancel: _opened(path), partial(self._take, with_views), self._fail)

    def _take(self, with_views: bool, found: tuple[Project, tuple[IndexCheck, ...], ReadViews]) -> None:
        project, checks, views = found
        self._door.forget()
        before = self.state
        current = None if before.current is None else replace(_absolute(before.current, before.project), id="")
        self._recents.add_recent_project(str(project.file))
        self.change(
            project=project,
            saved=project,
            # Whether the others have changed is known only when they are open: nothing reads their fingerprints here.
            checks=tuple(check for check in checks if check.state == "missing"),
            files=(),
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
            self.change(files=self._door.show(views))
            return
        self._waiting = (wanted.index.id, views)
        # The views wait also for an index that is missing: they are shown when the user has located it.
        if wanted.state == "missing":
            return
        # A project from somebody else names any folder it likes; the program reads only what the user knows.
        known = set(self._recents.recent_indexes())
        if wanted.inside or set(wanted.paths) <= known:
            self._ask(_request(project, wanted.index))
        else:
            self.change(checks=(wanted, *self.state.checks))

    def use_corpus(self, corpus: Corpus | None, request: OpenRequest) -> None:
        """Take another index.

        Parameters
        ----------
        corpus
            The open index.
        request
            What it was opened with.
        """
        # Until the fingerprint is read, nothing can be kept about this index.
        self._reader.cancel()
        self.change(current=None)
        if corpus is not None:
            self._reader.run(lambda cancel: _described(corpus, request), self._take_index)

    def _take_index(self, index: Index) -> None:
        project = self.state.project
        index = _relative(index, project)
        same = next((known for known in project.indexes if known.fingerprint == index.fingerprint), None)
        checks = self.state.checks
        if same is not None:
            index = replace(index, id=same.id)
            checks = tuple(check for check in checks if check.index.id != same.id)
            if any(check.index.id == same.id for check in self.state.checks):
                # The same contents in another place: that is where it is from now on.
                project = _with_index(project, replace(index, extra=same.extra))
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
            self.change(files=self._door.show(views))

    def edit(self, change: Callable[[Project, Index], Project]) -> bool:
        """Change what the project keeps about the open index.

        Parameters
        ----------
        change
            Gets the project and the index as it is named in it, and gives the changed project.

        Returns
        -------
        bool
            Whether it was changed: the fingerprint of the index must be known, and the project not read-only.
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
        """Give a set another name; nothing changes if it is taken.

        Parameters
        ----------
        name, new
            The name that it has, and the new one.
        """
        self.change(project=self.state.project.with_renamed_set(name, new.strip()))

    def remove_set(self, name: str) -> None:
        """Remove a set."""
        self.change(project=self.state.project.without_set(name))

    def save(self, path: str | None = None, overwrite: bool = False, then: Callable[[], object] | None = None) -> None:
        """Save the project.

        Parameters
        ----------
        path
            Another file, which the user chose and allowed to be replaced; None for its own.
        overwrite
            Whether to replace changes of others.
        then
            Called when it is saved; not if that fails.
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
        return replace(self._door.written(project, views), opened="" if current is None else current.id)

    def _saved(self, before: Project, saved: Project) -> None:
        current = self.state.current
        if current is not None:
            # Paths may be relative to the project's file, which is another one after “Save as”.
            absolute = _absolute(current, before)
            current = replace(_relative(absolute, saved), id=saved.opened or current.id)
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
        index = relocated(check.index, [folder], self.state.project.file)
        project = self.state.project
        self.change(busy=True, path=folder)
        # A fingerprint is read from the opened index, which takes too long for the interface thread.
        self._slot.run(lambda cancel: _fingerprint(project, index), partial(self._located, index, folder), self._fail)

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
            # Without its fingerprint: with it, opening the folder would report once more that its contents are others.
            self._use(replace(relocated(check.index, [self.state.other], self.state.project.file), fingerprint=""))

    def _use(self, index: Index) -> None:
        checks = tuple(check for check in self.state.checks if check.index.id != index.id)
        self.change(project=_with_index(self.state.project, index), checks=checks, other="", error=None)
        self._ask(_request(self.state.project, index))

    def open_index(self) -> None:
        """Open the index that the notice is about: the user has agreed."""
        check = self.state.problem
        if check is not None:
            self.change(checks=self.state.checks[1:])
            self._ask(_request(self.state.project, check.index))

    def read_files(self) -> None:
        """Read the files that the notice is about: the user has agreed."""
        self.change(files=())
        self._door.agree()

    def dismiss(self) -> None:
        """The user has read the notice."""
        # In the order of `ProjectState.notice`: what goes is what was shown.
        if self.state.error is not None:
            self.change(error=None)
        elif self.state.checks:
            self.change(checks=self.state.checks[1:], other="")
        elif self.state.files:
            self.change(files=())
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


def _described(corpus: Corpus, request: OpenRequest) -> Index:
    """An open index as a project names it, with absolute paths. Reads its fingerprint."""
    index = corpus.index
    return Index(
        "",
        index.name,
        tuple(index.sources) or request.paths,
        tuple(str(Path(path).absolute()) for path in request.minus),
        request.tokenizer if _is_named(request.tokenizer) else str(Path(str(request.tokenizer)).absolute()),
        request.check_fit,
        index.fingerprint,
        index.document_count,
        index.token_count,
    )


def _fingerprint(project: Project, index: Index) -> str:
    from explorer.files.mapped import enable_fault_guard
    from explorer.project.checking import open_index_of

    # As in `open_corpus`.
    enable_fault_guard()
    return open_index_of(project, index).index.fingerprint


def _is_named(tokenizer: str | None) -> bool:
    """Whether it is not a path but the tokenizer of that name, or the index's own."""
    return tokenizer is None or tokenizer == "bytes"


def _relative(index: Index, project: Project) -> Index:
    """An index with absolute paths, as a project names it."""
    if project.origin is None:
        return index
    paths, minus = (tuple(stored(path, project.file) for path in paths) for paths in (index.paths, index.minus))
    tokenizer = index.tokenizer if _is_named(index.tokenizer) else stored(str(index.tokenizer), project.file)
    return replace(index, paths=paths, minus=minus, tokenizer=tokenizer)


def _absolute(index: Index, project: Project) -> Index:
    paths, minus = (tuple(found(path, project.file) for path in paths) for paths in (index.paths, index.minus))
    tokenizer = index.tokenizer if _is_named(index.tokenizer) else found(str(index.tokenizer), project.file)
    return replace(index, paths=paths, minus=minus, tokenizer=tokenizer)


def _with_index(project: Project, index: Index) -> Project:
    return replace(project, indexes=tuple(index if known.id == index.id else known for known in project.indexes))


def _request(project: Project, index: Index) -> OpenRequest:
    whole = _absolute(index, project)
    return OpenRequest(whole.paths, whole.minus, whole.tokenizer, check_fit=whole.check_fit)
