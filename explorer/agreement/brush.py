"""Tokens that are marked in the texts of an analysis, and what they amount to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.agreement.analysis import TextAgreement

Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Brush:
    """Either the tokens whose effective n is in [low, high], or tokens [first, end) of one text.

    A range of effective n marks tokens in every text; `text` is the number of the one text otherwise, -1.
    """

    low: int = 0
    high: int = 0
    text: int = -1
    first: int = 0
    end: int = 0

    @property
    def empty(self) -> bool:
        """Whether nothing can be marked by it."""
        return self.high < 1 and self.end <= self.first


def marked_tokens(brush: Brush, number: int, found: TextAgreement) -> Mask:
    """Which tokens of text `number` are marked."""
    n = found.infgram.effective_n
    if brush.text < 0:
        return np.asarray((n >= brush.low) & (n <= brush.high))
    places = np.arange(len(n))
    return np.asarray((places >= brush.first) & (places < brush.end) & (number == brush.text))


@dataclass(frozen=True)
class Marked:
    """Marked tokens in figures; by_n: how many of each effective n, for each panel of the figure."""

    tokens: int
    agreeing: int
    smallest_n: int
    largest_n: int
    by_n: tuple[Mapping[int, int], ...]


def count_marked(brush: Brush, numbered: Sequence[tuple[int, TextAgreement]]) -> Marked:
    """What the marked tokens of texts with their numbers amount to. Cost: a pass over all tokens."""
    texts = [found for number, found in numbered if brush.text in (-1, number)]
    masks = [marked_tokens(brush, number, found) for number, found in numbered if brush.text in (-1, number)]
    none = [np.empty(0, dtype=np.int64)]

    def lengths(kind: str, sparse: bool = False) -> NDArray[np.int64]:
        parts = [
            getattr(found, kind).effective_n[mask & found.infgram.sparse if sparse else mask]
            for found, mask in zip(texts, masks, strict=True)
        ]
        return np.concatenate(none + parts)

    whole = lengths("infgram")
    return Marked(
        tokens=len(whole),
        agreeing=sum(int(found.infgram.agrees[mask].sum()) for found, mask in zip(texts, masks, strict=True)),
        smallest_n=int(whole.min()) if len(whole) else 0,
        largest_n=int(whole.max()) if len(whole) else 0,
        by_n=tuple(_counts(values) for values in (lengths("ngram"), whole, lengths("infgram", sparse=True))),
    )


def _counts(values: NDArray[np.int64]) -> dict[int, int]:
    found, counts = np.unique(values, return_counts=True)
    return dict(zip(found.tolist(), counts.tolist(), strict=True))
