"""All n-grams of an index, counted in one walk, against plain counting."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import twin
from hypothesis import given, settings
from hypothesis import strategies as st
from list_backend import Contents, ListBackend

from explorer import open_index
from explorer.backends.local.lists import lists as shard_lists
from explorer.backends.local.lists.lists import ShardLists
from explorer.backends.local.shard_set import ShardSet
from explorer.backends.local.subtracting.subtract import Subtraction
from explorer.backends.protocol.protocol import GrowthRule, NgramRule
from explorer.core.jobs import CancelToken
from explorer.errors import Cancelled, CapabilityError, DamagedIndexError, QueryError
from explorer.index import lcp

WIDTHS = {1: [1, 2, 250], 2: [1, 2, 258], 4: [1, 2, 70000]}
DOCUMENTS = st.lists(st.integers(0, 2), max_size=12)
VOLUMES = st.lists(st.lists(DOCUMENTS, min_size=1, max_size=4), min_size=1, max_size=3)


@st.composite
def rules(draw, width):
    first = draw(st.integers(1, 3))
    needle = tuple(WIDTHS[width][each] for each in draw(st.lists(st.integers(0, 2), max_size=2)))
    begins = draw(st.booleans())
    last = draw(st.integers(max(first, len(needle)), 8))
    return NgramRule(
        first,
        last,
        top=draw(st.none() | st.integers(1, 4)),
        min_count=draw(st.integers(1, 3)),
        min_documents=draw(st.integers(1, 2)),
        begins=needle if begins else (),
        contains=() if begins else needle,
        documents=draw(st.booleans()),
        stop=frozenset(WIDTHS[width][each] for each in draw(st.lists(st.integers(0, 2), max_size=2))),
    )


def in_order(pieces):
    """Ids, counts and documents of all rows that came in pieces."""
    some = list(pieces)
    documents = [None if each.documents is None else each.documents.tolist() for each in some]
    return [
        row
        for each, homes in zip(some, documents, strict=True)
        for row in zip(each.ids.tolist(), each.counts.tolist(), homes or [None] * len(each.ids), strict=True)
    ]


def opened(folder, volumes, width, minus=(), reversed_text=False):
    version = 5 if reversed_text else 4
    path = twin.write_index(Path(folder) / f"v{version}", volumes, width, version=version)
    less = twin.write_index(Path(folder) / "minus", [list(minus)], width, version=version) if minus else None
    return open_index(path, minus=less, check_fit=False, reversed_text=reversed_text).index


@given(st.lists(st.integers(0, 2), max_size=30), st.integers(1, 3), st.frozensets(st.integers(0, 2), max_size=2))
def test_rows_without_some_tokens_are_looked_for_until_there_are_enough(document, top, stop):
    rule = NgramRule(1, 3, top=top, stop=stop)
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(shard_lists, "_DEEP", 1)
        patch.setattr(shard_lists, "_DEEPER", 2)
        found = opened(folder, [[document]], 1).lists.ngrams(rule)
    assert found == ListBackend(Contents([[document]], [{}], 255)).lists.ngrams(rule)


@given(st.data(), st.sampled_from([1, 2, 4]), VOLUMES)
def test_ngrams_are_those_of_plain_counting(data, width, drawn):
    volumes = [[[WIDTHS[width][each] for each in document] for document in volume] for volume in drawn]
    documents = [document for volume in volumes for document in volume]
    rule = data.draw(rules(width))
    lists = ListBackend(Contents(volumes, [{}] * len(documents), (1 << 8 * width) - 1))
    minus = []
    if len(documents) > 1 and data.draw(st.booleans()):
        minus = [each for each in documents if each == documents[0]]
        lists = lists.without([0])
    with tempfile.TemporaryDirectory() as folder:
        index = opened(folder, volumes, width, minus)
        assert index.lists.ngrams(rule) == lists.lists.ngrams(rule)
        one = replace(rule, min_n=rule.max_n, top=None)
        assert in_order(index.lists.ngram_rows(one)) == in_order(lists.lists.ngram_rows(one))


@given(st.data(), st.sampled_from([1, 2, 4]), DOCUMENTS, DOCUMENTS)
def test_ngrams_from_common_prefixes_are_those_of_plain_counting(data, width, first, second):
    documents = [[WIDTHS[width][each] for each in document] for document in (first, second, [0], first)]
    rule = data.draw(rules(width).filter(lambda rule: not rule.begins and not rule.contains))
    lists = ListBackend(Contents([documents], [{}] * 4, (1 << 8 * width) - 1))
    # Hypothesis has no fixtures per example.
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(lcp, "SMALLEST", 0)
        patch.setenv("CORPUS_EXPLORER_CACHE", folder)
        assert opened(folder, [documents], width).lists.ngrams(rule) == lists.lists.ngrams(rule)
        assert list(Path(folder).glob("*.lcp"))


def rows(found):
    documents = [None] * len(found.ids) if found.documents is None else found.documents.tolist()
    return sorted(zip(map(tuple, found.ids.tolist()), found.counts.tolist(), documents, strict=True))


@given(st.data(), VOLUMES)
@settings(max_examples=20)
def test_a_reversed_index_has_the_same_ngrams(data, volumes):
    rule = data.draw(rules(1).filter(lambda rule: rule.top is None))
    volumes = [[[WIDTHS[1][each] for each in document] for document in volume] for volume in volumes]
    with tempfile.TemporaryDirectory() as folder:
        forward = opened(folder, volumes, 1).lists.ngrams(rule)
        backward = opened(folder, volumes, 1, reversed_text=True).lists.ngrams(rule)
    for one, other in zip(forward, backward, strict=True):
        assert (one.total, one.types, one.hapaxes, rows(one)) == (other.total, other.types, other.hapaxes, rows(other))


def test_indexes_of_both_directions_are_refused(tmp_path):
    shards = [*opened(tmp_path, [[[1, 2]]], 1).shards, *opened(tmp_path, [[[1, 2]]], 1, reversed_text=True).shards]
    with pytest.raises(CapabilityError, match="different directions"):
        ShardLists(ShardSet(shards, Subtraction())).ngrams(NgramRule(1, 2))


def test_counting_can_be_cancelled_and_reports(tmp_path):
    index = opened(tmp_path, [[[1, 2, 1]]], 1)
    cancel = CancelToken()
    seen = []
    index.lists.ngrams(NgramRule(1, 2), report=seen.append, cancel=cancel)
    assert {(each.done, each.total) for each in seen} >= {(0, 4)}
    cancel.cancel()
    with pytest.raises(Cancelled):
        index.lists.ngrams(NgramRule(1, 2), cancel=cancel)


def test_too_long_ngrams_are_refused(tmp_path):
    with pytest.raises(QueryError, match="1 to 64 tokens"):
        opened(tmp_path, [[[1, 2]]], 1).lists.ngrams(NgramRule(1, 65))


def test_a_damaged_table_is_an_error_and_no_answer(tmp_path):
    path = twin.write_index(tmp_path / "index", [[[1, 2] * 2000]], 2)
    table = np.fromfile(path / "table.0", dtype=np.uint8)
    index = open_index(path, check_fit=False).index
    changed = path / "table.0"
    width = len(table) // index.token_count
    table[1000 * width : 1001 * width] = 255
    with open(changed, "r+b") as file:
        file.write(table.tobytes())
    with pytest.raises(DamagedIndexError, match="does not point to a token"):
        index.lists.ngrams(NgramRule(1, 2))


def test_rows_that_come_a_few_at_a_time_are_all_rows(tmp_path, monkeypatch):
    monkeypatch.setattr(shard_lists, "_RANKS", 2)
    monkeypatch.setattr(shard_lists, "_ROWS", 3)
    index = opened(tmp_path, [[[1, 2, 1, 2, 7, 5, 9], [2, 7, 1, 4, 4, 4]], [[9, 8, 1, 2]]], 1)
    rule = NgramRule(2, 2)
    [whole] = index.lists.ngrams(rule)
    pieces = list(index.lists.ngram_rows(rule))
    assert len(pieces) > 2 and max(len(piece.ids) for piece in pieces) <= 3
    assert in_order(pieces) == in_order([whole])


def test_rows_can_be_cancelled_between_pieces(tmp_path, monkeypatch):
    monkeypatch.setattr(shard_lists, "_ROWS", 1)
    cancel = CancelToken()
    rows = opened(tmp_path, [[[1, 2, 1, 3]]], 1).lists.ngram_rows(NgramRule(1, 1), cancel=cancel)
    assert next(rows).counts.tolist() == [2]
    cancel.cancel()
    with pytest.raises(Cancelled):
        list(rows)


@given(st.data(), st.sampled_from([1, 2, 4]), VOLUMES, st.booleans())
def test_shared_prefixes_and_growth_are_those_of_plain_comparison(data, width, drawn, reversed_text):
    volumes = [[[WIDTHS[width][each] for each in document] for document in volume] for volume in drawn]
    least = data.draw(st.integers(1, 3))
    rule = GrowthRule(first := data.draw(st.integers(1, 3)), data.draw(st.integers(first, 6)), least, 4)
    lists = ListBackend(Contents(volumes, [{}] * sum(map(len, volumes)), (1 << 8 * width) - 1)).lists
    with tempfile.TemporaryDirectory() as folder:
        found = opened(folder, volumes, width, reversed_text=reversed_text).lists
        np.testing.assert_array_equal(found.shared_prefixes(), lists.shared_prefixes())
        grown = lists.growth(rule)
        for name in ("documents", "tokens", "ngrams"):
            np.testing.assert_array_equal(getattr(found.growth(rule), name), getattr(grown, name))


def test_shared_prefixes_of_several_shards_go_beyond_a_comparison_at_once(tmp_path):
    long = [1, 2, 7] * 300
    volumes = [[long, [1, 2]], [[5, *long], [9]], [long[1:], long]]
    lists = ListBackend(Contents(volumes, [{}] * 6, 255)).lists
    index = opened(tmp_path, volumes, 1)
    np.testing.assert_array_equal(index.lists.shared_prefixes(), lists.shared_prefixes())
    assert index.lists.shared_prefixes()[900] == 2


def test_distinct_ngrams_of_a_difference_are_refused(tmp_path):
    index = opened(tmp_path, [[[1, 2], [3]]], 1, minus=[[1, 2]])
    with pytest.raises(CapabilityError, match="whole indexes only"):
        index.lists.shared_prefixes()
    with pytest.raises(CapabilityError, match="whole indexes only"):
        index.lists.growth(GrowthRule(1, 2, 1, 2))
