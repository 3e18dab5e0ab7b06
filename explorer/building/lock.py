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

from explorer.core.files.paths import cache_folder

_LOG = logging.getLogger("explorer.building")


@contextmanager
def build_lock(out: Path) -> Iterator[bool]:
    """Keep other builds out of a folder while this context is held.

    Yields: Whether no other build into it is running.

    Notes
    -----
    The lock is on a file in the user's cache, and ends with the process, however that ends. If no file can be written
    there, builds are not kept apart, which is logged.
    """
    try:
        file = _lock_file(out)
    except OSError as error:
        _LOG.warning(
            "Another build into %s would not be noticed, since %s cannot be written (%s). To avoid this, set "
            "CORPUS_EXPLORER_CACHE to a folder of yours.",
            out,
            cache_folder(),
            error.strerror,
        )
        yield True
        return
    # The file stays when it is unlocked. If it were removed, a second build could hold the lock of the old file, which
    # it had opened before, and a third that of a new file with the same name.
    with file:
        yield _lock(file)


@contextmanager
def folder_lock(folder: Path) -> Iterator[bool]:
    """Keep others from changing an existing index folder while this context is held, also other users.

    Yields: Whether nobody else is changing it.

    Notes
    -----
    The lock is on the folder itself where the system and its drive can do this; otherwise as in `build_lock`.
    """
    if sys.platform == "win32":
        # Windows opens no folder as a file.
        with build_lock(folder) as free:
            yield free
        return
    import fcntl

    number = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(number)
        yield False
        return
    # Some network drives lock no folders.
    except OSError:
        os.close(number)
        with build_lock(folder) as free:
            yield free
        return
    try:
        yield True
    finally:
        os.close(number)


def _lock_file(out: Path) -> IO[bytes]:
    # Of the real path: two ways to the same folder are one lock. In the cache, not in the folder: that is renamed at
    # the end, and removed when a build is discarded.
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

            # flock, not lockf: the lock belongs to the open file, so two builds in threads of one process exclude each
            # other as well, and closing another file of the same name does not give it back. A child that is started
            # meanwhile does not inherit it, since Python closes files in children.
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
