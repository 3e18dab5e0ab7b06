"""Everything that the commands print: text for people passes through `visible`, JSON is escaped.

No other module of the commands prints. Faults of standard output are errors, faults of standard error are not: a result
must not get lost, a remark may.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from types import FrameType
from typing import IO

from explorer.core.jobs import Progress, Report, no_report
from explorer.core.visible import visible, visible_json
from explorer.errors import CorpusError

COLORS = ("auto", "always", "never")
_BAR = 30
# Often enough to look alive, and seldom enough for a slow connection.
_SECONDS_BETWEEN = 0.1


@dataclass(frozen=True)
class Manner:
    """How a command reports.

    quiet: Whether remarks and progress are left out.
    verbose: Whether details are added.
    """

    quiet: bool = False
    verbose: bool = False
    color: str = "auto"


_manner = [Manner()]
_notes: list[str] = []


def use_manner(manner: Manner) -> None:
    """Choose how everything from now on is reported."""
    _manner[0] = manner
    _notes.clear()


class OutputError(CorpusError):
    """Standard output cannot be written."""


@contextmanager
def output() -> Iterator[IO[str]]:
    """Give standard output, with its faults as the program's errors.

    Raises `OutputError` if it is closed or cannot be written, for example on a full disk.
    Raises `BrokenPipeError` if the reader of a pipe has closed it.
    """
    if sys.stdout is None:
        raise OutputError("Standard output is closed.", reason="no-standard-output")
    try:
        yield sys.stdout
    # It is an OSError, too, but not a fault: `session` decides whether it matters.
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputError(
            "Standard output cannot be written: {cause}.",
            reason="standard-output-unwritable",
            cause=error.strerror or error,
        ) from error


def put(line: str = "", keep: str = "", end: str = "\n") -> None:
    """Print a line for people: characters that could control the terminal are made visible.

    keep: Control characters that belong to the layout, such as line feeds of a text.
    """
    put_as_is(visible(line, keep) + end)


def put_cells(*cells: object) -> None:
    """Print a line of cells separated by tabs, and flush it."""
    put_as_is("\t".join(visible(str(cell)) for cell in cells) + "\n")
    flush()


def put_as_is(text: str) -> None:
    """Print text that has passed through `visible` or `visible_json`; Ctrl-C waits until all of it is written."""
    with output() as out, _uninterrupted():
        out.write(text)


class _Writing:
    """Whether a record is being written, and whether Ctrl-C came meanwhile."""

    busy = False
    interrupted = False


def interrupt(number: int, frame: FrameType | None) -> None:
    """Handle Ctrl-C while a command is at work: the record that is being written is completed first.

    frame: Where the program was; not used.
    Raises `KeyboardInterrupt` at once if nothing is being written, and at the second Ctrl-C, for a reader that does not
        read.
    """
    if _Writing.busy and not _Writing.interrupted:
        _Writing.interrupted = True
        return
    raise KeyboardInterrupt


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Let `interrupt` wait: an exception in the middle of a write would leave a part of a record in the pipe."""
    _Writing.busy = True
    try:
        yield
    finally:
        _Writing.busy, waiting = False, _Writing.interrupted
        _Writing.interrupted = False
    if waiting:
        raise KeyboardInterrupt


def put_json_line(record: Mapping[str, object]) -> None:
    """Print plain values by name as one line of JSON, and flush it."""
    put_as_is(visible_json(json.dumps(record, ensure_ascii=False, allow_nan=False)) + "\n")
    flush()


def flush() -> None:
    """Flush what was printed."""
    if sys.stdout is not None:
        with output() as out, _uninterrupted():
            out.flush()


def colors() -> bool:
    """Whether to color standard output: as --color states, or if it is a terminal that shows colors."""
    if _manner[0].color != "auto":
        return _manner[0].color == "always"
    # https://no-color.org: an empty value is as none.
    plain = bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb"
    return is_terminal() and not plain


def is_terminal() -> bool:
    """Whether standard output is a terminal."""
    return sys.stdout is not None and sys.stdout.isatty()


def remark(text: str) -> None:
    """Print a line on standard error that begins with "#": what was chosen, left out or found besides the result."""
    if not _manner[0].quiet:
        complain(f"# {text}")


def note(text: str) -> None:
    """Print a remark about the whole answer, which the object of --json contains, too."""
    _notes.append(text)
    remark(text)


def notes() -> list[str]:
    """The notes of this command so far."""
    return list(_notes)


def is_quiet() -> bool:
    """Whether remarks are not printed."""
    return _manner[0].quiet


def detail(text: str) -> None:
    """Print a remark that only --verbose asks for."""
    if _manner[0].verbose:
        remark(text)


def complain(text: str) -> None:
    """Print one line on standard error, whatever line breaks the text has."""
    _to_stderr(visible(" ".join(text.split())) + "\n")


def complain_at_length(text: str) -> None:
    """Print several lines on standard error."""
    _to_stderr(visible(text, keep="\n"))


def _to_stderr(text: str) -> None:
    if sys.stderr is None:
        return
    try:
        sys.stderr.write(text)
        sys.stderr.flush()
    except OSError:
        discard(sys.stderr)


def discard(stream: IO[str] | None) -> None:
    """Discard what the stream still holds, so that Python does not fail on it at exit."""
    if stream is None:
        return
    # ValueError: the stream is closed, or has no number, as in tests.
    with suppress(OSError, ValueError), open(os.devnull, "wb") as nowhere:
        os.dup2(nowhere.fileno(), stream.fileno())


def shows_progress() -> bool:
    """Whether bars are shown: standard error is a terminal, and --quiet was not given."""
    return sys.stderr is not None and sys.stderr.isatty() and not _manner[0].quiet


def progress_bar() -> Report:
    """A line on standard error that shows the progress of work, if bars are shown."""
    if not shows_progress():
        return no_report
    last = [0.0]

    def show(progress: Progress) -> None:
        finished = progress.total > 0 and progress.done >= progress.total
        if time.monotonic() - last[0] < _SECONDS_BETWEEN and not finished:
            return
        last[0] = time.monotonic()
        filled = int(_BAR * progress.fraction)
        share = f"{progress.fraction:4.0%}" if progress.total else "  …"
        bar = f"{visible(progress.stage):<24} [{'#' * filled}{'.' * (_BAR - filled)}] {share}"
        # Back to the start of the line, and erase it: the next bar may be shorter. A finished one stays.
        _to_stderr(f"\r\033[K{bar}" + ("\n" if finished else ""))

    return show
