"""Where hits are."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Self

import numpy as np
from numpy.typing import NDArray

from explorer.core.arrays import ArrayValue

Numbers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Places(ArrayValue):
    """Where occurrences are: two arrays of one length, which can be indexed together.

    Attributes
    ----------
    documents
        Numbers of documents, int64.
    offsets
        The first token in each document, int64. In reading order, also where documents are stored backwards.
    """

    documents: Numbers
    offsets: Numbers

    def __len__(self) -> int:
        return len(self.documents)

    def __getitem__(self, chosen: NDArray[np.int64] | NDArray[np.bool_] | slice) -> Self:
        return type(self)(*(column[chosen] for column in self.columns()))

    @classmethod
    def join(cls, parts: Sequence[Self]) -> Self:
        """One after the other, in the order of the parts; of no parts, an empty one."""
        # The empty array keeps the type where there are no parts.
        none = np.empty(0, dtype=np.int64)
        numbers = range(len(fields(cls)))
        return cls(*(np.concatenate([none, *(part.columns()[number] for part in parts)]) for number in numbers))

    def columns(self) -> tuple[Numbers, ...]:
        """The arrays, in the order of the fields."""
        return tuple(getattr(self, field.name) for field in fields(self))


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
class Located(Places):
    """Hits: where they begin, and how far they reach.

    Attributes
    ----------
    lengths
        Tokens of each hit, int64; 1 if the end of a text pattern's hit was not looked for.
    begins
        Bytes of the first token before the hit, int64; 0 for n-grams.
    rests
        Bytes of the last token after the hit, int64; 0 for n-grams.
    sources
        Which of the n-grams that contain a text was looked up, int64.
    """

    lengths: Numbers
    begins: Numbers
    rests: Numbers
    # For the backend alone: other rooms pass it back with the hit.
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
        # One array three times: values are read-only, so nobody can change one through another.
        zeros = np.zeros(len(documents), dtype=np.int64)
        return cls(documents, offsets, lengths, zeros, zeros, zeros)

    def hits(self) -> list[HitPlace]:
        """One by one."""
        # All columns but the last: what a hit was looked up with is of no use above the seam.
        columns = [column.tolist() for column in self.columns()[:-1]]
        return [HitPlace(*row) for row in zip(*columns, strict=True)]


def drawn(total: int, wanted: int, seed: int) -> Numbers:
    """Draw some numbers.

    total: How many numbers there are, from 0.
    Returns: The numbers, ascending, int64; all of them if there are no more than `wanted`.
    """
    if total <= wanted:
        return np.arange(total, dtype=np.int64)
    # Sampling a range needs memory for the numbers that are drawn, not for all of them.
    return np.array(sorted(random.Random(seed).sample(range(total), wanted)), dtype=np.int64)
