"""Methods: what adds up to 1 does, a distribution gives what a score of the text gives, and formulas by hand."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import pytest
import twin
from hypothesis import given, settings
from hypothesis import strategies as st
from opened_with import open_shards

from explorer.analyses.model.distribution import distribution
from explorer.analyses.model.fallback import FALLBACKS, weighed
from explorer.analyses.model.levels import Levels, levels_of, places_in
from explorer.analyses.model.making import METHODS, settings_of, tuned
from explorer.analyses.model.method import Method
from explorer.analyses.model.methods import (
    Backoff,
    Discount,
    InfGram,
    InfinigramBackoff,
    Laplace,
    LevelCounts,
    NGram,
    Weighted,
    WittenBell,
)
from explorer.analyses.model.scoring import kinds_of
from explorer.analyses.model.trust import Trained, Trust
from explorer.errors import QueryError

RANDOM_TRUST = Trust(np.random.default_rng(0).random((64, 6, 16)))
EVERY: tuple[Method, ...] = (
    NGram(1),
    NGram(3),
    InfGram(),
    LevelCounts(),
    LevelCounts(None, decay=0.5),
    Weighted(),
    Weighted("quadratic", alpha=0.5),
    Weighted("exponential", base=3),
    Weighted("sigmoid"),
    Backoff(),
    InfinigramBackoff(),
    InfinigramBackoff(alpha=0.1, threshold=2),
    Laplace(0.1),
    WittenBell(),
    WittenBell(every_length=True),
    Discount(),
    Discount(0.5, context=2, every_length=True),
    Trained(trust=RANDOM_TRUST),
)
DOCUMENT = st.lists(st.integers(0, 3), min_size=1, max_size=20)
# 4 and 5 are in no document, and a context may be longer than the corpus.
TEXT = st.lists(st.integers(0, 5), min_size=1, max_size=12) | st.lists(st.integers(0, 3), min_size=90, max_size=120)


@pytest.mark.parametrize("method", EVERY, ids=repr)
@given(st.lists(DOCUMENT, min_size=1, max_size=4), TEXT)
@settings(max_examples=15)
def test_distributions(method, documents, text):
    with tempfile.TemporaryDirectory() as folder:
        index = open_shards(twin.write_index(Path(folder) / "i", [documents], 1, 4), tokenizer="bytes", check_fit=False)
        check_distributions(index, method, documents, text)


@pytest.mark.parametrize("method", EVERY, ids=repr)
def test_distributions_without_some_documents(method, tmp_path):
    documents = [[0, 1, 2, 0, 1], [3, 3, 0, 1, 3], [2, 2, 1, 3, 0, 3]]
    index = open_shards(twin.write_index(tmp_path / "i", [documents], 1, 4), tokenizer="bytes", check_fit=False)
    text = [3, 3, 0, 1, 3, 3, 2, 2, 1]
    check_distributions(index.without([1]), method, [documents[0], documents[2]], text)
    check_distributions(index.within(np.array([1])), method, [documents[1]], text)


def check_distributions(index, method, documents, text):
    """Each distribution adds up to 1 and is that of the twin, and the scores of the text are the same numbers."""
    seen = {token for document in documents for token in document}
    kinds = kinds_of(index)
    assert kinds == len(seen)
    ids = np.array(text, dtype=np.int64)
    scores = weighed(method, next(iter(levels_of(index, places_in([ids], [0]), method.reach))), kinds)
    for place, token in enumerate(text):
        found = distribution(index, method, ids[:place], kinds)
        by_token = dict(zip(found.tokens.tolist(), found.shares.tolist(), strict=True))
        if method.normalised:
            assert found.total == pytest.approx(1, abs=1e-9)
        shares, fallback = after(method, documents, text[:place], sorted(seen))
        for each, share in shares.items():
            assert by_token.get(each, found.other) == pytest.approx(share, abs=1e-9)
        assert found.fallback == fallback
        # Smoothing by alpha gives a token that is in no document the same as any other that does not follow.
        if token in seen:
            assert scores.shares[place] == pytest.approx(shares[token], abs=1e-9)
        assert FALLBACKS[scores.fallbacks[place]] == fallback
        assert (np.diff(found.shares) <= 0).all() and (found.shares >= 0).all()


def after(method, documents, context, seen):
    """The shares of each token after a context, by counting in lists, and what they come from: the formulas again."""
    levels = suffixes(documents, context, method.reach)
    usable = [level for level in levels if not isinstance(method, NGram) or level[0] == method.n - 1]
    if isinstance(method, InfinigramBackoff):
        usable = [level for level, weight in zip(levels, backoff_weights(method, levels), strict=False) if weight]
    if not usable and method.normalised:
        return (
            ({x: 1 / len(seen) for x in seen}, "uniform") if method.smooths else (unigram(documents, seen), "unigram")
        )
    shares = {x: share(method, levels, x, len(seen)) for x in seen}
    return shares, "unigram" if usable and not usable[0][0] else ""


def unigram(documents, seen):
    tokens = [token for document in documents for token in document]
    return {x: tokens.count(x) / len(tokens) for x in seen}


def suffixes(documents, context, reach):
    """(length, m, counts) of the suffixes that occur with a token after them, the longest first."""
    found = []
    for n in range(min(len(context), reach.context), -1 if reach.empty else 0, -1):
        suffix, counts = context[len(context) - n :], {}
        for document in documents:
            for at in range(n, len(document)):
                if document[at - n : at] == suffix:
                    counts[document[at]] = counts.get(document[at], 0) + 1
        m = sum(counts.values())
        if m and not (reach.selective and found and found[-1][1] == m):
            found.append((n, m, counts))
    return found[: reach.most]


def share(method, levels, x, kinds):
    """One method's formula for one token, written from its description."""
    rows = [(n, m, len(counts), counts.get(x, 0)) for n, m, counts in levels]
    match method:
        case NGram() | InfGram():
            return rows[0][3] / rows[0][1]
        case Laplace():
            return (rows[0][3] + method.alpha) / (rows[0][1] + method.alpha * kinds)
        case LevelCounts():
            return ratio([(method.decay**j, c, m) for j, (_, m, _, c) in enumerate(rows)])
        case Weighted():
            by = {
                "linear": lambda n: n,
                "quadratic": lambda n: n * n,
                "exponential": lambda n: method.base**n,
                "sigmoid": lambda n: 1 / (1 + np.exp(5 - n)),
            }[method.weight]
            return ratio([(by(n), c, m) for n, m, _, c in rows], method.alpha, kinds)
        case InfinigramBackoff():
            weights = backoff_weights(method, levels)
            return ratio([(w, c, m) for w, (_, m, _, c) in zip(weights, rows, strict=False)], method.alpha, kinds)
        case Backoff():
            return next((method.alpha ** (rows[0][0] - n) * c / m for n, m, _, c in rows if c), 0.0)
        case WittenBell() | Discount():
            value = 1 / kinds
            for _, m, d, c in reversed(rows):
                if isinstance(method, WittenBell):
                    value = (c + d * value) / (m + d)
                else:
                    value = (max(c - method.discount, 0) + method.discount * d * value) / m
            return value
        case Trained():
            value, left = 0.0, 1.0
            for n, m, d, c in rows:
                trust = method.trust.shares[int(np.log2(m)), min(d, 6) - 1, min(n, 15)]
                value, left = value + left * trust * c / m, left * (1 - trust)
            return value + left / kinds


