"""Queries side by side."""

from __future__ import annotations

import math

import pytest

from explorer import build_index, open_index
from explorer.analyses.compare.compare import compare, log_ratio


@pytest.fixture(scope="module")
def two(tmp_path_factory):
    folder = tmp_path_factory.mktemp("compare")
    for name, text in (("one", "a a b"), ("two", "a b b b b b b b b")):
        (folder / f"{name}.txt").write_text(text)
        build_index(folder / f"{name}.txt", folder / name, tokenizer="bytes")
    return [open_index(folder / name).index for name in ("one", "two")]


def test_between_indexes(two):
    result = compare(two, ["a", "b"])
    assert result.by_index and result.indexes == ("one", "two")
    assert [[cell.count for cell in row] for row in result.cells] == [[2, 1], [1, 8]]
    sizes = [index.token_count for index in two]
    assert result.cells[1][1].log_ratio == pytest.approx(math.log2((8 / sizes[1]) / (1 / sizes[0])))
    assert [row[0].log_ratio for row in result.cells] == [None, None]


def test_between_queries(two):
    result = compare(two[:1], ["a", "b", "zz"])
    assert not result.by_index
    assert [row[0].log_ratio for row in result.cells] == [None, -1.0, -2.0]


def test_a_wrong_query_spoils_no_other(two):
    result = compare(two, ["a AND", "b"])
    assert "nothing after AND" in result.cells[0][0].error
    assert result.cells[1][0].count == 1
    assert compare(two[:1], ["a AND", "b"]).cells[1][0].log_ratio is None


def test_ratios():
    assert log_ratio(4, 100, 1, 100) == 2
    assert log_ratio(0, 100, 1, 100) == -1
