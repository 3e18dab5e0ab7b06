"""Archives as sources of builds: their files are read as any others, and everything that is not read is counted."""

from __future__ import annotations

import gzip
import io
import random
import sys
import tarfile
import zipfile

import py7zr
import pytest

from explorer import add_documents, build_index, open_index
from explorer.building.estimate.estimate import estimate_requested
from explorer.building.request import BuildRequest
from explorer.building.sources.readers import ReadOptions, ReadState, list_files, read_documents
from explorer.building.sources.recognized import recognize
from explorer.building.sources.source import FILES_LEFT_OUT, left_out
from explorer.cli.main import main
from explorer.documents.inputs.text_input import open_input
from explorer.errors import BuildError, SourceError
from explorer.index.manifest import read_manifest

ROWS = '{"text": "the dog barked", "year": 1916}\n{"text": "the cow mooed"}\n'
LETTERS = {
    "1916/june.txt": b"the cat sat on the mat",
    "1916/rows.jsonl": ROWS.encode(),
    "1916/packed.txt.gz": gzip.compress(b"the cat ran"),
}


def zipped(files):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return out.getvalue()


def tarred(files, packing="gz"):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode=f"w:{packing}") as archive:
        for name, data in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return out.getvalue()


def seven_zipped(files):
    out = io.BytesIO()
    with py7zr.SevenZipFile(out, "w") as archive:
        for name, data in files.items():
            archive.writef(io.BytesIO(data), name)
    return out.getvalue()


PACKERS = {
    "letters.7z": seven_zipped,
    "letters.zip": zipped,
    "letters.tar": lambda files: tarred(files, ""),
    "letters.tar.gz": tarred,
}


@pytest.fixture(params=PACKERS)
def archive(request, tmp_path):
    """An archive in a folder with one other file."""
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "plain.txt").write_text("a plain text")
    path = folder / request.param
    path.write_bytes(PACKERS[request.param](LETTERS))
    return path


def recorded(folder):
    return [(each.metadata["path"], each.text, each.metadata["metadata"]) for each in open_index(folder).documents]


def expected(name):
    return [
        (f"{name}/1916/june.txt", "the cat sat on the mat", {}),
        (f"{name}/1916/rows.jsonl", "the dog barked", {"year": 1916}),
        (f"{name}/1916/rows.jsonl", "the cow mooed", {}),
        (f"{name}/1916/packed.txt.gz", "the cat ran", {}),
        ("plain.txt", "a plain text", {}),
    ]


def test_files_in_an_archive_are_read_as_their_kinds(archive, tmp_path):
    made = build_index(archive.parent, tmp_path / "index", tokenizer="bytes")
    assert recorded(tmp_path / "index") == expected(archive.name)
    assert made.read == {"files_found": 4, "files_skipped": 0, "documents_found": 5, "documents_skipped": 0}
    assert made.kinds == {"text": 3, "jsonl": 1} and made.skipped == {}


def test_estimate_and_window_count_them(archive, tmp_path):
    request = BuildRequest(sources=(archive.parent,), out=tmp_path / "index", tokenizer="bytes")
    estimate = estimate_requested(request)
    assert (estimate.files, estimate.documents, estimate.exact) == (4, 5, True)
    assert [(each.kind, each.files) for each in estimate.kinds] == [("text", 3), ("jsonl", 1)]
    found = recognize(request)
    assert found.files_found == 4 and found.text_field == "text" and found.problem is None


def test_an_archive_in_an_archive_is_read_and_one_deeper_is_counted(tmp_path):
    deepest = zipped({"a.txt": b"too deep"})
    inner = tarred({"b.txt": b"the inner text", "deepest.zip": deepest, "c.txt": b"after it"})
    path = tmp_path / "outer.zip"
    path.write_bytes(zipped({"first.txt": b"first", "in/inner.tgz": inner, "last.txt": b"last"}))
    made = build_index(path, tmp_path / "index", tokenizer="bytes")
    assert [(name, text) for name, text, _ in recorded(tmp_path / "index")] == [
        ("outer.zip/first.txt", "first"),
        ("outer.zip/in/inner.tgz/b.txt", "the inner text"),
        ("outer.zip/in/inner.tgz/c.txt", "after it"),
        ("outer.zip/last.txt", "last"),
    ]
    assert made.read["files_found"] == 5 and made.read["files_skipped"] == 1
    assert made.noticed == {
        "files in archives that are not read": ["deepest.zip (an archive in an archive in an archive: unpack it)"]
    }


