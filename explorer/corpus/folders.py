"""Where the program keeps what it makes for the user: indexes, and what it can make again."""

from __future__ import annotations

import os
import sys
from pathlib import Path

_NAME = "corpus-explorer"


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


def write_whole(path: Path, text: str) -> None:
    """Write a text file so that it is there whole or as it was before; raises OSError."""
    part = path.with_name(path.name + ".part")
    part.write_text(text, encoding="utf-8")
    part.replace(path)


def _folder(override: str, on_mac: str, variable: str, on_linux: str) -> Path:
    if chosen := os.environ.get(override):
        return Path(chosen)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / _NAME
    if sys.platform == "darwin":
        return Path.home() / on_mac / _NAME
    return Path(os.environ.get(variable) or Path.home() / on_linux) / _NAME
