"""Chains of matches: against a search through all chains, and the figures of planted questions."""

from __future__ import annotations

from functools import cache

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from explorer.analyses.overlap.chained import MOST_BETWEEN, chained_units

TEXTS = st.lists(st.integers(0, 4), max_size=14)


def slowly(item, text):
    """All matches of two or more, and the best chain of them."""
    pairs = [
        (i, j, size)
        for i in range(len(item))
        for j in range(len(text))
        for size in range(2, min(len(item) - i, len(text) - j) + 1)
        if item[i : i + size] == text[j : j + size]
    ]

    @cache
    def best(pair):
        i, j, size = pair
        after = [
            best(other)
            for other in pairs
            if 0 <= other[0] - (i + size) <= MOST_BETWEEN and 0 <= other[1] - (j + size) <= MOST_BETWEEN
        ]
        return size + max(after, default=0)

    return max(map(best, pairs), default=0)


@given(TEXTS, TEXTS)
def test_the_best_chain_is_found(item, text):
    assert chained_units(np.array(item, np.int64), np.array(text, np.int64)) == slowly(item, text)


def test_words_between_matches_are_not_counted():
    item = np.arange(20)
    for between in range(7):
        text = np.concatenate([item[:10], np.full(between, 99), item[10:]])
        assert chained_units(item, text) == (20 if between <= MOST_BETWEEN else 10)


def test_another_order_is_not_a_chain():
    assert chained_units(np.array([1, 2, 3, 4]), np.array([3, 4, 1, 2])) == 2
    assert chained_units(np.array([1, 2]), np.array([1, 9, 2])) == 0
    assert chained_units(np.array([], np.int64), np.array([1])) == 0
