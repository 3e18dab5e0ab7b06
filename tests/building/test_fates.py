"""What became of each file of a build: a folder with a file of each kind, and every file that was skipped."""

from __future__ import annotations

import io
import json
import shutil
import sys
import zipfile
from pathlib import Path

import pyarrow
import pyarrow.feather
import pyarrow.orc
import pyarrow.parquet
import pytest
import xlsxwriter

from explorer import add_documents, build_index, merge_indexes
from explorer.building.known import Fate, fates_of
from explorer.building.sources.readers import ReadOptions, ReadState, list_files, read_documents
from explorer.cli.main import main
from explorer.documents.inputs.text_input import open_input
from explorer.documents.kinds import kind_named, kind_of

DATA = Path(__file__).resolve().parents[1] / "data"
TEXTS = {
    "text": ("a.txt", "the cat"),
    "html": ("b.html", "<html><body><p>the dog</p></body></html>"),
    "xml": ("c.xml", "<?xml version='1.0'?><a>the cow</a>"),
    "subtitles": ("d.srt", "1\n00:00:01,000 --> 00:00:02,000\nthe pig\n"),
    "conllu": ("e.conllu", "1\tthe\t_\t_\t_\t_\t_\t_\t_\t_\n\n"),
    "vertical": ("f.vert", "<doc>\nthe\tDT\n</doc>\n<doc>\nhen\tNN\n</doc>\n"),
    "eml": ("g.eml", "Message-ID: <1@example.org>\nFrom: ann@example.org\nSubject: the\n\nowl\n"),
    "mbox": ("h.mbox", "From ann@example.org Sat Jan  1 00:00:00 2000\nFrom: ann@example.org\nSubject: the\n\nape\n"),
    "jsonl": ("i.jsonl", '{"text": "the"}\n{"text": "elk"}\n{"text": "ran"}\n'),
    "json": ("j.json", '[{"text": "the"}, {"text": "fox"}]'),
    "csv": ("k.csv", "text,year\nthe,1916\nbat,1917\n"),
}
FIXTURES = {"pdf": "kinds/cairo.pdf", "docx": "kinds/word.docx", "warc": "crawls/old.arc"}
ROWS = pyarrow.table({"text": ["the", "bee"]})


@pytest.fixture
def folder(tmp_path):
    """One file of each kind, by the name of the kind."""
    made = tmp_path / "in"
    made.mkdir()
    for name, text in TEXTS.values():
        (made / name).write_text(text)
    for path in FIXTURES.values():
        shutil.copy(DATA / path, made)
    pyarrow.parquet.write_table(ROWS, made / "l.parquet")
    pyarrow.feather.write_feather(ROWS, made / "m.feather")
    pyarrow.orc.write_table(ROWS, made / "n.orc")
    with xlsxwriter.Workbook(made / "o.xlsx") as book:
        book.add_worksheet().write_column(0, 0, ["text", "the", "ant"])
    with zipfile.ZipFile(made / "p.zip", "w") as archive:
        archive.writestr("in/q.txt", "the gnu")
    return made


def listed(fates):
    return {Path(each.path).name: (each.kind, each.documents) for each in fates}


def test_a_folder_with_a_file_of_each_kind_builds_without_options(folder, tmp_path, capsys):
    assert main(["build", str(folder), "--out", str(tmp_path / "index")]) == 0
    assert "19 files found: 19 read, 0 skipped" in capsys.readouterr().out
    found = fates_of(tmp_path / "index")
    assert [Path(each.path).name for each in found] == sorted(listed(found)) and len(found) == 19
    expected = {name: kind for kind, (name, _) in TEXTS.items()}
    expected |= {Path(path).name: kind for kind, path in FIXTURES.items()}
    expected |= {"l.parquet": "parquet", "m.feather": "arrow", "n.orc": "orc", "o.xlsx": "spreadsheet", "q.txt": "text"}
    assert {name: kind for name, (kind, _) in listed(found).items()} == expected
    counts = {name: documents for name, (_, documents) in listed(found).items()}
    assert all(counts.values())
    assert (counts["i.jsonl"], counts["f.vert"], counts["o.xlsx"], counts["q.txt"]) == (3, 2, 2, 1)
    assert main(["info", str(tmp_path / "index"), "--files"]) == 0
    shown = capsys.readouterr().out
    assert f"{folder}/i.jsonl: {kind_named('jsonl').label}, 3 documents\n" in shown
    assert f"{folder}/p.zip/in/q.txt: plain text, 1 document\n" in shown


def test_a_file_of_each_kind_is_read_from_standard_input(folder, monkeypatch):
    for path in sorted(folder.iterdir()):
        expected = [each.text for each in read_documents(list_files([path], ReadState()), ReadOptions(), ReadState())]
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(path.read_bytes()))))
        (piped,) = list_files([Path("-")], ReadState())
        (named, *_) = list_files([path], ReadState())
        assert piped.kind == named.kind and expected
        assert [each.text for each in read_documents([piped], ReadOptions(), ReadState())] == expected, path.name


