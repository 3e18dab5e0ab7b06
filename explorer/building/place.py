"""Where a finished index goes: the checks before the work, and the last step."""

from __future__ import annotations

import errno
import os
from pathlib import Path

from explorer.building.request import BuildRequest, is_ours, remove_partial
from explorer.building.state import SOURCES_NAME
from explorer.core.files.paths import exists, is_folder, sync_folder, write_whole
from explorer.errors import BuildError
from explorer.i18n import mark
from explorer.index.layout import MANIFEST_NAME, REPORT_NAME, STATE_NAME

WORK_NAMES = (STATE_NAME, SOURCES_NAME, MANIFEST_NAME, REPORT_NAME)
"""Files of the partial folder that `index.json` does not list: no answer depends on them. The first two are removed at
the end."""

_PROBE = f"{STATE_NAME}.part"


def check_target(request: BuildRequest, out: Path) -> None:
    """Check that an index can be put into a folder.

    request: The build: none of its sources may be the folder, and messages name its `out`.
    Raises `BuildError` if the folder is not empty, is a source of the build, or is the mount point of a drive.
    Raises `OSError` if the folder cannot be read.
    """
    # A probe may be left of a build that was killed while it tried to move one.
    if exists(out) and (not is_folder(out) or any(path.name != _PROBE for path in out.iterdir())):
        raise BuildError(
            mark("{path} already exists and is not empty."),
            reason="folder-not-empty",
            path=request.out,
        )
    for source in request.sources:
        if out.resolve() == source.resolve():
            raise BuildError(
                mark("{path} is a source of this build."),
                reason="folder-is-source",
                path=request.out,
            )
    # The folder beside a mount point is on another drive, and files cannot be renamed across drives.
    if exists(out) and os.path.ismount(out):
        raise BuildError(
            mark("{path} is the mount point of a drive, and the build needs space next to the index."),
            reason="mount-point",
            path=request.out,
            inside=request.out / "index",
        )


def try_to_move(partial: Path, out: Path) -> None:
    """Check that files of the partial folder can be moved into the target at the end.

    Other drives, bind mounts and missing permissions are detected here, not after hours of work.

    out: The target; nothing is checked if it does not exist yet.
    Raises `BuildError` if a file cannot be moved.
    """
    probe = partial / _PROBE
    if not exists(out):
        return
    try:
        # Permissions and mounts are tried, not asked for: what the system states about them is not always so.
        probe.write_bytes(b"")
        probe.replace(out / probe.name)
        (out / probe.name).unlink()
    except OSError as error:
        probe.unlink(missing_ok=True)
        raise BuildError(
            mark("Files cannot be moved from {partial} to {path} ({cause})."),
            reason="cannot-move",
            partial=partial,
            path=out,
            cause=error.strerror,
            inside=out / "index",
        ) from error


def is_being_moved(out: Path) -> bool:
    """Whether a build was interrupted while it moved the finished files into the existing folder."""
    # The sign that `put_in_place` sets before the first file and removes after the last one.
    return is_folder(out) and exists(out / STATE_NAME) and all(map(is_ours, out.iterdir()))


def put_in_place(partial: Path, out: Path) -> None:
    """Give the finished index its name; if the folder already exists, it stays and receives the files.

    The folder may be the working folder of a shell, or have its own permissions. While files are moved, it contains
    `build.json`, so that nothing takes it for an index.

    Raises `OSError` if a file cannot be moved or removed; the function may then be called again.
    """
    # The index is complete without them; a kill in between leaves it complete under its other name.
    for name in WORK_NAMES[:2]:
        (partial / name).unlink(missing_ok=True)
    if not exists(out):
        # One rename: the index appears as a whole under its name.
        partial.rename(out)
        # The name is in the parent folder. Without this, a loss of power could undo the rename.
        sync_folder(out.parent)
        return
    if exists(partial):
        # Before the first file, and on the drive: opening a folder with this file reports an interrupted build.
        if not exists(out / STATE_NAME):
            write_whole(out / STATE_NAME, "{}")
        # If an earlier attempt stopped in between, only the rest is still here.
        for path in sorted(partial.iterdir()):
            path.replace(out / path.name)
        sync_folder(out)
        partial.rmdir()
    # Last: without it, the folder is an index.
    (out / STATE_NAME).unlink(missing_ok=True)
    sync_folder(out)


def begin_folder(partial: Path) -> None:
    """Make an empty folder to work in; what an interrupted build left there is removed.

    Raises `BuildError` if it contains anything else.
    Raises `OSError` if it cannot be made.
    """
    remove_partial(partial)
    if partial.exists():
        raise BuildError(
            mark("{path} is in the way and contains files that are not part of a build."),
            reason="folder-in-the-way",
            path=partial,
        )
    partial.mkdir(parents=True)


def move_in_place(partial: Path, out: Path) -> None:
    """Give the finished index its name, as `put_in_place`.

    Raises `BuildError` if a file cannot be moved; the index stays where it is.
    """
    try:
        put_in_place(partial, out)
    except OSError as error:
        raise BuildError(
            mark("The index is complete in {partial}, but could not be moved to {path} ({cause})."),
            reason="not-moved",
            option="resume",
            partial=partial,
            path=out,
            cause=error.strerror,
        ) from error


def not_written(error: OSError, out: Path) -> BuildError:
    """The error of a build whose files could not be written.

    out: The folder that was written to, for errors that name no file.
    """
    # An exceeded quota (EDQUOT) is reported in the words of the system.
    if error.errno == errno.ENOSPC:
        return BuildError(mark("The disk of {path} is full."), reason="disk-full", path=out)
    return BuildError(
        mark("{path} cannot be written: {cause}."),
        reason="unwritable",
        path=error.filename or out,
        cause=error.strerror or error,
    )
