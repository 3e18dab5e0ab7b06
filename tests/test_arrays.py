"""Results are values: read-only, comparable, and honest about having no hash."""

from __future__ import annotations

import dataclasses
import importlib
import math
import pickle
import pkgutil
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import explorer
from explorer.analyses.agreement.clusters import NO_TOKENS
from explorer.analyses.agreement.figure import Bin, make_series
from explorer.analyses.agreement.tokens import agreement
from explorer.analyses.breakdown.facets import dispersion, facet
from explorer.analyses.next_tokens.counts import Probability
from explorer.backends.places import Places
from explorer.chart import Point
from explorer.core.arrays import ArrayValue, frozen, same


@dataclass(frozen=True, eq=False)
class Held(ArrayValue):
    values: Any
    name: str = "x"


def test_a_view_is_read_only_and_the_array_is_not():
    array = np.arange(3)
    view = frozen(array)
    assert np.shares_memory(array, view)
    with pytest.raises(ValueError, match="read-only"):
        view[0] = 9
    array[0] = 5
    assert view[0] == 5


def test_equal_contents_are_equal():
    one = Held(np.array([1.0, np.nan]))
    assert one == Held(np.array([1.0, np.nan])) and one == Held(np.array([1, np.nan]))
    assert one != Held(np.array([1.0, 2.0])) and one != Held(np.array([1.0])) and one != Held(one.values, "y")
    assert one != 1 and (one == 1) is False
    assert Held((np.arange(2),)) == Held((np.arange(2),)) != Held((np.arange(3),))


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [
        ({"a": np.arange(2)}, {"a": np.arange(2)}, True),
        ({"a": 1}, {"b": 1}, False),
        ([1, float("nan")], [1, float("nan")], True),
        ((1,), [1], False),
        (float("nan"), 1.0, False),
        (np.arange(2), 1, False),
        (np.array(["a"]), np.array(["a"]), True),
    ],
)
def test_same(one, other, equal):
    assert same(one, other) is equal


def test_nothing_can_be_written_and_there_is_no_hash():
    held = Held(np.arange(3))
    with pytest.raises(ValueError, match="read-only"):
        held.values[0] = 1
    with pytest.raises(dataclasses.FrozenInstanceError):
        held.values = np.arange(2)
    with pytest.raises(TypeError, match="Held holds arrays and has no hash"):
        hash(held)


NONE = np.zeros(0, np.int64)
WITHOUT_A_NUMBER = (
    NO_TOKENS,
    Bin(0, 0, 0, math.nan, 0.0, 1.0),
    make_series("empty", NONE, NONE.astype(bool)),
    Point(1.0, 2.0),
    Probability(0, 0, math.nan, 1),
)


@pytest.mark.parametrize("value", WITHOUT_A_NUMBER, ids=lambda value: type(value).__name__)
def test_a_result_without_a_number_is_equal_to_the_same_result(value):
    # As of another computation: NaN is another object.
    again = pickle.loads(pickle.dumps(value))
    assert value == again and hash(value) == hash(again)
    name = next(name for name in ("share", "agreement", "mean_n", "low", "probability") if hasattr(value, name))
    assert math.isnan(getattr(value, name))
    known = dataclasses.replace(value, **{name: 0.5})
    assert known != value and known == dataclasses.replace(again, **{name: 0.5})
    assert (value == dataclasses.astuple(value)) is False


def results():
    """Every dataclass of the program outside of the window."""
    for found in pkgutil.walk_packages(explorer.__path__, "explorer."):
        if not found.name.startswith(("explorer.gui", "explorer.__main__")):
            module = importlib.import_module(found.name)
            for kind in vars(module).values():
                if isinstance(kind, type) and dataclasses.is_dataclass(kind) and kind.__module__ == found.name:
                    yield kind


def holds_arrays(kind):
    # What a function takes or gives is not held.
    types = [str(field.type) for field in dataclasses.fields(kind) if not str(field.type).startswith("Callable[")]
    return any("NDArray" in each or "Numbers" in each for each in types)


def test_every_result_with_arrays_follows_the_rule():
    kinds = [kind for kind in results() if holds_arrays(kind) and not kind.__name__.startswith("_")]
    assert len(kinds) > 15
    wrong = [kind.__qualname__ for kind in kinds if not issubclass(kind, ArrayValue)]
    assert wrong == []
    # The methods of the base are in force: `eq=False` was not forgotten.
    assert [kind.__qualname__ for kind in kinds if kind.__hash__ is not ArrayValue.__hash__] == []


@pytest.fixture(scope="module")
def answers(small_index):
    """One result of each kind that the library gives, and the same question asked again."""
    small = explorer.open_index(small_index)

    def ask():
        ids = small.encode("the cat sat on the mat and the dog")
        query = small.search("cat AND dog")
        lines = small.concordance(query)
        located = lines.hits.locate(np.arange(3))
        return {
            "Agreement": agreement(small.index, ids),
            "NextTokens": small.next_tokens(small.encode("the")),
            "CnfMatches": small.cnf([[small.encode("cat")], [small.encode("dog")]]),
            "QueryResult": query,
            "Located": located,
            "Places": Places(located.documents, located.offsets),
            "Facet": facet(lines, "path", small.columns),
            "Dispersion": dispersion(lines),
            "Arranged": lines.arranged,
            "ConcordanceLine": lines.lines(0, 1, 5)[0],
            "Encoded": small.index.tokenizer.encode_with_offsets("the cat"),
            "Coverage": small.trace("the cat sat").value_of("coverage"),
            "Novelty": small.trace("the cat sat").novelty,
        }

    return ask(), ask()


KINDS = (
    "Agreement", "NextTokens", "CnfMatches", "QueryResult", "Located", "Places", "Facet", "Dispersion", "Arranged",
    "ConcordanceLine", "Encoded", "Coverage", "Novelty",
)  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_results_compare_and_cannot_be_changed(answers, kind):
    one, again = answers[0][kind], answers[1][kind]
    assert type(one).__name__ == kind
    assert one == again and one is not again
    arrays = [value for value in vars(one).values() if isinstance(value, np.ndarray)]
    for array in arrays:
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0
    if isinstance(one, ArrayValue):
        with pytest.raises(TypeError, match="has no hash"):
            hash(one)
    else:
        assert hash(one) == hash(again) and not arrays


def test_another_answer_is_not_equal(small, answers):
    assert answers[0]["QueryResult"] != small.search("dog AND cat")
    assert answers[0]["NextTokens"] != small.next_tokens(small.encode("a"))
    one, other = small.trace("the cat sat"), small.trace("the cat saw")
    assert one != other and one == dataclasses.replace(one)
    assert one != dataclasses.replace(one, token_ids=one.token_ids[:-1])
