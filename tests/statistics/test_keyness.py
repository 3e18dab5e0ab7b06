"""Keyness against published examples, and Tiny Shakespeare against WikiText-2."""

import math

import pytest

from explorer.analyses.keywords.keyness import KEYNESS, Frequencies, simple_maths

SHAKESPEARE, WIKITEXT = 203_863, 183_606
FIGURES = [
    ("thou", (1404, 0), {"g2": 1807.861, "g2_two_terms": 1803.263, "bic": 1794.994}),
    ("thou", (1404, 0), {"log_ratio": 11.3043, "simple_maths": 6887.978}),
    ("king", (887, 87), {"g2": 684.363, "g2_two_terms": 682.907, "bic": 671.496}),
    ("king", (887, 87), {"log_ratio": 3.1989, "percent_difference": 818.233, "simple_maths": 9.1651}),
    ("the", (6287, 14717), {"g2": -4669.050, "log_ratio": -1.3780, "percent_difference": -61.5255}),
]
CASES = [(word, measure, counts, value) for word, counts, figures in FIGURES for measure, value in figures.items()]


@pytest.mark.parametrize(("word", "measure", "counts", "value"), CASES)
def test_figures_of_two_texts(word, measure, counts, value):
    pair = Frequencies.of([counts[0]], SHAKESPEARE, [counts[1]], WIKITEXT)
    assert KEYNESS[measure].compute(pair)[0] == pytest.approx(value, abs=5e-4 if abs(value) > 100 else 5e-5)


def test_simple_maths_with_a_larger_constant():
    assert simple_maths(Frequencies.of([1404], SHAKESPEARE, [0], WIKITEXT), 100)[0] == pytest.approx(69.8698, abs=5e-5)


def test_published_examples():
    press = Frequencies.of([35], 112_289_776, [263], 1_559_716_979)
    assert KEYNESS["simple_maths"].compute(press)[0] == pytest.approx(1.1224, abs=5e-5)
    assert KEYNESS["g2_two_terms"].compute(press)[0] == pytest.approx(9.9761, abs=5e-4)
    odds = Frequencies.of([16_217], 2_796_938, [735], 2_087_946)
    assert KEYNESS["odds_ratio"].compute(odds)[0] == pytest.approx(16.6, abs=0.05)
    percent = Frequencies.of([206_523], 959_641, [178_174], 1_562_358)
    assert KEYNESS["percent_difference"].compute(percent)[0] == pytest.approx(88.710, abs=5e-4)


def test_a_word_missing_in_the_reference_is_unknown_where_it_would_be_endless():
    pair = Frequencies.of([3], 100, [0], 100)
    assert math.isnan(KEYNESS["percent_difference"].compute(pair)[0])
    assert math.isnan(KEYNESS["odds_ratio"].compute(pair)[0])
    assert KEYNESS["log_ratio"].compute(pair)[0] == pytest.approx(math.log2(6))
