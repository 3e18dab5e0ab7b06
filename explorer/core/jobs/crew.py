"""A crew of processes that do one kind of work on many items, in order.

Each process gets what all items need once, as a pickle, and then one item after the other. It is a new interpreter that
does not load the caller's program, so a script needs no guard around its main part.
"""

from __future__ import annotations

import os
import pickle
import queue
import subprocess
import sys
import traceback
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from typing import IO, Any, TypeVar

from explorer import i18n
from explorer.core.jobs.cancel import CancelToken
from explorer.core.jobs.child import ChildEndedError
from explorer.core.jobs.programs import command_of
from explorer.errors import CorpusError
from explorer.i18n import mark

C = TypeVar("C")
T = TypeVar("T")
R = TypeVar("R")
_AHEAD = 4
"""Items per process that are taken before their answers are needed."""


class _Worker:
    """One process, which answers one item at a time."""

    def __init__(self, order: bytes) -> None:
        command = command_of("explorer.core.jobs.crew")
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert self._process.stdin is not None and self._process.stdout is not None
        self._items, self._answers = self._process.stdin, self._process.stdout
        self._order: bytes | None = order

    def ask(self, item: object) -> Any:
        """Send an item, and wait for its answer."""
        try:
            if self._order is not None:
                # Only now, on the thread of the worker: a process that starts does not hold up the others.
                self._items.write(self._order)
                self._order = None
            pickle.dump(item, self._items)
            self._items.flush()
            kind, value = pickle.load(self._answers)
        except (OSError, EOFError, ValueError) as error:
            raise ChildEndedError(
                mark("A process of this program ended unexpectedly (exit code {code})."),
                reason="process-ended",
                code=self._process.wait(),
            ) from error
        if kind == "error":
            raise value
        if kind == "bug":
            raise RuntimeError(value)
        return value

    def end(self) -> None:
        """End the process at once."""
        self._process.kill()
        self._process.wait()

    def close(self) -> None:
        """Close the pipes, which no thread uses any more."""
        self._answers.close()
        # What was not sent yet goes nowhere.
        with suppress(OSError):
            self._items.close()


def in_processes(
    work: Callable[[C, T], R], context: C, items: Iterable[T], workers: int, cancel: CancelToken | None = None
) -> Iterator[R]:
    """Do the same work on many items, in several processes.

    work: A module-level function of the context and an item.
    context: What all items need; it must be picklable.
    items: The items, which must be picklable. They are taken as they are needed, a few ahead of their answers.
    workers: The number of processes, from 1.
    Yields: The answers, in the order of the items.
    Raises `CorpusError` the work's own.
    Raises `ChildEndedError` if a process ended without an answer.
    Raises `RuntimeError` for anything else that the work raised, with its traceback.

    Notes
    -----
    A process starts in about half a second. All of them are ended when the iterator is closed.
    """
    cancel = cancel or CancelToken()
    order = pickle.dumps((work, context, i18n.chosen()))
    idle: queue.SimpleQueue[_Worker] = queue.SimpleQueue()
    crew: list[_Worker] = []

    def ask(item: T) -> R:
        worker = idle.get()
        try:
            answer: R = worker.ask(item)
        finally:
            idle.put(worker)
        return answer

    waiting: deque[Future[R]] = deque()
    pool = ThreadPoolExecutor(workers, "crew")
    try:
        for _ in range(workers):
            crew.append(_Worker(order))
            idle.put(crew[-1])
        for item in items:
            cancel.check()
            waiting.append(pool.submit(ask, item))
            if len(waiting) >= _AHEAD * workers:
                yield waiting.popleft().result()
        while waiting:
            cancel.check()
            yield waiting.popleft().result()
    finally:
        for each in waiting:
            each.cancel()
        # Threads that wait for an answer get the end of the pipe instead.
        for worker in crew:
            worker.end()
        pool.shutdown()
        for worker in crew:
            worker.close()


def _serve(items: IO[bytes], answers: IO[bytes]) -> None:
    work, context, speech = pickle.load(items)
    i18n.use(speech)
    while True:
        try:
            item = pickle.load(items)
        except EOFError:
            # The parent has ended, or needs no more.
            return
        try:
            answer = ("done", work(context, item))
        except CorpusError as error:
            answer = ("error", error)
        except Exception:  # noqa: BLE001 - the parent reports it
            answer = ("bug", traceback.format_exc())
        pickle.dump(answer, answers)
        answers.flush()


def main() -> None:
    """A process of the crew."""
    # What a library prints must not come between the pickles.
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    try:
        _serve(sys.stdin.buffer, answers)
    except (KeyboardInterrupt, BrokenPipeError):
        # Ctrl-C reaches the parent as well, which reports it.
        os._exit(1)


if __name__ == "__main__":
    main()
