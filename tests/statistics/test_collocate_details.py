"""Places and documents of collocates against plain loops."""

from __future__ import annotations

from collections import Counter, defaultdict

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from list_backend import Contents, ListBackend

from explorer.analyses.collocates import details
from explorer.analyses.collocates.windows import ngram_nodes, windows_around
from explorer.backends import range_texts

DOCUMENTS = st.lists(st.lists(st.integers(0, 3), max_size=12), min_size=1, max_size=5)


def near(index, node, window):
    return windows_around(index, ngram_nodes(index, node), window)


def slow(documents, node, left, right):
    """Places of each token in all windows, and the documents in which one is outside of all hits."""
    places, homes, slots = Counter(), defaultdict(set), 0
    for number, tokens in enumerate(documents):
        starts = [at for at in range(len(tokens)) if tokens[at : at + len(node)] == node]
        own = {at + step for at in starts for step in range(len(node))}
        for start in starts:
            before = [(at, at - start + left) for at in range(start - left, start)]
            after = [(start + len(node) + step, left + step) for step in range(right)]
            for at, place in before + after:
                if 0 <= at < len(tokens):
                    slots += 1
                    places[(tokens[at], place)] += 1
                    if at not in own:
                        homes[tokens[at]].add(number)
    return places, homes, slots


@given(
    DOCUMENTS,
    st.lists(st.integers(0, 3), min_size=1, max_size=3),
    st.tuples(st.integers(0, 4), st.integers(0, 4)).filter(any),
    st.integers(1, 40),
)
def test_details_are_those_of_plain_loops(documents, node, window, step):
    index = ListBackend(Contents([documents], [{}] * len(documents), 9))
    tokens = np.array([3, 0, 2, 1])
    places, homes, slots = slow(documents, node, *window)
    before, range_texts.AT_ONCE = range_texts.AT_ONCE, step
    try:
        found = details.collocate_details(index, near(index, node, window), tokens)
    finally:
        range_texts.AT_ONCE = before
    width = sum(window)
    assert found.positions.tolist() == [[places[token, at] for at in range(width)] for token in tokens.tolist()]
    assert found.documents.tolist() == [len(homes[token]) for token in tokens.tolist()]
    assert (found.slots, found.pairs.sum()) == (slots, slots)
