"""Libraries of the system that Qt needs: which one is missing, and the command that installs it.

Qt itself ends the process when a screen cannot be opened, with a sentence that names no library.
"""

from __future__ import annotations

import ctypes
import importlib.util
import os
import re
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from explorer.errors import CorpusError

_PACKAGES = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libX11-xcb.so.1": "libx11-xcb1",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
    "libfreetype.so.6": "libfreetype6",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-shm.so.0": "libxcb-shm0",
    "libxcb-sync.so.1": "libxcb-sync1",
    "libxcb-xfixes.so.0": "libxcb-xfixes0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libxkbcommon.so.0": "libxkbcommon0",
}
"""The packages of Debian and Ubuntu by what Qt opens: see `ldd` of its modules and of its platform xcb."""
_MISSING = re.compile(r"(lib[\w+.-]+\.so[\w.]*): cannot open shared object file")


@contextmanager
def named_libraries() -> Iterator[None]:
    """Import and start Qt in this block: a missing library of the system becomes an error that names it.

    Raises
    ------
    CorpusError
        If one is missing.
    """
    try:
        _open_platform()
        yield
    except (ImportError, OSError) as error:
        found = _MISSING.search(str(error))
        if found is None:
            raise
        raise _error_of(found[1]) from error


def _open_platform() -> None:
    """Open Qt's platform for X11, if it is the only one that Qt would try: it needs more libraries than all else."""
    chosen = os.environ.get("QT_QPA_PLATFORM", "")
    if not sys.platform.startswith("linux") or not (chosen.startswith("xcb") if chosen else _has_only_x11()):
        return
    found = importlib.util.find_spec("PySide6")
    for folder in found.submodule_search_locations or () if found is not None else ():
        plugin = Path(folder, "Qt", "plugins", "platforms", "libqxcb.so")
        if plugin.is_file():
            # Qt opens it again, which costs nothing then.
            ctypes.CDLL(str(plugin))


def _has_only_x11() -> bool:
    return bool(os.environ.get("DISPLAY")) and not os.environ.get("WAYLAND_DISPLAY")


def _error_of(library: str) -> CorpusError:
    packages = sorted({_PACKAGES[name] for name in {library, *_missing()} & _PACKAGES.keys()})
    error = CorpusError(
        "The window needs the library {library} of the system, which is not installed.",
        reason="no-library",
        library=library,
    )
    if not packages or not shutil.which("apt"):
        return error
    return error.followed_by(
        "To install all that is missing, run: {command}",
        "no-library",
        command=f"sudo apt install {' '.join(packages)}",
    )


def _missing() -> Iterator[str]:
    for name in _PACKAGES:
        try:
            ctypes.CDLL(name)
        except OSError:
            yield name
