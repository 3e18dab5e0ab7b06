"""The dispersion of many words at once, against that of one word."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.analyses.dispersion.measures import DISPERSIONS, Spread
from explorer.analyses.dispersion.spreads import Spreads

SIZES = st.lists(st.integers(1, 30), min_size=1, max_size=7)


@given(SIZES.flatmap(lambda sizes: st.tuples(st.just(sizes), st.lists(
    st.lists(st.integers(0, 4), min_size=len(sizes), max_size=len(sizes)).filter(any), max_size=5))))  # fmt: skip
def test_many_words_have_the_measures_of_each(given_):
    sizes, table = given_
    words, parts = np.nonzero(np.array(table).reshape(-1, len(sizes)))
    counts = np.array(table, np.int64).reshape(-1, len(sizes))[words, parts]
    # Every cell twice, in the reverse order: cells are added up and sorted.
    doubled = [np.concatenate([each[::-1], each]) for each in (words, parts, counts)]
    found = Spreads.of(*doubled, np.array(sizes, np.float64)).measures()
    assert set(found) == set(DISPERSIONS)
    for name, values in found.items():
        for row, value in zip(table, values, strict=True):
            expected = DISPERSIONS[name].compute(Spread.of([2 * count for count in row], sizes))
            assert value == pytest.approx(np.nan if expected is None else expected, nan_ok=True, abs=1e-12), name
