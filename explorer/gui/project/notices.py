"""The notices about a project above the screens, and what can be done about them. Without Qt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from explorer.gui.presenting.hints import told
from explorer.gui.style.text_positions import cell_text
from explorer.i18n import mark, tr, trn

if TYPE_CHECKING:
    from explorer.errors import CorpusError
    from explorer.project.checking import IndexCheck

_MOST_NAMED = 10
Remedy = Literal[
    "locate", "use_anyway", "open_index", "read_files", "leave_files", "overwrite", "save_as", "choose", "dismiss"
]  # fmt: skip
REMEDIES: dict[Remedy, str] = {
    "locate": mark("Locate …"),
    "use_anyway": mark("Use it anyway"),
    "open_index": mark("Open it"),
    "leave_files": mark("Dismiss"),
    "overwrite": mark("Overwrite"),
    "save_as": mark("Save as …"),
    "choose": mark("Open another …"),
    "dismiss": mark("Dismiss"),
}
"""What can be done about a notice, and the text of its button; see `remedy_text` for the others."""


@dataclass(frozen=True)
class ProjectNotice:
    """Something about the project that the user should know.

    kind: "info", "warn" or "error". remedies: at most three buttons. count: how many things it is about.
    """

    kind: Literal["info", "warn", "error"]
    title: str
    sentence: str
    remedies: tuple[Remedy, ...]
    count: int = 1


def remedy_text(remedy: Remedy, notice: ProjectNotice) -> str:
    """Give the words of a button."""
    if remedy == "read_files":
        return trn("Read it", "Read them", notice.count)
    return tr(REMEDIES[remedy])


def error_notice(error: CorpusError) -> ProjectNotice:
    """State why a project was not opened or saved."""
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


def index_notice(check: IndexCheck, count: int, other: str) -> ProjectNotice:
    """State what is wrong with an index of a project.

    check: What was found out about it.
    count: How many indexes need attention.
    other: A folder that the user chose in its place, but that has other contents; "" for none.
    """
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


def files_notice(files: tuple[str, ...]) -> ProjectNotice:
    """Ask about files that a project names.

    files: The files that the user has not agreed to read.
    """
    # A path is not looked at before the user agrees, so it is not known which of the two it is.
    title = trn("Read this file or folder?", "Read these files and folders?", len(files))
    return ProjectNotice("info", title, _files_sentence(files), ("read_files", "leave_files"), len(files))


def read_only_notice(name: str, skipped: int) -> ProjectNotice:
    """State that a newer version wrote a project.

    skipped: How many of its parts are not understood.
    """
    said = tr("A newer version of this program wrote {name}. It cannot be saved here.", name=name)
    more = trn("One part is not shown.", "{n:,} parts are not shown.", skipped)
    return ProjectNotice("info", tr("This project is read-only"), f"{said} {more}" if skipped else said, ("dismiss",))


def _files_sentence(files: tuple[str, ...]) -> str:
    named, more = files[:_MOST_NAMED], len(files) - _MOST_NAMED
    names = ", ".join(map(cell_text, named))
    if more > 0:
        names = trn("{names} and {n:,} more", "{names} and {n:,} more", more, names=names)
    return trn(
        "It is outside the project's folder, and you have not used it here before: {names}",
        "They are outside the project's folder, and you have not used them here before: {names}",
        len(files),
        names=names,
    )
