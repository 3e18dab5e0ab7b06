"""Where hits are."""

from __future__ import annotations

import random
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]


@dataclass(frozen=True)
class Places:
    """Where occurrences are: document numbers, and the token offset in the document of each."""

    documents: NDArray[np.int64]
    offsets: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.documents)


@dataclass(frozen=True)
class HitPlace:
    """One of `Located`."""

    document: int
    offset: int
    length: int
    begin: int = 0
    rest: int = 0


@dataclass(frozen=True)
class Located:
    """Where some hits are: document, offset of the first token in it, length in tokens.

    begins: bytes of the first token before the hit. rests: bytes of the last token after it. Both are 0 for n-grams.
    Where the ends of text hits were not looked for, `lengths` is 1 and `rests` 0. sources: which of the n-grams that
    hold the text was looked up.
    """

    documents: Numbers
    offsets: Numbers
    lengths: Numbers
    begins: Numbers
    rests: Numbers
    sources: Numbers

    @classmethod
    def of_tokens(cls, documents: Numbers, offsets: Numbers, lengths: Numbers) -> Located:
        """Hits that are whole tokens."""
        zeros = np.zeros(len(documents), dtype=np.int64)
        return cls(documents, offsets, lengths, zeros, zeros, zeros)

    @classmethod
    def join(cls, parts: list[Located]) -> Located:
        """Hits one after the other."""
        none = np.empty(0, dtype=np.int64)
        names = ("documents", "offsets", "lengths", "begins", "rests", "sources")
        return cls(*(np.concatenate([none, *(getattr(part, name) for part in parts)]) for name in names))

    def __len__(self) -> int:
        return len(self.documents)

    def __getitem__(self, chosen: NDArray[np.int64] | NDArray[np.bool_] | slice) -> Located:
        columns = (self.documents, self.offsets, self.lengths, self.begins, self.rests, self.sources)
        return Located(*(column[chosen] for column in columns))

    @property
    def places(self) -> Places:
        """Documents and first tokens."""
        return Places(self.documents, self.offsets)

    def hits(self) -> list[HitPlace]:
        """One by one."""
        columns = (self.documents, self.offsets, self.lengths, self.begins, self.rests)
        return [HitPlace(*row) for row in zip(*(column.tolist() for column in columns), strict=True)]


def drawn(total: int, wanted: int, seed: int) -> Numbers:
    """At most `wanted` of the numbers below `total`, drawn with the seed, ascending."""
    if total <= wanted:
        return np.arange(total, dtype=np.int64)
    return np.array(sorted(random.Random(seed).sample(range(total), wanted)), dtype=np.int64)
