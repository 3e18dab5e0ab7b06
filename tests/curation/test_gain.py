"""What items above thresholds are worth: against plain loops."""

from __future__ import annotations

import random

import numpy as np
import pytest

from explorer.analyses.contamination.benchmarks import Item
from explorer.analyses.contamination.gain import THRESHOLDS, curve_of, mean_score
from explorer.analyses.contamination.item_matches import METRICS, Evidence, ItemMatches


def matches(longest, units=20, score=None):
    where = Evidence(0, 0, 0, 1, longest, longest / units, longest / units, None, False) if longest else None
    covered = (longest,) * 3
    return ItemMatches(Item("0", "q", score=score), units, longest, 1, covered, 0, 0, (0, 0), where)


def random_items(seed, count=60):
    draw = random.Random(seed)
    return [
        matches(draw.randrange(21), draw.choice([12, 20, 20, 20]) if n % 3 else 20, draw.choice([0, 1, 0.5, None]))
        for n in range(count)
    ]


@pytest.mark.parametrize("seed", range(5))
def test_points_are_those_of_plain_loops(seed):
    found = random_items(seed)
    judged = [each for each in found if each.units >= 13]
    points = curve_of(found)
    assert [(point.metric, point.threshold) for point in points] == [(m, t) for m in METRICS for t in THRESHOLDS]
    for point in points:
        over = [each for each in judged if each.measured(point.metric) >= point.threshold]
        scores = [each.item.score for each in judged if each.item.score is not None]
        clean = [each.item.score for each in judged if each not in over and each.item.score is not None]
        assert (point.items, point.share) == (len(over), len(over) / len(judged))
        if not clean:
            assert point.score_clean is None and point.gain is None
            continue
        assert point.score_clean == pytest.approx(sum(clean) / len(clean))
        assert point.gain == pytest.approx(sum(scores) / len(scores) - sum(clean) / len(clean))
    assert mean_score(found) == (len(scores), pytest.approx(sum(scores) / len(scores)))


def test_the_interval_is_that_of_resampling():
    found = random_items(9, 300)
    point = next(each for each in curve_of(found) if each.metric == "longest_share" and each.threshold == 0.5)
    judged = [each for each in found if not each.too_short and each.item.score is not None]
    draw, gains = random.Random(1), []
    for _ in range(2_000):
        sample = draw.choices(judged, k=len(judged))
        clean = [each.item.score for each in sample if each.longest_share < 0.5]
        gains.append(sum(each.item.score for each in sample) / len(sample) - sum(clean) / len(clean))
    low, high = np.percentile(gains, [2.5, 97.5])
    # Another generator: equal but for the spread of the sampling.
    assert point.low == pytest.approx(low, abs=0.006) and point.high == pytest.approx(high, abs=0.006)
    assert point.low < point.gain < point.high
    assert curve_of(found) == curve_of(found)


def test_what_cannot_be_told_is_not_told():
    flagged = [matches(20, score=1.0)] * 5
    first = curve_of(flagged)[0]
    assert (first.items, first.score_clean, first.gain, first.low) == (5, None, None, None)
    # One clean item of five is missing in a third of the samples.
    last = curve_of([*flagged[:4], matches(0, score=0.0)])[0]
    assert (last.score_clean, last.gain, last.low, last.high) == (0.0, 0.8, None, None)
    assert curve_of([matches(3, 5, 1.0)]) == () and mean_score([matches(3, 5, 1.0)]) == (0, None)
    assert {point.gain for point in curve_of([matches(3), matches(20)])} == {None}
