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

from explorer.errors import QueryError
from explorer.model.distribution import distribution
from explorer.model.levels import Levels, levels_of, places_in
from explorer.model.making import METHODS, make_method, settings_of
from explorer.model.method import Method
from explorer.model.methods import (
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
from explorer.model.scoring import kinds_of
from explorer.model.trust import Learned, Trust

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
    Learned(RANDOM_TRUST),
)
DOCUMENT = st.lists(st.integers(0, 3), min_size=1, max_size=20)


@pytest.mark.parametrize("method", EVERY, ids=repr)
@given(st.lists(DOCUMENT, min_size=1, max_size=4), st.lists(st.integers(0, 3), min_size=1, max_size=12))
@settings(max_examples=15)
def test_distributions(method, documents, text):
    with tempfile.TemporaryDirectory() as folder:
        index = open_shards(twin.write_index(Path(folder) / "i", [documents], 1, 4), tokenizer="bytes", check_fit=False)
        kinds = kinds_of(index)
        assert kinds == len({token for document in documents for token in document})
        ids = np.array(text, dtype=np.int64)
        levels = next(iter(levels_of(index, places_in([ids], [0]), method.reach)))
        scores = method.shares(levels, kinds)
        seen = {token for document in documents for token in document}
        for place, token in enumerate(text):
            found = distribution(index, method, ids[:place], kinds)
            if method.normalised and found.total:
                assert found.total == pytest.approx(1, abs=1e-9)
            by_token = dict(zip(found.tokens.tolist(), found.shares.tolist(), strict=True))
            expected = by_token.get(token, found.other if token in seen else 0.0)
            # Smoothing by alpha gives a token that is in no document the same as any other that does not follow.
            if token in seen:
                assert scores[place] == pytest.approx(expected, abs=1e-12)
            assert (np.diff(found.shares) <= 0).all() and (found.shares >= 0).all()


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
        (Learned(Trust(np.full((64, 6, 16), 0.5))), 0.25 * 5 / 10 + 0.125 * 8 / 100 + 0.125 / 20),
    ],
    ids=repr,
)
def test_formulas(method, expected):
    assert method.shares(THREE, 20)[0] == pytest.approx(expected)


def test_without_any_level():
    none = np.zeros((1, 1), dtype=np.int64)
    for known in (True, False):
        levels = Levels(none, none, none, none, np.array([known]))
        for method in EVERY:
            assert 0 <= method.shares(levels, 20)[0] <= 1 / 20


def test_every_method_can_be_made(small):
    for name, kind in METHODS.items():
        made = make_method(small.index, name, {}, kinds_of(small.index)).method
        assert type(made) is kind and set(settings_of(name)) <= set(vars(made))


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