def backoff_weights(method, levels):
    """The weight of each level up to the first that is followed often enough."""
    enough = next((j for j, (_, m, _) in enumerate(levels) if m >= 5 * method.threshold), len(levels))
    return [method.factor**j if m >= method.threshold else 0.0 for j, (_, m, _) in enumerate(levels[: enough + 1])]


def ratio(parts, alpha=0.0, kinds=1):
    return (sum(w * c for w, c, _ in parts) + alpha) / (sum(w * m for w, _, m in parts) + alpha * kinds)


def rows(*levels: tuple[int, int, int, int]) -> Levels:
    """Levels of one token: (length, followed, distinct, times), longest first."""
    columns = (np.array([column], dtype=np.int64) for column in zip(*levels, strict=True))
    return Levels(*columns, np.array([True]))


THREE = rows((4, 2, 2, 0), (2, 10, 4, 5), (0, 100, 20, 8))


@pytest.mark.parametrize(
    ("method", "expected"),
    [
        (NGram(5), 0.0),
        (NGram(4), 0.0),
        (InfGram(), 0.0),
        (LevelCounts(None), (0.1 * 5 + 0.01 * 8) / (2 + 0.1 * 10 + 0.01 * 100)),
        (Weighted("linear"), 2 * 5 / (4 * 2 + 2 * 10)),
        (Weighted("quadratic", alpha=1), (4 * 5 + 1) / (16 * 2 + 4 * 10 + 20)),
        (Weighted("exponential", base=3), (9 * 5 + 8) / (81 * 2 + 9 * 10 + 100)),
        (Backoff(0.4), 0.4**2 * 5 / 10),
        (InfinigramBackoff(), 0.4 * 5 / (2 + 0.4 * 10)),
        (Laplace(0.5), 0.5 / (2 + 0.5 * 20)),
        (WittenBell(), (2 * ((5 + 4 * ((8 + 1) / 120)) / 14)) / 4),
        (Discount(0.5), (0.5 * 2 * ((4.5 + 0.5 * 4 * ((7.5 + 0.5) / 100)) / 10)) / 2),
        (Trained(trust=Trust(np.full((64, 6, 16), 0.5))), 0.25 * 5 / 10 + 0.125 * 8 / 100 + 0.125 / 20),
    ],
    ids=repr,
)
def test_formulas(method, expected):
    assert method.shares(THREE, 20)[0] == pytest.approx(expected)


