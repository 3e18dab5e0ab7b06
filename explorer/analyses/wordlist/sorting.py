"""Sorting of millions of numbers that can be cancelled."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from explorer.core.jobs import CancelToken

PIECE = 1 << 20
"""Numbers that are sorted at once: a few hundredths of a second."""


def pieces(size: int, cancel: CancelToken | None, step: int = PIECE) -> Iterator[slice]:
    """Cut a range into pieces of `step`, at least one; a cancel is seen before each."""
    for first in range(0, max(size, 1), step):
        if cancel is not None:
            cancel.check()
        yield slice(first, min(first + step, size))


def sorted_order(keys: NDArray[np.uint64], cancel: CancelToken | None = None, piece: int = PIECE) -> NDArray[np.intp]:
    """Find the order of numbers, as `numpy.argsort` does, in pieces between which it can be cancelled.

    Parameters
    ----------
    keys
        Distinct numbers.
    cancel
        Stops it.
    piece
        About how many are sorted at once.

    Returns
    -------
    NDArray[np.intp]
        Their places, the smallest first.

    Raises
    ------
    Cancelled
        If it was cancelled.

    Notes
    -----
    A sample sort: each piece is sorted by itself, and cut at borders that divide samples of all pieces evenly. What is
    between two borders is sorted together. Each number is sorted twice, which takes half as long again as sorting once.

    Examples
    --------
    >>> sorted_order(np.array([30, 10, 20], dtype=np.uint64), piece=2).tolist()
    [1, 2, 0]
    """
    if len(keys) <= piece:
        return np.argsort(keys)
    parts = [part.start + np.argsort(keys[part]) for part in pieces(len(keys), cancel, piece)]
    # Evenly from each sorted piece, so that no part can become much larger than a piece.
    samples = np.sort(np.concatenate([keys[part[:: max(1, piece // 64)]] for part in parts]))
    borders = samples[:: max(1, len(samples) // len(parts))][1:]
    cuts = [[0, *np.searchsorted(keys[part], borders).tolist(), len(part)] for part in parts]
    sorted_parts: list[NDArray[np.intp]] = []
    for number in range(len(borders) + 1):
        if cancel is not None:
            cancel.check()
        some = np.concatenate([part[cut[number] : cut[number + 1]] for part, cut in zip(parts, cuts, strict=True)])
        sorted_parts.append(some[np.argsort(keys[some])])
    return np.concatenate(sorted_parts)
