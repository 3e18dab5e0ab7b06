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
    "libwayland-client.so.0": "libwayland-client0",
    "libwayland-cursor.so.0": "libwayland-cursor0",
    "libwayland-egl.so.1": "libwayland-egl1",
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
"""The packages of Debian and Ubuntu by what Qt opens: see `ldd` of its modules and of its two platforms."""
_ONLY = {"xcb": ("libxcb-", "libX11-", "libxkbcommon-x11"), "wayland": ("libwayland-",)}
"""Beginnings of what only one platform needs."""
_MISSING = re.compile(r"(lib[\w+.-]+\.so[\w.]*): cannot open shared object file")


@contextmanager
def named_libraries() -> Iterator[None]:
    """Import and start Qt in this block: a missing library of the system becomes an error that names it."""
    platforms = _platforms() if sys.platform.startswith("linux") else ()
    try:
        _open_one(platforms)
        yield
    except (ImportError, OSError) as error:
        found = _MISSING.search(str(error))
        if found is None:
            raise
        raise _error_of(found[1], platforms) from error


def _platforms() -> tuple[str, ...]:
    """The platforms that Qt tries, in its order, of those that need libraries of the system."""
    chosen = os.environ.get("QT_QPA_PLATFORM", "")
    if chosen:
        names = tuple(name.partition(":")[0] for name in chosen.split(";"))
        # One that needs none, such as `offscreen`, always opens.
        return names if set(names) <= _ONLY.keys() else ()
    shown = (("wayland", "WAYLAND_DISPLAY"), ("xcb", "DISPLAY"))
    return tuple(name for name, variable in shown if os.environ.get(variable))


def _open_one(platforms: tuple[str, ...]) -> None:
    """Open the first platform that can be opened; raises the error of the first one if none can."""
    errors: list[OSError] = []
    for plugin in map(_plugin_of, platforms):
        try:
            # Qt opens it again, which costs nothing then.
            if plugin is not None:
                ctypes.CDLL(str(plugin))
            return
        except OSError as error:
            errors.append(error)
    if errors:
        raise errors[0]


def _plugin_of(platform: str) -> Path | None:
    found = importlib.util.find_spec("PySide6")
    folders = found.submodule_search_locations or () if found is not None else ()
    plugins = (Path(folder, "Qt", "plugins", "platforms", f"libq{platform}.so") for folder in folders)
    return next((plugin for plugin in plugins if plugin.is_file()), None)


def _error_of(library: str, platforms: tuple[str, ...]) -> CorpusError:
    packages = sorted({_PACKAGES[name] for name in {library, *_missing(platforms)} & _PACKAGES.keys()})
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


def _missing(platforms: tuple[str, ...]) -> Iterator[str]:
    # With both, the one that Qt tries first is enough.
    others = tuple(start for name, starts in _ONLY.items() if name not in platforms[:1] for start in starts)
    for name in _PACKAGES:
        if name.startswith(others):
            continue
        try:
            ctypes.CDLL(name)
        except OSError:
            yield name
