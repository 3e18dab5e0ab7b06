"""The table of kinds: what is recognized as what, and a kind that is added is found wherever files are read."""

from __future__ import annotations

import importlib.util
import io
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from added_kind import CARDS

from explorer import add_documents, build_index, estimate_build, open_index
from explorer.building.estimate.estimate import estimate_requested
from explorer.building.request import BuildRequest
from explorer.building.sources.recognized import recognize
from explorer.cli.index.add_merge import add_source_arguments
from explorer.cli.main import main
from explorer.cli.parser import Parser
from explorer.core.files.encoding import NotTextError
from explorer.documents import kinds
from explorer.documents.inputs.text_input import open_input
from explorer.documents.inputs.whole import whole_text
from explorer.documents.kinds import KINDS, kind_of
from explorer.errors import SourceError
from explorer.index.manifest import read_manifest

ROOT = Path(__file__).resolve().parents[2]
TWO_CARDS = "Cats\nthe cat sat on the mat\n%%\nDogs\nthe dog saw the cat\n"


@pytest.fixture
def cards(tmp_path, monkeypatch):
    """A folder with a file of the kind that is added, and one of plain text."""
    monkeypatch.setattr(kinds, "KINDS", (*KINDS, CARDS))
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "pets.cards").write_text(TWO_CARDS)
    (folder / "plain.txt").write_text("a plain text")
    return folder


def member(name):
    """The header of a member of a ZIP archive."""
    return b"PK\3\4" + bytes(22) + len(name).to_bytes(2, "little") + bytes(2) + name.encode()


def recorded(folder):
    index = open_index(folder)
    return [(document.text, document.metadata["metadata"].get("title")) for document in index.documents]


@pytest.mark.parametrize(
    ("head", "name", "kind"),
    [
        (b"PAR1", "page.html", "parquet"),
        (b"%PDF-1.4", "notes.txt", "pdf"),
        (b"\n\n%PDF-1.7\n%\xe2\xe3\xcf\xd3", "notes", "pdf"),
        (member("[Content_Types].xml") + member("xl/workbook.xml"), "rows.csv", "spreadsheet"),
        (member("mimetype") + b"application/vnd.oasis.opendocument.spreadsheetPK", "rows", "spreadsheet"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "rows.xls", "spreadsheet"),
        (b"no longer", "rows.parquet", "parquet"),
        (b"<p>", "page.html", "html"),
        (b"text", "page.txt", "text"),
        (b"<!DOCTYPE html>", "page", "html"),
        (" <html>".encode("utf-16"), "page", "html"),
        (b"\xef\xbb\xbf<?xml version='1.0'?>", "page", "xml"),
        (b"<?xml version='1.0'?>", "page.odd.txt", "text"),
        (b"a,b", "rows.tab", "csv"),
        (b"[", "rows.json", "json"),
        (b'{"text": "a"}\n', "rows", "text"),
        (b"", "notes.unknown", "text"),
    ],
)
def test_content_comes_first_then_the_name(head, name, kind):
    assert kind_of(head, name).name == kind


@pytest.mark.parametrize(
    ("head", "kind"),
    [
        (b'\n{"text": "a"}\n{', "jsonl"),
        (b'{"text": "' + b"a" * 8_000, "jsonl"),
        (b'{"text": }\n', "text"),
        (b"[1]\n", "text"),
        (b"<html>", "html"),
    ],
)
def test_a_pipe_has_no_name_and_is_recognized_by_its_content(head, kind):
    assert kind_of(head, "stdin", piped=True).name == kind


def test_what_is_not_read_is_named_with_what_to_do():
    with pytest.raises(NotTextError, match=r"this is a DjVu document; convert it to plain text"):
        kind_of(b"AT&TFORM", "notes.txt")


def test_names_and_endings_belong_to_one_kind():
    names = [kind.name for kind in KINDS]
    endings = [ending for kind in KINDS for ending in kind.endings]
    assert len(set(names)) == len(names) and len(set(endings)) == len(endings)
    assert all(ending.startswith(".") and ending == ending.lower() for ending in endings)


def test_an_added_kind_is_built_added_and_estimated(cards, tmp_path):
    request = BuildRequest(sources=(cards,), out=tmp_path / "index", tokenizer="bytes")
    estimate = estimate_requested(request)
    assert estimate.documents == 3 and estimate.exact
    assert estimate.samples[0].beginning == "the cat sat on the mat"
    assert [(each.kind, each.files) for each in recognize(request).kinds] == [("cards", 1), ("text", 1)]
    build_index(cards, tmp_path / "index", tokenizer="bytes")
    expected = [("the cat sat on the mat", "Cats"), ("the dog saw the cat", "Dogs"), ("a plain text", None)]
    assert recorded(tmp_path / "index") == expected
    (tmp_path / "more.cards").write_text("Birds\nthe bird sang\n")
    add_documents(tmp_path / "index", tmp_path / "more.cards")
    assert recorded(tmp_path / "index") == [*expected, ("the bird sang", "Birds")]
    assert read_manifest(tmp_path / "index").kinds == {"cards": 2, "text": 1}


