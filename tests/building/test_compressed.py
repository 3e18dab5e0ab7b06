"""Builds of compressed indexes: their files, how they are interrupted, and what they refuse."""

from __future__ import annotations

import json

import numpy as np
import pytest

from explorer.building.estimate.estimate import estimate_build
from explorer.building.run import build_index
from explorer.building.verify.verify import verify_index
from explorer.core.jobs import CancelToken
from explorer.corpus import open_index
from explorer.errors import BuildError, Cancelled, CapabilityError, NotAnIndexError
from explorer.index.fm.blocks import Blocks, BlockWriter, dictionary_of

pytestmark = pytest.mark.local("builds indexes in folders")


def texts(folder, documents=40):
    folder.mkdir()
    for number in range(documents):
        (folder / f"{number:02}.txt").write_text(f"Document {number}: " + "the cat sat on the mat. " * (number + 1))
    return folder


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.name != "report.json"}


def test_files_and_manifest(tmp_path):
    manifest = build_index([texts(tmp_path / "texts")], tmp_path / "index", format="fm")
    assert sorted(manifest.files) == ["fm.0", "lines.0"]
    assert sorted(path.name for path in (tmp_path / "index").iterdir()) == [
        "fm.0",
        "index.json",
        "lines.0",
        "report.json",
    ]
    assert manifest.parameters["format"] == "fm"
    assert manifest.token_width == 1
    assert manifest.tokenizer == "bytes"
    # Forty documents of one sentence are few runs.
    assert manifest.repetition > 10
    assert verify_index(tmp_path / "index", deep=True).sound
    assert open_index(tmp_path / "index").count("the cat sat") == sum(range(1, 41))


def test_other_manifests_have_no_runs(tmp_path):
    build_index([texts(tmp_path / "texts")], tmp_path / "index", tokenizer="bytes")
    assert "runs" not in json.loads((tmp_path / "index" / "index.json").read_text())


def test_equal_builds_are_equal(tmp_path, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    source = texts(tmp_path / "texts")
    for name in ("one", "two"):
        build_index([source], tmp_path / name, format="fm", keep_text=True, shards=3, name="same")
    assert contents(tmp_path / "one") == contents(tmp_path / "two")


def test_the_text_is_kept_on_request(tmp_path):
    source = texts(tmp_path / "texts")
    manifest = build_index([source], tmp_path / "kept", format="fm", keep_text=True, shards=2)
    assert sorted(manifest.files) == ["fm.0", "fm.1", "lines.0", "lines.1", "text.0", "text.1"]
    build_index([source], tmp_path / "small", format="fm", shards=2)
    kept, small = open_index(tmp_path / "kept"), open_index(tmp_path / "small")
    for number in range(40):
        assert kept.document(number).text == small.document(number).text


@pytest.mark.parametrize("stage", ["Tokenizing", "Sorting"])
def test_a_paused_build_continues_with_equal_files(tmp_path, monkeypatch, stage):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    source = texts(tmp_path / "texts")
    build_index([source], tmp_path / "whole", format="fm", shards=4, name="same")
    cancel = CancelToken()

    def report(progress):
        if progress.stage == stage and progress.done > progress.total // 3:
            cancel.pause()

    with pytest.raises(Cancelled):
        build_index([source], tmp_path / "index", format="fm", shards=4, name="same", report=report, cancel=cancel)
    assert not (tmp_path / "index").exists()
    with pytest.raises(NotAnIndexError):
        open_index(tmp_path / "index.partial")
    build_index([source], tmp_path / "index", format="fm", shards=4, name="same", resume=True)
    assert contents(tmp_path / "index") == contents(tmp_path / "whole")


def test_a_cancelled_build_leaves_nothing(tmp_path):
    source = texts(tmp_path / "texts")
    cancel = CancelToken()
    with pytest.raises(Cancelled):
        build_index([source], tmp_path / "index", format="fm", report=lambda _: cancel.cancel(), cancel=cancel)
    assert [path.name for path in tmp_path.iterdir()] == ["texts"]


def test_a_build_of_another_format_is_not_continued(tmp_path):
    source = texts(tmp_path / "texts")
    cancel = CancelToken()
    with pytest.raises(Cancelled):
        build_index([source], tmp_path / "index", format="fm", report=lambda _: cancel.pause(), cancel=cancel)
    with pytest.raises(BuildError) as caught:
        build_index([source], tmp_path / "index", tokenizer="bytes", resume=True)
    assert caught.value.option == "restart"


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"format": "zip"}, "bad-format"),
        ({"format": "fm", "tokenizer": "train:500"}, "format-of-bytes"),
        ({"format": "fm", "tokenizer": "tokenizer.json"}, "format-of-bytes"),
        ({"keep_text": True}, "text-is-kept"),
    ],
)
def test_what_is_refused(tmp_path, options, reason):
    with pytest.raises(BuildError) as caught:
        build_index([texts(tmp_path / "texts")], tmp_path / "index", **options)
    assert caught.value.reason == reason
    assert not (tmp_path / "index.partial").exists()


def test_what_a_compressed_index_cannot_do(tmp_path):
    build_index([texts(tmp_path / "texts")], tmp_path / "index", format="fm")
    corpus = open_index(tmp_path / "index")
    with pytest.raises(CapabilityError):
        corpus.ngrams(2)


def test_estimates_of_all_formats(tmp_path):
    source = texts(tmp_path / "texts")
    for format_ in ("suffix-array", "fm"):
        estimate = estimate_build([source], format=format_, tokenizer="bytes")
        assert [(choice.format, choice.keep_text) for choice in estimate.formats] == [
            ("suffix-array", False),
            ("fm", True),
            ("fm", False),
        ]
        sizes = [choice.disk for choice in estimate.formats]
        assert sizes == sorted(sizes, reverse=True)
        assert estimate.disk == sizes[0 if format_ == "suffix-array" else 2]


def test_blocks_give_back_what_was_written(tmp_path):
    lines = [f"line {number} of many".encode() * (1 + number % 5) + b"\n" for number in range(100_000)]
    (tmp_path / "lines").write_bytes(b"".join(lines))
    dictionary = dictionary_of(tmp_path / "lines")
    assert dictionary
    writer = BlockWriter(tmp_path / "blocks", 3, dictionary)
    for first in range(0, len(lines), 700):
        writer.add(b"".join(lines[first : first + 700]), len(lines[first : first + 700]))
    writer.finish()
    blocks = Blocks(tmp_path / "blocks", np.fromfile(tmp_path / "blocks", dtype=np.uint8))
    assert blocks.items == len(lines)
    for number in (0, 699, 700, 50_000, 99_999):
        block, first, last = blocks.block_of(number)
        assert block == b"".join(lines[first:last])
        assert first <= number < last
    assert b"".join(block for _, block in blocks.each()) == b"".join(lines)
