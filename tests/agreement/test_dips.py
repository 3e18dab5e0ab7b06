"""Whether agreement falls between neighboring effective n by more than chance."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.analyses.agreement.analysis import Texts, analyze
from explorer.analyses.agreement.dips import FISHER, LEAST_TOKENS, SCORE, TAIL, find_steps, fisher_p, holm, tokens_p
from explorer.core.proportions import two_proportions


def exactly(first: int, of_first: int, second: int, of_second: int) -> Fraction:
    """Fisher's test in whole numbers."""
    agreeing, ways = first + second, comb(of_first + of_second, first + second)
    tables = [comb(of_first, k) * comb(of_second, agreeing - k) for k in range(agreeing + 1)]
    seen = comb(of_first, first) * comb(of_second, second)
    return Fraction(sum(table for table in tables if table <= seen), ways)


@given(st.integers(1, 25), st.integers(1, 25), st.floats(0, 1), st.floats(0, 1))
def test_fisher_s_test_is_exact(of_first, of_second, p, q):
    first, second = round(p * of_first), round(q * of_second)
    expected = float(exactly(first, of_first, second, of_second))
    assert fisher_p(first, of_first, second, of_second) == pytest.approx(expected, rel=1e-9)


def test_fisher_s_twins():
    """Fisher's own table: 10 of 13 convicted monozygotic twins, 2 of 17 dizygotic. One-sided 0.0004652."""
    assert fisher_p(10, 13, 2, 17) == pytest.approx(0.0005367, abs=1e-7)


def test_the_test_depends_on_what_is_expected():
    assert tokens_p(50, 100, 40, 100) == (SCORE, two_proportions(50, 100, 40, 100).p)
    assert tokens_p(100, 100, 96, 100) == (FISHER, fisher_p(100, 100, 96, 100))


def test_holm():
    # Holm (1979): the smallest by the number of tests, the next by one less, and never falling.
    assert holm([0.01, 0.02, 0.03, 0.005]) == pytest.approx([0.03, 0.04, 0.04, 0.02])
    assert holm([0.9, 0.9]) == [1.0, 1.0] and holm([]) == []


def tokens(random, shares: dict[int, float], texts: int = 30, each: int = 20):
    """Tokens of some texts: of every effective n, `each` per text with that share."""
    n = np.tile(np.repeat(list(shares), each), texts)
    chance = np.tile(np.repeat(list(shares.values()), each), texts)
    return n, random.random(len(n)) < chance, np.repeat(np.arange(texts), each * len(shares))


def test_a_deep_dip_is_found_and_a_rise_is_none():
    steps = find_steps(*tokens(np.random.default_rng(1), {4: 0.5, 5: 0.8, 6: 0.5, 7: 0.52}))
    assert [(step.before, step.after) for step in steps] == [(4, 5), (5, 6), (6, 7)]
    assert [step.is_dip for step in steps] == [False, True, False]
    assert steps[0].p < 0.001 and steps[0].change > 0
    assert steps[1].clusters == 30 and steps[1].change < -0.2
    assert all(step.p >= max(step.p_tokens, step.p_clusters) for step in steps)


def test_a_fall_in_one_text_is_no_dip():
    """One text falls from all to nothing, and the others do not change: by its tokens alone that is significant."""
    n, agrees, clusters = tokens(np.random.default_rng(2), {4: 0.5, 5: 0.5}, texts=20, each=10)
    n = np.concatenate([n, np.repeat([4, 5], 400)])
    agrees = np.concatenate([agrees, np.repeat([True, False], 400)])
    clusters = np.concatenate([clusters, np.full(800, 20)])
    (step,) = find_steps(n, agrees, clusters)
    assert step.p_tokens < 1e-6 and step.p_clusters > 0.05 and not step.is_dip


def test_chance_makes_no_dips():
    """Twelve bins of the same share, 200 times: a false mark in at most about one figure of twenty."""
    random, marked = np.random.default_rng(3), 0
    for _ in range(200):
        steps = find_steps(*tokens(random, dict.fromkeys(range(1, 13), 0.6), texts=12, each=6))
        marked += any(step.is_dip or step.p < 0.05 for step in steps)
    assert marked <= 14


def test_few_tokens_are_not_tested_and_the_tail_is_one_bin():
    n = np.repeat([2, 3, 4, TAIL - 1, TAIL, TAIL + 9], [LEAST_TOKENS, LEAST_TOKENS - 1, 40, 40, 10, 10])
    steps = find_steps(n, np.ones(len(n), dtype=bool), np.arange(len(n)) % 10)
    assert [(step.before, step.after, step.p) for step in steps] == [(TAIL - 1, TAIL, 1.0)]
    assert find_steps(*(np.zeros(0, dtype=kind) for kind in (np.int64, bool, np.int64))) == ()


def test_figures_have_their_steps_and_share(small):
    texts = tuple(f"the cat sat on the mat and saw {word}. the dog sat on the rug" for word in "abcdefghijkl")
    found = analyze(small.index, Texts(texts, ("a", "b") * 6))
    assert found.figure.share.agreeing == found.figure.infgram.agreeing
    assert (found.figure.share.unit, found.groups["a"].share.unit) == ("text", "stretch")
    assert {step.after for step in found.figure.steps} <= {b.effective_n for b in found.figure.infgram.bins}
    assert found.sources[0].share == found.groups["a"].share
