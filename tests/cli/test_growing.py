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
    again = ["add", str(index), str(tmp_path / "b.txt"), "--json"]
    assert main(again) == 2
    assert "already contains 1 of 1 file" in capsys.readouterr().err
    assert main([*again, "--again"]) == 0
    (grown,) = json.loads(capsys.readouterr().out)["results"]
    assert (grown["document_count"], grown["shard_count"]) == (5, 3)
    assert main(["verify", str(index), "--deep"]) == 0


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["{index}", "{tmp}/none"], "does not exist"),
        (["{index}", "{tmp}", "--on-bad", "keep"], "choose from 'fail', 'skip'"),
        (["{index}", "{tmp}", "--on-bad", "skip", "--skip-bad"], "cannot be used with"),
        (["{tmp}/none", "{tmp}"], "does not exist"),
        (["{index}"], "SOURCE"),
    ],
)
def test_refused(words, sentence, index, tmp_path, capsys):
    assert main(["add", *(word.format(index=index, tmp=tmp_path) for word in words)]) == 2
    assert sentence in capsys.readouterr().err


def test_merge(index, tmp_path, capsys):
    build_index([{"text": "a cat", "year": 2000}, {"text": "a dog", "year": 2001}], tmp_path / "b", tokenizer="bytes")
    asked = ["merge", str(index), str(tmp_path / "b"), "--out"]
    assert main([*asked, str(tmp_path / "all"), "--name", "Both"]) == 0
    assert "3 documents" in capsys.readouterr().out
    assert main([*asked, str(tmp_path / "some"), "--where", "year>=1995", "--where", "year<2001", "--json"]) == 0
    (merged,) = json.loads(capsys.readouterr().out)["results"]
    assert (merged["document_count"], merged["build"]["parameters"]["where"]) == (1, ["year>=1995", "year<2001"])
    assert open_index(tmp_path / "some").document(0).text == "a cat"
    assert main(["verify", str(tmp_path / "all"), "--deep"]) == 0
    assert main([*asked, str(tmp_path / "all")]) == 2
    assert "already exists" in capsys.readouterr().err
    assert main([*asked, str(tmp_path / "none"), "--where", "year>3000"]) == 2
    assert "None of the 3 documents" in capsys.readouterr().err
    assert main([*asked, str(tmp_path / "none"), "--memory", "1"]) == 2
    assert "--memory needs --where" in capsys.readouterr().err
    assert not (tmp_path / "none").exists()
