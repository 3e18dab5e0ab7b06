"""Occurrences as rank ranges of n-grams."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.core.arrays import ArrayValue


@dataclass(frozen=True, eq=False)
class Finds(ArrayValue):
    """Occurrences in one shard, as int64 arrays of one length.

    firsts, lasts: rank ranges of n-grams. lengths: tokens of each n-gram. skipped: its tokens before the first one of
    the occurrence. offsets: bytes of that token before the occurrence. No occurrence is in two of them.

    artificial: how many of them begin in the space that the tokenizer put before a document's text (offset 0 of the
    document's first token, if that begins with a space). They do not count, and `count` leaves them out.
    """

    firsts: NDArray[np.int64]
    lasts: NDArray[np.int64]
    lengths: NDArray[np.int64]
    skipped: NDArray[np.int64]
    offsets: NDArray[np.int64]
    artificial: int = 0

    @property
    def count(self) -> int:
        """Number of occurrences."""
        return int((self.lasts - self.firsts).sum()) - self.artificial


_NAMES = ("firsts", "lasts", "lengths", "skipped", "offsets")


def join(parts: Sequence[Finds]) -> Finds:
    """All of them; no occurrence may be in two."""
    arrays = [np.concatenate([np.empty(0, np.int64), *(getattr(part, name) for part in parts)]) for name in _NAMES]
    firsts, lasts, lengths, skipped, offsets = arrays
    # Artificial occurrences are counted and not located: where they are is decided when a hit is shown.
    return Finds(firsts, lasts, lengths, skipped, offsets, sum(part.artificial for part in parts))


def chosen(finds: Finds, which: NDArray[np.bool_], artificial: int = 0) -> Finds:
    """Choose some n-grams of several.

    artificial: How many of their occurrences begin in a space that a tokenizer put before a text.
    """
    firsts, lasts, lengths, skipped, offsets = (getattr(finds, name)[which] for name in _NAMES)
    return Finds(firsts, lasts, lengths, skipped, offsets, artificial)
