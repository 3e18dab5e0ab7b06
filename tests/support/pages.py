"""How much of a mapped file is read: pages that the system had to bring into memory (Linux)."""

from __future__ import annotations

import ctypes
import mmap
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

_DONTNEED = 4


def _resident(mapped: NDArray[Any]) -> int:
    pages = -(-mapped.nbytes // mmap.PAGESIZE)
    flags = np.zeros(pages, dtype=np.uint8)
    libc = ctypes.CDLL(None, use_errno=True)
    where = ctypes.c_void_p(mapped.ctypes.data)
    if libc.mincore(where, ctypes.c_size_t(mapped.nbytes), ctypes.c_void_p(flags.ctypes.data)):
        raise OSError(ctypes.get_errno(), "mincore")
    return int((flags & 1).sum())


def bytes_read(path: Path, mapped: NDArray[Any], work: Callable[[], object]) -> int | None:
    """Bytes of a file, mapped without reading ahead, that the work brings into memory, in whole pages.

    None where the system does not let go of the file's pages, so that nothing can be told.
    """
    if not sys.platform.startswith("linux"):
        return None
    file = os.open(path, os.O_RDONLY)
    try:
        os.fsync(file)
        ctypes.CDLL(None).madvise(ctypes.c_void_p(mapped.ctypes.data), ctypes.c_size_t(mapped.nbytes), _DONTNEED)
        os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
    finally:
        os.close(file)
    if _resident(mapped):
        return None
    work()
    return _resident(mapped) * mmap.PAGESIZE
