"""Two texts side by side, against a table of all pairs of words."""

from __future__ import annotations

import itertools
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer import compare_texts
from explorer.analyses.overlap import alignment
from explorer.analyses.overlap.alignment import Difference, SameWords, words_of
from explorer.core.jobs import CancelToken
from explorer.errors import Cancelled, QueryError

WORDS = st.lists(st.sampled_from("abcde"), max_size=24)


def slow_score(left, right, least):
    """The most words of an ascending chain of runs, and the fewest runs of these, from a table of all prefixes."""
    best = [[(0, 0)] * (len(right) + 1) for _ in range(len(left) + 1)]
    for i, j in itertools.product(range(1, len(left) + 1), range(1, len(right) + 1)):
        found = max(best[i - 1][j], best[i][j - 1])
        length = 0
        while length < min(i, j) and left[i - length - 1] == right[j - length - 1]:
            length += 1
            if length >= least:
                words, runs = best[i - length][j - length]
                found = max(found, (words + length, runs - 1))
        best[i][j] = found
    return best[len(left)][len(right)]


def check(found, left, right):
    """Runs ascend in both texts, and consist of equal words."""
    at = place = 0
    for run in found.runs:
        assert run.left >= at and run.right >= place and run.words >= found.least
        assert left[run.left : run.left + run.words] == right[run.right : run.right + run.words]
        at, place = run.left + run.words, run.right + run.words
    # Runs and differences are all words, each once.
    sizes = found.differences
    assert found.same + sum(one.left_end - one.left_start for one in sizes) == len(left)
    assert found.same + sum(one.right_end - one.right_start for one in sizes) == len(right)


@given(WORDS, WORDS, st.integers(1, 4))
def test_no_chain_is_better(left, right, least):
    found = compare_texts(" ".join(left), " ".join(right), least)
    check(found, left, right)
    assert found.exact
    assert (found.same, -len(found.runs)) == slow_score(left, right, least)


@given(WORDS, WORDS, st.integers(0, 30))
def test_with_too_many_pairs_the_rest_is_still_true(left, right, most):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(alignment, "MOST_PAIRS", most)
        found = compare_texts(" ".join(left), " ".join(right))
    check(found, left, right)
    assert found.exact or found.same <= slow_score(left, right, 3)[0]


def test_figures_are_those_of_the_runs():
    found = compare_texts("It is crucial to see that, of course.", "It is important to see that of course!")
    assert found.runs == (SameWords(3, 3, 5),)
    assert (found.same, found.longest, found.share) == (5, 5, 5 / 8)
    assert found.differences == (Difference(0, 3, 0, 3),)
    assert compare_texts("", "").share == 0.0
    assert compare_texts("a b c", "").differences == (Difference(0, 3, 0, 0),)


def test_words_are_found_in_every_script():
    text = "Don't stop: 語言模型, naïve 😀 x_1."
    assert [text[start:end] for start, end in words_of(text)] == [
        "Don't", "stop", "語", "言", "模", "型", "naïve", "x_1"
    ]  # fmt: skip
    assert compare_texts("THE Cat Sat", "the cat sat").same == 0
    assert compare_texts("THE Cat Sat", "the cat sat", ignore_case=True).same == 3
    assert compare_texts("don’t stop the cafe\u0301", "don't stop the café").same == 4


def test_a_document_of_100_000_words():
    chooser = random.Random(5)
    words = [f"w{chooser.randrange(3_000)}" for _ in range(100_000)]
    answer = [*words[40_000:40_200], "new", *words[41_000:41_100]]
    found = compare_texts(" ".join(answer), " ".join(words))
    assert found.exact
    assert (found.same, found.longest) == (300, 200)
    assert found.runs[0] == SameWords(0, 40_000, 200)


def test_texts_that_repeat_themselves_are_compared_as_far_as_possible():
    found = compare_texts("a " * 2_000 + "the end is near", "a " * 2_000 + "the end is near")
    assert not found.exact
    # The rare run is found, and extended over the words that were left out.
    assert found.runs == (SameWords(0, 0, 2_004),)


def test_it_can_be_stopped():
    cancel = CancelToken()
    cancel.cancel()
    with pytest.raises(Cancelled):
        compare_texts("a b c", "a b c", cancel=cancel)
    with pytest.raises(QueryError, match="at least 1 word"):
        compare_texts("a", "a", least=0)


def test_words_in_another_place_are_not_only_in_one_text():
    found = compare_texts(
        "red orange yellow stop one two three four five", "one two three four five go red orange yellow"
    )
    # The order of the longer part counts; the shorter one is in both texts all the same.
    assert found.runs == (SameWords(4, 0, 5),)
    assert (found.moved_left.tolist(), found.moved_right.tolist()) == ([0, 1, 2], [6, 7, 8])
    assert compare_texts("a b c d", "a b c d").moved_left.size == 0


@given(WORDS, WORDS, st.integers(1, 4))
def test_moved_words_are_those_of_common_runs_out_of_order(left, right, least):
    found = compare_texts(" ".join(left), " ".join(right), least)
    for mine, other, side, moved in (
        (left, right, "left", found.moved_left),
        (right, left, "right", found.moved_right),
    ):
        theirs = {tuple(other[i : i + least]) for i in range(len(other) - least + 1)}
        starts = (i for i in range(len(mine) - least + 1) if tuple(mine[i : i + least]) in theirs)
        common = {i + step for i in starts for step in range(least)}
        ordered = {getattr(run, side) + step for run in found.runs for step in range(run.words)}
        assert moved.tolist() == sorted(common - ordered)
