"""How another process of this program is started: by the interpreter, or by the program itself where it is a bundle."""

from __future__ import annotations

import sys

RUN_MODULE = "--run-module"
"""The first argument of a bundle that is to run a module: see `packaging/bundle/entry.py`."""

MODULES = ("explorer.core.jobs.child", "explorer.core.jobs.crew", "explorer.documents.library_child")
"""What other processes of this program run."""


def command_of(module: str) -> list[str]:
    """Give the command that runs a module in another process.

    Examples
    --------
    >>> command_of("explorer.core.jobs.child")[1:]
    ['-P', '-m', 'explorer.core.jobs.child']
    """
    # In a bundle there is no interpreter, and `sys.executable` is the program.
    if getattr(sys, "frozen", False):
        return [sys.executable, RUN_MODULE, module]
    # -P: no module of the folder that the program happens to run in.
    return [sys.executable, "-P", "-m", module]
