"""Growth and fits, against slow definitions."""

import csv
import io
import itertools
import json
import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from model_answers import text_named, text_names

from explorer import QueryError, build_index, open_index, rank_curve, vocabulary_growth
from explorer.analyses.spectrum import curves
from explorer.analyses.spectrum.chart import growth_chart
from explorer.analyses.spectrum.curves import (
    POINTS,
    GrowthCount,
    PowerLaw,
    RankCurve,
    VocabularyGrowth,
    fit_power_law,
    measure_growth,
    zipf_slope,
)
from explorer.analyses.wordlist.chart import law_points
from explorer.cli.main import main
from explorer.cli.statistics.spectrum import _readable
from explorer.core.jobs import CancelToken
from explorer.words.rule import WordRule, words_of

TEXTS = ["the cat sat on the mat " * 3, "A dog? The cat!", "", "one two three four the the"]
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


def straight_line(x, y):
    """The slope and the height of a line through logarithms, by numpy."""
    slope, height = np.polyfit(np.log(x), np.log(y), 1)
    return pytest.approx((slope, math.exp(height)))


@pytest.mark.parametrize("name", text_names("tinyshakespeare"))
def test_the_curves_of_a_text(name, tmp_path, capsys):
    text, step, folder = text_named(name), 100 if name == "answers" else 1000, str(tmp_path / "index")
    build_index([{"text": text}], folder, tokenizer="bytes")
    growth, ranks = vocabulary_growth(open_index(folder), step=step), rank_curve(open_index(folder))
    words = words_of(text, WordRule())
    at = {n: len(set(words[:n])) for n in range(step, len(words) + 1, step)}
    assert dict(zip(growth.words.tolist(), growth.types.tolist(), strict=True)) == at
    assert (growth.heaps.exponent, growth.heaps.factor) == straight_line([*at], [*at.values()])
    falling = sorted(Counter(words).values(), reverse=True)
    fitted = falling[9:1000]
    assert (ranks.law.exponent, ranks.law.factor) == straight_line(range(10, 10 + len(fitted)), fitted)
    if name == "tinyshakespeare":
        # The figures of another program.
        assert [at[n] for n in (1000, 10_000, 50_000, 100_000, 200_000)] == [418, 2196, 5743, 8460, 12_238]
        assert (growth.heaps.exponent, growth.heaps.factor) == pytest.approx((0.590, 9.38), abs=5e-3)
        assert (ranks.law.exponent, ranks.law.points) == (pytest.approx(-1.109, abs=5e-4), 991)
    assert main(["spectrum", folder, "--view", "vocabulary", "--step", str(step), "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert (printed["exponent"], printed["factor"]) == (growth.heaps.exponent, growth.heaps.factor)
    assert printed["points"] == len(at)
    assert (printed["results"][-1]["at"], printed["results"][-1]["ngrams"]) == [*at.items()][-1]
    assert main(["spectrum", folder, "--view", "zipf"]) == 0
    shown = capsys.readouterr().out
    assert f"slope {ranks.law.exponent:.4f}, fitted to {len(fitted)} points" in shown
    assert f"{falling[0]:,}               1" in shown and f"{len(falling):,}   100.00%" in shown


@given(st.lists(st.integers(1, 9), max_size=30), st.integers(1, 9), st.integers(1, 9))
def test_ranks_are_those_of_a_sorted_list(frequencies, first, more):
    counts, types = np.unique(np.array(frequencies, np.int64), return_counts=True)
    found = RankCurve.of(counts, types, first, first + more)
    falling = sorted(frequencies, reverse=True)
    assert found.counts.tolist() == sorted(set(frequencies), reverse=True)
    assert found.ranks.tolist() == [sum(each >= count for each in frequencies) for count in found.counts.tolist()]
    fitted = falling[first - 1 : first + more]
    law = fit_power_law(np.arange(first, first + len(fitted)), np.array(fitted, np.int64))
    assert found.law == law == zipf_slope(np.array(frequencies, np.int64), first, first + more)


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    folder = tmp_path_factory.mktemp("curves") / "index"
    build_index([{"text": text} for text in TEXTS], folder, tokenizer="bytes")
    return folder


def test_a_shuffled_corpus_grows_to_the_same_vocabulary(small):
    corpus = open_index(small)
    own, other = vocabulary_growth(corpus, step=1), vocabulary_growth(corpus, step=1, shuffle=3)
    assert own.types[-1] == other.types[-1] and own.types.tolist() != other.types.tolist()
    assert vocabulary_growth(corpus, step=1, shuffle=3).types.tolist() == other.types.tolist()
    orders = {tuple(vocabulary_growth(corpus, step=1, shuffle=seed).types.tolist()) for seed in range(6)}
    run = [words_of(text, WordRule()) for text in TEXTS]
    expected = set()
    for order in itertools.permutations(run):
        words = list(itertools.chain(*order))
        expected.add(tuple(len(set(words[: end + 1])) for end in range(len(words))))
    assert len(orders) > 1 and orders <= expected


@pytest.mark.parametrize(
    ("ask", "told"),
    [
        (lambda corpus: vocabulary_growth(corpus, step=0), "step"),
        (lambda corpus: vocabulary_growth(corpus, "letters"), "unit"),
        (lambda corpus: vocabulary_growth(corpus, shuffle=-1), "shuffle"),
        (lambda corpus: rank_curve(corpus, first=0), "first"),
        (lambda corpus: rank_curve(corpus, first=9, last=8), "last"),
    ],
)
def test_what_makes_no_sense_is_refused(small, ask, told):
    with pytest.raises(QueryError, match=told):
        ask(open_index(small))


@pytest.mark.parametrize(
    "options",
    [
        ["--view", "vocabulary", "--max-n", "2"],
        ["--view", "zipf", "--step", "3"],
        ["--view", "counts", "--shuffle", "1"],
        ["--ranks", "1,3"],
        ["--view", "zipf", "--ranks", "5,3"],
    ],
)
def test_options_without_effect_are_refused(small, options, capsys):
    assert main(["spectrum", str(small), *options]) == 2
    assert capsys.readouterr().err.count(options[-2])


def test_too_little_text_has_no_law(small, tmp_path, capsys):
    corpus = open_index(small)
    assert vocabulary_growth(corpus, step=10**9).heaps is None and len(vocabulary_growth(corpus, step=10**9).words) == 0
    assert rank_curve(corpus, first=5000, last=9000).law is None
    assert main(["spectrum", str(small), "--view", "vocabulary", "--step", "9999"]) == 0
    assert capsys.readouterr().out == "The corpus is shorter than a step.\n"
    assert main(["spectrum", str(small), "--view", "zipf", "--ranks", "5000,5001"]) == 0
    assert "There are too few points for a law." in capsys.readouterr().out
    build_index([{"text": "! ?"}], tmp_path / "none", tokenizer="bytes")
    empty = open_index(tmp_path / "none")
    assert (len(rank_curve(empty).ranks), rank_curve(empty).law, rank_curve(empty).last) == (0, None, 0)
    assert main(["spectrum", str(tmp_path / "none"), "--view", "zipf"]) == 0
    assert capsys.readouterr().out == "There are no words.\n"


@pytest.mark.parametrize("view", ["vocabulary", "zipf"])
@pytest.mark.parametrize("suffix", [".svg", ".csv"])
def test_curves_are_drawn(small, view, suffix, tmp_path):
    path = tmp_path / f"curve{suffix}"
    assert main(["spectrum", str(small), "--view", view, "--plot", str(path)]) == 0
    written = path.read_text(encoding="utf-8")
    corpus = open_index(small)
    if suffix == ".svg":
        law = vocabulary_growth(corpus).heaps if view == "vocabulary" else rank_curve(corpus).law
        assert f"{abs(law.exponent):.3f}" in written
        return
    curve = vocabulary_growth(corpus) if view == "vocabulary" else rank_curve(corpus)
    values = (curve.words, curve.types) if view == "vocabulary" else (curve.ranks, curve.counts)
    rows = [line for line in csv.reader(io.StringIO(written)) if line and line[0].isdigit()]
    assert [list(map(int, row)) for row in rows] == [
        list(row) for row in zip(*map(np.ndarray.tolist, values), strict=True)
    ]


def test_growth_reads_documents_in_their_order(tmp_path, monkeypatch):
    texts = ["the cat sat on the mat. " * 70, "A dog? The cat!", "", "one two three four " * 50]
    build_index([{"text": text} for text in texts], tmp_path / "index", tokenizer="bytes")
    words = open_index(tmp_path / "index").words()
    growth = measure_growth(words.index, np.arange(4), words.index.tokenizer.vocabulary_size)
    run = [word for text in texts for word in words_of(text, WordRule())]
    step = -(-len(run) // POINTS)
    assert growth.words.tolist() == list(range(step, len(run) + 1, step))
    assert growth.types.tolist() == [len(set(run[:end])) for end in growth.words.tolist()]
    # The same with a look at the flag for each seven words of a request.
    monkeypatch.setattr(curves, "_AT_ONCE", 7)
    looks = itertools.count()
    cancel = CancelToken()
    monkeypatch.setattr(cancel, "check", lambda: next(looks))
    again = measure_growth(words.index, np.arange(4), words.index.tokenizer.vocabulary_size, cancel=cancel)
    assert (again.words.tolist(), again.types.tolist()) == (growth.words.tolist(), growth.types.tolist())
    assert next(looks) >= len(run) // 7


@pytest.mark.parametrize(
    ("law", "drawn"),
    [
        (PowerLaw(2.0, 1.0, 3), ((1.0, 1.0), (2.0, 4.0), (3.0, 9.0))),
        # Falling: the line begins at the edge.
        (PowerLaw(-1.0, 18.0, 3), ((2.0, 9.0), (4.0, 4.5))),
        (PowerLaw(1.0, 1.0, 3), ((1.0, 1.0), (2.0, 2.0), (4.0, 4.0))),
        (PowerLaw(0.0, 10.0, 3), ()),
    ],
)
def test_a_law_is_drawn_within_the_plot(law, drawn):
    assert law_points(law, (1.0, 2.0, 4.0), 9.0) == tuple(map(pytest.approx, drawn))


def test_the_curve_of_a_law_that_fits_badly_stays_in_the_chart():
    growth = VocabularyGrowth(np.array([1, 10, 100, 1000]), np.array([1, 2, 40, 50]))
    [panel] = growth_chart("", growth, PowerLaw(0.9, 1.0, 4)).rows[0]
    assert max(point.y for point in panel.dots[1].points) == panel.left.high


def test_numbers_of_many_digits_are_told_in_short():
    assert _readable(500_000_000_500_000) == " (≈ 5.0·10^14)"
    assert _readable(999_999_999_999) == ""
