"""G² and its levels against a table, and corrections against their definitions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.analyses.keywords.likelihood import bonferroni, false_discovery, holm, signed_g2, significance

LEVELS = st.lists(st.floats(0, 1), min_size=1, max_size=30)


def test_levels_are_those_of_the_tables():
    # The 5 %, 1 % and 0.1 % points of chi-squared with one degree of freedom.
    assert significance([3.841459, -6.634897, 10.827566]) == pytest.approx([0.05, 0.01, 0.001], rel=1e-6)


def test_a_table_that_is_as_expected_is_zero():
    assert signed_g2([10, 0], [20, 0], [30, 5], [60, 7]).tolist() == pytest.approx([0, 0], abs=1e-12)


@pytest.mark.nightly
def test_g2_and_its_level_are_those_of_scipy():
    stats = pytest.importorskip("scipy.stats", reason="make test-all installs scipy")
    for table in ([[1404, 0], [202_459, 183_606]], [[269, 107], [8138, 194_462]], [[3, 5], [7, 9]]):
        expected = stats.chi2_contingency(table, correction=False, lambda_="log-likelihood")
        first, second = np.array(table, dtype=float)
        found = signed_g2([first[0]], [second[0]], [first[1]], [second[1]])
        assert abs(found) == pytest.approx([expected.statistic], rel=1e-9)
        assert significance(found) == pytest.approx([expected.pvalue], rel=1e-6, abs=1e-300)


@given(LEVELS)
def test_holm_is_a_slow_loop(levels):
    ranked, worst, slow = sorted(range(len(levels)), key=lambda place: levels[place]), 0.0, {}
    for step, place in enumerate(ranked):
        worst = max(worst, min(1, levels[place] * (len(levels) - step)))
        slow[place] = worst
    assert holm(levels).tolist() == pytest.approx([slow[place] for place in range(len(levels))])


@given(LEVELS)
def test_false_discoveries_are_a_slow_loop(levels):
    ranked = sorted(levels)
    slow = [
        min([1.0, *(level * len(levels) / (rank + 1) for rank, level in enumerate(ranked) if level >= own)])
        for own in levels
    ]
    assert false_discovery(levels).tolist() == pytest.approx(slow)


def test_corrections_only_raise_levels():
    levels = np.array([0.2, 0.001, 0.04])
    # Rounding aside: three thirds are a little less than the whole.
    assert (holm(levels) >= false_discovery(levels) - 1e-12).all()
    assert (false_discovery(levels) >= levels - 1e-12).all()
    assert (holm(levels) > levels)[1:].all()


@given(st.lists(st.tuples(st.floats(0, 1), st.integers(1, 5)), min_size=1, max_size=12))
def test_equal_levels_may_be_given_once_with_their_number(given_levels):
    levels, tests = (np.array(column) for column in zip(*given_levels, strict=True))
    for correct in (bonferroni, holm, false_discovery):
        np.testing.assert_allclose(
            np.repeat(correct(levels, tests), tests), correct(np.repeat(levels, tests)), rtol=1e-12
        )
