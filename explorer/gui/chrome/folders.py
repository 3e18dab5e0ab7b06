"""Where dialogs for files begin: the folder of the settings, or that of the last file, or the user's documents."""

from __future__ import annotations

import os
from pathlib import Path

from PySide6.QtCore import QDir, QStandardPaths

# Lists, since functions change their items: there is one folder of each kind in the process.
_chosen = [""]
_last = [""]


def choose_folder(folder: str) -> None:
    """Let dialogs begin in a folder; "" leaves that to where files were saved."""
    _chosen[0] = folder


def saved_in(path: str) -> None:
    """Let further dialogs begin where a file was saved, unless a folder is chosen."""
    _last[0] = str(Path(path).absolute().parent)


def begin_in(name: str = "") -> str:
    """The path with which a dialog begins.

    name: The name that is proposed for a file; "" for none.
    """
    # The folder may be gone by now: Qt then begins where it would without one.
    return os.path.join(_chosen[0] or _last[0] or _documents(), name)


def _documents() -> str:
    # Not where the program was started from, which is nobody's folder for tables and figures.
    documents = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
    # A user may have no home; Qt then has the root.
    return documents if documents and Path(documents).is_dir() else QDir.homePath()