def test_a_file_of_each_kind_is_traced_from_standard_input(folder, monkeypatch):
    for path in sorted(folder.iterdir()):
        expected = [each.text for each in open_input(path).texts]
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(path.read_bytes()))))
        assert [each.text for each in open_input("-").texts] == expected and expected, path.name


@pytest.mark.parametrize(
    ("beginning", "kind"),
    [
        ("name,text\nann,the cat\n", "csv"),
        ("name\ttext\nann\tthe cat\n", "csv"),
        ("In this text, we see\nthat cats, and dogs\n", "text"),
        ("text\nthe cat\n", "text"),
        ('text,name\n"open', "text"),
        ('[\n  {"text": 1}]', "json"),
        ("[1] A note", "text"),
        ("<doc id='1'>\nthe\tDT\n", "vertical"),
        ("<doc id='1'>\nthe cat\n", "text"),
        ("# a comment\n\n1\ta\tb\tc\td\te\tf\tg\th\ti\n", "conllu"),
        ("# a heading\n\nthe cat\n", "text"),
    ],
)
def test_texts_through_a_pipe_are_recognized_by_how_they_begin(beginning, kind):
    assert kind_of(beginning.encode(), "stdin", piped=True).name == kind


@pytest.fixture
def mixed(tmp_path):
    """Files of which some are skipped, each for another reason."""
    made = tmp_path / "mixed"
    made.mkdir()
    (made / "a.txt").write_text("the cat")
    (made / "b.png").write_bytes(b"\x89PNG\r\n\0")
    (made / "c.jsonl").write_text("\n")
    (made / ".d.txt").write_text("hidden")
    (made / "e.txt").write_text("the cat")
    (made / "f.txt.gz").write_bytes(b"\x1f\x8b")
    return made


def test_every_skipped_file_is_listed_with_its_reason(mixed, tmp_path, capsys):
    build_index(mixed, tmp_path / "index", tokenizer="bytes", skip_bad=True, skip_duplicates=True)
    found = fates_of(tmp_path / "index")
    assert found[0] == Fate(f"{mixed}/a.txt", "text", 7, 1)
    assert {Path(each.path).name: each.skipped for each in found[1:]} == {
        ".d.txt": "hidden or special files",
        "b.png": "binary files",
        "e.txt": "copies of other files",
        "c.jsonl": "files without a document",
        "f.txt.gz": "files of which nothing could be read",
    }
    assert main(["info", str(tmp_path / "index"), "--files", "--json"]) == 0
    value = json.loads(capsys.readouterr().out)
    assert (value["files_found"], value["files_read"], value["files_skipped"], value["files_listed"]) == (6, 1, 5, 6)
    reasons = {Path(each["path"]).name: each["reason"] for each in value["results"]}
    assert "is cut short" in reasons["f.txt.gz"] and reasons["e.txt"] == f"copy of {mixed}/a.txt"
    assert reasons["a.txt"] is None


def test_files_that_were_added_or_merged_are_listed(mixed, tmp_path):
    (tmp_path / "first.txt").write_text("first")
    for name in ("one", "two"):
        build_index(tmp_path / "first.txt", tmp_path / name, tokenizer="bytes")
    add_documents(tmp_path / "one", mixed, skip_bad=True)
    names = [Path(each.path).name for each in fates_of(tmp_path / "one")]
    assert names[:3] == ["first.txt", "a.txt", "e.txt"] and len(names) == 7
    merge_indexes([tmp_path / "one", tmp_path / "two"], tmp_path / "both")
    assert len(fates_of(tmp_path / "both")) == 8


def test_files_with_one_name_have_no_number_of_their_own(tmp_path):
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.txt").write_text(name)
    build_index([tmp_path / "one", tmp_path / "two"], tmp_path / "index", tokenizer="bytes")
    assert [each.documents for each in fates_of(tmp_path / "index")] == [None, None]


def test_reports_of_older_versions_and_damaged_ones_are_read(tmp_path):
    (tmp_path / "report.json").write_text('{"files": [["/a.txt", 7, "00"], ["/b"], 1], "skipped": [["/c", 1, 2], 3]}')
    (tmp_path / "report.2.json").write_text("[1")
    assert fates_of(tmp_path) == [Fate("/a.txt", "", 7)]


def test_an_index_without_files_is_told_from_one_whose_files_are_not_recorded(tmp_path, capsys):
    build_index([{"text": "the cat"}], tmp_path / "index", tokenizer="bytes")
    assert main(["info", str(tmp_path / "index"), "--files"]) == 0
    assert capsys.readouterr().out == ""
    (tmp_path / "index" / "index.json").unlink()
    assert main(["info", str(tmp_path / "index"), "--files", "--tokenizer", "bytes"]) == 2
    assert "does not record its files" in capsys.readouterr().err
