"""What the program of a bundle runs: the command line, or a module in a process of its own."""

import os
import runpy
import sys
import types
from multiprocessing import freeze_support

from explorer.cli.main import run
from explorer.jobs.programs import MODULES, RUN_MODULE


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


if __name__ == "__main__":
    do_without_opengl()
    freeze_support()
    restore_search_path()
    if len(sys.argv) == 3 and sys.argv[1] == RUN_MODULE and sys.argv[2] in MODULES:
        runpy.run_module(sys.argv[2], run_name="__main__", alter_sys=True)
    else:
        run()
