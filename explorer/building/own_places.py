"""Where the window keeps what it builds. Apart from what builds it, since the window asks before it shows anything."""

from __future__ import annotations

import platform
from pathlib import Path

from explorer.core.files.paths import data_folder


def sample_folder() -> Path:
    """Folder of the sample index for this interpreter's version."""
    return data_folder() / f"python-{platform.python_version()}-stdlib"


def sample_is_built() -> bool:
    """Whether the sample index is there."""
    return (sample_folder() / "index.json").is_file()


def records_folder() -> Path:
    """Folder of the records of unfinished builds."""
    return data_folder() / "builds"


def build_records() -> list[Path]:
    """The records of unfinished builds, in a fixed order; raises OSError if their folder cannot be read."""
    return sorted(records_folder().glob("*.json"))
