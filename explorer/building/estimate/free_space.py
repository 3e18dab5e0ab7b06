"""What is free of the drive and of the memory, before a build."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from explorer.core.files.paths import exists


def free_disk(out: Path) -> int:
    """Bytes free on the drive of a folder, which need not exist; 0 if unknown."""
    # The folder is made by the build: what counts is the drive of the nearest folder that exists.
    folder = out.absolute()
    while not exists(folder) and folder != folder.parent:
        folder = folder.parent
    try:
        return shutil.disk_usage(folder).free
    except OSError:
        return 0


def free_memory() -> int:
    """Bytes of free memory; 0 if unknown."""
    try:
        # Free pages only, without those in which the system caches files: it would give these up for a build. macOS and
        # Windows do not have this figure.
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return 0
