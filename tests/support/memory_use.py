"""How much memory the tests' process holds."""

from __future__ import annotations

import ctypes
import gc
import resource
import sys
from pathlib import Path


def megabytes() -> float:
    """Memory that this process holds for itself: resident, without mapped files."""
    if not Path("/proc/self/statm").exists():
        return 0.0
    _, resident, shared, *_ = map(int, Path("/proc/self/statm").read_text().split())
    return (resident - shared) * resource.getpagesize() / 1e6


def megabytes_needed() -> float:
    """The same once what nobody refers to is collected, and freed memory is back with the system (glibc only)."""
    gc.collect()
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform.startswith("linux") else None
    if trim is not None:
        trim(0)
    return megabytes()
