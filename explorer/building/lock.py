"""Only one build at a time writes into a folder, whichever process it is in."""

from __future__ import annotations

import hashlib
import logging
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from explorer.files.paths import cache_folder

_LOG = logging.getLogger("explorer.building")


@contextmanager
def alone(out: Path) -> Iterator[bool]:
    """Yields whether no other build into `out` is under way; while this is held, none can begin.

    The lock is on a file in the user's cache, and ends with the process, however that ends. Where no file can be
    written there, builds are not kept apart, which is logged.
    """
    try:
        file = _lock_file(out)
    except OSError as error:
        _LOG.warning("builds into %s are not kept apart: %s", out, error)
        yield True
        return
    with file:
        yield _lock(file)


def _lock_file(out: Path) -> IO[bytes]:
    name = hashlib.sha256(os.fsencode(out.resolve())).hexdigest()[:32]
    folder = cache_folder() / "locks"
    folder.mkdir(parents=True, exist_ok=True)
    return open(folder / f"{name}.lock", "ab")


def _lock(file: IO[bytes]) -> bool:
    """Take the lock, which closing the file gives back."""
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
