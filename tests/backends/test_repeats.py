"""Repeated passages of an index against a search for every one of them."""

from __future__ import annotations

import tempfile
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
import twin
from hypothesis import given
from hypothesis import strategies as st
from list_backend import Contents, ListBackend

import _fastsa
from explorer import open_index
from explorer.core.jobs import CancelToken
from explorer.errors import Cancelled, CapabilityError, QueryError

WIDTHS = {1: [1, 2, 250, 3, 4], 2: [1, 2, 258, 3, 4], 4: [1, 2, 70000, 3, 4]}
# Blocks make texts that repeat long passages, and themselves.
BLOCKS = [[0], [1], [0, 1], [2, 2, 2, 2], [0, 1, 2, 3, 4, 0, 1], [3, 1, 2]]
DOCUMENTS = st.lists(st.integers(0, len(BLOCKS) - 1), max_size=7).map(
    lambda blocks: [symbol for block in blocks for symbol in BLOCKS[block]]
)
VOLUMES = st.lists(st.lists(DOCUMENTS, min_size=1, max_size=4), min_size=1, max_size=3)


def opened(folder, volumes, width, version=4, minus=None):
    path = twin.write_index(Path(folder) / "index", volumes, width, version=version)
    less = twin.write_index(Path(folder) / "minus", minus, width, version=version) if minus else None
    return open_index(path, minus=less, check_fit=False, reversed_text=version == 5).index


def passages(index, least):
    """What was found: tokens, count and whether occurrences overlap, as often as each was reported."""
    found = Counter()
    for piece in index.lists.repeats(least):
        texts = index.documents.windows(piece.documents, piece.offsets, piece.offsets + piece.lengths)
        rows = zip(texts, piece.lengths.tolist(), piece.counts.tolist(), piece.overlapping.tolist(), strict=True)
        for text, length, count, overlapping in rows:
            # The place is one where the whole passage occurs.
            assert len(text) == length
            found[(tuple(text.tolist()), count, overlapping)] += 1
    return found


def stretches(index, least):
    return {
        row
        for piece in index.lists.repeats(least)
        for row in zip(
            piece.runs.documents.tolist(),
            piece.runs.starts.tolist(),
            piece.runs.ends.tolist(),
            piece.runs.periods.tolist(),
            strict=True,
        )
    }


@given(st.sampled_from([1, 2, 4]), st.sampled_from([4, 5]), VOLUMES, st.integers(1, 6))
def test_repeats_are_those_of_a_search_for_each(width, version, drawn, least):
    volumes = [[[WIDTHS[width][each] for each in document] for document in volume] for volume in drawn]
    count = sum(map(len, volumes))
    lists = ListBackend(Contents(volumes, [{}] * count, (1 << 8 * width) - 1))
    with tempfile.TemporaryDirectory() as folder:
        index = opened(folder, volumes, width, version)
        assert passages(index, least) == passages(lists, least)
        found, every = stretches(index, least), stretches(lists, least)
    assert found <= every
    assert {run for run in every if run[3] < least} <= found


def test_a_text_of_one_token_is_one_stretch(tmp_path):
    index = opened(tmp_path, [[[7] * 1000, [8]]], 1)
    assert stretches(index, 50) == {(0, 0, 1000, 1)}
    found = passages(index, 50)
    assert len(found) == 950
    assert found[((7,) * 999, 2, True)] == 1


def test_equal_documents_are_a_repeat(tmp_path):
    index = opened(tmp_path, [[[1, 2, 3], [5]], [[1, 2, 3]]], 2)
    assert passages(index, 1) == {((1, 2, 3), 2, False): 1}


def test_lengths_out_of_range_are_refused(tmp_path):
    index = opened(tmp_path, [[[1, 2]]], 1)
    for least in (0, 1 << 16):
        with pytest.raises(QueryError, match="at least 1 to"):
            next(index.lists.repeats(least))


def test_subtracted_indexes_have_no_repeats_of_their_own(tmp_path):
    index = opened(tmp_path, [[[1, 2], [3]]], 1, minus=[[[3]]])
    with pytest.raises(CapabilityError):
        next(index.lists.repeats(1))


def test_a_search_for_repeats_stops(tmp_path):
    index = opened(tmp_path, [[[1, 2] * 50]], 1)
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        list(index.lists.repeats(1, cancel=token))


def test_the_engine_checks_what_it_is_fed():
    with pytest.raises(ValueError, match="least"):
        _fastsa.RepeatWalk(0)
    walk = _fastsa.RepeatWalk(1)
    with pytest.raises(ValueError, match="every suffix"):
        walk.feed(np.zeros(2, np.int64), np.zeros(1, np.uint16), np.zeros(2, np.int64))
    with pytest.raises(_fastsa.Stopped):
        walk.feed(np.zeros(2, np.int64), np.zeros(2, np.uint16), np.zeros(2, np.int64), np.ones(1, np.uint8))
