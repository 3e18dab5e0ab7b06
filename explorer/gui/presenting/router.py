"""Delivers what one part of the window asks for to the part that takes it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from explorer.gui.presenting.requests import Request


class Router:
    """Knows one taker for each type of request."""

    def __init__(self) -> None:
        self._takers: dict[type[Request], Callable[[Any], object]] = {}

    def add(self, kind: type[Request], taker: Callable[[Any], object]) -> None:
        """Name the taker of a type of request.

        Raises `ValueError` if another taker has been named: a request must not be done twice.
        """
        # By the exact type: a taker of a base class would also get requests that it does not know.
        if kind in self._takers:
            raise ValueError(f"{kind.__name__} has two takers")
        self._takers[kind] = taker

    def check(self, asked: Iterable[type[Request]]) -> None:
        """Check at start that no request will be lost.

        asked: Every type of request that some part may emit.
        Raises `LookupError` if nobody takes one of them.
        """
        if untaken := sorted({kind.__name__ for kind in asked if kind not in self._takers}):
            raise LookupError(f"nobody takes {', '.join(untaken)}")

    def deliver(self, request: Request) -> None:
        """Have a request done.

        Raises `LookupError` if nobody takes requests of its type.
        """
        self.check([type(request)])
        self._takers[type(request)](request)
