"""The entry point of the `corpus-explorer` command: signals and streams.

It imports nothing that takes time, so that Ctrl-C is handled properly from the start.
"""

from __future__ import annotations

import os
import signal
import sys

from explorer.cli.interrupt import leave

# `typing` itself takes longer to import than this module; type checkers know the name.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def main(arguments: Sequence[str]) -> int:
    """Run one command line; returns the exit code."""
    # Imported after the handler of `run` is in place: until then, Ctrl-C would print a traceback of an import.
    from explorer.cli.session import answer

    return answer(list(arguments))


def run() -> None:
    """Run the command line of this process, then exit."""
    # Jobs in the background of a script are started with Ctrl-C ignored; keep it ignored.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, leave)
    _prepare_streams()
    sys.exit(main(sys.argv[1:]))


def _prepare_streams() -> None:
    """Write UTF-8 everywhere, and keep files opened later from taking the number of a closed stream."""
    for number, stream in enumerate((sys.stdin, sys.stdout, sys.stderr)):
        # The shell closed it (`>&-`). The next file that is opened would get its number, and what is printed would go
        # into that file.
        if stream is None:
            _fill(number)
        # Input is read as bytes. `replace` on output: a lone surrogate must not end the program in the middle of a
        # list.
        elif number and hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="replace")


def _fill(number: int) -> None:
    opened = os.open(os.devnull, os.O_RDWR)
    # The lowest free number is taken, which is this one unless a lower one is closed, too.
    if opened != number:
        os.dup2(opened, number)
        os.close(opened)