def test_what_is_not_read_is_counted_with_its_reason(tmp_path):
    files = {
        "../outside.txt": b"x",
        "__MACOSX/._a.txt": b"x",
        ".hidden/a.txt": b"x",
        "picture.png": b"\x89PNG\0\0",
        "bomb.txt": bytes(20 << 20),
        "a.txt": b"the only text",
        "folder/": b"",
    }
    path = tmp_path / "a.zip"
    path.write_bytes(zipped(files))
    made = build_index(path, tmp_path / "index", tokenizer="bytes")
    assert made.document_count == 1 and made.read["files_found"] == 6 and made.read["files_skipped"] == 5
    assert made.skipped == {
        "files in archives that are not read": 2,
        "marker files of other programs": 1,
        "hidden or special files": 1,
        "binary files": 1,
    }
    assert "expands to more than 200 times" in " ".join(made.noticed["files in archives that are not read"])


def test_of_files_with_one_path_the_last_is_read(tmp_path):
    path = tmp_path / "a.tar"
    with tarfile.open(path, "w") as archive:
        for text in (b"old", b"new"):
            info = tarfile.TarInfo("a.txt")
            info.size = len(text)
            archive.addfile(info, io.BytesIO(text))
    made = build_index(path, tmp_path / "index", tokenizer="bytes")
    assert [text for _, text, _ in recorded(tmp_path / "index")] == ["new"]
    assert made.read["files_found"] == 2 and made.read["files_skipped"] == 1


def test_an_empty_archive_is_a_file_without_a_document(tmp_path):
    (tmp_path / "a.zip").write_bytes(zipped({}))
    (tmp_path / "a.txt").write_text("text")
    made = build_index([tmp_path / "a.zip", tmp_path / "a.txt"], tmp_path / "index", tokenizer="bytes")
    assert made.noticed == {"files without a document": ["a.zip"]}
    assert made.read["files_found"] == 2 and made.read["files_skipped"] == 1


def test_a_damaged_archive_stops_the_build_or_is_read_up_to_the_damage(tmp_path):
    parts = {f"{n}.txt": random.Random(n).randbytes(600).hex().encode() for n in range(9)}
    path = tmp_path / "a.tar"
    path.write_bytes(tarred(parts, "")[:7_000])
    with pytest.raises(SourceError, match=r"a\.tar.* is cut short"):
        build_index(path, tmp_path / "index", tokenizer="bytes")
    made = build_index(path, tmp_path / "index", tokenizer="bytes", skip_bad=True)
    read = made.read
    assert read["files_found"] - read["files_skipped"] == made.document_count >= 3
    assert made.skipped["files cut short (what came before the cut is kept)"] >= 1
    broken = tmp_path / "b.zip"
    broken.write_bytes(b"PK\3\4 and nothing else")
    with pytest.raises(SourceError, match=r"b\.zip is damaged"):
        build_index(broken, tmp_path / "other", tokenizer="bytes")
    made = build_index([broken, path], tmp_path / "other", tokenizer="bytes", skip_bad=True)
    assert made.noticed["files of which nothing could be read"][0].startswith("b.zip")


def test_a_damaged_file_in_an_archive_is_named(tmp_path):
    data = bytearray(zipped({"a.txt": b"a" * 50, "b.txt": b"some text"}))
    data[data.index(b"a.txt") + 5 + 3] ^= 0xFF
    path = tmp_path / "a.zip"
    path.write_bytes(data)
    with pytest.raises(SourceError, match=r"a\.zip/a\.txt is damaged"):
        build_index(path, tmp_path / "index", tokenizer="bytes")
    made = build_index(path, tmp_path / "index", tokenizer="bytes", skip_bad=True)
    assert made.document_count == 1 and made.read["files_found"] == 2 and made.read["files_skipped"] == 1


