"""Files that ship with the program: icons, example texts."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path


def resource_text(name: str) -> str:
    """Text of `resources/NAME`."""
    # By `files` and not from __file__: the installed package decides where its files are.
    return files("explorer").joinpath("resources", *name.split("/")).read_text(encoding="utf-8")


def resource_path(name: str) -> Path:
    """Where `resources/NAME` is, for code that can only take a file. The program is always installed as files."""
    return Path(str(files("explorer").joinpath("resources", *name.split("/"))))
