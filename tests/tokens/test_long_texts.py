"""Very long texts are tokenized in pieces, to the same tokens."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.text.tokens import batches as module
from explorer.text.tokens.long_texts import cut_long
from explorer.text.tokens.training import train_bpe


@given(st.text(alphabet="ab \n", max_size=400), st.booleans())
def test_no_character_is_lost(text, drop_blank):
    import explorer.text.tokens.long_texts as long_texts

    window, long_texts._WINDOW = long_texts._WINDOW, 5
    try:
        pieces = list(cut_long(text, drop_blank, 20))
    finally:
        long_texts._WINDOW = window
    assert (" " if drop_blank else "").join(pieces) == text
    if not drop_blank:
        assert all(len(piece) <= 25 for piece in pieces)


def test_the_same_tokens(monkeypatch, text_folder):
    text = " ".join(path.read_text(errors="replace") for path in sorted(text_folder.rglob("*.txt")))
    text = " ".join((text + " ") * 20)[:60_000].replace("  ", " ")
    made = train_bpe([text], 600)
    whole = made.encode(text)
    monkeypatch.setattr(module, "PIECE", 1_000)
    monkeypatch.setattr(module, "cut_long", lambda text, drop: cut_long(text, drop, 5_000))
    monkeypatch.setattr("explorer.text.tokens.long_texts._WINDOW", 1_000)
    short, long = made.encode_batch(["a short one", text])
    assert np.array_equal(long, whole)
    assert made.encode("a short one").tolist() == short.tolist()


def test_a_text_without_any_blank(monkeypatch):
    monkeypatch.setattr("explorer.text.tokens.long_texts._WINDOW", 100)
    text = "x" * 10_000
    assert [len(piece) for piece in cut_long(text, False, 1_000)] == [1_000] * 9 + [1_000]
    assert list(cut_long(text, True, 1_000)) == [text]


@pytest.mark.parametrize("size", [10, 1_100])
def test_short_texts_are_left_alone(size, monkeypatch):
    monkeypatch.setattr("explorer.text.tokens.long_texts._WINDOW", 100)
    assert list(cut_long("a " * (size // 2), False, 1_000)) == ["a " * (size // 2)]
