"""How much memory the tests' process holds."""

from __future__ import annotations

import resource
from pathlib import Path


def megabytes() -> float:
    """Memory that this process holds for itself: resident, without mapped files."""
    if not Path("/proc/self/statm").exists():
        return 0.0
    _, resident, shared, *_ = map(int, Path("/proc/self/statm").read_text().split())
    return (resident - shared) * resource.getpagesize() / 1e6
