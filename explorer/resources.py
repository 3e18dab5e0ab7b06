"""Files that ship with the program: icons, example texts."""

from __future__ import annotations

import sys
from importlib.resources import files
from pathlib import Path


def resource_text(name: str) -> str:
    """Text of `resources/NAME`."""
    # By `files` and not from __file__: the installed package decides where its files are.
    return files("explorer").joinpath("resources", *name.split("/")).read_text(encoding="utf-8")


def resource_path(name: str) -> Path:
    """Where `resources/NAME` is, for code that can only take a file. The program is always installed as files."""
    return Path(str(files("explorer").joinpath("resources", *name.split("/"))))


def program_file(name: str) -> Path | None:
    """Where a file is that comes beside a program for people without Python.

    name: Its name, such as "LICENSES.txt".
    Returns: None if the file does not exist, or if pip installed the program.
    """
    if not getattr(sys, "frozen", False):
        return None
    folder = Path(sys.executable).parent
    # In an application of macOS, the folder of the program has nothing else.
    places = (folder / name, folder.parent / "Resources" / name)
    return next((place for place in places if place.is_file()), None)
