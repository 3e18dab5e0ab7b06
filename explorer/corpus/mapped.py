"""One mapped file, looked after for as long as anything of it is in use."""

from __future__ import annotations

import mmap
import os
import weakref
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import _fastsa
from explorer.errors import DamagedIndexError
from explorer.words import tr


class MappedFile:
    """A file's bytes as `data`, mapped read-only; nothing is read before it is used.

    scattered: single places will be read, all over the file: the system is told not to read around them.
    A drive that fails, or a file that is cut short while it is mapped, does not end the program: `data` then
    holds zeros, and `check_read` says so.
    """

    def __init__(self, path: Path, scattered: bool = False) -> None:
        self.path = path
        try:
            found = path.stat()
            self.size, self._changed = found.st_size, found.st_mtime_ns
            self.data: NDArray[np.uint8] = np.empty(0, dtype=np.uint8)
            self._watch: _fastsa.Watch | None = None
            if self.size:
                self.data, self._watch = self._map(path, scattered)
        except OSError as error:
            raise DamagedIndexError(
                tr(
                    "{path} cannot be read: {reason}. Check the drive and its permissions.",
                    path=path,
                    reason=error.strerror or error,
                )
            ) from error

    @staticmethod
    def _map(path: Path, scattered: bool) -> tuple[NDArray[np.uint8], _fastsa.Watch]:
        with open(path, "rb") as file:
            mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        if scattered and hasattr(mmap, "MADV_RANDOM"):
            mapped.madvise(mmap.MADV_RANDOM)
        data: NDArray[np.uint8] = np.frombuffer(mapped, dtype=np.uint8)
        watch = _fastsa.Watch(data)
        # The mapping outlives this object where a part of its data is still in use somewhere.
        weakref.finalize(mapped, watch.close)
        return data, watch

    def check_unchanged(self) -> None:
        """Raise DamagedIndexError where the file has vanished or changed since it was opened."""
        if self._stat_of_whole().st_mtime_ns != self._changed:
            raise DamagedIndexError(
                tr(
                    "{path} was changed or replaced since it was opened, so answers could mix old and new. Open "
                    "the index anew.",
                    path=self.path,
                )
            )

    def _stat_of_whole(self) -> os.stat_result:
        try:
            found = self.path.stat()
        except OSError as error:
            raise DamagedIndexError(
                tr(
                    "{path} can no longer be read ({strerror}). Connect its drive again, and open the index anew.",
                    path=self.path,
                    strerror=error.strerror,
                )
            ) from error
        if found.st_size < self.size:
            raise DamagedIndexError(
                tr(
                    "{path} has shrunk from {size:,} to {st_size:,} bytes since it was opened. Copy the index "
                    "again, or rebuild it.",
                    path=self.path,
                    size=self.size,
                    st_size=found.st_size,
                )
            )
        return found

    def check_read(self) -> None:
        """Raise DamagedIndexError where some reading failed since the file was opened."""
        if self._watch is not None and self._watch.broken:
            self._stat_of_whole()
            raise DamagedIndexError(
                tr(
                    "{path} could not be read while it was in use: its drive failed, or the file was cut short. "
                    "Check the drive, and open the index anew.",
                    path=self.path,
                )
            )
