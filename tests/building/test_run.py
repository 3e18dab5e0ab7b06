"""Building: every kind of source, every fault, and nothing left behind."""

from __future__ import annotations

import gzip
import json
import os
import threading

import pyarrow
import pyarrow.parquet
import pytest
import zstandard

from explorer import build_index, open_index, verify_index
from explorer.building.request import BuildRequest
from explorer.core.jobs import CancelToken
from explorer.errors import BuildError, Cancelled, CorpusError, SourceError, TokenizerError

ROWS = [{"text": "one two three", "source": "a"}, {"text": "two three four", "source": "b", "n": 2}]


def lines(rows=ROWS):
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def write_sources(folder):
    (folder / "plain.jsonl").write_bytes(lines())
    (folder / "packed.jsonl.gz").write_bytes(gzip.compress(lines()))
    (folder / "packed.jsonl.zst").write_bytes(zstandard.compress(lines()))
    table = pyarrow.table({"text": [row["text"] for row in ROWS], "source": ["a", "b"]})
    pyarrow.parquet.write_table(table, folder / "table.parquet")
    (folder / "note.txt").write_text("one two three")
    (folder / "read.md").write_text("# two three")
    (folder / "picture.png").write_bytes(b"\x89PNG\0\0")


def test_every_kind_of_source(tmp_path):
    sources = tmp_path / "sources"
    sources.mkdir()
    write_sources(sources)
    manifest = build_index(sources, tmp_path / "out", tokenizer="bytes")
    corpus = open_index(tmp_path / "out")
    assert manifest.document_count == corpus.document_count == 10
    assert corpus.count("two three") == 10
    assert manifest.skipped == {"binary files": 1}
    found = {json.dumps(corpus.document(i).metadata, sort_keys=True) for i in range(10)}
    assert '{"linenum": 1, "metadata": {"n": 2, "source": "b"}, "path": "packed.jsonl.zst"}' in found
    assert '{"linenum": 1, "metadata": {"source": "b"}, "path": "table.parquet"}' in found
    assert set(corpus.metadata_fields) == {"path", "linenum", "source", "n"}
    assert verify_index(tmp_path / "out", deep=True).sound


def test_texts_come_back_whole(small, text_folder):
    for number in range(small.document_count):
        document = small.document(number)
        assert document.text == (text_folder / document.metadata["path"]).read_text(encoding="utf-8")


def test_shards_are_about_as_large_as_each_other(tmp_path):
    rows = [{"text": f"{number} " * 20} for number in range(400)]
    (tmp_path / "a.jsonl").write_bytes(lines(rows))
    build_index(tmp_path / "a.jsonl", tmp_path / "out", tokenizer="bytes", shards=4)
    sizes = [shard.token_count for shard in open_index(tmp_path / "out").index.shards]
    assert len(sizes) == 4
    assert max(sizes) < 1.3 * min(sizes)


@pytest.mark.parametrize(("shards", "expected"), [(1, 1), (2, 2), (4, 3)])
def test_shards_do_not_change_answers(text_folder, small_index, tmp_path, shards, expected):
    build_index(text_folder, tmp_path / "out", tokenizer=small_index / "tokenizer.json", shards=shards)
    one, many = open_index(small_index), open_index(tmp_path / "out")
    assert many.shard_count == expected
    for text in ("the cat", " cat", "dog", "return a"):
        assert one.count(text) == many.count(text)
        assert one.next_tokens(one.encode(text)).counts.tolist() == many.next_tokens(many.encode(text)).counts.tolist()
    trace_one, trace_many = one.trace("so the cat sat on the mat."), many.trace("so the cat sat on the mat.")
    assert [(s.start, s.end, s.count) for s in trace_one.spans] == [(s.start, s.end, s.count) for s in trace_many.spans]


def test_a_memory_limit_makes_more_shards(text_folder, tmp_path, monkeypatch):
    monkeypatch.setattr("explorer.building.request.BASE_BYTES", 0)
    monkeypatch.setattr("explorer.building.request.FEWEST_SHARD_TOKENS", 1)
    manifest = build_index(text_folder, tmp_path / "out", tokenizer="bytes", memory=10 * 150)
    assert manifest.shard_count > 2
    assert verify_index(tmp_path / "out", deep=True).sound


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "line 2: this is not JSON"),
        ('{"txt": "x"}', 'line 2: the field "text" is missing \\(did you mean txt\\?\\)'),
        ('{"text": 3}', 'line 2: the field "text" holds no text'),
        ("[]", "line 2: this is not a JSON object"),
    ],
)
def test_bad_lines_are_named_or_counted(tmp_path, content, message):
    path = tmp_path / "bad.jsonl"
    path.write_bytes(lines(ROWS[:1]) + content.encode() + b"\n\n" + lines(ROWS[1:]))
    with pytest.raises(SourceError, match=message):
        build_index(path, tmp_path / "out", tokenizer="bytes")
    assert sorted(os.listdir(tmp_path)) == ["bad.jsonl"]
    manifest = build_index(path, tmp_path / "out", tokenizer="bytes", skip_bad=True)
    assert (manifest.document_count, manifest.skipped) == (2, {"bad lines": 1})


