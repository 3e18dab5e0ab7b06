"""What neighboring suffixes share, against plain comparison; its file in the cache."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import pytest
import twin
from hypothesis import given, settings
from hypothesis import strategies as st

import _fastsa
from explorer import open_index
from explorer.backends.protocol.protocol import NgramRule
from explorer.core.files.paths import cache_folder
from explorer.core.jobs import CancelToken
from explorer.errors import Cancelled, DamagedIndexError
from explorer.index import lcp

WIDTHS = {1: [1, 2, 250], 2: [1, 2, 258], 4: [1, 2, 70000]}
DOCUMENTS = st.lists(st.lists(st.integers(0, 2), max_size=12), min_size=1, max_size=6)


def shard_of(folder, documents, width=2, version=4):
    path = twin.write_index(Path(folder) / f"v{version}", [documents], width, version=version)
    return open_index(path, check_fit=False, reversed_text=version == 5).index.shards[0]


def compared(shard):
    """By plain comparison: the length and the room of each rank."""
    text = shard.tokens.tolist()
    positions = shard.positions(np.arange(len(text), dtype=np.int64)).tolist()
    rooms = [[*text[at:], shard.separator].index(shard.separator) for at in positions]
    lengths = [0] * len(text)
    for rank in range(1, len(text)):
        one, other = positions[rank - 1], positions[rank]
        while lengths[rank] < rooms[rank] and text[one + lengths[rank] :][:1] == [text[other + lengths[rank]]]:
            lengths[rank] += 1
    return lengths, rooms


@given(st.sampled_from([1, 2, 4]), st.sampled_from([4, 5]), DOCUMENTS, st.integers(1, 90))
def test_lengths_are_those_of_plain_comparison(width, version, drawn, block):
    documents = [[WIDTHS[width][each] for each in document] for document in drawn]
    with tempfile.TemporaryDirectory() as folder:
        shard = shard_of(folder, documents, width, version)
        made = lcp.make_lcp(shard, block)
        assert (made.lengths.tolist(), made.rooms.tolist()) == compared(shard)


@given(DOCUMENTS, st.integers(1, 90), st.integers(1, 40))
@settings(max_examples=20)
def test_places_of_eight_bytes_give_the_same_in_any_steps(documents, block, steps):
    with tempfile.TemporaryDirectory() as folder:
        shard = shard_of(folder, [[each + 1 for each in document] for document in documents])
        expected = lcp.make_lcp(shard)
        size = shard.token_count
        lengths, rooms = np.zeros(size, dtype=np.uint16), np.zeros(size, dtype=np.uint8)
        made = _fastsa.LcpPass(shard.engine, shard.separator, lengths, rooms, block, 8)
        while made.done < made.total:
            made.advance(steps)
        assert (lengths.tolist(), rooms.tolist()) == (expected.lengths.tolist(), expected.rooms.tolist())


def test_long_repeats_are_saturated():
    size = 66_000
    table = np.arange(size - 1, -1, -1, dtype="<u4").view(np.uint8)
    lengths, rooms = np.zeros(size, dtype=np.uint16), np.zeros(size, dtype=np.uint8)
    # The suffixes of a run are in the order of their lengths: each is all of the one before, and a token more.
    made = _fastsa.LcpPass(_fastsa.Shard(np.ones(size, dtype=np.uint8), table, 1, 4), 255, lengths, rooms, size, 4)
    made.advance(made.total)
    assert lengths.tolist() == [min(each, lcp.LONGEST) for each in range(size)]
    assert rooms.tolist() == [min(each + 1, lcp.LARGEST_ROOM) for each in range(size)]


@pytest.fixture
def lists(tmp_path, monkeypatch):
    monkeypatch.setattr(lcp, "SMALLEST", 0)
    path = twin.write_index(tmp_path / "index", [[[1, 2, 3, 1, 2], [1, 2, 3]]], 2)
    return lambda: open_index(path, check_fit=False).index


def cached():
    return sorted(cache_folder().glob("*.lcp"))


def test_it_is_kept_checked_and_made_again(lists, tmp_path, monkeypatch, caplog):
    monkeypatch.setenv("CORPUS_EXPLORER_CACHE", str(tmp_path / "cache"))
    rule = NgramRule(1, 3)
    expected = lists().lists.ngrams(rule)
    [path] = cached()
    data = path.read_bytes()
    # From the file: nothing can be made.
    monkeypatch.setattr(lcp, "make_lcp", None)
    assert lists().lists.ngrams(rule) == expected
    monkeypatch.undo()
    monkeypatch.setattr(lcp, "SMALLEST", 0)
    monkeypatch.setenv("CORPUS_EXPLORER_CACHE", str(tmp_path / "cache"))
    for damaged in (data[:40] + b"\x09" + data[41:], data[:-1], b"", b"\0" * 32 + data[32:]):
        path.write_bytes(damaged)
        assert lists().lists.ngrams(rule) == expected
        assert path.read_bytes() == data
    assert "is damaged" in caplog.text


def test_a_cancelled_pass_leaves_nothing(lists, tmp_path, monkeypatch):
    monkeypatch.setenv("CORPUS_EXPLORER_CACHE", str(tmp_path / "cache"))
    cancel = CancelToken()
    cancel.cancel()
    with pytest.raises(Cancelled):
        lists().lists.ngrams(NgramRule(1, 2), cancel=cancel)
    assert not list(cache_folder().glob("*.lcp*"))


def test_a_pass_that_is_cancelled_half_way_leaves_nothing(lists, tmp_path, monkeypatch):
    monkeypatch.setenv("CORPUS_EXPLORER_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(lcp, "_STEPS", 2)
    cancel = CancelToken()
    parts = []

    def report(progress):
        if progress.done:
            parts[:] = cache_folder().glob("*.lcp.*.part")
            cancel.cancel()

    with pytest.raises(Cancelled):
        lists().lists.ngrams(NgramRule(1, 2), report, cancel)
    # It was written into a file, which is gone.
    assert len(parts) == 1
    assert not list(cache_folder().glob("*.lcp*"))


def test_a_cache_that_cannot_be_written_costs_memory_only(lists, tmp_path, monkeypatch, caplog):
    def refuse(*_):
        raise OSError("No space left on device")

    expected = lists().lists.ngrams(NgramRule(1, 3))
    monkeypatch.setenv("CORPUS_EXPLORER_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(lcp, "mmap", refuse)
    with caplog.at_level("INFO"):
        assert lists().lists.ngrams(NgramRule(1, 3)) == expected
    assert "is not kept" in caplog.text
    assert not list(cache_folder().glob("*.lcp*"))


def test_a_damaged_table_has_no_lengths(tmp_path):
    path = twin.write_index(tmp_path / "index", [[[1, 2] * 2000]], 2)
    shard = open_index(path, check_fit=False).index.shards[0]
    table = np.fromfile(path / "table.0", dtype=np.uint8)
    table[2000 : 2000 + shard.widths.pointer] = 255
    with open(path / "table.0", "r+b") as file:
        file.write(table.tobytes())
    with pytest.raises(DamagedIndexError):
        lcp.make_lcp(shard)


@given(st.sampled_from([1, 2, 4]), DOCUMENTS, st.integers(1, 40))
@settings(max_examples=20)
def test_in_the_order_of_the_text_lengths_are_those_of_the_ranks(width, drawn, block):
    with tempfile.TemporaryDirectory() as folder:
        shard = shard_of(folder, [[WIDTHS[width][each] for each in document] for document in drawn], width)
        made = lcp.make_lcp(shard)
        found = np.zeros(shard.token_count, dtype=np.uint16)
        for first, lengths in lcp.permuted(shard, made, block):
            assert len(lengths) <= block
            found[first : first + len(lengths)] = lengths
        positions = shard.positions(np.arange(shard.token_count, dtype=np.int64))
        assert found[positions].tolist() == made.lengths.tolist()
