"""Diversity on the command line."""

import json

import pytest

from explorer import build_index
from explorer.cli.main import main

ROWS = [
    {"text": "the cat sat on the mat " * 12, "kind": "cat"},
    {"text": "One two", "kind": "short"},
    {"text": "! ?", "kind": "signs"},
]


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    folder = tmp_path_factory.mktemp("diversity") / "index"
    build_index(ROWS, folder, tokenizer="bytes")
    return str(folder)


def test_groups_are_objects_and_too_short_is_null(index, capsys):
    assert main(["diversity", index, "--by", "kind", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["by"] == "kind" and found["rows"] == found["results"]
    rows = {row["group"]: row for row in found["rows"]}
    assert (rows["cat"]["words"], rows["cat"]["types"], rows["cat"]["hapaxes"]) == (72, 5, 0)
    assert rows["cat"]["mattr"] == pytest.approx(0.1) and rows["cat"]["hapax_share"] == 0
    assert [rows["short"][name] for name in ("mattr", "mtld", "hdd")] == [None] * 3
    assert rows["signs"]["words"] == 0 and rows["signs"]["ttr"] is None


def test_the_window_of_mattr_is_chosen(index, capsys):
    assert main(["diversity", index, "--window", "2", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    # No word of the index follows itself.
    assert found["window"] == 2 and found["rows"][0]["mattr"] == 1
    assert main(["diversity", index, "--window", "0"]) == 2
    assert "--window" in capsys.readouterr().err


def test_documents_are_printed_for_people(index, capsys):
    assert main(["diversity", index, "--per-document"]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert [line.split()[-1] for line in shown] == ["group", "0", "1", "2"]
    assert "too short" in shown[2] and "nan" not in "".join(shown)
    assert main(["diversity", index, "--where", "kind=cat"]) == 0
    assert capsys.readouterr().out.splitlines()[1].endswith("whole corpus")


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--by", "kind", "--per-document"], "cannot be used with"),
        (["--by", "color"], "color"),
    ],
)
def test_bad_input_is_a_sentence(options, told, index, capsys):
    assert main(["diversity", index, *options]) not in (0, 1)
    shown = capsys.readouterr()
    assert shown.out == "" and told in shown.err and "Traceback" not in shown.err
