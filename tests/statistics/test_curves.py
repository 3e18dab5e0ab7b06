"""Growth and fits, against slow definitions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer import build_index, open_index
from explorer.statistics.curves import POINTS, GrowthCount, fit_power_law, measure_growth, zipf_slope
from explorer.words.rule import WordRule, words_of

PARTS = st.lists(st.lists(st.integers(0, 9), max_size=12), max_size=6)


@given(PARTS, st.integers(1, 7))
def test_growth_counts_the_words_before_each_point(parts, step):
    count = GrowthCount(10, step)
    for part in parts:
        count.add(np.array(part, np.int64))
    text = [word for part in parts for word in part]
    found = count.growth()
    ends = list(range(step, len(text) + 1, step))
    assert found.words.tolist() == ends
    assert found.types.tolist() == [len(set(text[:end])) for end in ends]


@given(st.floats(-2, 2), st.floats(0.5, 50))
def test_a_power_law_is_found_again(exponent, factor):
    x = np.arange(1, 50, dtype=np.float64)
    found = fit_power_law(x, factor * x**exponent)
    assert (found.exponent, found.factor) == (pytest.approx(exponent, abs=1e-9), pytest.approx(factor, rel=1e-9))


def test_too_few_points_have_no_line():
    assert fit_power_law(np.array([1, 0]), np.array([1, 5])) is None
    assert fit_power_law(np.array([3, 3]), np.array([1, 5])) is None
    assert zipf_slope(np.arange(1, 11)) is None


def test_the_figures_of_tiny_shakespeare(shared):
    text = (shared / "texts" / "tinyshakespeare.txt").read_text(encoding="utf-8")
    ids = np.unique(words_of(text, WordRule()), return_inverse=True)[1]
    count = GrowthCount(int(ids.max()) + 1)
    for part in np.array_split(ids, 7):
        count.add(part)
    growth = count.growth()
    at = dict(zip(growth.words.tolist(), growth.types.tolist(), strict=True))
    assert [at[n] for n in (1000, 10_000, 50_000, 100_000, 200_000)] == [418, 2196, 5743, 8460, 12_238]
    heaps = fit_power_law(growth.words, growth.types)
    assert (heaps.exponent, heaps.factor) == (pytest.approx(0.590, abs=5e-4), pytest.approx(9.38, abs=5e-3))
    assert zipf_slope(np.bincount(ids)).exponent == pytest.approx(-1.109, abs=5e-4)


def test_growth_reads_documents_in_their_order(tmp_path):
    texts = ["the cat sat on the mat. " * 70, "A dog? The cat!", "", "one two three four " * 50]
    build_index([{"text": text} for text in texts], tmp_path / "index", tokenizer="bytes")
    words = open_index(tmp_path / "index").words()
    growth = measure_growth(words.index, np.arange(4), words.index.tokenizer.vocabulary_size)
    run = [word for text in texts for word in words_of(text, WordRule())]
    step = -(-len(run) // POINTS)
    assert growth.words.tolist() == list(range(step, len(run) + 1, step))
    assert growth.types.tolist() == [len(set(run[:end])) for end in growth.words.tolist()]
