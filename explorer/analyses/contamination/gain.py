"""What items above a threshold are worth: how many there are, and what a model's score gains by them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.analyses.contamination.item_matches import METRICS, ItemMatches

THRESHOLDS = tuple(step / 20 for step in range(1, 21))
"""The shares at which the curves are computed."""
RESAMPLES = 1_000
"""Samples of the bootstrap."""
_AT_ONCE = 50
_SEED = 0
_TAILS = (2.5, 97.5)


@dataclass(frozen=True)
class CurvePoint:
    """The items of a benchmark at a threshold.

    metric: The share of an item that is compared, one of METRICS.
    threshold: From which share on an item counts as contaminated.
    items: How many items do, of those that are long enough to tell.
    share: Their share of these.
    score_clean: The mean score of the other items that have one; None if none has.
    gain: The estimated performance gain, the mean score of all items less that of the others (Singh et al. 2024, EPG).
    low, high: The ends of its 95 percent interval, of a bootstrap over the items; None if too few samples have clean
        items.
    """

    metric: str
    threshold: float
    items: int
    share: float
    score_clean: float | None
    gain: float | None
    low: float | None
    high: float | None


def curve_of(found: Sequence[ItemMatches]) -> tuple[CurvePoint, ...]:
    """Count the items above thresholds, and what a model's score gains by them.

    found: The items of one benchmark; those that are too short to tell do not count.
    Returns: For each of METRICS and THRESHOLDS; none if no item is long enough.

    Notes
    -----
    The bootstrap draws the items 1,000 times, with a fixed seed.
    """
    judged = [each for each in found if not each.too_short]
    if not judged:
        return ()
    shares = np.array([[each.measured(metric) for metric in METRICS] for each in judged])
    # From a share on: an item without a place has shares of 0, which no threshold reaches.
    over = (shares[:, :, None] >= np.array(THRESHOLDS)).reshape(len(judged), -1)
    scored = np.array([each.item.score is not None for each in judged])
    scores = np.array([each.item.score for each in judged if each.item.score is not None], dtype=np.float64)
    gains = list(_gains(scores, ~over[scored])) if len(scores) else [(None, None, None, None)] * over.shape[1]
    at = [(metric, threshold) for metric in METRICS for threshold in THRESHOLDS]
    return tuple(
        CurvePoint(metric, threshold, int(count), int(count) / len(judged), *gain)
        for (metric, threshold), count, gain in zip(at, over.sum(axis=0), gains, strict=True)
    )


def mean_score(found: Sequence[ItemMatches]) -> tuple[int, float | None]:
    """Count the items with a score that are long enough to tell, and compute their mean score.

    Returns: How many there are, and the mean; None without any.
    """
    scores = [each.item.score for each in found if not each.too_short and each.item.score is not None]
    return len(scores), sum(scores) / len(scores) if scores else None


Gain = tuple[float | None, float | None, float | None, float | None]


def _gains(scores: NDArray[np.float64], clean: NDArray[np.bool_]) -> Iterator[Gain]:
    """For each column of `clean`: the score of these items, the gain, and the ends of its interval."""
    counts = clean.sum(axis=0)
    drawn = _drawn(scores, clean.astype(np.float64))
    for column, count in enumerate(counts):
        if not count:
            yield None, None, None, None
            continue
        kept = float(scores[clean[:, column]].mean())
        sample = drawn[:, column][~np.isnan(drawn[:, column])]
        # A sample can lack clean items: if many do, the interval would be that of the others.
        sure = len(sample) >= 0.95 * RESAMPLES
        low, high = (float(end) for end in np.percentile(sample, _TAILS)) if sure else (None, None)
        yield kept, float(scores.mean()) - kept, low, high


def _drawn(scores: NDArray[np.float64], clean: NDArray[np.float64]) -> NDArray[np.float64]:
    """The gains in samples of the items, one row per sample; nan for one without clean items."""
    draw, items = np.random.default_rng(_SEED), len(scores)
    kept = clean * scores[:, None]
    rows: list[NDArray[np.float64]] = []
    for first in range(0, RESAMPLES, _AT_ONCE):
        size = min(_AT_ONCE, RESAMPLES - first)
        chosen = draw.integers(items, size=(size, items)) + items * np.arange(size)[:, None]
        # How often each item is in each sample.
        times = np.bincount(chosen.ravel(), minlength=size * items).reshape(size, items).astype(np.float64)
        with np.errstate(invalid="ignore"):
            rows.append((times @ scores / items)[:, None] - (times @ kept) / (times @ clean))
    return np.concatenate(rows)
