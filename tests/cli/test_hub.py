"""Data sets and indexes of the hub on the command line, against a stand-in on this machine."""

from __future__ import annotations

import json

import pytest
from command_line import run
from hub_server import Sent, own_hub

NEWS = "hf://datasets/owner/news"


@pytest.fixture
def hub(tmp_path, monkeypatch):
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hf"))
    with own_hub(tmp_path, monkeypatch) as made:
        made.add("owner/news", {"train.jsonl": b'{"text": "one two three", "year": 1999}\n' * 3, "a.png": b"\x89PNG"})
        yield made


def test_a_data_set_is_previewed_built_and_described(hub, tmp_path):
    shown = run("build", NEWS, "--out", tmp_path / "out", "--tokenizer", "bytes", "--preview", "1")
    assert shown.stdout.decode().splitlines() == [
        "JSON Lines: 1 file, 1 kB",
        "2 files found: 1 read, 1 skipped",
        "files of a data set that are not its data (1): a.png",
        "",
        "train.jsonl:1",
        "  year: 1999",
        "  one two three",
    ]
    done = run("build", NEWS, "--out", tmp_path / "out", "--tokenizer", "bytes")
    assert done.returncode == 0, done.stderr
    commit = hub.repos["datasets", "owner/news"].refs["main"]
    found = json.loads(run("info", tmp_path / "out", "--json").stdout)
    assert f"{NEWS}@{commit}" in json.dumps(found)


def test_what_is_missing_is_one_sentence_without_the_token(hub, tmp_path, monkeypatch):
    hub.repos["datasets", "owner/news"].private = True
    monkeypatch.setenv("HF_TOKEN", "hf_wrong")
    done = run("build", NEWS, "--out", tmp_path / "out", "--tokenizer", "bytes")
    assert done.returncode == 2 and not done.stdout
    (line,) = done.stderr.decode().splitlines()
    assert "the token of this machine does not give access" in line and "hf_wrong" not in line
    hub.fail("/api/", Sent.of({"error": "Slow down"}, 429, {"Retry-After": "9999"}))
    done = run("build", NEWS, "--out", tmp_path / "out", "--tokenizer", "bytes")
    assert done.returncode == 2 and b"Slow down" in done.stderr
    assert not list(tmp_path.glob("out*"))


def test_an_index_of_the_hub_is_asked_like_a_folder(hub, small_index):
    hub.add("owner/cats", {path.name: path.read_bytes() for path in small_index.iterdir()}, "models")
    done = run("count", "hf://owner/cats", "the cat")
    assert done.returncode == 0, done.stderr
    assert done.stdout == run("count", small_index, "the cat").stdout
    assert b"to download, into " in done.stderr
    assert not run("count", "hf://owner/cats", "the cat").stderr
    assert run("verify", "hf://owner/cats", "--deep").returncode == 0
    assert b"does not exist" in run("add", "hf://owner/cats", small_index).stderr
