"""What Ctrl-C does before and after the work of a command. It imports nothing that takes time."""

from __future__ import annotations

import os

from explorer.cli.output.codes import INTERRUPTED

# `typing` itself takes longer to import than this module; type checkers know the name.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType

_INTERRUPTED = b"Interrupted.\n"


def leave(number: int, frame: FrameType | None) -> None:
    """Handle Ctrl-C while modules load and at the end, where an exception could occur in code that swallows it.

    Ends the process with one system call after the message: nothing of Python's own clean-up runs.

    frame: Where the program was; not used.
    """
    try:
        # One system call on the number, because a signal may arrive in the middle of a write to sys.stderr, whose
        # buffer refuses to be entered twice.
        os.write(2, _INTERRUPTED)
    finally:
        os._exit(INTERRUPTED)
