"""One index that is given twice would count double."""

from __future__ import annotations

import json
import os
import shutil

import pytest
from command_line import run

from explorer import build_index, open_index
from explorer.errors import QueryError


def ways(folder, place):
    """Other paths to a folder."""
    (place / "link").symlink_to(folder)
    (place / "hard").mkdir()
    for file in folder.iterdir():
        os.link(file, place / "hard" / file.name)
    (place / "files").mkdir()
    for file in folder.iterdir():
        (place / "files" / file.name).symlink_to(file)
    shutil.copytree(folder, place / "copy")
    return [
        *(folder, f"{folder}/", folder / ".." / folder.name, f"{folder.parent}/x/../{folder.name}"),
        *(os.path.relpath(folder), place / "link", place / "hard", place / "files", place / "copy"),
    ]


@pytest.fixture
def index(small_index, tmp_path):
    folder = tmp_path / "index"
    shutil.copytree(small_index, folder)
    (tmp_path / "x").mkdir()
    return folder


def test_the_same_index_twice_is_an_error(index, byte_index, tmp_path):
    alone = open_index(index).count("the cat")
    for other in ways(index, tmp_path):
        for paths in ([index, other], [other, index]):
            with pytest.raises(QueryError, match=r"is given twice|is a copy of"):
                open_index(paths)
            with pytest.raises(QueryError, match=r"is given twice|is a copy of"):
                open_index(index, minus=paths)
        assert open_index([index, other], allow_same=True).count("the cat") == 2 * alone
        # Subtracting an index from itself counts nothing double.
        assert open_index(index, minus=other).count("the cat") == 0


def test_other_indexes_are_not_the_same(text_folder, tmp_path):
    for name, text in (("a", "the cat"), ("b", "the dog")):
        (tmp_path / f"{name}.txt").write_text(text)
        build_index(tmp_path / f"{name}.txt", tmp_path / name, tokenizer="bytes")
    assert open_index([tmp_path / "a", tmp_path / "b"]).document_count == 2


def test_the_command_line_refuses_it_too(index):
    asked = ("count", index, "the", "--index", f"{index}/")
    done = run(*asked)
    assert done.returncode == 2 and b"is given twice" in done.stderr
    assert run(*asked, "--allow-same").returncode == 0


def test_what_is_not_subtracted_is_said(tmp_path):
    for name, texts in (("base", ["the cat", "the cat", "a dog"]), ("less", ["the cat", "a cow", "a pig"])):
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps({"text": text}) + "\n" for text in texts))
        build_index(tmp_path / f"{name}.jsonl", tmp_path / name, tokenizer="bytes")
    said = "2 of 3 documents to subtract are not in this index and were skipped."
    assert open_index(tmp_path / "base", minus=tmp_path / "less").index.remark == said
    done = run("count", tmp_path / "base", "cat", "--minus", tmp_path / "less")
    assert (done.stdout.split(b"\t")[0], done.stderr.decode()) == (b"1", f"# {said}\n")
