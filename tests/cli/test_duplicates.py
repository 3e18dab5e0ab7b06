"""The command duplicates."""

from __future__ import annotations

import json

import pytest

from explorer import QueryError, build_index, open_index
from explorer.cli.main import main

LINE = "a line of verse that is long enough"


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    folder = tmp_path_factory.mktemp("duplicates") / "index"
    build_index([{"text": LINE, "n": 1}, {"text": f"Then: {LINE}.", "n": 2}, {"text": LINE}], folder, tokenizer="bytes")
    return str(folder)


def answer(capsys, *line):
    assert main(["duplicates", *line, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_figures_are_those_of_the_text(index, capsys):
    told = answer(capsys, index, "--length", "20", "--unit", "bytes")
    size = len(LINE)
    assert (told["tokens_removed"], told["bytes_removed"], told["ranges"]) == (2 * size, 2 * size, 2)
    assert (told["documents_touched"], told["documents_emptied"]) == (2, 1)
    assert told["results"] == [
        {"document": 1, "start": 6, "end": 6 + size, "first_document": 0, "first_start": 0},
        {"document": 2, "start": 0, "end": size, "first_document": 0, "first_start": 0},
    ]
    assert answer(capsys, index, "--length", "20", "--rule", "all")["documents_emptied"] == 2
    assert answer(capsys, index, "--length", "500")["tokens_removed"] == 0


def test_people_see_what_goes(index, capsys):
    assert main(["duplicates", index, "--length", "20"]) == 0
    told = capsys.readouterr().out
    assert f"{2 * len(LINE)} of " in told
    assert "2 ranges" in told
    assert "2 documents touched, 1 of them emptied" in told
    assert main(["duplicates", index, "--length", "500"]) == 0
    assert capsys.readouterr().out.startswith("Nothing is to be cut")


@pytest.mark.parametrize("form", ["cleaned", "annotated", "byterange", "ranges"])
def test_an_export_has_its_format(index, form, tmp_path, capsys):
    out = tmp_path / form
    told = answer(capsys, index, "--length", "20", "--out", str(out), "--format", form)
    manifest = json.loads((out / "manifest.json").read_text())
    assert told["folder"] == str(out)
    assert manifest["format"] == form
    assert told["tokens_removed"] == manifest["tokens_removed"] == 2 * len(LINE)
    assert told["bytes_removed"] == 2 * len(LINE)


def test_cleaned_texts_have_no_copy(index, tmp_path, capsys):
    assert main(["duplicates", index, "--length", "20", "--out", str(tmp_path / "cut")]) == 0
    assert "cleaned.jsonl" in capsys.readouterr().out
    rows = [json.loads(line) for line in (tmp_path / "cut" / "cleaned.jsonl").read_text().splitlines()]
    assert [row["text"] for row in rows] == [LINE, "Then: ."]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (["--format", "cleaned"], "--out"),
        (["--json", "--format", "csv"], "--json"),
        (["--where", "n=1"], "--where"),
        (["--rule", "all", "--across"], "all"),
    ],
)
def test_what_does_not_fit_is_refused(index, line, told, capsys):
    assert main(["duplicates", index, "--length", "20", *line]) == 2
    assert told in capsys.readouterr().err


def test_a_folder_that_exists_is_kept(index, tmp_path, capsys):
    (tmp_path / "cut").mkdir()
    assert main(["duplicates", index, "--length", "20", "--out", str(tmp_path / "cut")]) == 2
    assert list((tmp_path / "cut").iterdir()) == []
    assert "cut" in capsys.readouterr().err


def test_a_preview_marks_what_goes(index, capsys):
    assert main(["duplicates", index, "--length", "20", "--preview", "1"]) == 0
    told = capsys.readouterr().out
    assert f"Then: [-{LINE}-]." in told and told.endswith("first copy of cut 1: document 0, token 0\n")


def test_marked_rows_name_the_first_copies(index, tmp_path, capsys):
    options = ["--length", "20", "--rule", "all", "--format", "annotated", "--out", str(tmp_path / "marked")]
    assert main(["duplicates", index, *options]) == 0
    rows = [json.loads(line) for line in (tmp_path / "marked" / "annotated.jsonl").read_text().splitlines()]
    # The first one is cut, too, and is no copy of an earlier one.
    assert [(row["sa_remove_ranges"], row["sa_first_copies"]) for row in rows] == [
        ([[0, len(LINE)]], [None]), ([[6, 6 + len(LINE)]], [[0, 0]]), ([[0, len(LINE)]], [[0, 0]])
    ]  # fmt: skip
    corpus = open_index(index)
    found = corpus.duplicates(20)
    assert corpus.preview_cuts(found.ranges, 1, first=found.first).copies == ((0, 0),)
    assert corpus.preview_cuts(found.ranges, 1).copies == corpus.preview_cuts(found.ranges, 0).copies == ()
    with pytest.raises(QueryError, match="a place for each range"):
        corpus.export_cuts(found.ranges, tmp_path / "other", first=found.first[:1])


def test_a_copy_can_be_preferred(index, capsys):
    told = answer(capsys, index, "--length", "20", "--prefer", "n=2")
    assert [row["document"] for row in told["results"]] == [0, 2]
    assert main(["duplicates", index, "--length", "20", "--rule", "all", "--prefer", "n=2"]) == 2
    assert "so none can be preferred" in capsys.readouterr().err


def test_a_passage_of_a_file_is_kept(index, tmp_path, capsys):
    (tmp_path / "verse.txt").write_text(LINE + "\n")
    assert answer(capsys, index, "--length", "20", "--keep", str(tmp_path / "verse.txt"))["tokens_removed"] == 0
    (tmp_path / "empty.txt").write_text("\n")
    assert main(["duplicates", index, "--length", "20", "--keep", str(tmp_path / "empty.txt")]) == 2
    assert "empty.txt has no passage to keep" in capsys.readouterr().err


def test_cuts_end_where_words_do(index, capsys):
    inside = answer(capsys, index, "--length", "33")
    words = answer(capsys, index, "--length", "33", "--borders", "words")
    assert (inside["borders"], words["borders"]) == ("tokens", "words")
    assert words["tokens_removed"] <= inside["tokens_removed"] and words["second_pass"] is None


def test_a_second_pass_is_counted(tmp_path, capsys):
    # Without what is between them, both halves meet, as they do in the first text.
    texts = ["abcdefghij", "uvwxyz0123", "abcdeuvwxyz0123fghij"]
    build_index([{"text": text} for text in texts], tmp_path / "index", tokenizer="bytes")
    told = answer(capsys, str(tmp_path / "index"), "--length", "10", "--second-pass")
    assert (told["tokens_removed"], told["second_pass"]) == (10, 10)
    assert main(["duplicates", str(tmp_path / "index"), "--length", "10", "--second-pass"]) == 0
    assert "10 tokens would be cut of what is left by a second pass" in capsys.readouterr().out
