"""What a window knows of its project: what is kept, whether it is saved, and what is wrong with it. Without Qt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from explorer.i18n import counted, tr, trn
from explorer.project import Index, LineSet, Project

if TYPE_CHECKING:
    from explorer.errors import CorpusError
    from explorer.gui.presenting.requests import OpenRequest
    from explorer.gui.project.notices import ProjectNotice
    from explorer.project.checking import IndexCheck


@dataclass(frozen=True, eq=False)
class ProjectState:
    """The project of a window.

    saved: As it was saved or opened last.
    current: The open index, as a project names it; None without one, and until its fingerprint is read.
    checks: Indexes of the project that are missing, changed, or outside of its folder.
    files: Files of its views that the user has not agreed to read.
    other: A folder that the user chose in place of a missing index, but that has other contents.
    error: Why something could not be opened or saved.
    path: What could not be opened or saved.
    busy: Whether it is being read or written.
    recent: Recent projects, newest first.
    dismissed: Whether the user has read that a newer version wrote it.
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
    def unnamed(self) -> Index | None:
        """The open index as one of another project: with absolute paths, and without the id that it has here."""
        if self.current is None:
            return None
        from explorer.gui.project.indexes import absolute_index

        return replace(absolute_index(self.current, self.project), id="")

    def request(self, index: Index) -> OpenRequest:
        """What opens an index of the project."""
        from explorer.gui.project.indexes import request_for

        return request_for(self.project, index)

    @property
    def problem(self) -> IndexCheck | None:
        """The first index that something is wrong with."""
        return next(iter(self.checks), None)

    @property
    def notice(self) -> ProjectNotice | None:
        """What the user should know, the worst first; None for nothing. `file_notice` is shown beside it."""
        read_only = self.project.read_only and not self.dismissed
        if self.error is None and not (self.problem or read_only):
            return None
        # Not at the top: the window is shown without it.
        from explorer.gui.project.notices import error_notice, index_notice, read_only_notice

        if self.error is not None:
            return error_notice(self.error)
        if self.problem is not None:
            return index_notice(self.problem, len(self.checks), self.other)
        return read_only_notice(self.name, len(self.project.skipped))

    @property
    def file_notice(self) -> ProjectNotice | None:
        """What the user is asked about files of the project; None for nothing."""
        if not self.files:
            return None
        from explorer.gui.project.notices import files_notice

        return files_notice(self.files)

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
