"""Project files: read as they are, written completely or not at all, and never over somebody else's changes."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from os import PathLike
from pathlib import Path

from explorer.export.destination import replacing
from explorer.i18n import mark
from explorer.project.moving import moved
from explorer.project.reading import MOST_BYTES, ProjectError, parse_project
from explorer.project.values import SUFFIX, Origin, Project
from explorer.project.writing import project_text

__all__ = ["SUFFIX", "ProjectError", "open_project", "save_project"]


def open_project(path: str | PathLike[str]) -> Project:
    """Read a project file. No index is opened.

    Parameters
    ----------
    path
        The file.

    Returns
    -------
    Project
        The project; `project.read_only` if a newer version of the program wrote it.

    Raises
    ------
    ProjectError
        If the file cannot be read, is not a project, or is damaged; the fields `line` and `column` tell where.

    Examples
    --------
    >>> import explorer
    >>> explorer.open_project("letters.cxproj").notes  # doctest: +SKIP
    'Start with the letters.'
    """
    file = Path(path).absolute()
    # The whole file at once: its digest is of the same bytes that are parsed.
    data = _read(file)
    project, version, skipped = parse_project(data, str(path))
    return replace(project, origin=Origin(file, _digest(data), version, skipped))


def save_project(project: Project, path: str | PathLike[str] | None = None, overwrite: bool = False) -> Project:
    """Write a project to its file, completely or not at all.

    path: Another file than the one that it is from; None for that one. Paths of indexes are written relative to it.
    overwrite: Whether to replace a file that the project is not from, or that others changed since it was read.
    Raises `ProjectError` if it is read-only, has no file, or if others changed the file (reason "project-changed") or
        it is another file that exists ("project-exists").
    Raises `ExportError` if the file cannot be written; it is then as before.
    """
    if project.read_only:
        raise ProjectError(
            mark("{path} was written by a newer version and cannot be saved by this one."),
            reason="project-newer",
            path=_origin_path(project),
        )
    origin = project.origin
    if path is None and origin is None:
        raise ProjectError(mark("This project has no file yet."), reason="project-without-file")
    file = Path(path).absolute() if path is not None else Path(_origin_path(project))
    if not overwrite:
        _check_unchanged(file, origin)
    # In another folder, the same indexes have other relative paths.
    written = moved(project, None if origin is None else origin.path, file)
    data = project_text(written).encode("utf-8")
    # A larger file could be written, but not opened any more.
    if len(data) > MOST_BYTES:
        raise ProjectError(
            mark("The project is too large for a file ({size:,} bytes; at most {most:,})."),
            reason="project-too-large",
            size=len(data),
            most=MOST_BYTES,
        )
    # Written beside it first, so that a full drive leaves the old file whole.
    with replacing(file) as partial:
        partial.write_bytes(data)
    return replace(written, origin=Origin(file, _digest(data)))


def _origin_path(project: Project) -> str:
    return "" if project.origin is None else str(project.origin.path)


def _check_unchanged(file: Path, origin: Origin | None) -> None:
    """Raise ProjectError if saving would replace what this project does not know."""
    if not file.exists():
        return
    if origin is None or origin.path != file:
        raise ProjectError(mark("{path} exists already."), reason="project-exists", path=file)
    if _digest(_read(file)) != origin.digest:
        raise ProjectError(
            mark("{path} was changed by another program since it was opened."), reason="project-changed", path=file
        )


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _read(file: Path) -> bytes:
    try:
        with open(file, "rb") as opened:
            # One byte more than is allowed: a device or a huge file must not fill the memory.
            return opened.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        cause = getattr(error, "strerror", None) or error
        raise ProjectError(
            mark("{path} cannot be read: {cause}."), reason="unreadable", path=file, cause=cause
        ) from error
