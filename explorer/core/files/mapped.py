"""One mapped file, monitored as long as any part of it is in use.

No descriptor is kept, so the limit of open files does not limit the number of shards.
"""

from __future__ import annotations

import mmap
import os
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import _fastsa
from explorer.errors import DamagedIndexError
from explorer.i18n import mark


def enable_fault_guard() -> bool:
    """Let the process survive a mapped file that can no longer be read: a failing drive, a truncated file.

    The system raises SIGBUS then, which ends a process. This puts a handler in its place for the files of open
    indexes, now and later; the query that met the fault raises DamagedIndexError. Faults elsewhere go to the previous
    handler. The window and the command line call this. A library must not change the signals of the program that uses
    it, so other programs decide for themselves.

    Returns
    -------
    bool
        Whether the guard is in place. False on Windows, where a mapped file cannot be truncated.
    """
    return _fastsa.enable_fault_guard()


class MappedFile:
    """A file's bytes as `data`, mapped read-only; nothing is read before it is used.

    size: Its size in bytes when it was opened.
    data: The bytes, uint8 of shape (size,). The array keeps the mapping alive after this object is gone.
    scattered: Whether single positions all over the file will be read; the system is then told not to read ahead.
    Raises `DamagedIndexError` if the file cannot be opened.

    Notes
    -----
    With the fault guard, a drive that fails or a file that is truncated while it is mapped does not end the program:
    `data` then contains zeros, and `check_read` reports it. Without the guard, only `check_unchanged` checks the file's
    size before use.
    """

    def __init__(self, path: Path, scattered: bool = False) -> None:
        self.path = path
        try:
            with open(path, "rb") as file:
                found = os.fstat(file.fileno())
                # Of the open file, not of the path: that may name another file by now.
                self.size, self._changed = found.st_size, found.st_mtime_ns
                self._mapping = _map(file.fileno(), self.size, scattered)
            # The array holds the mapping: it outlives this object if part of its data is still in use.
            self.data: NDArray[np.uint8] = np.frombuffer(memoryview(self._mapping), dtype=np.uint8)
        except OSError as error:
            raise DamagedIndexError(
                mark("{path} cannot be read: {cause}."),
                reason="unreadable",
                path=path,
                cause=error.strerror or error,
            ) from error

    def check_unchanged(self) -> None:
        """Check that the file is still the one that was opened.

        Raises `DamagedIndexError` if it has vanished, shrunk, or been changed since then.
        """
        # A change that keeps size and time is not seen: comparing the content would mean reading all of it.
        if self._stat_of_whole().st_mtime_ns != self._changed:
            raise DamagedIndexError(
                mark("{path} was changed or replaced since it was opened, so answers could mix old and new data."),
                reason="file-changed",
                path=self.path,
            )

    def _stat_of_whole(self) -> os.stat_result:
        try:
            found = self.path.stat()
        except OSError as error:
            raise DamagedIndexError(
                mark("{path} can no longer be read ({cause})."),
                reason="file-gone",
                path=self.path,
                cause=error.strerror,
            ) from error
        if found.st_size < self.size:
            raise DamagedIndexError(
                mark("{path} has shrunk from {size:,} to {found:,} bytes since it was opened."),
                reason="cut-short",
                path=self.path,
                size=self.size,
                found=found.st_size,
            )
        return found

    def check_read(self) -> None:
        """Check that no reading of the file has failed since it was opened.

        Raises `DamagedIndexError` if one has; the answers since then may contain zeros.
        """
        # Asked after the reading, by whoever read: the handler runs inside the read, so a fault of this thread is known
        # here. One of another thread in the same file makes this answer worthless as well, since both may have read the
        # zeros that took the place of the bytes.
        if isinstance(self._mapping, _fastsa.Mapping) and self._mapping.broken:
            # The likely reason is named if it still shows.
            self._stat_of_whole()
            raise DamagedIndexError(
                mark("{path} could not be read while it was in use: its drive failed, or the file was cut short."),
                reason="drive-failed",
                path=self.path,
            )


def _map(file: int, size: int, scattered: bool) -> _fastsa.Mapping | mmap.mmap | bytes:
    # The system refuses to map nothing.
    if not size:
        return b""
    if _fastsa.CAN_MAP:
        return _fastsa.Mapping(file, size, scattered)
    return mmap.mmap(file, size, access=mmap.ACCESS_READ)
