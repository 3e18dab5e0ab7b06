"""Documents of several indexes, numbered one index after the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np

from explorer.backends.merged.parts import Parts
from explorer.backends.protocol.protocol import Backend, FieldNames, Numbers
from explorer.core.jobs import CancelToken

R = TypeVar("R")


class MergedDocuments:
    """Answers `explorer.backends.protocol.protocol.DocumentQuestions`.

    separator: The token before each document, the same in all of them.
    """

    def __init__(self, parts: Parts, separator: int) -> None:
        self._parts, self._separator = parts, separator

    def numbers(self) -> Numbers:
        """The numbers of all documents, ascending."""
        found = self._parts.each(lambda part: part.documents.numbers())
        return np.concatenate([each + first for each, first in zip(found, self._parts.firsts, strict=True)])

    def sizes(self) -> Numbers:
        """Tokens of the document of each number, its separator included."""
        return np.concatenate(self._parts.each(lambda part: part.documents.sizes()))

    def check(self, number: int) -> None:
        """Raise QueryError for a number without a document."""
        self.lengths(np.array([number], dtype=np.int64))

    def lengths(self, documents: Numbers) -> Numbers:
        """Tokens of these documents, separators not counted."""
        return self._numbers(documents, lambda part, local, chosen: part.documents.lengths(local))

    def windows(self, documents: Numbers, firsts: Numbers, lasts: Numbers) -> list[Numbers]:
        """Read some tokens of each of some documents."""

        def read(part: Backend, local: Numbers, chosen: Numbers) -> Sequence[Numbers]:
            return part.documents.windows(local, firsts[chosen], lasts[chosen])

        return self._of_each(documents, read)

    def tokens_at(self, documents: Numbers, offsets: Numbers) -> Numbers:
        """Read one token of each of some documents."""
        return self._numbers(documents, lambda part, local, chosen: part.documents.tokens_at(local, offsets[chosen]))

    def metadata(self, documents: Numbers) -> list[dict[str, Any]]:
        """The metadata lines of these documents."""
        return self._of_each(documents, lambda part, local, chosen: part.documents.metadata(local))

    def _numbers(self, documents: Numbers, ask: Callable[[Backend, Numbers, Numbers], Numbers]) -> Numbers:
        return np.array(self._of_each(documents, lambda *asked: ask(*asked).tolist()), dtype=np.int64)

    def _of_each(self, documents: Numbers, ask: Callable[[Backend, Numbers, Numbers], Sequence[R]]) -> list[R]:
        """One answer per document, in order; asked of the index that has them, with the numbers there."""
        owned = self._parts.by_owner(documents)

        def asked(number: int) -> Sequence[R]:
            owner, chosen = owned[number]
            return ask(self._parts.backends[owner], documents[chosen] - self._parts.firsts[owner], chosen)

        answers = self._parts.some(range(len(owned)), asked)
        found: dict[int, R] = {}
        for (_, chosen), answer in zip(owned, answers, strict=True):
            found.update(zip(chosen.tolist(), answer, strict=True))
        return [found[number] for number in range(len(documents))]

    def field_names(self) -> FieldNames:
        """Which metadata fields documents have."""
        found = self._parts.each(lambda part: part.documents.field_names())
        names = dict.fromkeys(name for each in found for name in each.names)
        return FieldNames(tuple(names), all(each.complete for each in found))

    def has_field(self, name: str, cancel: CancelToken | None = None) -> bool:
        """Tell whether any document has a metadata field."""
        return any(self._parts.each(lambda part: part.documents.has_field(name, cancel)))

    def like(self, number: int) -> list[int]:
        """A document and every other of the same tokens: in the other indexes, it is searched for as an n-gram."""
        which = np.array([number], dtype=np.int64)
        size = self.lengths(which)
        text = self.windows(which, np.zeros_like(size), size)[0]
        owner = int(self._parts.owners(which)[0])

        def alike(index: int) -> Numbers:
            part, first = self._parts.backends[index], int(self._parts.firsts[index])
            if index == owner:
                return np.array(part.documents.like(number - first), dtype=np.int64) + first
            # Nothing is stored after the last document of a shard, so that one of the two misses it: which one, depends
            # on the direction in which the documents are stored.
            found = [
                _holding(part, ids) for ids in (np.append(self._separator, text), np.append(text, self._separator))
            ]
            documents = np.unique(np.concatenate(found))
            # One that only begins or ends with this text is another.
            whole: Numbers = documents[part.documents.lengths(documents) == size[0]] + first
            return whole

        copies: list[int] = np.concatenate(self._parts.some(range(len(self._parts)), alike)).tolist()
        return copies


def _holding(part: Backend, ids: Numbers) -> Numbers:
    """The documents of an n-gram, each as often as it has it."""
    hits = part.hits.occurrences([part.hits.find(ids)])
    located = hits.locate(np.arange(hits.total, dtype=np.int64))
    return located.documents[hits.shown(located)]