def test_without_any_level():
    none = np.zeros((1, 1), dtype=np.int64)
    for known in (True, False):
        for alone, expected in ((0.25, "unigram"), (np.nan, "uniform")):
            levels = Levels(none, none, none, none, np.array([known]), alone=np.array([alone]))
            for method in EVERY:
                found = weighed(method, levels, 20)
                assert found.lengths[0] == 0
                if not method.normalised:
                    assert (found.shares[0], found.fallbacks[0]) == (0, 0)
                    continue
                is_uniform = method.smooths or expected == "uniform"
                assert FALLBACKS[found.fallbacks[0]] == ("uniform" if is_uniform else "unigram")
                if not is_uniform:
                    assert found.shares[0] == 0.25
                elif known:
                    assert found.shares[0] == pytest.approx(1 / 20)


def test_the_ngram_model_of_one_token_is_the_unigram_distribution(small):
    model = small.model("ngram", n=1)
    counted = small.index.counts.next_tokens(())
    pairs = zip(counted.tokens.tolist(), counted.counts.tolist(), strict=True)
    counts = {token: count for token, count in pairs if token != small.index.separator}
    for context in ("", "the cat", "zzz"):
        found = model.distribution(context)
        assert found.total == pytest.approx(1) and found.fallback == "unigram"
        expected = {token: count / sum(counts.values()) for token, count in counts.items()}
        assert dict(zip(found.tokens.tolist(), found.probabilities.tolist(), strict=True)) == pytest.approx(expected)


def test_every_method_can_be_made(small):
    for name, kind in METHODS.items():
        made = tuned(small.index, kind(), kinds_of(small.index)).method
        assert isinstance(made, kind) and set(settings_of(name)) <= set(vars(made))


def test_tokens_are_written_one_by_one(small):
    model = small.model("levels", levels=2)
    whole = model.generate("the cat", max_tokens=12, seed=3)
    one_by_one = model.write("the cat", max_tokens=12, seed=3)
    first = next(one_by_one)
    assert first.token == whole.tokens[0] and first.levels[0].n <= len(small.encode("the cat"))
    assert [each.token for each in one_by_one] == whole.tokens[1:].tolist()
    # Wrong settings are refused before the first token is asked for.
    with pytest.raises(QueryError):
        model.write("the cat", temperature=-1)
