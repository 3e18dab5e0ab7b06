"""What patterns need of a vocabulary, against a look at each token by itself."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from explorer.text.patterns.kinds import kind_of
from explorer.text.patterns.vocabulary import UNKNOWN, read_vocabulary

PIECES = st.lists(st.one_of(st.text(max_size=4).map(str.encode), st.binary(max_size=4), st.just(b"")), max_size=12)


def vocabulary_of(pieces):
    return read_vocabulary(SimpleNamespace(vocabulary_size=len(pieces), token_bytes=pieces.__getitem__))


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=4), max_size=12))
def test_the_last_character_of_each_token_has_its_kind(texts):
    found = vocabulary_of([text.encode() for text in texts])
    assert found.last_kinds.tolist() == [kind_of(ord(text[-1])) if text else UNKNOWN for text in texts]
    assert found.tails == {} and found.last_kinds.dtype == np.int8


@given(PIECES)
def test_a_token_is_read_as_if_it_were_the_only_one(pieces):
    found = vocabulary_of(pieces)
    for token, piece in enumerate(pieces):
        alone = vocabulary_of([piece])
        assert found.last_kinds[token] == alone.last_kinds[0]
        assert [tail for tail, tokens in found.tails.items() if token in tokens] == list(alone.tails)
    assert found.spaced.tolist() == [piece.startswith(b" ") for piece in pieces]
