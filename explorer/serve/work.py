"""The threads that answer questions: a short queue, and a deadline for each."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, TypeVar

from explorer.core.jobs import CancelToken
from explorer.errors import Cancelled, CorpusError, QueryError, UnavailableError
from explorer.http.wire.errors import RefusedError
from explorer.serve.settings import Settings

R = TypeVar("R")
Work = Callable[[CancelToken], R]
"""Answers one question, on a thread of the pool. It looks at the token now and then: the deadline sets it."""

_GRACE = 2.0
"""Seconds after the deadline until an answer is given up that does not look at its token."""


class LateError(RefusedError):
    """A question whose deadline has passed."""


class Pool:
    """Threads for the work of requests. The engine releases the interpreter's lock, so they use all cores.

    settings: Threads, queue and deadline.
    complain: Takes a sentence about a failure, for whoever runs the server; it may name files.
    """

    def __init__(self, settings: Settings, complain: Callable[[str], None]) -> None:
        self._threads = ThreadPoolExecutor(settings.threads, "answers")
        self._most, self._deadline = settings.threads + settings.queue, settings.deadline
        self._complain = complain
        # Changed on the server's own thread only.
        self._running = 0
        self.asked = 0
        """Questions that were taken on so far."""
        self._tokens: set[CancelToken] = set()

    async def ask(self, work: Work[R], deadline: float | None = None) -> R:
        """Do work on a thread.

        deadline: Seconds that it may take, waiting included; None for those of the settings.
        Raises `RefusedError` 503 if too much work waits, 500 if the deadline has passed (LateError) or the work failed,
            and 200 for a QueryError.
        """
        if self._running >= self._most:
            raise RefusedError("The server is busy. Please try again later.", 503)
        loop, token = asyncio.get_running_loop(), CancelToken()
        answer: asyncio.Future[R] = loop.create_future()
        timer = loop.call_later(self._deadline if deadline is None else deadline, self._late, loop, token, answer)
        # One future, and one timer: `wrap_future` and `timeout` together take as long as the search for a count.
        self._threads.submit(self._do, work, token, loop, answer)
        self._running += 1
        self.asked += 1
        self._tokens.add(token)
        try:
            return await answer
        except (Cancelled, TimeoutError):
            raise LateError("Web request timed out. Please try again later.", 500) from None
        except RefusedError:
            raise
        except Exception as error:
            raise self._refusal(error) from error
        finally:
            timer.cancel()
            # Nobody waits for it any longer, if the request itself was stopped.
            token.cancel()
            self._tokens.discard(token)

    def _do(
        self, work: Work[R], token: CancelToken, loop: asyncio.AbstractEventLoop, answer: asyncio.Future[R]
    ) -> None:
        """Do work on a thread, and hand its result to the server's own."""
        result: R | None = None
        failure: Exception | None = None
        try:
            # The deadline may have passed in the queue.
            token.check()
            result = work(token)
        except Exception as error:  # noqa: BLE001 - it is raised where the answer is awaited
            failure = error
        # The tokenizers' Rust code raises errors that would end the server's loop.
        except BaseException as error:  # noqa: BLE001
            failure = RuntimeError(f"{type(error).__name__}: {error}")
        # The loop has ended only if the server was stopped a second time, without waiting for answers.
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(self._deliver, answer, result, failure)

    def _deliver(self, answer: asyncio.Future[Any], result: object, failure: Exception | None) -> None:
        self._running -= 1
        if answer.done():
            return
        if failure is not None:
            answer.set_exception(failure)
        else:
            answer.set_result(result)

    def _late(self, loop: asyncio.AbstractEventLoop, token: CancelToken, answer: asyncio.Future[Any]) -> None:
        token.cancel()
        # Work that does not look at its token keeps its thread, and is counted until it ends.
        loop.call_later(_GRACE, lambda: None if answer.done() else answer.set_exception(TimeoutError()))

    def _refusal(self, error: Exception) -> RefusedError:
        """What a client may know of a failure: never a file's name, and never a trace."""
        if isinstance(error, QueryError) and not error.path:
            return RefusedError(str(error))
        if isinstance(error, UnavailableError) and not error.path:
            self._complain(str(error))
            return RefusedError(str(error), 500)
        sentence = str(error) if isinstance(error, CorpusError) else f"Unexpected {type(error).__name__}: {error}"
        self._complain(sentence)
        return RefusedError("Internal server error", 500)

    def stop(self) -> None:
        """Stop all work, and let the threads end."""
        for token in list(self._tokens):
            token.cancel()
        self._threads.shutdown(wait=True, cancel_futures=True)
