"""Ranges against sets of single tokens."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer import QueryError
from explorer.backends.ranges import ranges_of

PIECES = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 30), st.integers(0, 12)), max_size=12)


def ranges(pieces):
    documents, starts, sizes = zip(*pieces, strict=True) if pieces else ((), (), ())
    return ranges_of(documents, starts, np.add(starts, sizes))


def tokens_of(pieces):
    return {(document, at) for document, start, size in pieces for at in range(start, start + size)}


def listed(found):
    rows = zip(found.documents.tolist(), found.starts.tolist(), found.ends.tolist(), strict=True)
    return [(document, start, end - start) for document, start, end in rows]


@given(PIECES)
def test_ranges_hold_the_tokens_of_their_pieces_in_as_few_as_possible(pieces):
    found, tokens = ranges(pieces), tokens_of(pieces)
    assert tokens_of(listed(found)) == tokens
    assert listed(found) == sorted(listed(found))
    # One begins where the token before it is not in any.
    assert len(found) == sum((document, at - 1) not in tokens for document, at in tokens)
    assert found.tokens == len(tokens)
    assert found.documents_touched == len({document for document, _ in tokens})


@given(PIECES, st.integers(0, 8))
def test_gaps_are_joined_within_a_document(pieces, gap):
    expected = tokens_of(pieces)
    for document, at in sorted(expected):
        following = [other for where, other in expected if where == document and other > at]
        if following and min(following) - at - 1 <= gap:
            expected = expected | {(document, between) for between in range(at, min(following))}
    assert tokens_of(listed(ranges(pieces).joined(gap))) == expected


@given(PIECES, PIECES)
def test_a_union_has_the_tokens_of_both(one, other):
    assert ranges(one).union(ranges(other)) == ranges([*one, *other])


@given(PIECES, st.integers(0, 4))
def test_the_ranges_of_a_document(pieces, number):
    starts, ends = ranges(pieces).of_document(number)
    got = {(number, at) for start, end in zip(starts, ends, strict=True) for at in range(start, end)}
    assert got == {token for token in tokens_of(pieces) if token[0] == number}


def test_a_negative_gap_is_refused():
    with pytest.raises(QueryError, match="not -1"):
        ranges([(0, 0, 1)]).joined(-1)
