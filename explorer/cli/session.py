"""Running one command line: every error becomes one line on standard error and an exit code."""

from __future__ import annotations

import argparse
import signal
import sys
import time
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from explorer.cli import hints
from explorer.cli.commands import read_command_line
from explorer.cli.interrupt import leave
from explorer.cli.output.codes import FINE, INTERRUPTED, TROUBLE
from explorer.cli.output.terminal import (
    Manner,
    OutputError,
    complain,
    complain_at_length,
    detail,
    discard,
    flush,
    interrupt,
    use_manner,
)
from explorer.core.hints import with_hints
from explorer.errors import Cancelled, CorpusError


def answer(arguments: Sequence[str]) -> int:
    """Run one command line; returns the exit code."""
    # What is needed if the command line itself cannot be parsed: --debug by its name, and no command.
    args = argparse.Namespace(debug="--debug" in arguments, command="", fail_over=None)
    began = time.monotonic()
    try:
        args = read_command_line(arguments)
        use_manner(Manner(args.quiet, args.verbose, args.color))
        with _interruptible():
            # The window does so when it opens an index, and is shown before the engine is loaded.
            if args.command:
                _guard_files()
            code = int(args.run(args))
            flush()
        detail(f"took {time.monotonic() - began:.3f} s")
    # Both mean that the work was stopped on request.
    except (KeyboardInterrupt, Cancelled):
        _keep_what_was_printed()
        complain("Interrupted.")
        return INTERRUPTED
    # Before the general case, which would report a reader that has gone as an error.
    except BrokenPipeError:
        discard(sys.stdout)
        return _reader_gone(args)
    except SystemExit:
        # argparse raises this after --help.
        return FINE
    except BaseException as error:  # noqa: BLE001 - also what the tokenizers' Rust code raises
        return _trouble(error, args.debug)
    finally:
        # Several command lines of one process, as in tests: each has its own manner.
        use_manner(Manner())
    return code


def _guard_files() -> None:
    """Let a command survive a drive that fails. The engine is loaded only when it is needed."""
    from explorer.core.files.mapped import enable_fault_guard

    enable_fault_guard()


@contextmanager
def _interruptible() -> Iterator[None]:
    """Let Ctrl-C raise KeyboardInterrupt in the work, so that it cleans up after itself."""
    # Called as a library or in tests, or with Ctrl-C ignored by a background job: leave the signal to whoever set it.
    if signal.getsignal(signal.SIGINT) is not leave:
        yield
        return
    signal.signal(signal.SIGINT, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, leave)


def _keep_what_was_printed() -> None:
    try:
        flush()
    except (OSError, OutputError):
        discard(sys.stdout)


def _reader_gone(args: argparse.Namespace) -> int:
    """A reader that closes the pipe early (`| head`) has seen enough, unless the exit code is the result."""
    # Then 0 would state that nothing was found, although not everything was looked at.
    checks = args.command == "verify" or getattr(args, "fail_if_found", False)
    if not checks and getattr(args, "fail_over", None) is None:
        return FINE
    complain("corpus-explorer: The output was closed before everything had been checked.")
    return TROUBLE


def _trouble(error: BaseException, debug: bool) -> int:
    # What could not be printed is still in the buffer; at exit, Python would try again and fail with a traceback.
    if isinstance(error, OutputError):
        discard(sys.stdout)
    if debug:
        complain_at_length("".join(traceback.format_exception(error)))
    complain(f"corpus-explorer: {_in_one_sentence(error)}")
    return TROUBLE


def _in_one_sentence(error: BaseException) -> str:
    if isinstance(error, CorpusError):
        return with_hints(error, hints.HINTS)
    if isinstance(error, MemoryError):
        return "There is not enough memory."
    # The distribution without the window installs it only on request.
    if isinstance(error, ModuleNotFoundError) and (error.name or "").partition(".")[0] == "pyarrow":
        return "Parquet files and Arrow tables need pyarrow, which is not installed: pip install pyarrow."
    # Errors of files that no room turned into its own, such as a full drive for a temporary file.
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}." if error.filename else f"{error.strerror}."
    return f"Unexpected {type(error).__name__}: {error}. Use --debug to print the traceback."
