"""Numbers that a caller of the library gives."""

from __future__ import annotations

import numpy as np
import pytest

from explorer.analyses.search.arrange import LineSettings
from explorer.errors import QueryError

HUGE = 99_999_999_999_999_999_999
CALLS = {
    "document": lambda c, n: c.document(n).text,
    "seed": lambda c, n: c.concordance("the", sort="random", seed=n).lines(0, 9),
    "sample": lambda c, n: c.concordance("the", view=LineSettings(sample=n)).lines(0, 9),
    "collapse": lambda c, n: c.concordance("the", view=LineSettings(collapse=n)).lines(0, 9),
    "limit": lambda c, n: c.next_tokens([1], limit=n),
    "infgram limit": lambda c, n: c.infgram_next_tokens([1], limit=n),
    "distance": lambda c, n: c.cnf([[[1]], [[2]]], max_distance=n),
    "query distance": lambda c, n: c.search("the AND cat", max_distance=n),
    "width": lambda c, n: c.concordance("the").lines(0, 9, width=n),
}


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize(
    "value", [-1, -HUGE, HUGE, pytest.param(10**5000, id="long"), 1.5, float("nan"), "1", None, True]
)
def test_what_is_refused(small, name, value):
    if value is None and "limit" in name:
        assert CALLS[name](small, value).exact
        return
    with pytest.raises(QueryError):
        CALLS[name](small, value)


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("kind", [np.int64, np.uint8])
def test_integers_of_numpy_are_taken_as_those_of_python(small, name, kind):
    # Twice 200 does not fit into uint8.
    number = 1 if name == "document" else 200
    assert CALLS[name](small, kind(number)) == CALLS[name](small, number)


def test_a_text_to_count_is_literal(small):
    text = "cat AND dog"
    assert small.count(text) == 0
    assert small.search(text, variants=["space"], match="tokens").count > 0
