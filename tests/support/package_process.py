"""The infini-gram package in a process of its own.

It reads beyond the ends of its tables; what lies there in memory decides whether its process lives and, at
times, what it answers (each seen once in some dozens of runs, on the same folder and the same queries). So
it runs beside the tests without reading ahead, is started again where it dies, and where it contradicts us
it is asked again in new processes. Where all of them contradict us (it missed the only occurrence of a span
on one machine, five times in a row, and never in a thousand tries on another) the text itself is read: a wrong
answer of ours is contradicted by that too. It may be overruled a few times only.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any, Self

TRIES = 5
OVERRULED = 3
"""How many answers of one package may be wrong before it cannot be the measure of ours."""


class Package:
    """`infini_gram.engine.InfiniGramEngine` with the same methods, answered by another process."""

    def __init__(self, **arguments: Any) -> None:
        self._arguments = arguments
        self._process: multiprocessing.process.BaseProcess | None = None
        self._pipe: Connection | None = None
        self._overruled = 0

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)

        def ask(*arguments: Any, **named: Any) -> Any:
            return self._ask(name, arguments, named)

        return ask

    def answer(self, expected: object, ask: Callable[[], object], look: Callable[[], object]) -> object:
        """The package's answer: the expected one if one of a few processes gives it or the text has it, else the
        last.

        ask: asks the package, on the process of the moment
        look: gives the answer by reading the whole text, without an index
        """
        for _ in range(TRIES):
            answer = ask()
            if answer == expected:
                return expected
            self.close()
        if self._overruled < OVERRULED and look() == expected:
            self._overruled += 1
            return expected
        return answer

    def _ask(self, name: str, arguments: tuple[Any, ...], named: dict[str, Any]) -> Any:
        for _ in range(TRIES):
            if self._pipe is None:
                self._start()
            assert self._pipe is not None
            try:
                self._pipe.send((name, arguments, named))
                return self._pipe.recv()
            except (EOFError, ConnectionError):
                self.close()
        raise RuntimeError(f"the infini-gram package's process died {TRIES} times on {name}{arguments}")

    def _start(self) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, self._arguments), daemon=True)
        self._process.start()
        theirs.close()

    def close(self) -> None:
        """End the process; the next question starts another."""
        if self._pipe is not None and self._process is not None:
            self._pipe.close()
            self._process.kill()
            self._process.join()
        self._pipe = self._process = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _serve(pipe: Connection, arguments: dict[str, Any]) -> None:
    from infini_gram.engine import InfiniGramEngine

    engine = InfiniGramEngine(**arguments, ds_prefetch_depth=0, sa_prefetch_depth=0, od_prefetch_depth=0)
    while True:
        try:
            name, positional, named = pipe.recv()
        except EOFError:
            return
        pipe.send(getattr(engine, name)(*positional, **named))
