"""The way from the command line to the window: what precedes its import, which takes most of a start.

Only the program's own start calls this. It concerns the whole process, so importing the window does not do it: a test,
or another program, may import it too.
"""

from __future__ import annotations

import builtins
import gc
from importlib import import_module


def launch(
    paths: tuple[str, ...] = (),
    minus: tuple[str, ...] = (),
    tokenizer: str | None = None,
    *,
    demo: bool = False,
    restore: bool = False,
    project: str = "",
    allow_remote: bool = False,
    token_file: str = "",
    alone: bool = False,
) -> int:
    """Import the window and run it until it is closed, or let a program that runs open what is asked for.

    alone: Run a window here, even if a program runs.
    """
    prepare_imports()
    from explorer.gui.app.running import hand_over
    from explorer.gui.app.startup import Startup
    from explorer.gui.settings.store import settings_path

    startup = Startup(paths, minus, tokenizer, demo, restore, project, allow_remote, token_file)
    # The window, its session and the code that it copies outlive the folder that the program was started from.
    startup = startup.from_anywhere()
    if not alone and hand_over(settings_path().parent, startup):
        return 0
    from explorer.gui.app.app import run_app

    return run_app(startup)


def prepare_imports() -> None:
    """Import faster from now on: without searches for garbage, and without reading sources.

    `app.begin_work` lets the searches begin again when the window can be used.

    Notes
    -----
    The two save a quarter of the processor time of a start. The sources also stayed in memory, about 8 MiB when all
    screens are made.
    """
    # What is imported stays. Each search visits all of it, and the last one before the first paint takes
    # 40 ms.
    gc.disable()
    # By name: this module is imported before Qt is.
    import_module("PySide6.QtCore")
    restore_import()


def restore_import() -> None:
    """Make `import` again what it was before PySide was imported; nothing happens if it is not PySide's.

    PySide can rename its methods for modules that ask for it (`from __feature__ import snake_case`). To know which
    modules that may concern, it takes the place of `__import__` and looks for its own name in the source of every
    module that is imported after it. Nothing here asks for that.
    """
    # Published by PySide under these names. The one that it replaced knows its star imports, and stays.
    if builtins.__import__ is getattr(builtins, "__feature_import__", None):
        builtins.__import__ = builtins.__orig_import__  # type: ignore[attr-defined]
