"""Suffixes of several shards in one order, against a sort of all of them; long texts that shards share."""

from __future__ import annotations

import tempfile
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import twin
from hypothesis import given
from hypothesis import strategies as st

import _fastsa
from explorer import open_index
from explorer.index import lcp

TYPES = {1: "<u1", 2: "<u2", 4: "<u4"}
# Long enough that comparisons look for kept pairs, and repetitive enough that they find them.
BLOCKS = [[1] * 90, [1, 2] * 130, list(range(1, 201)), [3], [2, 2, 1] * 25]
DOCUMENTS = st.lists(st.lists(st.integers(0, len(BLOCKS) - 1), max_size=4), min_size=1, max_size=2)


def shards_of(folder, parts, width=2, version=4):
    path = twin.write_index(Path(folder) / "index", parts, width, version=version)
    return open_index(path, check_fit=False, reversed_text=version == 5).index.shards


def merged(shards):
    made = [lcp.make_lcp(shard) for shard in shards]
    engines = [shard.engine for shard in shards]
    lengths, rooms = [each.lengths for each in made], [each.rooms for each in made]
    return _fastsa.SuffixMerge(engines, lengths, rooms, shards[0].separator)


def taken(merge, piece):
    pieces = []
    while merge.done < merge.total:
        pieces.append(merge.take(piece))
    return [np.concatenate(column).tolist() for column in zip(*pieces, strict=True)]


def sorted_plainly(shards):
    """All suffixes by their bytes up to a separator, and of equal ones in the order of the shards."""
    found = []
    for number, shard in enumerate(shards):
        data, width = shard.tokens.tobytes(), shard.tokens.itemsize
        ends = np.append(np.flatnonzero(shard.tokens == shard.separator), shard.token_count)
        for rank, at in enumerate(shard.positions(np.arange(shard.token_count, dtype=np.int64)).tolist()):
            end = int(ends[np.searchsorted(ends, at)])
            found.append((data[at * width : (end + 1) * width], number, rank, at, end - at))
    found.sort(key=lambda each: each[:3])
    lengths, width = [0], shards[0].tokens.itemsize
    for one, other in pairwise(found):
        size = min(one[4], other[4])
        first, second = (np.frombuffer(each[0], dtype=TYPES[width])[:size] for each in (one, other))
        differ = np.flatnonzero(first != second)
        lengths.append(int(differ[0]) if len(differ) else size)
    saturated = [min(each[4], lcp.LARGEST_ROOM) for each in found]
    return [[each[1] for each in found], [each[3] for each in found], lengths, saturated]


@given(st.sampled_from([1, 2, 4]), st.sampled_from([4, 5]), st.lists(DOCUMENTS, min_size=2, max_size=3))
def test_the_order_is_that_of_a_sort_however_much_shards_share(width, version, drawn):
    parts = [[[token for each in document for token in BLOCKS[each]] for document in part] for part in drawn]
    with tempfile.TemporaryDirectory() as folder:
        shards = shards_of(folder, parts, width, version)
        assert taken(merged(shards), 97) == sorted_plainly(shards)


@pytest.mark.parametrize("copies", [1, 2])
def test_a_long_shared_document_is_compared_once(tmp_path, copies):
    random = np.random.default_rng(1)
    long = random.integers(1, 60_000, 20_000).tolist()
    merge = merged(shards_of(tmp_path, [[long, [5, 6]], [[7], *[long] * copies]]))
    taken(merge, 1 << 20)
    # From each of its tokens on, it would be 200 million.
    assert merge.compared < 200 * merge.total


def ascending_shard(lasts):
    """Texts that are 1, 2, 3 … and a last token, so that the order of all suffixes is known; and their lengths."""
    ends = [[*range(1, lcp.LONGEST + 400), last] for last in lasts]
    values = np.concatenate([[*each, 0xFFFFFFFF] for each in ends])
    # As they are stored, the first byte decides.
    tokens = values.astype(">u4").view(np.uint8)
    # Separators last: that at the end of the text is before those that something follows.
    places = np.arange(len(values))
    table = np.lexsort((np.where(values == 0xFFFFFFFF, -places, places), values))
    shard = _fastsa.Shard(tokens, (4 * table).astype("<u4").view(np.uint8), 4, 4)
    lengths, rooms = np.zeros(len(values), dtype=np.uint16), np.zeros(len(values), dtype=np.uint8)
    made = _fastsa.LcpPass(shard, 0xFFFFFFFF, lengths, rooms, len(values), 4)
    made.advance(made.total)
    return shard, lengths, rooms


def test_texts_longer_than_stored_lengths_keep_their_order():
    # Two of the first shard begin alike for more tokens than a length tells; that of the other is between them.
    shards, lengths, rooms = zip(*(ascending_shard(lasts) for lasts in ((70_001, 70_003), (70_002,))), strict=True)
    which, places, shared, _ = taken(_fastsa.SuffixMerge(shards, lengths, rooms, 0xFFFFFFFF), 1 << 20)
    assert (which[:3], places[:3], shared[:3]) == ([0, 1, 0], [0, 0, lcp.LONGEST + 401], [0, *[lcp.LONGEST] * 2])
