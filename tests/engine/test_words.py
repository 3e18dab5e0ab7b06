"""Words near positions and hashes of runs: against plain Python, and with arguments that make no sense."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import _fastsa
from explorer.text.segments import classes, spans

TEXTS = st.text(alphabet=st.sampled_from(list("abZ _-.'’(\n日本é😀\u0301\u00ad1")), max_size=40)
NONE = 2**32 - 1


def shard_of(data):
    tokens = np.frombuffer(b"\xff" + data, dtype=np.uint8)
    order = sorted(range(len(tokens)), key=lambda i: tokens[i:].tobytes())
    table = np.zeros((len(order), 3), dtype=np.uint8)
    table[:, 0] = [i & 255 for i in order]
    table[:, 1] = [i >> 8 for i in order]
    return _fastsa.Shard(tokens, table.ravel(), 1, 3)


def pieces():
    return _fastsa.Pieces(np.arange(256, dtype=np.uint8), np.arange(257, dtype=np.int64))


def near():
    return _fastsa.WordsNear(pieces(), classes())


def spelled(words, number):
    data, begins, _ = words.spellings()
    return None if number == NONE else data[begins[number] : begins[number + 1]].tobytes().decode()


def words_in(text):
    return [text[start:end] for start, end in spans(text)]


def ints(*values):
    return np.array(values, dtype=np.int64)


@given(TEXTS, st.integers(1, 5), st.booleans())
def test_words_after_and_before(text, number, before):
    data, found = text.encode(), near()
    shard = shard_of(data)
    if before:
        [answer] = found.find(shard, ints(len(data)), ints(0), -1, -number)
        expected = words_in(text)[::-1]
    else:
        [answer] = found.find(shard, ints(1), ints(len(data) + 1), 1, number)
        expected = words_in(text)
    assert spelled(found, answer) == (expected[number - 1] if len(expected) >= number else None)


@pytest.mark.parametrize("filler", ["-" * 100, " " * 400, "x" * 90 + " ", "“”" * 60])
def test_a_word_after_much_that_is_none(filler):
    text = f"{filler}word{filler}"
    data, found = text.encode(), near()
    numbers = range(1, len(words_in(text)) + 1)
    for number in numbers:
        after = found.find(shard_of(data), ints(1), ints(len(data) + 1), 1, number)
        before = found.find(shard_of(data), ints(len(data)), ints(0), -1, -number)
        assert [spelled(found, each[0]) for each in (after, before)] == [
            words_in(text)[number - 1],
            words_in(text)[-number],
        ]


def test_a_word_longer_than_what_is_read_is_cut():
    data, found = b"x" * 2000, near()
    assert spelled(found, found.find(shard_of(data), ints(1), ints(len(data) + 1), 1, 1)[0]) == "x" * 512


def test_the_whole_text_without_blanks():
    found = near()
    assert spelled(found, found.find(shard_of(b" \n- a, b- \t"), ints(1), ints(12), 1, 0)[0]) == "- a, b-"
    assert found.find(shard_of(b" \n"), ints(1), ints(3), 1, 0).tolist() == [NONE]


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
        near().find(shard, ints(*firsts), ints(*limits), step, 1)


def test_arguments_that_make_no_sense():
    shard = shard_of(b"abc")
    with pytest.raises(ValueError, match="step"):
        near().find(shard, ints(0), ints(1), 2, 1)
    with pytest.raises(ValueError, match="as many"):
        near().find(shard, ints(0, 1), ints(1), 1, 1)
    with pytest.raises(ValueError, match="as many"):
        _fastsa.run_hashes(shard, ints(0), ints(1), ints())
    with pytest.raises(ValueError, match="bounds"):
        _fastsa.Pieces(np.zeros(3, dtype=np.uint8), ints(0, 5))
    with pytest.raises(ValueError, match="class"):
        _fastsa.WordsNear(pieces(), np.zeros(8, dtype=np.uint8))
