"""Work in a process of its own, so that the window keeps its event loop and its memory.

The two exchange pickles: the work goes in, progress and then the result or the error come out. The child ends when
its input is closed, so it never outlives the program that asked for it.
"""

from __future__ import annotations

import os
import pickle
import queue
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Callable
from typing import IO, Any, TypeVar

from explorer import i18n
from explorer.core.jobs.cancel import ASKED, CancelToken
from explorer.core.jobs.programs import command_of
from explorer.core.jobs.progress import Progress, Report, no_report
from explorer.errors import Cancelled, CorpusError
from explorer.i18n import mark

A = TypeVar("A")
R = TypeVar("R")

# Seconds between two looks at the cancel flag; and how far the priority of the child is lowered.
_POLL = 0.05
_NICENESS = 5
_PAUSE = b"p"
_PATIENCE = 8.0
"""Seconds that a child has to reach a safe point after it is paused."""


class ChildEndedError(CorpusError):
    """The process ended without an answer, for want of memory perhaps."""


def run_in_child(
    work: Callable[[A, Report], R],
    argument: A,
    report: Report = no_report,
    cancel: CancelToken | None = None,
    is_awaited: bool = False,
) -> R:
    """Do work in another process.

    work: A module-level function; it is called with the argument and a function for its progress.
    report: Called with the work's progress, on this thread.
    cancel: Kills the process. When it is paused (`CancelToken.pause`), `ASKED` is paused in the process, which has a
        few seconds to finish before it is killed.
    is_awaited: Whether a person waits for it: then it has the priority of this process, and otherwise a lower one.
    Returns: What the work returns; it must be picklable.
    Raises `CorpusError` the work's own.
    Raises `ChildEndedError` if the process ended without an answer.
    Raises `RuntimeError` for anything else that the work raised, with its traceback.

    Notes
    -----
    Costs about 0.3 s and the process's memory. The process is over when this function returns or raises.
    """
    cancel = cancel or CancelToken()
    # A new interpreter, not a fork: this process has threads and mapped files, and a fork copies locks as they are.
    command = command_of("explorer.core.jobs.child")
    child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert child.stdin is not None and child.stdout is not None
    try:
        pickle.dump((work, argument, i18n.chosen(), 0 if is_awaited else _NICENESS), child.stdin)
        child.stdin.flush()
        result: R = _follow(child, report, cancel)
        return result
    finally:
        # In this order. The child must be gone before its pipes are: the reading thread leaves its read at the end of
        # the pipe, and closing the pipe under a thread that reads it would wait for that thread forever.
        child.kill()
        child.wait()
        child.stdout.close()
        child.stdin.close()


def _follow(child: subprocess.Popen[bytes], report: Report, cancel: CancelToken) -> Any:
    # A pipe cannot be read with a timeout on every system, so a thread reads it and this one waits for the queue. The
    # thread ends with the pipe. It never blocks the child: the queue has no bound, and reports are few.
    answers: queue.Queue[tuple[str, Any]] = queue.Queue()
    assert child.stdout is not None
    threading.Thread(target=_read, args=(child.stdout, answers), daemon=True, name="child-output").start()
    until = 0.0
    while True:
        # `pause` also sets the flag of `cancel`, so it is asked first. A pause is only a request: messages are taken
        # further, and the answer to it is that the child raises Cancelled, which comes as an "error".
        if not cancel.paused:
            cancel.check()
        elif not until:
            until = time.monotonic() + _PATIENCE
            _ask_to_pause(child)
        elif time.monotonic() > until:
            raise Cancelled
        try:
            kind, value = answers.get(timeout=_POLL)
        except queue.Empty:
            continue
        if kind == "progress":
            report(value)
        elif kind == "done":
            return value
        elif kind == "error":
            raise value
        elif kind == "bug":
            raise RuntimeError(value)
        else:
            raise ChildEndedError(
                mark("A process of this program ended unexpectedly (exit code {code})."),
                reason="process-ended",
                code=child.wait(),
            )


def _ask_to_pause(child: subprocess.Popen[bytes]) -> None:
    assert child.stdin is not None
    try:
        child.stdin.write(_PAUSE)
        child.stdin.flush()
    except OSError:
        # It has ended by itself, and its last message is still unread.
        return


def _read(stream: IO[bytes], answers: queue.Queue[tuple[str, Any]]) -> None:
    try:
        while True:
            answers.put(pickle.load(stream))
    except (EOFError, ValueError, pickle.UnpicklingError):
        # The child ended, or was killed in the middle of a word, or the pipe was closed here: cancelled.
        answers.put(("ended", None))


def _obey_parent(stream: IO[bytes]) -> None:
    """End when the parent has ended for any reason; pause when it asks for it."""
    # An empty read is the end of the pipe: the system closed it, since the parent has ended, whatever the reason. This
    # needs no signal and no process id that could have been given to another process since.
    while stream.read(1) == _PAUSE:
        ASKED.pause()
    # Without cleaning up: nobody waits for it, and the files of a build are safe at any moment.
    os._exit(1)


def _perform(answers: IO[bytes]) -> None:
    def say(kind: str, value: Any) -> None:
        pickle.dump((kind, value), answers)
        answers.flush()

    def report(progress: Progress) -> None:
        say("progress", progress)

    try:
        work, argument, speech, niceness = pickle.load(sys.stdin.buffer)
        if hasattr(os, "nice"):
            os.nice(niceness)
        i18n.use(speech)
        # Only now: until here this thread reads the input itself.
        threading.Thread(target=_obey_parent, args=(sys.stdin.buffer,), daemon=True).start()
        say("done", work(argument, report))
    except CorpusError as error:
        say("error", error)
    except Exception:  # noqa: BLE001 - the parent reports it
        say("bug", traceback.format_exc())


def main() -> None:
    """The child."""
    # What a library prints must not come between the pickles.
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    _perform(answers)
    answers.close()
    # What was printed waits in a buffer if the output is not a terminal.
    sys.stdout.flush()
    sys.stderr.flush()
    # The thread that listens to the parent holds the lock of the input: an interpreter that ends in the usual way
    # would abort at it ("could not acquire lock … at interpreter shutdown").
    os._exit(0)


if __name__ == "__main__":
    main()
