"""Writing a folder that the user named: completely or not at all, and never into what it was made of."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from glob import escape
from pathlib import Path

from explorer.building.lock import folder_lock
from explorer.core.files.paths import exists, sync_folder, sync_path
from explorer.export.destination import ExportError
from explorer.i18n import mark


@contextmanager
def new_folder(folder: Path, sources: Iterable[str | Path] = ()) -> Iterator[Path]:
    """Write a new folder.

    folder: The folder, which must not exist.
    sources: Folders that it must not be in.
    Yields: A folder of another name beside it, which gets the name at the end. On an error it is removed; a process
        that is killed leaves it under its other name, which ends in `.partial`, until the next one writes the same
        folder.
    Raises `ExportError` if the folder exists, is inside a source, or cannot be written.
    """
    check_new_folder(folder, sources)
    partial = folder.with_name(f".{folder.name}-{os.urandom(4).hex()}.partial")
    try:
        partial.mkdir(parents=True)
        # As long as this process lives, no other takes it for one that was left.
        with folder_lock(partial):
            _remove_left(folder)
            yield partial
            for path in partial.iterdir():
                sync_path(path)
            # Only now: a folder of this name has all of its files.
            partial.rename(folder)
        sync_folder(folder.parent)
    except OSError as error:
        raise _unwritable(folder, error) from error
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def _remove_left(folder: Path) -> None:
    """Remove what killed processes left of the same folder."""
    for old in folder.parent.glob(f".{escape(folder.name)}-{'[0-9a-f]' * 8}.partial"):
        if old.is_dir() and not old.is_symlink():
            with folder_lock(old) as free:
                if free:
                    shutil.rmtree(old, ignore_errors=True)


def check_new_folder(folder: Path, sources: Iterable[str | Path] = ()) -> None:
    """Refuse a folder before the work, which may take hours.

    folder: The folder, which must not exist.
    sources: Folders that it must not be in.
    Raises `ExportError` if it exists, or is inside one of them.
    """
    if exists(folder):
        raise ExportError(mark("{path} exists already."), reason="out-exists", path=folder)
    try:
        place = folder.resolve()
        inside = next((each for each in map(Path, sources) if each.is_dir() and each.resolve() in place.parents), None)
    except (OSError, RuntimeError) as error:
        raise ExportError(
            mark("{path} cannot be written: {cause}."), reason="unwritable", path=folder, cause=error
        ) from error
    if inside is not None:
        raise ExportError(
            mark("{path} is inside {inside}, which is read for it. Nothing is ever written there."),
            reason="inside-source",
            path=folder,
            inside=inside,
        )


def _unwritable(folder: Path, error: OSError) -> ExportError:
    if error.errno == errno.ENOSPC:
        return ExportError(mark("The disk of {path} is full. Nothing was left there."), reason="disk-full", path=folder)
    return ExportError(
        mark("{path} cannot be written: {cause}."), reason="unwritable", path=folder, cause=error.strerror or error
    )
