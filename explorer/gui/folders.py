"""Where dialogs for files begin: the folder that the user chose in the settings, or the system's choice."""

from __future__ import annotations

import os

# A list, since functions change its item: there is one default folder in the process.
_chosen = [""]


def choose_folder(folder: str) -> None:
    """Let dialogs begin in a folder; "" leaves that to the system."""
    _chosen[0] = folder


def begin_in(name: str = "") -> str:
    """The path with which a dialog begins.

    Parameters
    ----------
    name
        The name that is proposed for a file; "" for none.

    Returns
    -------
    str
        The path; only the name if no folder was chosen.
    """
    # The folder may be gone by now: Qt then begins where it would without one.
    return os.path.join(_chosen[0], name) if _chosen[0] else name
