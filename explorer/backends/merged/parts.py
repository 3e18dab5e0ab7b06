"""The indexes that are one: asked side by side, and whose documents are numbered one after the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import numpy as np

from explorer.backends.protocol.protocol import Backend, Numbers
from explorer.errors import QueryError
from explorer.i18n import mark

R = TypeVar("R")


class Parts:
    """Several indexes.

    backends: The indexes, at least one, in the order of their documents.

    Notes
    -----
    Each question goes to all indexes at once, on a thread each: the answer takes as long as that of the slowest.
    """

    def __init__(self, backends: Sequence[Backend]) -> None:
        self.backends = tuple(backends)
        slots = [backend.document_slots for backend in self.backends]
        self.ends = np.cumsum(slots, dtype=np.int64)
        self.firsts = self.ends - slots
        self._threads = ThreadPoolExecutor(len(self.backends), "parts")

    def __len__(self) -> int:
        return len(self.backends)

    def each(self, ask: Callable[[Backend], R]) -> list[R]:
        """Ask all indexes.

        ask: Asks one, on a thread of its own.
        Returns: The answers, in the order of the indexes. No answer is left out: if one index fails, so does the
            question.
        """
        return self.some(range(len(self)), lambda number: ask(self.backends[number]))

    def some(self, numbers: Sequence[int], ask: Callable[[int], R]) -> list[R]:
        """Ask some indexes.

        ask: Asks the one of a number, on a thread of its own.
        Returns: The answers, in the order of the numbers.
        """
        # One needs no other thread; most lines of a page are of one index.
        if len(numbers) < 2:
            return [ask(number) for number in numbers]
        return list(self._threads.map(ask, numbers))

    def owners(self, documents: Numbers) -> Numbers:
        """Tell which index has each document.

        Raises `QueryError` for a number that no document has.
        """
        wrong = documents[(documents < 0) | (documents >= self.ends[-1])]
        if len(wrong):
            raise QueryError(
                mark("There is no document {document:,}: documents are numbered 0 to {last:,}."),
                reason="no-document",
                document=int(wrong[0]),
                last=int(self.ends[-1]) - 1,
            )
        return np.searchsorted(self.ends, documents, side="right")

    def by_owner(self, documents: Numbers) -> list[tuple[int, Numbers]]:
        """Sort documents by their indexes."""
        owners = self.owners(documents)
        return [(owner, np.flatnonzero(owners == owner)) for owner in np.unique(owners).tolist()]
