"""add: what was added is found, and the index is as it was if nothing could be."""

from __future__ import annotations

import json

import pytest

from explorer import build_index, open_index
from explorer.cli.main import main


@pytest.fixture
def index(tmp_path):
    build_index([{"text": "the cat sat", "year": 1990}], tmp_path / "index", tokenizer="bytes")
    return tmp_path / "index"


def test_add(index, tmp_path, capsys):
    (tmp_path / "a.jsonl").write_text('{"body": "the cat saw"}\n{"other": 1}\n{"body": "a cat"}\n')
    (tmp_path / "b.txt").write_text("cat and dog")
    asked = ["add", str(index), str(tmp_path / "a.jsonl"), str(tmp_path / "b.txt"), "--text-field", "body"]
    assert main(asked) == 2
    assert 'line 2: the field "body" is missing' in capsys.readouterr().err
    assert open_index(index).document_count == 1
    assert main([*asked, "--skip-bad"]) == 0
    told = capsys.readouterr().out
    assert "4 documents" in told and "2 shards" in told and "bad lines (1): a.jsonl:2" in told
    assert open_index(index).count("cat") == 4
    assert main(["add", str(index), str(tmp_path / "b.txt"), "--json"]) == 0
    manifest = json.loads(capsys.readouterr().out)
    assert (manifest["document_count"], manifest["shard_count"]) == (5, 3)
    assert main(["verify", str(index), "--deep"]) == 0


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["{index}", "{tmp}/none"], "does not exist"),
        (["{index}", "{tmp}", "--on-bad", "keep"], "add accepts only"),
        (["{index}", "{tmp}", "--on-bad", "skip", "--skip-bad"], "cannot be used with"),
        (["{tmp}/none", "{tmp}"], "does not exist"),
        (["{index}"], "SOURCE"),
    ],
)
def test_refused(words, sentence, index, tmp_path, capsys):
    assert main(["add", *(word.format(index=index, tmp=tmp_path) for word in words)]) == 2
    assert sentence in capsys.readouterr().err
