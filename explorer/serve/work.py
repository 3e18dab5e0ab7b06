"""The threads that answer questions: a short queue, and a deadline for each."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

from explorer.errors import Cancelled, CorpusError, QueryError
from explorer.jobs import CancelToken
from explorer.serve.settings import Settings
from explorer.wire.errors import RefusedError

R = TypeVar("R")
Work = Callable[[CancelToken], R]
"""Answers one question, on a thread of the pool. It looks at the token now and then: the deadline sets it."""

_GRACE = 2.0
"""Seconds after the deadline until an answer is given up that does not look at its token."""


class Pool:
    """Threads for the work of requests. The engine releases the interpreter's lock, so they use all cores.

    Parameters
    ----------
    settings
        Threads, queue and deadline.
    complain
        Takes a sentence about a failure, for whoever runs the server; it may name files.
    """

    def __init__(self, settings: Settings, complain: Callable[[str], None]) -> None:
        self._threads = ThreadPoolExecutor(settings.threads, "answers")
        self._most, self._deadline = settings.threads + settings.queue, settings.deadline
        self._complain = complain
        # Changed by callbacks on the threads as well; a set of futures needs no lock of its own.
        self._running: set[Future[Any]] = set()
        self._tokens: set[CancelToken] = set()

    async def ask(self, work: Work[R], deadline: float | None = None) -> R:
        """Do work on a thread.

        Parameters
        ----------
        work
            The work.
        deadline
            Seconds that it may take, waiting included; None for those of the settings.

        Returns
        -------
        R
            What it returns.

        Raises
        ------
        RefusedError
            503 if too much work waits, 500 if the deadline has passed or the work failed, and 200 for a QueryError.
        """
        if len(self._running) >= self._most:
            raise RefusedError("The server is busy. Please try again later.", 503)
        loop, token = asyncio.get_running_loop(), CancelToken()
        seconds = self._deadline if deadline is None else deadline
        timer = loop.call_later(seconds, token.cancel)
        future = self._threads.submit(_unless_cancelled, work, token)
        self._running.add(future)
        self._tokens.add(token)
        future.add_done_callback(self._running.discard)
        try:
            async with asyncio.timeout(seconds + _GRACE):
                return await asyncio.wrap_future(future)
        except (Cancelled, TimeoutError):
            raise RefusedError("Web request timed out. Please try again later.", 500) from None
        except RefusedError:
            raise
        except Exception as error:
            raise self._refusal(error) from error
        finally:
            timer.cancel()
            token.cancel()
            self._tokens.discard(token)

    def _refusal(self, error: Exception) -> RefusedError:
        """What a client may know of a failure: never a file's name, and never a trace."""
        if isinstance(error, QueryError) and not error.path:
            return RefusedError(str(error))
        sentence = str(error) if isinstance(error, CorpusError) else f"Unexpected {type(error).__name__}: {error}"
        self._complain(sentence)
        return RefusedError("Internal server error", 500)

    def stop(self) -> None:
        """Stop all work, and let the threads end."""
        for token in list(self._tokens):
            token.cancel()
        self._threads.shutdown(wait=True, cancel_futures=True)


def _unless_cancelled(work: Work[R], token: CancelToken) -> R:
    # The deadline may have passed in the queue.
    token.check()
    try:
        return work(token)
    except (Exception, asyncio.CancelledError):
        raise
    # The tokenizers' Rust code raises errors that would end the server's loop.
    except BaseException as error:
        raise RuntimeError(str(error)) from error
