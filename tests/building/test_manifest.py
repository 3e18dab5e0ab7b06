"""A table that names the files of a build, and files that are copies of others."""

from __future__ import annotations

import gzip
import io
import zipfile

import openpyxl
import pytest

from explorer import add_documents, build_index, estimate_build, open_index
from explorer.building.sources import copies
from explorer.cli.main import main
from explorer.errors import CorpusError, SourceError

LETTERS = {"june.txt": "the cat sat", "july.txt": "the dog ran", "rows.jsonl": '{"text": "a cow", "year": 1900}\n'}


@pytest.fixture
def folder(tmp_path):
    """Letters in a folder, and a table of some of them."""
    for name, text in LETTERS.items():
        (tmp_path / "letters").mkdir(exist_ok=True)
        (tmp_path / "letters" / name).write_text(text)
    (tmp_path / "about.csv").write_text(
        "author,file,year\nAnn,letters\\july.txt,1917\nBob,letters/rows.jsonl,1918\n"
        "Cy,lost.txt,1919\nDee,./letters/july.txt,1920\nEd,,1921\n"
    )
    return tmp_path


def recorded(folder):
    return [(each.metadata["path"], each.text, each.metadata["metadata"]) for each in open_index(folder).documents]


def test_a_manifest_names_the_files_and_their_metadata(folder, tmp_path):
    made = build_index((), tmp_path / "index", tokenizer="bytes", manifest=folder / "about.csv")
    assert recorded(tmp_path / "index") == [
        ("letters/july.txt", "the dog ran", {"author": "Ann", "year": 1917}),
        # What a record states itself comes before the table.
        ("letters/rows.jsonl", "a cow", {"author": "Bob", "year": 1900}),
    ]
    assert made.read["files_found"] == 2 and made.read["files_skipped"] == 0
    assert made.noticed == {
        "rows of the metadata without a file": ["about.csv:4 (no file lost.txt)"],
        "rows of the metadata whose file has a row before": ["about.csv:5 (letters/july.txt has a row before)"],
        "rows of the metadata that name no file": ["about.csv:6 (its cell is empty)"],
    }
    assert made.sources == (str(folder / "about.csv"),)


def workbook(path, rows):
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    book.save(path)


def open_sheet(path, rows):
    spaces = "".join(
        f' xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in ("office", "table", "text")
    )

    def cell(value):
        kind = f'float" office:value="{value}' if isinstance(value, int) else "string"
        return f'<table:table-cell office:value-type="{kind}"><text:p>{value}</text:p></table:table-cell>'

    cells = "".join(f"<table:table-row>{''.join(map(cell, row))}</table:table-row>" for row in rows)
    sheet = f'<office:spreadsheet><table:table table:name="a">{cells}</table:table></office:spreadsheet>'
    content = f"<office:document-content{spaces}><office:body>{sheet}</office:body></office:document-content>"
    with zipfile.ZipFile(path, "w") as package:
        package.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        package.writestr("content.xml", content)
        package.writestr("META-INF/manifest.xml", "<manifest/>")


@pytest.mark.parametrize(("name", "write"), [("about.xlsx", workbook), ("about.ods", open_sheet)])
def test_a_manifest_may_be_a_spreadsheet(folder, tmp_path, name, write):
    write(folder / name, [("author", "file", "year"), ("Ann", "letters/july.txt", 1917), ("Cy", "lost.txt", 1919)])
    made = build_index((), tmp_path / "index", tokenizer="bytes", manifest=folder / name)
    assert recorded(tmp_path / "index") == [
        ("letters/july.txt", "the dog ran", {"author": "Ann", "year": 1917}),
    ]
    assert made.noticed == {"rows of the metadata without a file": [f"{name}:3 (no file lost.txt)"]}
    assert main(["build", "--manifest", str(folder / name), "--out", str(tmp_path / "b"), "--tokenizer", "bytes"]) == 0
    assert open_index(tmp_path / "b").document_count == 1


def test_the_command_builds_estimates_and_adds_by_a_manifest(folder, tmp_path, capsys):
    table, out = str(folder / "about.csv"), str(tmp_path / "index")
    assert main(["build", "--manifest", table, "--out", out, "--tokenizer", "bytes", "--estimate"]) == 0
    assert "2 files, 2 documents" in capsys.readouterr().out
    assert main(["build", "--manifest", table, "--out", out, "--tokenizer", "bytes"]) == 0
    (folder / "more.tsv").write_text("path\tauthor\nletters/june.txt\tFay\n")
    assert main(["add", out, "--manifest", str(folder / "more.tsv")]) == 0
    assert recorded(out)[-1] == ("letters/june.txt", "the cat sat", {"author": "Fay"})
    assert main(["add", out, "--manifest", table]) == 2
    assert "already contains 2 of 2 files" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "SOURCE is missing"),
        (["letters", "--manifest", "about.csv"], "leave SOURCE out"),
        (["--manifest", "about.csv", "--metadata", "about.csv"], "--metadata"),
    ],
)
def test_sources_are_given_in_one_way(folder, arguments, message, capsys, monkeypatch):
    monkeypatch.chdir(folder)
    assert main(["build", *arguments, "--out", "index", "--tokenizer", "bytes"]) == 2
    assert message in capsys.readouterr().err


