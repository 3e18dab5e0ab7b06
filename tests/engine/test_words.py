"""Word keys, their ranks and hashes of runs: against plain Python, and with arguments that make no sense."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import _fastsa

WORD = re.compile(r"[\u3000-\u9fff]|(?:(?![\u3000-\u9fff])[\w\u0080-\U0010ffff])+|[!-/:-@\[-^`{-~]+")
TEXTS = st.text(alphabet=st.sampled_from(list("abZ _-.(\n日本é😀")), max_size=40)


def shard_of(data):
    tokens = np.frombuffer(b"\xff" + data, dtype=np.uint8)
    order = sorted(range(len(tokens)), key=lambda i: tokens[i:].tobytes())
    table = np.zeros((len(order), 3), dtype=np.uint8)
    table[:, 0] = [i & 255 for i in order]
    table[:, 1] = [i >> 8 for i in order]
    return _fastsa.Shard(tokens, table.ravel(), 1, 3)


def pieces():
    return _fastsa.Pieces(np.arange(256, dtype=np.uint8), np.arange(257, dtype=np.int64))


def key(word):
    return re.sub("[A-Z]", lambda m: m.group().lower(), word).encode()[:32]


def ints(*values):
    return np.array(values, dtype=np.int64)


@given(TEXTS, st.integers(1, 5), st.booleans())
@settings(max_examples=300)
def test_words_after_and_before(text, number, before):
    data = text.encode()
    shard = shard_of(data)
    words = WORD.findall(text.translate({ord("\n"): " "}))
    if before:
        found = _fastsa.word_keys(shard, pieces(), ints(len(data)), ints(0), -1, -number)
        words = words[::-1]
    else:
        found = _fastsa.word_keys(shard, pieces(), ints(1), ints(len(data) + 1), 1, number)
    expected = key(words[number - 1]) if len(words) >= number else b""
    assert found[0].tobytes().rstrip(b"\0") == expected


@given(st.lists(st.binary(max_size=32), max_size=20))
def test_ranks_are_those_of_the_bytes(words):
    rows = np.zeros((len(words), 32), dtype=np.uint8)
    for row, word in zip(rows, words, strict=True):
        row[: len(word)] = np.frombuffer(word, dtype=np.uint8)
    padded = [row.tobytes() for row in rows]
    places = {word: rank for rank, word in enumerate(sorted(set(padded)))}
    assert _fastsa.key_ranks(rows).tolist() == [places[word] for word in padded]


def test_equal_runs_have_equal_hashes_and_others_differ():
    shard = shard_of(b"abcabcabd")
    hashes = _fastsa.run_hashes(shard, ints(1, 4, 7, 1), ints(4, 7, 10, 4), ints(0, 0, 0, 1))
    assert hashes[0] == hashes[1]
    assert len(set(hashes.tolist())) == 3


@pytest.mark.parametrize(
    ("firsts", "limits", "step"),
    [((0,), (99,), 1), ((-1,), (3,), 1), ((5,), (2,), 1), ((99,), (0,), -1), ((2,), (5,), -1), ((0,), (-2,), -1)],
)
def test_runs_outside_of_the_text(firsts, limits, step):
    shard = shard_of(b"abc")
    with pytest.raises(IndexError):
        _fastsa.word_keys(shard, pieces(), ints(*firsts), ints(*limits), step, 1)


def test_arguments_that_make_no_sense():
    shard = shard_of(b"abc")
    with pytest.raises(ValueError, match="step"):
        _fastsa.word_keys(shard, pieces(), ints(0), ints(1), 2, 1)
    with pytest.raises(ValueError, match="as many"):
        _fastsa.word_keys(shard, pieces(), ints(0, 1), ints(1), 1, 1)
    with pytest.raises(ValueError, match="as many"):
        _fastsa.run_hashes(shard, ints(0), ints(1), ints())
    with pytest.raises(ValueError, match="bounds"):
        _fastsa.Pieces(np.zeros(3, dtype=np.uint8), ints(0, 5))
    with pytest.raises(ValueError, match="32 bytes"):
        _fastsa.key_ranks(np.zeros((2, 8), dtype=np.uint8))
