"""Suffix sorting against naive sorting."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from _fastsa import Stopped, pack_pointers, suffix_array

SYMBOLS = (np.uint8, np.uint16, np.int32)


def naive(text):
    return sorted(range(len(text)), key=lambda i: text[i:])


@given(st.lists(st.integers(0, 4), max_size=120), st.sampled_from(SYMBOLS))
def test_small_alphabets(text, dtype):
    assert suffix_array(np.array(text, dtype=dtype), 5).tolist() == naive(text)


@given(st.lists(st.integers(0, 2), min_size=1, max_size=6), st.integers(1, 60), st.lists(st.integers(0, 2), max_size=5))
def test_repetitive_text(unit, times, tail):
    text = unit * times + tail
    assert suffix_array(np.array(text, dtype=np.uint16), 3).tolist() == naive(text)


@given(st.lists(st.integers(0, 250), max_size=300))
def test_large_alphabet(text):
    assert suffix_array(np.array(text, dtype=np.int32), 251).tolist() == naive(text)


@pytest.fixture(scope="module")
def pool():
    with ThreadPoolExecutor(3) as made:
        yield made


@pytest.mark.parametrize("dtype", SYMBOLS)
@pytest.mark.parametrize("threads", [True, False])
@given(
    st.lists(st.integers(1, 4), min_size=1, max_size=100)
    | st.tuples(st.lists(st.integers(1, 2), min_size=1, max_size=9), st.integers(1, 60)).map(lambda t: t[0] * t[1])
    # Copies of something, with other things between them: many names, of which some occur once.
    | st.tuples(
        st.lists(st.integers(1, 30), min_size=1, max_size=60),
        st.lists(st.lists(st.integers(1, 30), max_size=9), max_size=6),
    ).map(lambda t: [symbol for between in t[1] for symbol in [*t[0], *between]] or [1])
)
def test_names_of_suffixes(pool, dtype, threads, text):
    array = np.array(text, dtype=dtype)
    found = suffix_array(array, 31, None, None, pool if threads else None, simple=1)
    assert found.tolist() == naive(text)


def test_both_ways_agree_on_large_texts(pool):
    generator = np.random.default_rng(3)
    # Words of a small language, so that there are long and short common prefixes.
    words = [generator.integers(1, 60, generator.integers(2, 9)) for _ in range(80)]
    text = np.concatenate([words[i] for i in generator.integers(0, 80, 20_000)])
    for dtype in SYMBOLS:
        linear = suffix_array(text.astype(dtype) - 1, 60)
        assert (suffix_array(text.astype(dtype), 61, None, None, pool) == linear).all()


def fibonacci(least):
    """A word in which all parts repeat, as far as a text can."""
    one, other = [1], [1, 2]
    while len(other) < least:
        one, other = other, other + one
    return other


REPETITIVE = {
    "copies": lambda: np.tile(np.random.default_rng(1).integers(1, 200, 5000), 40),
    "copies that differ": lambda: np.concatenate(
        [np.random.default_rng(1).integers(1, 200, 5000)[n:] for n in range(0, 400, 10)]
    ),
    "one line": lambda: np.tile([1, 2, 3, 2, 1, 4], 30_000),
    "one symbol": lambda: np.ones(100_000),
    "two symbols": lambda: np.tile([2, 1], 50_000),
    "a word of Fibonacci": lambda: np.array(fibonacci(100_000)),
    "long runs": lambda: np.repeat(np.random.default_rng(2).integers(1, 4, 200), 500),
}


@pytest.mark.parametrize("kind", REPETITIVE)
@pytest.mark.parametrize("threads", [True, False])
@pytest.mark.parametrize("dtype", SYMBOLS)
def test_repetitive_texts(pool, kind, threads, dtype):
    """By names of names; a text with a symbol 0 is sorted in the other way."""
    text = REPETITIVE[kind]().astype(dtype)
    found = suffix_array(text, 201, None, None, pool if threads else None)
    assert (found == suffix_array(text - 1, 200)).all()


@pytest.mark.parametrize(
    "text",
    [np.tile(np.random.default_rng(1).integers(1, 200, 50_000), 40), np.array(fibonacci(2_000_000))],
    ids=["copies", "a word of Fibonacci"],
)
def test_the_work_on_repetitive_text_is_linear(text):
    """By the steps that are counted, which are rounded up to 65,536 in each pass."""
    steps = np.zeros(1, dtype=np.int64)
    suffix_array(text.astype(np.uint16), 201, None, steps)
    assert 4 * len(text) <= steps[0] <= 9 * len(text)


def test_packed_pointers():
    positions = np.array([0, 1, 300], dtype=np.int32)
    out = np.empty(9, dtype=np.uint8)
    pack_pointers(positions, 2, out, 3)
    assert out.tobytes() == b"".join((2 * p).to_bytes(3, "little") for p in positions.tolist())
    with pytest.raises(ValueError, match="room"):
        pack_pointers(positions, 2, out, 4)


@pytest.mark.parametrize("text", [[], [0], [1, 0], [0, 0], [0, 1, 0, 1, 0]])
def test_tiny(text):
    assert suffix_array(np.array(text, dtype=np.uint8), 2).tolist() == naive(text)


def test_long_runs_are_linear():
    """A text of one repeated symbol, for which naive comparison would need n² steps."""
    order = suffix_array(np.zeros(2_000_000, dtype=np.uint16), 1)
    assert order[0] == 1_999_999
    assert (np.diff(order) == -1).all()


def test_symbols_outside_of_the_alphabet_are_refused():
    with pytest.raises(ValueError, match="alphabet"):
        suffix_array(np.array([0, 3], dtype=np.uint8), 3)
    with pytest.raises(ValueError, match="at least 0"):
        suffix_array(np.array([0, -1], dtype=np.int32), 3)


@pytest.mark.parametrize("smallest", [0, 1], ids=["induced", "compared"])
def test_stop_flag_ends_the_sort(smallest):
    text = np.random.default_rng(1).integers(smallest, 4, 8_000_000).astype(np.uint8)
    stop, progress = np.zeros(1, dtype=np.uint8), np.zeros(1, dtype=np.int64)
    caught = []

    def work():
        try:
            suffix_array(text, 4, stop, progress)
        except Stopped as error:
            caught.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    if smallest == 0:
        while progress[0] == 0:
            pass
    stop[0] = 1
    thread.join(5)
    assert caught


def test_stopping_while_threads_are_at_work():
    """At many moments of a sort; memory that other threads still use must outlive the call."""
    text = np.random.default_rng(2).integers(1, 300, 1_500_000).astype(np.uint16)
    ended = []
    for wait in np.linspace(0.0, 0.3, 25):
        stop = np.zeros(1, dtype=np.uint8)
        timer = threading.Timer(wait, stop.__setitem__, (0, 1))
        timer.start()
        with ThreadPoolExecutor(3) as pool:
            try:
                suffix_array(text, 300, stop, None, pool)
                ended.append("sorted")
            except Stopped:
                ended.append("stopped")
        timer.cancel()
        timer.join()
    assert "stopped" in ended
