"""Where the indexes of a project are: relative to its file as far as possible, so that both can be moved together."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath, PureWindowsPath

from explorer.core.files.paths import exists
from explorer.i18n import mark
from explorer.project.values import Index

MOST_CHARACTERS = 4_096
"""Of a path."""
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")


def checked_path(text: str) -> str:
    """Check a path of a project file.

    Raises `ValueError` if no file can have it; the message is what is expected, marked for translation.
    """
    if not text or len(text) > MOST_CHARACTERS or any(character < " " for character in text):
        raise ValueError(mark("a path"))
    return text


def stored(path: str, file: Path) -> str:
    """Write a path for a project file.

    Returns: The path relative to the file's folder with / between its parts; addresses, and paths on another drive, as
        they are.

    Examples
    --------
    >>> stored("/data/corpora/news", Path("/data/work/letters.cxproj"))
    '../corpora/news'
    """
    if _ADDRESS.match(path):
        return path
    try:
        # With / also on Windows, so that the file opens on any system.
        return Path(os.path.relpath(path, file.parent)).as_posix()
    except ValueError:
        # Windows has one tree per drive.
        return path


def found(text: str, file: Path) -> str:
    """The absolute path, or the address, that a path of a project file means."""
    # Links stay as they are: a user knows a folder by the name that was chosen.
    return text if _ADDRESS.match(text) else os.path.normpath(file.parent / text)


def is_inside(text: str, file: Path) -> bool:
    """Whether a path of a project file leads into the file's own folder.

    Returns: False for addresses, drives and servers, for absolute paths, and for what a link leads out of the folder.
        Such an index is opened only if the user agrees.
    """
    # Checked before anything is looked up: asking Windows for \\server\share already sends it a password's hash.
    if _ADDRESS.match(text) or PureWindowsPath(text).anchor or PurePosixPath(text).is_absolute():
        return False
    if os.path.normpath(text).startswith(".."):
        return False
    # Links are followed last, and only below the folder: whoever wrote the file may also have put a link into it.
    folder = os.path.realpath(file.parent)
    return os.path.realpath(os.path.join(folder, text)).startswith(folder + os.sep)


def sources_of(index: Index, file: Path) -> tuple[str, ...]:
    """Everything that an index is opened from, without its tokenizer.

    Returns: Absolute paths, or addresses.
    """
    return tuple(found(text, file) for text in (*index.paths, *index.minus))


def missing(index: Index, file: Path) -> tuple[str, ...]:
    """The folders of an index that do not exist; an address or a folder of another machine counts as there."""
    # A server is not asked: it may take long to answer, and being offline does not mean that it is gone.
    return tuple(path for path in sources_of(index, file) if not (_is_elsewhere(path, file) or exists(Path(path))))


def _is_elsewhere(path: str, file: Path) -> bool:
    """Whether to look there would ask a machine that the user did not choose with the project file."""
    server, own = (PureWindowsPath(place).drive.lower() for place in (path, str(file)))
    # See `is_inside`: a project of somebody else may name any server.
    return bool(_ADDRESS.match(path)) or (server.startswith("\\\\") and server != own)


def relocated(index: Index, paths: Sequence[str], file: Path) -> Index:
    """The same index in another place.

    Returns: The index with these paths; its fingerprint stays, so that a different one is recognized when it is opened.
    """
    return replace(index, paths=tuple(stored(path, file) for path in paths))


def with_paths(index: Index, change: Callable[[str], str]) -> Index:
    """Change all paths of an index.

    Returns: The index with these paths; a tokenizer that has a name stays.
    """
    tokenizer = index.tokenizer
    # "bytes" is not a path but the tokenizer of that name.
    if tokenizer is not None and tokenizer != "bytes":
        tokenizer = change(tokenizer)
    paths, minus = (tuple(map(change, each)) for each in (index.paths, index.minus))
    return replace(index, paths=paths, minus=minus, tokenizer=tokenizer)
