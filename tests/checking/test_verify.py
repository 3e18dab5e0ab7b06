"""Verification: sound indexes are called sound, and every damage gets a sentence that names its file."""

from __future__ import annotations

import json
import re
import shutil
import tempfile
from pathlib import Path

import numpy as np
import pytest
import twin
from hypothesis import given
from hypothesis import strategies as st

from explorer import verify_index
from explorer.building.verify import order
from explorer.core.jobs import CancelToken
from explorer.errors import Cancelled


@pytest.fixture
def copy(small_index, tmp_path):
    shutil.copytree(small_index, tmp_path / "copy")
    return tmp_path / "copy"


def problems(folder, deep=True):
    return [finding.problem for finding in verify_index(folder, deep=deep).findings]


@pytest.mark.parametrize("deep", [False, True])
def test_a_sound_index(small_index, byte_index, deep):
    for folder in (small_index, byte_index):
        report = verify_index(folder, deep=deep)
        assert report.sound, report.findings
        assert (report.shards, report.deep) == (1, deep)


@pytest.mark.parametrize("deep", [False, True])
@pytest.mark.parametrize(
    ("key", "value"),
    [(key, value) for key in ("token_count", "document_count", "shard_count") for value in (0, 10**30)]
    + [("token_width", 4)],
)
def test_the_manifest_is_compared_with_the_files(copy, key, value, deep):
    manifest = json.loads((copy / "index.json").read_text(encoding="utf-8"))
    (copy / "index.json").write_text(json.dumps({**manifest, key: value}), encoding="utf-8")
    (problem,) = problems(copy, deep)
    assert re.search(rf"index\.json gives {key} as {value}, but the files contain {manifest[key]:,}", problem)


@pytest.mark.parametrize("deep", [False, True])
@pytest.mark.parametrize("key", ["token_count", "document_count", "shard_count", "token_width"])
@pytest.mark.parametrize("value", [-1, "many", None])
def test_a_manifest_with_an_impossible_value_is_damaged(copy, key, value, deep):
    manifest = json.loads((copy / "index.json").read_text(encoding="utf-8"))
    (copy / "index.json").write_text(json.dumps({**manifest, key: value}), encoding="utf-8")
    (problem,) = problems(copy, deep)
    assert f"index.json cannot be read ({key} cannot be {json.dumps(value)})" in problem


def test_a_tokenized_file_that_lost_its_end(copy):
    """As after a build that went on with what a power failure had left: the sizes fit, and tokens are missing."""
    manifest = json.loads((copy / "index.json").read_text(encoding="utf-8"))
    text = np.fromfile(copy / "tokenized.0", dtype="<u2")[:-7]
    text.tofile(copy / "tokenized.0")
    width = twin.pointer_width(2 * len(text))
    entries = [(2 * i).to_bytes(width, "little") for i in twin.suffix_order(text.tolist(), 2)]
    (copy / "table.0").write_bytes(b"".join(entries))
    manifest["files"] = {path.name: path.stat().st_size for path in copy.iterdir() if path.name != "index.json"}
    (copy / "index.json").write_text(json.dumps(manifest), encoding="utf-8")
    (problem,) = problems(copy)
    assert f"token_count as {manifest['token_count']}, but the files contain {len(text):,}" in problem


def damaged(copy, name, change):
    data = bytearray((copy / name).read_bytes())
    change(data)
    (copy / name).write_bytes(data)
    return problems(copy)


def test_damages_of_every_file_at_once(copy):
    """Each file's damage has its own sentence; one does not hide another."""

    def exchange(data):
        data[10:12], data[200:202] = data[200:202], data[10:12]

    manifest = json.loads((copy / "index.json").read_text(encoding="utf-8"))
    (copy / "index.json").write_text(json.dumps({**manifest, "token_count": 5}), encoding="utf-8")
    damaged(copy, "table.0", exchange)
    (problem,) = problems(copy)[1:]
    assert "table.0 is not" in problem
    (copy / "metadata.0").write_bytes((copy / "metadata.0").read_bytes().replace(b"}", b"]"))
    first, second, third = problems(copy)
    assert "index.json" in first and "table.0" in second and "metadata.0" in third


@given(
    st.lists(st.lists(st.sampled_from([0, 1, 2, 255, 256, 65_534]), max_size=12), min_size=1, max_size=4),
    st.sampled_from([(1, 4), (2, 4), (4, 4), (2, 5), (4, 5), (2, 6)]),
    st.data(),
)
def test_any_change_of_the_table_is_found(documents, layout, data):
    width, version = layout
    if width == 1:
        # Without a tokenizer such tokens are bytes of a text.
        documents = [[97 + token % 5 for token in document] for document in documents]
    with tempfile.TemporaryDirectory() as folder:
        path = twin.write_index(Path(folder) / "x", [documents], width, version)
        table = path / ("table" if version == 6 else "table.0")
        raw = bytearray(table.read_bytes())
        before = bytes(raw)
        for _ in range(data.draw(st.integers(0, 2))):
            raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(st.integers(0, 255))
        table.write_bytes(raw)
        found = [problem for problem in problems(path) if "tokenizer.json" not in problem]
        assert bool(found) == (bytes(raw) != before)
        assert all("table" in problem and "byte" in problem for problem in found)


def test_four_byte_tokens_of_every_size(tmp_path):
    """Ids beyond those that have a place in an array, and such as differ in one byte only."""
    ids = [0, 1, 2**20 - 1, 2**20, 2**20 + 1, 2**24, 2**31, 2**32 - 2, 256, 65_536]
    folder = twin.write_index(tmp_path / "x", [[ids, ids[::-1], ids * 3]], 4)
    assert problems(folder)[:-1] == []
    raw = bytearray((folder / "table.0").read_bytes())
    raw[8:9], raw[9:10] = raw[9:10], raw[8:9]
    (folder / "table.0").write_bytes(raw)
    assert "table.0 is not" in problems(folder)[0]


def test_a_text_of_one_token_a_million_times(tmp_path):
    """Neighbours have half a million tokens in common: comparing them would take days."""
    n = 1 << 20
    folder = twin.write_index(tmp_path / "x", [[[1]]], 1)
    text = np.ones(n, dtype=np.uint8)
    text[0] = 255
    text.tofile(folder / "tokenized.0")
    positions = np.arange(n - 1, -1, -1, dtype="<u4")
    table = np.empty((n, 3), dtype=np.uint8)
    table[:] = positions.view(np.uint8).reshape(-1, 4)[:, :3]
    # The separator is greater than the token, so that the suffix of the whole text comes last as it is.
    table.tofile(folder / "table.0")
    assert problems(folder) == []
    table[[5, 700_000]] = table[[700_000, 5]]
    table.tofile(folder / "table.0")
    assert "table.0 is not" in problems(folder)[0]


def test_the_deep_check_can_be_cancelled_between_any_two_steps(small_index, monkeypatch):
    monkeypatch.setattr(order, "_RANKS", 16)
    monkeypatch.setattr(order, "_TOKENS", 64)
    reports = []
    verify_index(small_index, deep=True, report=reports.append)
    assert len(reports) > 10
    for number in range(len(reports) - 1):
        cancel, seen = CancelToken(), []

        def count(progress, cancel=cancel, seen=seen, number=number):
            seen.append(progress)
            if len(seen) > number:
                cancel.cancel()

        with pytest.raises(Cancelled):
            verify_index(small_index, deep=True, report=count, cancel=cancel)
        # The engine looks at the flag every 256 entries: one short step may still end.
        assert len(seen) <= number + 2