def test_metadata_of_a_table_is_that_of_files_in_an_archive(archive, tmp_path):
    (tmp_path / "about.csv").write_text(f"path,author\n{archive.name}/1916/june.txt,Ann\nplain,Bob\n")
    build_index(archive.parent, tmp_path / "index", tokenizer="bytes", metadata=tmp_path / "about.csv")
    about = {path: fields for path, _, fields in recorded(tmp_path / "index")}
    assert about[f"{archive.name}/1916/june.txt"] == {"author": "Ann"} and about["plain.txt"] == {"author": "Bob"}


def test_a_build_is_resumed_within_an_archive(archive, tmp_path):
    files = list_files([archive.parent], ReadState())
    state = ReadState()
    whole = [document.text for document in read_documents(files, ReadOptions(), state)]
    # In any order: an archive that was read beyond a file is opened again.
    backwards = [[each.text for each in read_documents([file], ReadOptions(), ReadState())] for file in files[::-1]]
    assert [text for texts in backwards[::-1] for text in texts] == whole


def test_an_archive_is_known_when_it_is_added_again(archive, tmp_path):
    build_index(archive, tmp_path / "index", tokenizer="bytes")
    with pytest.raises(BuildError, match="already contains 3 of 3 files"):
        add_documents(tmp_path / "index", archive)
    add_documents(tmp_path / "index", archive, again=True)
    assert read_manifest(tmp_path / "index").kinds == {"text": 4, "jsonl": 2}


def test_an_archive_comes_through_a_pipe(archive, tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(archive.read_bytes()))))
    assert main(["build", "-", "--out", str(tmp_path / "index"), "--tokenizer", "bytes"]) == 0
    assert recorded(tmp_path / "index") == expected("stdin")[:-1]


def test_the_texts_in_an_archive_are_traced(archive):
    opened = open_input(archive)
    assert opened.format == ("7z" if archive.suffix == ".7z" else "archive")
    assert [(text.text, text.fields["path"]) for text in opened.texts] == [
        ("the cat sat on the mat", "1916/june.txt"),
        ("the dog barked", "1916/rows.jsonl"),
        ("the cow mooed", "1916/rows.jsonl"),
        ("the cat ran", "1916/packed.txt.gz"),
    ]


MIXED = zipped({**LETTERS, "in.tar": tarred({"b.txt": b"inner"}, ""), "in.zip": zipped({"c.txt": b"more"})})
INPUTS = {
    "7z": seven_zipped({**LETTERS, "in.zip": zipped({"c.txt": b"more"})}),
    "zip": MIXED,
    "tar": tarred({**LETTERS, "in.zip": zipped({"c.txt": b"more"})}, ""),
    "tar.gz": tarred({**LETTERS, "in.tgz": tarred({"c.txt": b"more"})}),
    "tar.bz2": tarred(LETTERS, "bz2"),
    "tar.xz": tarred(LETTERS, "xz"),
}


@pytest.mark.parametrize("kind", INPUTS)
def test_mutated_archives_are_documents_or_errors(kind, tmp_path, scale):
    path = tmp_path / f"a.{kind}"
    documents = errors = 0
    for seed in range(scale(60, 2_000)):
        generator = random.Random(seed)
        data = bytearray(INPUTS[kind])
        for _ in range(generator.choice([1, 1, 2, 5, 30])):
            at = generator.randrange(len(data) or 1)
            if generator.random() < 0.8:
                data[at : at + 1] = bytes([generator.randrange(256)])
            else:
                del data[at : at + generator.randrange(1, 600)]
        path.write_bytes(data)
        skip_bad = generator.random() < 0.6
        state = ReadState()
        try:
            files = list_files([path], state, skip_bad)
            found = len(files) + left_out(state.skipped, FILES_LEFT_OUT)
            read = {each.path for each in read_documents(files, ReadOptions(skip_bad=skip_bad), state)}
            documents += len(read)
            assert len(read) + left_out(state.skipped, FILES_LEFT_OUT) == found
        except SourceError as error:
            errors += 1
            assert "a." in str(error) and "Traceback" not in str(error)
    assert documents and errors
