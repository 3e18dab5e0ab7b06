"""Comparing folders byte by byte."""

from __future__ import annotations

import filecmp
from pathlib import Path


def assert_same_files(one: Path, other: Path) -> None:
    """Two folders have the same files, byte for byte."""
    names = sorted(path.name for path in one.iterdir())
    assert names == sorted(path.name for path in other.iterdir())
    assert filecmp.cmpfiles(one, other, names, shallow=False) == (names, [], [])