def test_bytes_that_are_not_utf8_are_counted(tmp_path):
    (tmp_path / "broken.txt").write_bytes("naïve café ".encode() + b"\xff\x81")
    manifest = build_index(tmp_path / "broken.txt", tmp_path / "out", tokenizer="bytes")
    assert manifest.skipped == {"files with bytes that are not UTF-8 (replaced)": 1}
    assert open_index(tmp_path / "out").document(0).text == "naïve café \ufffd\ufffd"


@pytest.mark.parametrize("content", [None, "", "\n\n"])
def test_an_empty_corpus(tmp_path, content):
    source = tmp_path / "source"
    source.mkdir()
    if content is not None:
        (source / "a.jsonl").write_text(content)
    with pytest.raises(SourceError, match="no text to index"):
        build_index(source, tmp_path / "out", tokenizer="bytes")
    assert sorted(os.listdir(tmp_path)) == ["source"]


def test_empty_documents_are_kept(tmp_path):
    (tmp_path / "a.jsonl").write_bytes(lines([{"text": ""}, {"text": "x"}, {"text": ""}]))
    build_index(tmp_path / "a.jsonl", tmp_path / "out", tokenizer="bytes")
    corpus = open_index(tmp_path / "out")
    assert [corpus.document(i).text for i in range(3)] == ["", "x", ""]


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"tokenizer": "meta/llama"}, TokenizerError, "not downloaded"),
        ({"tokenizer": "train:12"}, BuildError, "257 to 65,535"),
        ({"tokenizer": "train:x"}, BuildError, "vocabulary size"),
        ({"shards": 0}, BuildError, "from 1 on"),
    ],
)
def test_wishes_that_cannot_be_met(text_folder, tmp_path, change, error, message):
    with pytest.raises(error, match=message):
        build_index(text_folder, tmp_path / "out", **change)
    assert os.listdir(tmp_path) == []


def test_nothing_is_overwritten(text_folder, tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine").write_text("x")
    with pytest.raises(BuildError, match="not empty"):
        build_index(text_folder, tmp_path / "out")
    (tmp_path / "new.partial").mkdir()
    (tmp_path / "new.partial" / "mine").write_text("x")
    with pytest.raises(BuildError, match="in the way"):
        build_index(text_folder, tmp_path / "new")
    assert (tmp_path / "new.partial" / "mine").read_text() == "x"
    (tmp_path / "empty").mkdir()
    with pytest.raises(BuildError, match="is a source"):
        build_index(tmp_path / "empty", tmp_path / "empty")


def test_cancelling_leaves_nothing(text_folder, tmp_path):
    cancel = CancelToken()
    stages = []

    def report(progress):
        stages.append(progress.stage)
        cancel.cancel()

    with pytest.raises(Cancelled):
        build_index(text_folder, tmp_path / "out", report=report, cancel=cancel)
    assert stages
    assert os.listdir(tmp_path) == []


def test_an_interrupted_build_is_resumed_to_the_same_bytes(text_folder, tmp_path):
    def interrupt(progress):
        if progress.stage == "Sorting":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build_index(text_folder, tmp_path / "out", tokenizer="bytes", shards=2, report=interrupt)
    assert not (tmp_path / "out").exists()
    with pytest.raises(BuildError, match="other parameters"):
        build_index(text_folder, tmp_path / "out", tokenizer="bytes", shards=3, resume=True)
    assert (tmp_path / "out.partial" / "build.json").is_file()
    build_index(text_folder, tmp_path / "out", tokenizer="bytes", shards=2, report=lambda p: None)
    with pytest.raises(KeyboardInterrupt):
        build_index(text_folder, tmp_path / "two", tokenizer="bytes", shards=2, report=interrupt)
    build_index(text_folder, tmp_path / "two", tokenizer="bytes", shards=2, resume=True)
    for path in (tmp_path / "out").iterdir():
        # These two have the time that the build took.
        if path.name not in ("index.json", "report.json"):
            assert path.read_bytes() == (tmp_path / "two" / path.name).read_bytes()


def test_progress_comes_from_the_callers_thread(text_folder, tmp_path):
    threads = set()
    build_index(text_folder, tmp_path / "out", report=lambda p: threads.add(threading.current_thread()))
    assert threads == {threading.current_thread()}


def test_every_error_is_a_corpus_error():
    for error in (BuildError, Cancelled, SourceError, TokenizerError):
        assert issubclass(error, CorpusError)


def test_requests_compare_by_what_decides_the_files(tmp_path):
    one = BuildRequest((tmp_path,), tmp_path / "a")
    assert one.parameters == BuildRequest((tmp_path,), tmp_path / "b", name="x").parameters
    assert one.parameters != BuildRequest((tmp_path,), tmp_path / "a", shards=2).parameters
