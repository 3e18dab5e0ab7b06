"""The longest match elsewhere and the longest earlier one, from every token, against comparing all places."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import pytest
import twin
from hypothesis import given
from hypothesis import strategies as st
from list_backend import Contents, ListBackend

import _fastsa
from explorer import build_index, open_index
from explorer.backends.copies import copied_ranges
from explorer.backends.local.lists import repeat_profile
from explorer.core.jobs import CancelToken
from explorer.errors import Cancelled, CapabilityError, QueryError

WIDTHS = {1: [1, 2, 250], 2: [1, 2, 258], 4: [1, 2, 70000]}
DOCUMENTS = st.lists(st.integers(0, 2), max_size=14)
VOLUMES = st.lists(st.lists(DOCUMENTS, min_size=1, max_size=4), min_size=1, max_size=3)


def opened(folder, volumes, width, version=4):
    path = twin.write_index(Path(folder) / "index", volumes, width, version=version)
    return open_index(path, check_fit=False, reversed_text=version == 5).index


def lists(volumes, width):
    count = sum(map(len, volumes))
    return ListBackend(Contents(volumes, [{}] * count, (1 << 8 * width) - 1))


def check(index, made, slow, preferred=None):
    """Both have the same spans, and what each is a copy of has the same tokens and comes before."""
    assert np.array_equal(made.firsts, slow.firsts)
    for some, known in ((made.elsewhere, slow.elsewhere), (made.earlier, slow.earlier)):
        assert (some.starts.tolist(), some.ends.tolist()) == (known.starts.tolist(), known.ends.tolist())
        homes, others = (np.searchsorted(made.firsts, each, "right") - 1 for each in (some.starts, some.others))
        for home, start, end, number, other in zip(homes, some.starts, some.ends, others, some.others, strict=True):
            starts = np.array([start - made.firsts[home], other - made.firsts[number]])
            one, two = index.documents.windows(np.array([home, number]), starts, starts + (end - start))
            assert start != other
            assert len(one) == end - start
            assert one.tolist() == two.tolist()
    before = made.earlier
    ranks = np.zeros(len(made.firsts), np.int64) if preferred is None else ~np.append(preferred, False)
    for start, other in zip(before.starts, before.others, strict=True):
        keys = [(ranks[np.searchsorted(made.firsts, place, "right") - 1], place) for place in (other, start)]
        assert keys[0] < keys[1]


@given(st.sampled_from([1, 2, 4]), VOLUMES, st.integers(1, 4), st.randoms())
def test_a_profile_is_that_of_comparing_all_places(width, drawn, least, chance):
    volumes = [[[WIDTHS[width][each] for each in document] for document in volume] for volume in drawn]
    with tempfile.TemporaryDirectory() as folder:
        index = opened(folder, volumes, width)
        made, slow = index.lists.repeat_profile(least), lists(volumes, width).lists.repeat_profile(least)
        check(index, made, slow)
        assert np.array_equal(made.spectrum, slow.spectrum)
        preferred = np.array([chance.random() < 0.5 for volume in volumes for _ in volume])
        made = index.lists.repeat_profile(least, preferred=preferred)
        assert index.lists.repeat_profile(least, preferred=preferred.copy()) is made
        slow = lists(volumes, width).lists.repeat_profile(least, preferred=preferred)
        check(index, made, slow, preferred)
        assert np.array_equal(made.spectrum, slow.spectrum)


@given(VOLUMES, st.integers(1, 4))
def test_texts_that_are_stored_backwards(drawn, least):
    volumes = [[[WIDTHS[2][each] for each in document] for document in volume] for volume in drawn]
    with tempfile.TemporaryDirectory() as folder:
        index = opened(folder, volumes, 2, version=5)
        # What occurs twice does so in either direction.
        check(index, index.lists.repeat_profile(least), lists(volumes, 2).lists.repeat_profile(least))


@pytest.mark.parametrize("period", [1, 3])
def test_matches_beyond_the_longest_that_is_told(tmp_path, period):
    size, other = 150_000, 70_000
    texts = ["abc"[:period] * (size // period), "d" * other, "e" + "d" * other]
    build_index(({"text": text} for text in texts), tmp_path / "index", tokenizer="bytes")
    made = open_index(tmp_path / "index").index.lists.repeat_profile(16)
    # Text that repeats itself is one span, however long it is.
    assert (int(made.earlier.starts[0]), int(made.earlier.ends[0])) == (1 + period, 1 + size)
    assert len(made.earlier) < 6
    cut = copied_ranges(made, 65_535, 1)
    assert cut.starts.tolist() == [period, 1, 1]
    assert cut.ends.tolist() == [size, other, other + 1]
    assert made.spectrum[1, -1] == (size - period - 65_534) + (other - 1 - 65_534) + (other - 65_534)


def test_a_profile_is_kept_and_made_again_if_it_is_damaged(tmp_path, monkeypatch):
    monkeypatch.setattr(repeat_profile, "SMALLEST", 0)
    monkeypatch.setenv("CORPUS_EXPLORER_CACHE", str(tmp_path / "cache"))
    build_index(
        [{"text": "one line of a poem\n" * 3}, {"text": "a line of a poem"}], tmp_path / "index", tokenizer="bytes"
    )

    def profile():
        return open_index(tmp_path / "index").index.lists.repeat_profile(20)

    made = profile()
    [kept] = (tmp_path / "cache").glob("*.repeats")
    data = kept.read_bytes()
    monkeypatch.setattr(_fastsa, "ProfileWalk", None)
    assert profile() == made
    monkeypatch.undo()
    monkeypatch.setattr(repeat_profile, "SMALLEST", 0)
    monkeypatch.setenv("CORPUS_EXPLORER_CACHE", str(tmp_path / "cache"))
    for wrong in (data[:-1], data[:8], data[:-4] + b"\x09\x09\x09\x09", b""):
        kept.write_bytes(wrong)
        assert profile() == made
        assert kept.read_bytes() == data


def test_shorter_lengths_need_another_profile(tmp_path):
    index = opened(tmp_path, [[[1, 2, 3] * 10]], 1)
    assert index.lists.repeat_profile(100).least == 16
    assert index.lists.repeat_profile(3).least == 3
    assert index.lists.repeat_profile(16).least == 3


def test_lengths_out_of_range_are_refused(tmp_path):
    index = opened(tmp_path, [[[1, 2]]], 1)
    for least in (0, 1 << 16):
        with pytest.raises(QueryError, match="at least 1 to"):
            index.lists.repeat_profile(least)


def test_chosen_documents_have_no_profile(tmp_path):
    build_index([{"text": "a b a b", "n": n} for n in range(5)], tmp_path / "index", tokenizer="bytes")
    for condition in ("n>0", "n=1"):
        part = open_index(tmp_path / "index").subset(condition)
        with pytest.raises(CapabilityError):
            part.index.lists.repeat_profile(1)
        with pytest.raises(CapabilityError):
            list(part.index.lists.repeats(1))


def test_the_search_stops(tmp_path):
    index = opened(tmp_path, [[[1, 2] * 50]], 1)
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        index.lists.repeat_profile(1, cancel=token)


def test_the_engine_checks_what_it_is_fed():
    with pytest.raises(ValueError, match="least"):
        _fastsa.ProfileWalk(0)
    two = np.zeros(2, np.int64)
    with pytest.raises(ValueError, match="every suffix"):
        _fastsa.ProfileWalk(1).feed(two, np.zeros(1, np.uint16), np.zeros(2, np.uint8), two)
    with pytest.raises(ValueError, match="outside"):
        walk = _fastsa.ProfileWalk(1, False, np.zeros(1, np.bool_))
        walk.feed(two + 1, np.zeros(2, np.uint16), np.zeros(2, np.uint8), two)
    with pytest.raises(ValueError, match="three columns"):
        _fastsa.longest_spans(np.zeros((1, 2), np.int64))
    with pytest.raises(ValueError, match="an end and a copy"):
        _fastsa.copied_ranges(two, two[:1], None, two, 1, 0)
    with pytest.raises(ValueError, match="in no document"):
        _fastsa.copied_ranges(two, two, None, two, 1, 0)
    with pytest.raises(ValueError, match="at least 1"):
        _fastsa.copied_ranges(two, two, two, two, 0, 0)
    with pytest.raises(ValueError, match="at least 1"):
        _fastsa.first_copies(two, two, two, 0, two)
    with pytest.raises(ValueError, match="circles"):
        _fastsa.first_copies(two[:1], two[:1] + 5, two[:1], 2, two)
