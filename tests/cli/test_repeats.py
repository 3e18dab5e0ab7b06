"""The command repeats."""

from __future__ import annotations

import json

import pytest

from explorer import build_index
from explorer.cli.main import main


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    folder = tmp_path_factory.mktemp("repeats") / "index"
    texts = ["a line of verse.", "here: a line of verse", "oh" * 20]
    build_index([{"text": text} for text in texts], folder, tokenizer="bytes")
    return str(folder)


def test_people_see_passages_and_runs(index, capsys):
    assert main(["repeats", index, "--length", "8"]) == 0
    told = capsys.readouterr().out
    assert "1 repeated passages of 8 tokens or more" not in told
    assert "1 repeated passage of 8 tokens or more" in told
    assert "a line of verse" in told
    assert "20.0" in told


def test_programs_get_all_fields(index, capsys):
    assert main(["repeats", index, "--length", "8", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    [row] = told["rows"]
    assert (row["text"], row["count"], row["documents"], row["tokens_saved"]) == ("a line of verse", 2, 2, 15)
    assert told["total"] == told["overlapping"] + 1
    assert told["runs"][0]["times"] == 20


def test_parts_of_an_index_are_refused(index, capsys):
    assert main(["repeats", index, "--where", "year=2000"]) == 2
    assert "--where" in capsys.readouterr().err


def test_nothing_is_said_in_a_sentence(index, capsys):
    assert main(["repeats", index, "--length", "500"]) == 0
    assert capsys.readouterr().out.strip() == "No passage of 500 tokens or more occurs twice."
