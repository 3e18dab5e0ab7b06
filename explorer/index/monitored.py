"""Files that answers depend on: mapped, and checked before and after they are read."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from explorer.core.files.mapped import MappedFile
from explorer.index.guard import Guard

# Asking the system for the sizes of some files takes longer than a count.
_LOOK_SECONDS = 0.5


class MonitoredFiles:
    """Some mapped files, which are read inside of `_guard` only."""

    def __init__(self) -> None:
        # Every file that is checked. Arrays over them keep the mappings alive; this list keeps what is known of them.
        self._mapped: list[MappedFile] = []
        # Of the last check. Threads may write it at the same time: then a check is made twice.
        self._looked = time.monotonic()
        # It checks all that is mapped when it is entered, also files that are mapped later. It holds no state, so
        # threads and nested calls share it.
        self._guard = Guard([self])

    def map(self, path: Path, scattered: bool = False) -> NDArray[np.uint8]:
        """Map one more file that answers depend on, and monitor it from now on.

        scattered: Whether single positions all over the file will be read.
        Raises `DamagedIndexError` if the file cannot be opened.
        """
        mapped = MappedFile(path, scattered)
        self._mapped.append(mapped)
        return mapped.data

    def check_files(self, at_once: bool = False) -> None:
        """Check that all files are still those that were opened.

        at_once: Whether to check even if the last check was less than half a second ago.
        Raises `DamagedIndexError` if a file has vanished or changed.
        """
        now = time.monotonic()
        # Between two checks only the fault guard notices a file that shrinks; without it, the process may end.
        if not at_once and now - self._looked < _LOOK_SECONDS:
            return
        self._looked = now
        for mapped in self._mapped:
            mapped.check_unchanged()

    def check_read(self) -> None:
        """Check that every file could be read since it was opened; otherwise what was read may be zeros."""
        for mapped in self._mapped:
            mapped.check_read()
