"""Reproducible builds: with SOURCE_DATE_EPOCH, the same sources give the same bytes; otherwise times are recorded."""

from __future__ import annotations

import json

import pytest

from explorer import add_documents, build_index, merge_indexes, open_index
from explorer.errors import BuildError
from explorer.index.manifest import read_manifest

ROWS = [{"text": f"the cat number {number} sat on the mat", "n": number} for number in range(40)]


def content(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_two_builds_are_equal_in_every_byte(text_folder, tmp_path, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    for name in ("one", "two"):
        made = build_index(text_folder, tmp_path / name, tokenizer="train:400", shards=2, name="Mine")
        build_index([*ROWS, {"n": 1}], tmp_path / f"{name}-memory", tokenizer="train:300", skip_bad=True)
        add_documents(tmp_path / f"{name}-memory", ROWS[:3])
        # The same sources: where they are is recorded.
        merge_indexes(tmp_path / "one-memory", tmp_path / f"{name}-merged", where="n>=10")
    assert made.created == "2023-11-14T22:13:20+00:00"
    for kind in ("", "-memory", "-merged"):
        assert content(tmp_path / f"one{kind}") == content(tmp_path / f"two{kind}")
    report = json.loads((tmp_path / "one-memory" / "report.json").read_text())
    assert report["seconds"] is None and [problem["place"] for problem in report["problems"]] == [41]
    assert read_manifest(tmp_path / "one").seconds is None


def test_otherwise_the_time_it_took_is_in_the_report(tmp_path, monkeypatch):
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    made = build_index(ROWS, tmp_path / "out", tokenizer="bytes")
    assert "seconds" not in json.loads((tmp_path / "out" / "index.json").read_text())
    report = json.loads((tmp_path / "out" / "report.json").read_text())
    assert report == {"seconds": made.seconds, "read": made.read, "problems": [], "files": [], "skipped": []}
    assert read_manifest(tmp_path / "out") == made


def test_manifests_of_earlier_versions_and_reports_that_cannot_be_read(tmp_path):
    build_index(ROWS, tmp_path / "out", tokenizer="bytes")
    manifest = json.loads((tmp_path / "out" / "index.json").read_text())
    old = {**manifest, "seconds": 4.5}
    (tmp_path / "out" / "index.json").write_text(json.dumps(old))
    (tmp_path / "out" / "report.json").write_text("[]")
    assert read_manifest(tmp_path / "out").seconds == 4.5
    del old["seconds"]
    (tmp_path / "out" / "index.json").write_text(json.dumps(old))
    for text in ("[]", "{", '{"seconds": "x"}', "{}"):
        (tmp_path / "out" / "report.json").write_text(text)
        assert read_manifest(tmp_path / "out").seconds is None
        assert open_index(tmp_path / "out").document_count == 40


@pytest.mark.parametrize("text", ["yesterday", "-5", "1.5", "9" * 30, "١٧"])
def test_a_moment_that_is_not_one(text, tmp_path, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", text)
    with pytest.raises(BuildError, match=r"SOURCE_DATE_EPOCH is .* not a number of seconds"):
        build_index(ROWS, tmp_path / "out", tokenizer="bytes")
    assert not list(tmp_path.glob("out"))
