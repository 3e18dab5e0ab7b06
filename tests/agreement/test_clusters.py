"""Intervals and tests for tokens that depend on each other."""

from __future__ import annotations

import math

import numpy as np
import pytest

from explorer.analyses.agreement.clusters import (
    LEAST_TEXTS,
    STRETCH,
    TEXT,
    cluster_numbers,
    difference_p,
    share_of,
    t_quantile,
    t_two_sided,
)
from explorer.analyses.agreement.compare import compare_shares
from explorer.core.proportions import two_proportions, wilson_interval


@pytest.mark.parametrize(
    ("freedom", "value"),
    # The table of Student's t, two-sided 5 %, as every handbook has it.
    [(1, 12.706), (2, 4.303), (3, 3.182), (4, 2.776), (5, 2.571), (10, 2.228), (29, 2.045), (60, 2.000), (120, 1.980)],
)
def test_student_s_table(freedom, value):
    assert t_quantile(freedom) == pytest.approx(value, abs=6e-4)
    assert t_two_sided(value, freedom) == pytest.approx(0.05, abs=1e-4)


def test_t_becomes_the_normal_distribution():
    assert t_two_sided(2.5, 999) == pytest.approx(t_two_sided(2.5, 1000), abs=2e-4)
    assert t_quantile(5000) == pytest.approx(1.959964, abs=1e-5)
    assert t_two_sided(0.0, 7) == 1.0 and 0 <= t_two_sided(1e9, 7) < 1e-12


@pytest.mark.parametrize("freedom", [1, 2, 5, 8])
def test_t_against_its_density(freedom):
    """The area under the density, added up in small steps."""
    constant = math.gamma((freedom + 1) / 2) / (math.sqrt(freedom * math.pi) * math.gamma(freedom / 2))
    x = np.linspace(0, 1.7, 20_001)
    inside = 2 * np.trapezoid(constant * (1 + x**2 / freedom) ** (-(freedom + 1) / 2), x)
    assert t_two_sided(1.7, freedom) == pytest.approx(1 - inside, abs=1e-7)


def test_texts_are_clusters_if_there_are_enough():
    numbers, unit = cluster_numbers([2, 0, *[1] * (LEAST_TEXTS - 1)])
    assert unit == TEXT and numbers.tolist() == [0, 0, *range(1, LEAST_TEXTS)]


def test_stretches_of_a_few_texts():
    numbers, unit = cluster_numbers([70, 30, 5])
    # √105 is about 10; what is left over belongs to the last stretch of its text.
    assert unit == STRETCH and np.bincount(numbers).tolist() == [10] * 7 + [10] * 3 + [5]
    assert np.bincount(cluster_numbers([25])[0]).tolist() == [5] * 5
    assert np.bincount(cluster_numbers([29])[0]).tolist() == [5] * 4 + [9]
    assert cluster_numbers([])[0].tolist() == []


def test_a_share_by_hand():
    """Two clusters of four tokens, of which three and one agree: without one, the share is 0.25 or 0.75."""
    agrees = np.array([1, 1, 1, 0, 1, 0, 0, 0], dtype=bool)
    found = share_of(agrees, np.repeat([0, 1], 4), TEXT)
    assert (found.tokens, found.agreeing, found.share, found.clusters) == (8, 4, 0.5, 2)
    assert found.error == pytest.approx(math.sqrt(2 * 0.25**2 / 2))
    effective = 0.25 / found.error**2 * (1.959963984540054 / t_quantile(1)) ** 2
    assert (found.low, found.high) == pytest.approx(wilson_interval(effective / 2, effective))


def test_shares_without_variance():
    every = share_of(np.ones(100, dtype=bool), np.repeat(np.arange(10), 10), TEXT)
    assert (every.low, every.high) == pytest.approx(wilson_interval(10, 10))
    nothing = share_of(np.zeros(0, dtype=bool), np.zeros(0, dtype=np.int64), TEXT)
    assert (nothing.tokens, nothing.low, nothing.high) == (0, 0.0, 1.0)
    one = share_of(np.array([True, False]), np.zeros(2, dtype=np.int64), TEXT)
    assert one.low < 0.1 and one.high > 0.9


def texts(random: np.random.Generator, count: int = 20, size: int = 100) -> tuple[np.ndarray, np.ndarray]:
    """Texts that each agree in a share of their own; half of all tokens agree on average."""
    shares = np.clip(random.normal(0.5, 0.15, count), 0, 1)
    return (random.random((count, size)) < shares[:, None]).ravel(), np.repeat(np.arange(count), size)


def test_the_interval_holds_the_truth_as_often_as_it_claims():
    random, inside, by_tokens = np.random.default_rng(1), 0, 0
    for _ in range(400):
        agrees, clusters = texts(random)
        found = share_of(agrees, clusters, TEXT)
        low, high = wilson_interval(found.agreeing, found.tokens)
        inside += found.low <= 0.5 <= found.high
        by_tokens += low <= 0.5 <= high
    assert 0.92 <= inside / 400 <= 0.98
    # What the formula for independent tokens makes of the same texts.
    assert by_tokens / 400 < 0.6


def test_two_groups_of_the_same_kind_rarely_differ():
    random, clustered, by_tokens = np.random.default_rng(2), 0, 0
    for _ in range(300):
        first, second = (share_of(*texts(random), TEXT) for _ in range(2))
        clustered += compare_shares(first, second).p < 0.05
        by_tokens += two_proportions(first.agreeing, first.tokens, second.agreeing, second.tokens).p < 0.05
    assert clustered / 300 <= 0.08
    assert by_tokens / 300 > 0.3


def test_a_comparison_by_hand():
    first = share_of(np.array([1, 1, 1, 0, 1, 0, 0, 0], dtype=bool), np.repeat([0, 1], 4), TEXT)
    found = compare_shares(first, first)
    assert (found.difference, found.p) == (0.0, 1.0) and found.low == pytest.approx(-found.high)
    assert compare_shares(first, share_of(np.zeros(0, dtype=bool), np.zeros(0, dtype=np.int64), TEXT)) is None


def test_a_difference_within_the_same_clusters():
    """Three clusters of (10, 10) tokens: the difference without each of them, by hand."""
    tokens = np.array([10.0, 10.0, 10.0])
    before, after = np.array([6.0, 5.0, 7.0]), np.array([4.0, 4.0, 4.0])
    p, count = difference_p((tokens, before), (tokens, after))
    without = np.array([4 / 20, 5 / 20, 3 / 20])
    error = math.sqrt(((without - 0.2) ** 2).sum() * 2 / 3)
    assert count == 3 and p == pytest.approx(t_two_sided(0.2 / error, 2))
    assert difference_p((tokens, before), (tokens, before)) == (1.0, 3)


def test_what_only_one_cluster_shows_is_not_tested():
    every, only = np.array([10.0, 10.0]), np.array([10.0, 0.0])
    assert difference_p((every, every), (only, only * 0)) == (1.0, 2)
    assert difference_p((only, only), (only, only * 0)) == (1.0, 1)
