"""The longest match elsewhere and the longest earlier one, from every token, against comparing all places."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import pytest
import twin
from hypothesis import given, settings
from hypothesis import strategies as st
from list_backend import Contents, ListBackend

import _fastsa
from explorer import build_index, open_index
from explorer.backends import repeat_profile
from explorer.errors import Cancelled, CapabilityError, QueryError
from explorer.jobs import CancelToken

WIDTHS = {1: [1, 2, 250], 2: [1, 2, 258], 4: [1, 2, 70000]}
DOCUMENTS = st.lists(st.integers(0, 2), max_size=14)
VOLUMES = st.lists(st.lists(DOCUMENTS, min_size=1, max_size=4), min_size=1, max_size=3)


def opened(folder, volumes, width, version=4):
    path = twin.write_index(Path(folder) / "index", volumes, width, version=version)
    return open_index(path, check_fit=False, reversed_text=version == 5).index


def lists(volumes, width):
    count = sum(map(len, volumes))
    return ListBackend(Contents(volumes, [{}] * count, (1 << 8 * width) - 1))


def lengths(profile):
    rows = zip(profile.documents, profile.offsets, profile.elsewhere, profile.earlier, strict=True)
    return [tuple(map(int, row)) for row in rows]


def check_sources(index, profile):
    """What a row refers to is earlier, and has as many tokens in common."""
    for row in np.flatnonzero(profile.sources >= 0).tolist():
        source, size = int(profile.sources[row]), int(profile.earlier[row])
        assert source < row
        shift = 1 - size if profile.to_left else 0
        starts = profile.offsets[[row, source]] + shift
        one, other = index.documents.windows(profile.documents[[row, source]], starts, starts + size)
        assert len(one) == size
        assert one.tolist() == other.tolist()
    assert ((profile.sources < 0) == (profile.earlier < profile.least)).all()


@given(st.sampled_from([1, 2, 4]), VOLUMES, st.integers(1, 4))
@settings(max_examples=100, deadline=None)
def test_a_profile_is_that_of_comparing_all_places(width, drawn, least):
    volumes = [[[WIDTHS[width][each] for each in document] for document in volume] for volume in drawn]
    with tempfile.TemporaryDirectory() as folder:
        index = opened(folder, volumes, width)
        made, slow = index.lists.repeat_profile(least), lists(volumes, width).lists.repeat_profile(least)
        assert lengths(made) == lengths(slow)
        assert np.array_equal(made.spectrum, slow.spectrum)
        check_sources(index, made)


@given(VOLUMES, st.integers(1, 4))
@settings(max_examples=60, deadline=None)
def test_texts_that_are_stored_backwards(drawn, least):
    volumes = [[[WIDTHS[2][each] for each in document] for document in volume] for volume in drawn]
    mirrored = [[document[::-1] for document in volume] for volume in volumes]
    with tempfile.TemporaryDirectory() as folder:
        index = opened(folder, volumes, 2, version=5)
        made = index.lists.repeat_profile(least)
        check_sources(index, made)
        assert made.to_left == bool(len(volumes))
    # A match to the left of a token is one to the right of it in the mirrored text.
    slow = lists(mirrored, 2).lists.repeat_profile(least)
    sizes = [len(document) for volume in volumes for document in volume]
    rows = sorted((number, sizes[number] - 1 - at, longest) for number, at, longest, _ in lengths(slow))
    assert [row[:3] for row in lengths(made)] == rows


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
    with pytest.raises(ValueError, match="every suffix"):
        _fastsa.ProfileWalk(1).feed(np.zeros(2, np.int64), np.zeros(1, np.uint16))
