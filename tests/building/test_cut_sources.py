"""Archives that were cut or damaged anywhere are never taken as whole: an error, or kept in part and told."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import os
import random
from pathlib import Path

import pyarrow
import pyarrow.parquet
import pytest
import zstandard

from explorer import build_index, open_index
from explorer.building.sources.readers import ReadOptions, ReadState, list_files, read_documents
from explorer.building.sources.source import NOTHING_READ
from explorer.errors import SourceError

CUT = "files cut short (what came before the cut is kept)"
PARTIAL = "files that cannot be read to their end"


def zstd_unsized(data: bytes) -> bytes:
    """As the command `zstd` compresses from a pipe: the frame's header has no size, a checksum ends it."""
    packer = zstandard.ZstdCompressor(write_checksum=True).compressobj()
    return packer.compress(data) + packer.flush()


PACKERS = {
    "gz": gzip.compress,
    "zst": zstandard.compress,
    "unsized.zst": zstd_unsized,
    "bz2": bz2.compress,
    "xz": lzma.compress,
}


def in_two(pack):
    """Two members or frames, one after the other."""
    return lambda data: pack(data[: len(data) // 2]) + pack(data[len(data) // 2 :])


PACKERS |= {f"two.{ending}": in_two(pack) for ending, pack in PACKERS.items()}


def ending(packing: str) -> str:
    return packing.rpartition(".")[2]


def rows_of(generator: random.Random, count: int) -> list[dict]:
    return [{"text": f"row {number} {generator.random()}", "n": number} for number in range(count)]


def contents(generator: random.Random, kind: str) -> bytes:
    rows = rows_of(generator, generator.choice([0, 1, 40, 700]))
    if kind == "txt":
        return "\n".join(row["text"] for row in rows).encode() or b"x"
    if kind == "json":
        return json.dumps(rows or [{"text": "x"}], indent=1).encode()
    return "".join(json.dumps(row) + "\n" for row in rows or [{"text": "x"}]).encode()


def read(path: Path, skip_bad: bool) -> tuple[list[str], ReadState]:
    state = ReadState()
    files = list_files([path], state, skip_bad)
    return [document.text for document in read_documents(files, ReadOptions(skip_bad=skip_bad), state)], state


@pytest.mark.parametrize("kind", ["txt", "jsonl", "json"])
@pytest.mark.parametrize("packing", PACKERS)
def test_an_archive_cut_anywhere_is_noticed(packing, kind, tmp_path, scale):
    for seed in range(scale(5, 1_000)):
        generator = random.Random(seed)
        data = contents(generator, kind)
        packed = PACKERS[packing](data)
        half = len(PACKERS[packing.removeprefix("two.")](data[: len(data) // 2]))
        cut = generator.randrange(len(packed))
        if packing.startswith("two.") and cut == half:
            continue  # a valid file of one member: nothing shows that there was more
        path = tmp_path / f"{seed}.{kind}.{ending(packing)}"
        path.write_bytes(packed)
        whole, state = read(path, False)
        assert not state.problems
        path.write_bytes(packed[:cut])
        with pytest.raises(SourceError) as raised:
            read(path, False)
        assert str(path) in str(raised.value) and raised.value.path == str(path)
        assert (raised.value.reason, raised.value.option) == ("source-cut-short", "skip_bad")
        kept, state = read(path, True)
        # Where nothing was read before the cut, this is noted, too.
        assert sum(state.skipped.values()) == len(state.problems) == (1 if kept else 2)
        assert (NOTHING_READ in state.skipped) == (not kept)
        assert state.problems[0].path == str(path)
        assert CUT in state.skipped
        if kind == "txt":
            assert len(kept) <= 1 and all(whole[0].startswith(text) for text in kept)
        else:
            assert kept == whole[: len(kept)]


@pytest.mark.parametrize("packing", PACKERS)
def test_an_archive_damaged_anywhere_is_an_error_of_ours_or_harmless(packing, tmp_path, scale):
    noticed = 0
    trials = scale(10, 2_000)
    for seed in range(trials):
        generator = random.Random(seed)
        packed = bytearray(PACKERS[packing](contents(generator, "jsonl")))
        for _ in range(generator.choice([1, 3, 40])):
            packed[generator.randrange(len(packed))] = generator.randrange(256)
        path = tmp_path / f"{seed}.jsonl.{ending(packing)}"
        path.write_bytes(packed)
        _, state = read(path, True)
        try:
            read(path, False)
        except SourceError as error:
            noticed += 1
            assert str(path) in str(error)
            assert state.problems
    assert noticed > trials // 2


def test_damaged_text_archives_are_errors_also_with_skip_bad(tmp_path):
    """The case of the review: deflate data that zlib refuses, in a text file."""
    data = gzip.compress(b"".join(b"%d words of text\n" % number for number in range(5_000)))
    (tmp_path / "bad.txt.gz").write_bytes(data[:10] + b"\xff" * 40 + data[50:])
    (tmp_path / "good.txt").write_text("good text")
    with pytest.raises(SourceError, match=r"bad\.txt\.gz is damaged: its gzip data cannot be decompressed"):
        build_index(tmp_path / "bad.txt.gz", tmp_path / "out", tokenizer="bytes")
    made = build_index(tmp_path, tmp_path / "out", tokenizer="bytes", skip_bad=True)
    assert made.skipped == {PARTIAL: 1, NOTHING_READ: 1}
    assert made.read == {"files_found": 2, "files_skipped": 1, "documents_found": 1, "documents_skipped": 0}
    report = (tmp_path / "out" / "report.json").read_text()
    assert "bad.txt.gz" in report and "damaged" in report


def test_a_cut_archive_in_a_build(tmp_path):
    rows = "".join(json.dumps({"text": f"row {number} {number * 7919 % 1000003}"}) + "\n" for number in range(20_000))
    packed = zstandard.compress(rows.encode())
    (tmp_path / "cut.jsonl.zst").write_bytes(packed[: len(packed) // 2])
    with pytest.raises(SourceError, match=r"cut\.jsonl\.zst is cut short: its Zstandard data ends early"):
        build_index(tmp_path / "cut.jsonl.zst", tmp_path / "out", tokenizer="bytes")
    assert not (tmp_path / "out").exists()
    made = build_index(tmp_path / "cut.jsonl.zst", tmp_path / "out", tokenizer="bytes", skip_bad=True)
    assert made.skipped == {CUT: 1} and 0 < made.document_count < 20_000
    assert open_index(tmp_path / "out").count("row ") == made.document_count


def test_members_frames_and_padding_read_whole(tmp_path):
    row = b'{"text": "one"}\n'
    skippable = b"\x50\x2a\x4d\x18\x04\x00\x00\x00abcd"
    whole = {
        "a.jsonl.gz": gzip.compress(row) * 3 + b"\0" * 100,
        "b.jsonl.zst": skippable + zstandard.compress(row) * 2 + skippable + zstd_unsized(row),
        "c.jsonl.bz2": bz2.compress(row) * 3,
        "d.jsonl.xz": lzma.compress(row) * 3,
        "e.jsonl.gz": row * 3,  # unpacked on its way, as some servers do
        "f.jsonl": gzip.compress(row * 3),
        "g.txt.zst": zstandard.ZstdCompressor(
            compression_params=zstandard.ZstdCompressionParameters(window_log=31, enable_ldm=True)
        ).compress(row),
    }
    for name, data in whole.items():
        (tmp_path / name).write_bytes(data)
        texts, state = read(tmp_path / name, False)
        assert texts == ([row.decode()] if name == "g.txt.zst" else ["one"] * 3), name
        assert not state.problems


@pytest.mark.parametrize("kind", ["gz", "zst", "bz2", "xz"])
def test_bytes_behind_the_data_are_an_error(kind, tmp_path):
    path = tmp_path / f"a.jsonl.{kind}"
    path.write_bytes(PACKERS[kind](b'{"text": "one"}\n') + b"garbage behind the data")
    with pytest.raises(SourceError, match="is damaged"):
        read(path, False)
    texts, state = read(path, True)
    assert texts == ["one"] and state.skipped == {PARTIAL: 1}


def test_parquet_cut_or_damaged_anywhere(tmp_path, scale):
    generator = random.Random(4)
    rows = [{"text": f"row {number} {generator.random()}", "n": number} for number in range(300)]
    out = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), out, row_group_size=50, compression="zstd")
    data = out.getvalue()
    path = tmp_path / "x.parquet"
    for trial in range(scale(60, 1_500)):
        path.write_bytes(data[: generator.randrange(len(data))])
        with pytest.raises(SourceError, match=r"x\.parquet is damaged or cut short: it is not a complete Parquet file"):
            read(path, False)
        kept, state = read(path, True)
        assert state.skipped == {PARTIAL: 1, **({} if kept else {NOTHING_READ: 1})}
        damaged = bytearray(data)
        for _ in range(1 + trial % 20):
            damaged[generator.randrange(len(data))] = generator.randrange(256)
        path.write_bytes(damaged)
        try:
            read(path, False)
        except SourceError as error:
            assert str(path) in str(error)
        read(path, True)


def test_an_archive_of_no_bytes_is_cut(tmp_path):
    for ending in ("gz", "zst", "bz2", "xz"):
        path = tmp_path / f"a.jsonl.{ending}"
        path.touch()
        with pytest.raises(SourceError, match="is cut short"):
            read(path, False)
    assert os.listdir(tmp_path)