def test_a_table_that_names_nothing_is_an_error(folder, tmp_path):
    table = folder / "bad.csv"
    for text, message in (
        ("name,year\na,1\n", 'no column "file"'),
        ("file\nlost.txt\n", "No file that .*bad.csv names exists"),
    ):
        table.write_text(text)
        with pytest.raises(SourceError, match=message):
            build_index([], tmp_path / "index", tokenizer="bytes", manifest=table)
    with pytest.raises(CorpusError, match="no other sources"):
        build_index(folder / "letters", tmp_path / "index", tokenizer="bytes", manifest=folder / "about.csv")
    with pytest.raises(CorpusError, match="no other table"):
        build_index((), tmp_path / "index", manifest=folder / "about.csv", metadata=folder / "about.csv")


def test_a_row_of_an_archive_is_for_every_file_in_it(folder, tmp_path):
    with zipfile.ZipFile(folder / "old.zip", "w") as archive:
        archive.writestr("1.txt", "one")
        archive.writestr("2.txt", "two")
    (folder / "about.csv").write_text("file,author\nold.zip,Ann\n")
    build_index((), tmp_path / "index", tokenizer="bytes", manifest=folder / "about.csv")
    assert recorded(tmp_path / "index") == [
        ("old.zip/1.txt", "one", {"author": "Ann"}),
        ("old.zip/2.txt", "two", {"author": "Ann"}),
    ]


@pytest.fixture
def doubles(tmp_path):
    """A folder with two texts, each of them twice, and with files that are only alike."""
    folder = tmp_path / "doubles"
    folder.mkdir()
    long = "the cat sat on the mat\n" * 1_000
    texts = {"a.txt": long, "b.txt": "short", "c.txt": long, "d.txt": long[:-1] + ".", "e.txt": "shirt"}
    for name, text in texts.items():
        (folder / name).write_text(text)
    (folder / "empty.txt").touch()
    (folder / "empty2.txt").touch()
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("in.txt", "short")
        archive.writestr("once.txt", "once")
    (folder / "f.zip").write_bytes(out.getvalue())
    return folder


def test_copies_are_counted_and_skipped_on_request(doubles, tmp_path):
    made = build_index(doubles, tmp_path / "all", tokenizer="bytes")
    counted = made.noticed["files that are copies of others"]
    assert made.skipped["files that are copies of others"] == 2 and made.read["files_skipped"] == 0
    assert counted == [
        f"c.txt (the same content as {doubles}/a.txt)",
        f"in.txt (the same content as {doubles}/b.txt)",
    ]
    made = build_index(doubles, tmp_path / "once", tokenizer="bytes", skip_duplicates=True)
    assert made.noticed["copies of other files"][0] == f"c.txt (copy of {doubles}/a.txt)"
    assert made.read["files_found"] == 9 and made.read["files_skipped"] == 2
    assert made.document_count == 7 and made.parameters["skip_duplicates"] is True
    assert [path for path, _, _ in recorded(tmp_path / "once")] == [
        "a.txt", "b.txt", "d.txt", "e.txt", "empty.txt", "empty2.txt", "f.zip/once.txt",
    ]  # fmt: skip


def test_the_estimate_counts_them_too(doubles, tmp_path, capsys):
    assert estimate_build(doubles, tokenizer="bytes").skipped == {"files that are copies of others": 2}
    found = estimate_build(doubles, tokenizer="bytes", skip_duplicates=True)
    assert (found.files_found, found.files) == (9, 7)
    out = ["--out", str(tmp_path / "index"), "--tokenizer", "bytes"]
    assert main(["build", str(doubles), *out, "--preview", "0", "--skip-duplicates"]) == 0
    assert "copies of other files (2): c.txt (copy of " in capsys.readouterr().out


def test_only_files_of_one_size_that_begin_alike_are_read(doubles, tmp_path, monkeypatch):
    read = []
    whole = copies._digest
    monkeypatch.setattr(copies, "_digest", lambda file: read.append(file.name) or whole(file))
    estimate_build(doubles, tokenizer="bytes")
    assert read == ["a.txt", "b.txt", "c.txt", "d.txt", "f.zip/in.txt"]


def test_added_files_are_compared_with_each_other(doubles, tmp_path):
    (tmp_path / "first.txt").write_text("first")
    build_index(tmp_path / "first.txt", tmp_path / "index", tokenizer="bytes")
    made = add_documents(tmp_path / "index", doubles, skip_duplicates=True)
    assert made.read["files_found"] == 10 and made.read["files_skipped"] == 2


def test_packed_copies_are_files_of_their_own(tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.txt").write_text("text")
    (tmp_path / "in" / "a.txt.gz").write_bytes(gzip.compress(b"text"))
    assert build_index(tmp_path / "in", tmp_path / "index", tokenizer="bytes").skipped == {}
