"""Tokens that are marked in the texts of an analysis, and what they amount to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.analyses.agreement.analysis import TextAgreement

Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Brush:
    """What is marked: either the tokens of a range of effective n, in every text, or some tokens of one text.

    low: The smallest effective n.
    high: The largest effective n.
    text: The number of the one text; -1 for a range of effective n.
    end: One past its last token.
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
    """Find the marked tokens of a text."""
    # Marks refer to the ∞-gram, also in the panel of the n-gram model: they are tokens of the texts.
    n = found.infgram.effective_n
    # -1: a range of effective n, with both ends in it, of every text.
    if brush.text < 0:
        return np.asarray((n >= brush.low) & (n <= brush.high))
    # Tokens of one text, [first, end); none in all others.
    places = np.arange(len(n))
    return np.asarray((places >= brush.first) & (places < brush.end) & (number == brush.text))


@dataclass(frozen=True)
class Marked:
    """Marked tokens in figures.

    agreeing: How many of them agree.
    smallest_n: Their smallest effective n.
    largest_n: Their largest effective n.
    by_n: How many there are of each effective n, for each panel of the figure.
    """

    tokens: int
    agreeing: int
    smallest_n: int
    largest_n: int
    by_n: tuple[Mapping[int, int], ...]


def count_marked(brush: Brush, numbered: Sequence[tuple[int, TextAgreement]]) -> Marked:
    """Sum up the marked tokens.

    Returns: How many there are, how many agree, and their effective n.

    Notes
    -----
    A pass over all tokens.
    """
    texts = [found for number, found in numbered if brush.text in (-1, number)]
    # Two lists of the same length: the masks are of these texts, in their order.
    masks = [marked_tokens(brush, number, found) for number, found in numbered if brush.text in (-1, number)]
    # Concatenated with every list, so that no text at all gives an empty array of the right type.
    none = [np.empty(0, dtype=np.int64)]

    def lengths(kind: str, sparse: bool = False) -> NDArray[np.int64]:
        parts = [
            # Sparse is a property of the ∞-gram; both kinds have one entry per token, so one mask fits both.
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
        # In the order of `AgreementFigure.panels`.
        by_n=tuple(_counts(values) for values in (lengths("ngram"), whole, lengths("infgram", sparse=True))),
    )


def _counts(values: NDArray[np.int64]) -> dict[int, int]:
    found, counts = np.unique(values, return_counts=True)
    return dict(zip(found.tolist(), counts.tolist(), strict=True))
