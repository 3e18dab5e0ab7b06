"""What the program of a bundle runs: the command line, or a module in a process of its own."""

import os
import sys
import types
from pathlib import Path

PARTS = "parts.txt"
"""Names of the files without which nothing works, one per line; make.py writes it."""


def missing_parts(folder: Path) -> list[str]:
    """Files of the program that are missing or empty.

    They are if the disk was full when it was unpacked: tar continues with the next file. A library that somebody
    replaced is as good as ours.
    """
    try:
        names = (folder / PARTS).read_text(encoding="utf-8").splitlines()
    except OSError:
        names = []
    # The list itself is empty then, too.
    return [name for name in names if not _has_content(folder / name)] if names else [PARTS]


def _has_content(path: Path) -> bool:
    try:
        return path.stat().st_size > 0
    except OSError:
        return False


def refuse_half_a_program() -> None:
    """End with a sentence if a part of the program is missing."""
    # PyInstaller's name of the folder that has all but the program.
    folder = Path(getattr(sys, "_MEIPASS", ""))
    # A disk image of macOS is copied as a whole, or not at all.
    found = missing_parts(folder) if getattr(sys, "frozen", False) and sys.platform != "darwin" else []
    if found:
        sys.exit(
            f"Corpus Explorer is not complete: {len(found)} of its files are missing or empty, such as {found[0]}. The "
            "disk may have been full when it was installed. Make room, remove this folder and install it again: "
            f"{Path(sys.executable).parent}"
        )


def restore_search_path() -> None:
    """Let programs of the system that are started from here, such as a file manager, find their own libraries."""
    before = os.environ.pop("LD_LIBRARY_PATH_ORIG", None)
    if before is not None:
        os.environ["LD_LIBRARY_PATH"] = before
    elif getattr(sys, "frozen", False):
        os.environ.pop("LD_LIBRARY_PATH", None)


class NoOpenGL(types.ModuleType):
    """In the place of a module of Qt whose classes pyqtgraph names, ten megabytes that no plot here is drawn with."""

    def __getattr__(self, name: str) -> type:
        if name.startswith("__"):
            raise AttributeError(name)
        # When it is asked for: commands do without Qt. Only a class that other classes are made from will do.
        from PySide6.QtWidgets import QWidget

        return QWidget


def do_without_opengl() -> None:
    """Let pyqtgraph import what a bundle leaves out."""
    if getattr(sys, "frozen", False):
        sys.modules.update({name: NoOpenGL(name) for name in ("PySide6.QtOpenGL", "PySide6.QtOpenGLWidgets")})


def main() -> None:
    """Run what was asked for."""
    import runpy
    from multiprocessing import freeze_support

    from explorer.cli.main import run
    from explorer.core.jobs.programs import MODULES, RUN_MODULE

    freeze_support()
    restore_search_path()
    if len(sys.argv) == 3 and sys.argv[1] == RUN_MODULE and sys.argv[2] in MODULES:
        runpy.run_module(sys.argv[2], run_name="__main__", alter_sys=True)
    else:
        run()


if __name__ == "__main__":
    # Before anything is imported that may be missing.
    refuse_half_a_program()
    do_without_opengl()
    main()