def test_a_preview_shows_kinds_documents_and_what_is_skipped_and_builds_nothing(cards, tmp_path, capsys):
    (cards / "latin.txt").write_bytes("the café is open, the café is closed".encode("cp1252"))
    (cards / "scan.djvu").write_bytes(b"AT&TFORM (cut)")
    assert main(["build", str(cards), "--out", str(tmp_path / "index"), "--preview", "3"]) == 0
    shown = capsys.readouterr().out
    assert "plain text: 2 files" in shown and "index cards: 1 file" in shown
    assert "4 files found: 3 read, 1 skipped" in shown and "scan.djvu (this is a DjVu document" in shown
    assert "files read as windows-1252 (1): latin.txt" in shown
    assert 'pets.cards:2\n  title: "Dogs"\n  the dog saw the cat' in shown and "a plain text" not in shown
    assert not (tmp_path / "index").exists()
    (cards / "bad.jsonl").write_text('{"other": 1}\n')
    assert main(["build", str(cards), "--out", str(tmp_path / "index"), "--preview", "0"]) == 0
    assert "The build would stop: " in capsys.readouterr().out


def test_a_bad_document_of_an_added_kind_is_an_error_with_its_place_or_counted(cards, tmp_path):
    (cards / "pets.cards").write_text(TWO_CARDS + "%%\nno text")
    with pytest.raises(SourceError, match=r"pets\.cards, document 3: this card has no text"):
        build_index(cards, tmp_path / "index", tokenizer="bytes")
    made = build_index(cards, tmp_path / "index", tokenizer="bytes", skip_bad=True)
    assert made.read == {"files_found": 2, "files_skipped": 0, "documents_found": 4, "documents_skipped": 1}


def test_metadata_of_a_table_is_added_to_what_a_file_states(cards, tmp_path):
    (tmp_path / "about.csv").write_text("file,title,year\npets.cards,Pets,1999\nplain.txt,Plain,\n")
    build_index(cards, tmp_path / "index", tokenizer="bytes", metadata=tmp_path / "about.csv")
    assert [document.metadata["metadata"].get("year") for document in open_index(tmp_path / "index").documents] == [
        1999,
        1999,
        None,
    ]
    assert [title for _, title in recorded(tmp_path / "index")] == ["Pets", "Pets", "Plain"]


def test_an_added_kind_is_traced_by_its_name_and_from_standard_input(cards, monkeypatch):
    opened = open_input(cards / "pets.cards")
    assert opened.format == "cards"
    assert [(text.line, text.text, text.fields) for text in opened.texts] == [
        (1, "the cat sat on the mat", {"title": "Cats"}),
        (2, "the dog saw the cat", {"title": "Dogs"}),
    ]
    assert whole_text(cards / "pets.cards") == "the cat sat on the mat\n\nthe dog saw the cat"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(b"%cards\nthe bird sang\n"))))
    assert [text.text for text in open_input("-").texts] == ["the bird sang"]


def test_an_added_kind_is_named_wherever_kinds_are_listed(cards):
    assert kinds.labels().endswith(", index cards")
    assert kinds.file_filter().endswith(";;index cards (*.cards)") and "()" not in kinds.file_filter()
    assert ".cards" in kinds.endings(kinds.kinds_of_texts()) and ".cards" not in kinds.endings(kinds.kinds_of_records())
    parser = Parser("add", "")
    add_source_arguments(parser)
    assert "index cards" in " ".join(parser.format_help().split())


def test_a_kind_whose_packages_are_missing_is_counted_before_the_build(cards, tmp_path, monkeypatch):
    absent = replace(CARDS, extra="documents", modules=("no_such_package",))
    monkeypatch.setattr(kinds, "KINDS", (*KINDS, absent))
    reason = "index cards are read with no_such_package: pip install '.[documents]'"
    estimate = estimate_build(cards, tokenizer="bytes")
    assert estimate.warnings == (f"1 file will be skipped: {reason}.",)
    made = build_index(cards, tmp_path / "index", tokenizer="bytes")
    assert made.noticed["files whose packages are not installed"] == [f"pets.cards ({reason})"]
    assert made.read["files_found"] == 2 and made.read["files_skipped"] == 1
    (cards / "plain.txt").unlink()
    with pytest.raises(SourceError, match="no_such_package: pip install"):
        build_index(cards, tmp_path / "none", tokenizer="bytes")
    with pytest.raises(SourceError, match="no_such_package: pip install"):
        open_input(cards / "pets.cards")


def test_the_page_has_the_table():
    path = ROOT / "packaging" / "kind_table.py"
    spec = importlib.util.spec_from_file_location("kind_table", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    now = module.PAGE.read_text(encoding="utf-8")
    assert module.page(now) == now
    assert all(f"| `{kind.name}` |" in now for kind in KINDS)
