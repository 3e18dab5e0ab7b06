"""What `build` reads, and what it tells of it, as a person sees it."""

from __future__ import annotations

import gzip
import json

import pytest
from command_line import run
from vocabularies import clip, word_piece

from explorer.building.sources import walk


def test_build_reads_standard_input_and_joins_metadata(tmp_path):
    (tmp_path / "a.txt").write_bytes("Grüße aus Köln".encode("cp1252"))
    (tmp_path / "meta.tsv").write_text("file\tyear\na.txt\t1999\n")
    done = run(
        "build",
        tmp_path / "a.txt",
        "--out",
        tmp_path / "one",
        "--tokenizer",
        "bytes",
        "--metadata",
        tmp_path / "meta.tsv",
    )
    assert done.returncode == 0, done.stderr
    assert "files read as windows-1252 (1): a.txt" in done.stdout.decode()
    done = run("build", "-", "--out", tmp_path / "two", "--tokenizer", "train:300", stdin=b"piped words, piped words")
    assert done.returncode == 0 and b"1 document, " in done.stdout
    listed = run("kwic", tmp_path / "one", "Köln", "--where", "year=1999")
    assert "ße aus" in listed.stdout.decode()


def test_a_cut_archive_fails_the_build_and_is_named_where_it_is_kept(tmp_path):
    rows = "".join(json.dumps({"text": f"row {number} {number * 7919 % 10007}"}) + "\n" for number in range(9_000))
    packed = gzip.compress(rows.encode())
    (tmp_path / "cut.jsonl.gz").write_bytes(packed[: len(packed) // 2])
    asked = ("build", tmp_path / "cut.jsonl.gz", "--out", tmp_path / "out", "--tokenizer", "bytes")
    done = run(*asked)
    assert done.returncode == 2 and b"cut.jsonl.gz is cut short" in done.stderr and b"Traceback" not in done.stderr
    assert not (tmp_path / "out").exists()
    done = run(*asked, "--skip-bad")
    assert done.returncode == 0
    assert b"files cut short (what came before the cut is kept) (1): cut.jsonl.gz" in done.stdout
    assert "cut.jsonl.gz" in (tmp_path / "out" / "report.json").read_text()


def test_verify_with_another_tokenizer(text_folder, tmp_path):
    clip().save(str(tmp_path / "clip.json"))
    word_piece().save(str(tmp_path / "bert.json"))
    assert run("build", text_folder, "--out", tmp_path / "out", "--tokenizer", tmp_path / "bert.json").returncode == 0
    assert run("verify", tmp_path / "out").returncode == 0
    asked = ("verify", tmp_path / "out", "--tokenizer", tmp_path / "clip.json")
    found = run(*asked)
    assert found.returncode == 1 and b"does not fit" in found.stdout
    assert run(*asked, "--no-fit-check").returncode == 0


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_build_tells_json_lines_from_text_in_a_pipe(tmp_path, pack):
    def piped(*arguments, data):
        # A process keeps what it read from a pipe: an estimate reads it before the build.
        walk._waiting.clear()
        return run(*arguments, stdin=pack(data))

    data = b'\n{"text": "one cat", "year": 1}\n{"text": "two cats", "year": 2}\n'
    asked = ("build", "-", "--out", tmp_path / "out", "--tokenizer", "bytes")
    estimate = piped(*asked, "--estimate", "--json", data=data)
    assert json.loads(estimate.stdout)["results"][0]["document_count"] == 2
    done = piped(*asked, data=data)
    assert done.returncode == 0 and b"pipes read as JSON Lines (1): standard input" in done.stdout
    listed = run("kwic", tmp_path / "out", "cat", "--where", "year=2", "--format", "jsonl")
    assert [json.loads(line)["metadata"]["linenum"] for line in listed.stdout.splitlines()] == [2]
    bad = piped("build", "-", "--out", tmp_path / "bad", "--tokenizer", "bytes", data=data + b"{cut\n")
    assert bad.returncode == 2 and b"standard input, line 4: " in bad.stderr
    text = piped("build", "-", "--out", tmp_path / "text", "--tokenizer", "bytes", data=b"{ braces }\nof a text")
    assert text.returncode == 0 and b"1 document, " in text.stdout
