"""BM25 against rank_bm25 0.2.2."""

from __future__ import annotations

import pytest
import rank_bm25
from hypothesis import given
from hypothesis import strategies as st

from explorer.analyses.trace.ranking import SCALES, bm25_scores, relevance

WORDS = st.lists(st.sampled_from(["a", "b", "c", "d", "e", "the", "of"]), max_size=15).map(" ".join)


@given(WORDS, st.lists(WORDS.filter(bool), min_size=1, max_size=8))
def test_scores(query, texts):
    theirs = rank_bm25.BM25Okapi([text.split() for text in texts]).get_scores(query.split())
    assert bm25_scores(query, texts).tolist() == pytest.approx(theirs.tolist(), abs=1e-9)


def test_nothing_to_score():
    assert bm25_scores("a", []).tolist() == []
    assert bm25_scores("a", ["", ""]).tolist() == [0.0, 0.0]


@pytest.mark.parametrize(
    ("score", "characters", "word"),
    [
        (180, 1000, "high"),
        (126, 1000, "high"),
        (125, 1000, "medium"),
        (90, 1000, "medium"),
        (89, 1000, "low"),
        (-5, 9, "low"),
    ],
)
def test_levels(score, characters, word):
    assert SCALES["olmotrace"].level(relevance(score, characters)) == word


def test_levels_of_the_share():
    words = [SCALES["share"].level(share) for share in (1.0, 0.5, 0.499, 0.25, 0.249, 0.0)]
    assert words == ["high", "high", "medium", "medium", "low", "low"]


def test_relevance_is_a_share():
    assert relevance(10**6, 10) == 1.0
    assert relevance(-1, 10) == 0.0
    assert relevance(1, 0) == 1.0
