"""Diversity against slow definitions."""

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.statistics.diversity import DIVERSITIES, drawn_types, moving_types, textual_diversity

TEXTS = st.lists(st.integers(0, 8), min_size=1, max_size=90)


@given(TEXTS, st.integers(1, 20))
def test_moving_windows_are_a_slow_loop(text, window):
    found = moving_types(np.array(text), window)
    windows = [text[start : start + window] for start in range(len(text) - window + 1)]
    if windows:
        assert found == pytest.approx(sum(len(set(part)) / window for part in windows) / len(windows))
    else:
        assert found is None


@given(TEXTS)
def test_drawn_types_are_chances(text):
    found = drawn_types(np.array(text))
    total = len(text)
    if total < 42:
        assert found is None
        return
    slow = sum(1 - math.comb(total - count, 42) / math.comb(total, 42) for count in Counter(text).values())
    assert found == pytest.approx(slow / 42)


@given(TEXTS)
def test_lexical_diversity_is_a_slow_loop(text):
    def factors(words):
        whole, part = 0.0, []
        for word in words:
            part.append(word)
            if len(set(part)) / len(part) <= 0.72:
                whole, part = whole + 1, []
        return whole + ((1 - len(set(part)) / len(part)) / (1 - 0.72) if part else 0)

    forward, backward = factors(text), factors(text[::-1])
    found = textual_diversity(np.array(text))
    if forward and backward:
        assert found == pytest.approx((len(text) / forward + len(text) / backward) / 2)
    else:
        assert found is None


def test_a_text_without_words_is_unknown():
    empty = np.array([], np.int64)
    assert {row.compute(empty) for row in DIVERSITIES.values()} == {None}
