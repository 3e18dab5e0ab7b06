"""Where the program keeps what it makes for the user: indexes, and what it can make again."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import IO, Any

_NAME = "corpus-explorer"

Paths = str | PathLike[str] | Sequence[str | PathLike[str]]
"""One path or several."""


def as_paths(paths: Paths) -> tuple[Path, ...]:
    """One path or several, as a tuple."""
    return (Path(paths),) if isinstance(paths, str | PathLike) else tuple(map(Path, paths))


def data_folder() -> Path:
    """The platform's place for a program's data; CORPUS_EXPLORER_DATA overrides it."""
    return _folder("CORPUS_EXPLORER_DATA", "Library/Application Support", "XDG_DATA_HOME", ".local/share")


def cache_folder() -> Path:
    """The platform's place for what can be made again; CORPUS_EXPLORER_CACHE overrides it."""
    return _folder("CORPUS_EXPLORER_CACHE", "Library/Caches", "XDG_CACHE_HOME", ".cache")


def exists(path: Path) -> bool:
    """Whether anything has this path. Path's own methods raise for names that no file can have; these do not."""
    return os.path.exists(path)  # noqa: PTH110


def is_file(path: Path) -> bool:
    """Whether this is a file."""
    return os.path.isfile(path)  # noqa: PTH113


def is_folder(path: Path) -> bool:
    """Whether this is a folder."""
    return os.path.isdir(path)  # noqa: PTH112


def is_link(path: Path) -> bool:
    """Whether this is a symbolic link."""
    return os.path.islink(path)  # noqa: PTH114


def write_whole(path: Path, text: str) -> None:
    """Write a text file so that it is either complete or as before, even after a power failure.

    path: The file to write. The text goes to `NAME.part` beside it first, which then replaces it.
    text: The content, written as UTF-8 with its line ends unchanged.
    Raises `OSError` if the file cannot be written; the file is then as before.
    """
    # In the same folder, since a rename is atomic only on one drive.
    part = path.with_name(path.name + ".part")
    with open(part, "w", encoding="utf-8", newline="") as file:
        file.write(text)
        sync(file)
    # After the drive holds the content: otherwise a loss of power could leave the new name with an empty file.
    part.replace(path)
    sync_folder(path.parent)


def sync(file: IO[Any]) -> None:
    """Wait until the drive holds what was written to an open file.

    Raises `OSError` if the drive reports a fault.
    """
    # First from Python to the system, then from the system to the drive.
    file.flush()
    os.fsync(file.fileno())


def sync_path(path: Path) -> None:
    """Wait until the drive holds a file that was written and closed.

    Raises `OSError` if it cannot be opened, or the drive reports a fault.
    """
    # For writing: Windows refuses to sync a file that is open for reading.
    with open(path, "r+b") as file:
        sync(file)


def sync_folder(folder: Path) -> None:
    """Wait until the drive holds the names in a folder. Does nothing on Windows.

    folder: An existing folder. Network drives that cannot do this for folders are accepted.
    Raises `OSError` if the folder cannot be opened, or its drive reports a fault.
    """
    if sys.platform == "win32":
        return
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    except OSError as error:
        # Some network drives do not support this for folders; anything else is a fault of the drive.
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):
            raise
    finally:
        os.close(number)


def _home() -> Path:
    """The folder of the user; the root, as Qt has it, for a user of a container who has none.

    Reading continues without a cache, and an error about a file names where it would be written.
    """
    try:
        return Path.home()
    except RuntimeError:
        return Path(Path.cwd().anchor)


def _folder(override: str, on_mac: str, variable: str, on_linux: str) -> Path:
    if chosen := os.environ.get(override):
        return Path(chosen)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or _home() / "AppData" / "Local") / _NAME
    if sys.platform == "darwin":
        return _home() / on_mac / _NAME
    return Path(os.environ.get(variable) or _home() / on_linux) / _NAME
