"""Diversity against slow definitions."""

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from model_answers import text_named, text_names

from explorer.analyses.diversity.measures import DIVERSITIES, drawn_types, moving_types, textual_diversity
from explorer.words.repeats import RepeatCounter, repeats_of
from explorer.words.rule import WordRule, words_of

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


@pytest.mark.nightly
def test_drawn_types_are_those_of_scipy():
    hypergeometric = pytest.importorskip("scipy.stats", reason="make test-all installs scipy").hypergeom
    text = np.repeat(np.arange(30), np.arange(1, 31))
    chances = [1 - hypergeometric.pmf(0, len(text), count, 42) for count in range(1, 31)]
    assert drawn_types(text) == pytest.approx(sum(chances) / 42, abs=1e-12)


# lexicalrichness 0.5.1 has the same MATTR, HD-D and MTLD of the answers and of Tiny Shakespeare.
FIGURES = {
    "answers": {
        "ttr": 0.323988, "mattr": 0.821502, "mtld": 88.067927, "hdd": 0.886690, "hapax_share": 273 / 624,
    },
    "tinyshakespeare": {
        "ttr": 0.060698, "mattr": 0.818891, "mtld": 95.3041, "hdd": 0.900725, "hapax_share": 5520 / 12_374,
    },
    "wikitext2-valid": {"mattr": 0.758317, "mtld": 57.4687, "hdd": 0.830730, "hapax_share": 3825 / 11_960},
}  # fmt: skip


@pytest.mark.parametrize("name", text_names("tinyshakespeare", "wikitext2-valid"))
def test_the_figures_of_long_texts(name):
    ids = np.unique(words_of(text_named(name), WordRule()), return_inverse=True)[1]
    found = {measure: DIVERSITIES[measure].compute(ids) for measure in FIGURES[name]}
    assert found == pytest.approx(FIGURES[name], rel=0, abs=5e-5)
    wide = {"answers": 0.596269, "tinyshakespeare": 0.505812}
    if name in wide:
        assert moving_types(ids, 500) == pytest.approx(wide[name], abs=5e-7)


def test_a_text_without_words_is_unknown():
    empty = np.array([], np.int64)
    assert {row.compute(empty) for row in DIVERSITIES.values()} == {None}


@given(st.lists(TEXTS, max_size=5), st.integers(1, 20))
def test_documents_add_up(texts, window):
    counter = RepeatCounter(9, window)
    for group in (texts, texts[1:]):
        run = np.array([word for text in group for word in text], np.int64)
        counter.add(run, np.cumsum([len(text) for text in group], dtype=np.int64))
        found, single = counter.take(), [repeats_of(np.array(text, np.int64), window) for text in group]
        assert sorted(found.frequencies.tolist()) == sorted(Counter(run.tolist()).values())
        for name in ("windows", "window_types", "forward", "backward"):
            assert getattr(found, name) == sum(getattr(each, name) for each in single), name


def test_a_word_beyond_the_vocabulary_is_refused():
    with pytest.raises(ValueError, match="not in the vocabulary"):
        RepeatCounter(3, 1).add(np.array([3]), np.array([1]))
    with pytest.raises(ValueError, match="ends of documents"):
        RepeatCounter(3, 1).add(np.array([2]), np.array([2]))
