"""Where hits are."""

from __future__ import annotations

import random
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.arrays import ArrayValue

Numbers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Places(ArrayValue):
    """Where occurrences are.

    Attributes
    ----------
    documents
        Numbers of documents, int64.
    offsets
        The first token in each document, int64.
    """

    documents: NDArray[np.int64]
    offsets: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.documents)


@dataclass(frozen=True)
class HitPlace:
    """One place of `Located`.

    Attributes
    ----------
    document
        The number of the document.
    offset
        The first token in it.
    length
        The tokens.
    begin
        Bytes of the first token before the hit.
    rest
        Bytes of the last token after the hit.
    """

    document: int
    offset: int
    length: int
    begin: int = 0
    rest: int = 0


@dataclass(frozen=True, eq=False)
class Located(ArrayValue):
    """Where some hits are.

    Attributes
    ----------
    documents
        Numbers of documents, int64.
    offsets
        The first token in each document, int64.
    lengths
        Tokens of each hit, int64; 1 if the end of a text pattern's hit was not looked for.
    begins
        Bytes of the first token before the hit, int64; 0 for n-grams.
    rests
        Bytes of the last token after the hit, int64; 0 for n-grams.
    sources
        Which of the n-grams that contain a text was looked up, int64.
    """

    documents: Numbers
    offsets: Numbers
    lengths: Numbers
    begins: Numbers
    rests: Numbers
    sources: Numbers

    @classmethod
    def of_tokens(cls, documents: Numbers, offsets: Numbers, lengths: Numbers) -> Located:
        """Make hits that are whole tokens.

        Parameters
        ----------
        documents
            Numbers of documents, int64.
        offsets
            The first token in each document, int64.
        lengths
            Tokens of each hit, int64.

        Returns
        -------
        Located
            The hits.
        """
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
    """Draw some numbers.

    Parameters
    ----------
    total
        How many numbers there are, from 0.
    wanted
        The most numbers to draw.
    seed
        Decides which ones.

    Returns
    -------
    Numbers
        The numbers, ascending, int64; all of them if there are no more than `wanted`.
    """
    if total <= wanted:
        return np.arange(total, dtype=np.int64)
    return np.array(sorted(random.Random(seed).sample(range(total), wanted)), dtype=np.int64)
