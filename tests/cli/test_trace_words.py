"""`trace --match words`: units in every kind of output, and options that words have no use for."""

from __future__ import annotations

import csv
import io
import json

import pytest

from explorer import build_index
from explorer.cli.main import main

pytestmark = pytest.mark.local("words are cut in folders on this machine")

TEXT = "The cat sat on the mat. It’s the hat."
COPY = "THE CAT\nSAT “on the mat” – it's THE hat"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    found = tmp_path_factory.mktemp("words")
    build_index([{"text": TEXT, "title": "first"}, {"text": "a dog"}], found / "index", tokenizer="bytes")
    (found / "copy.txt").write_text(COPY, "utf-8")
    rows = [{"text": COPY}, {"text": "…"}, {"text": "a DOG"}]
    (found / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return found


@pytest.fixture
def run(folder, monkeypatch, capsys):
    monkeypatch.chdir(folder)

    def run_line(*words):
        code = main(list(words))
        return code, *capsys.readouterr()

    return run_line


def test_json_names_the_unit(run):
    code, out, _ = run("trace", "index", "copy.txt", "--match", "words", "--density", "1", "--json")
    answer = json.loads(out)
    assert code == 0
    settings = answer["settings"]
    assert (settings["match"], settings["delimiter"], settings["word_boundaries"]) == ("words", [], "off")
    (record,) = answer["results"]
    assert [record[name] for name in ("unit", "word_count", "token_count", "longest_match")] == ["words", 9, None, 9]
    (document,) = record["documents"]
    longest = document["longest"]
    assert longest["text"][longest["match_start"] : longest["match_end"]] == TEXT[:-1]
    assert (document["share"], longest["offset"], longest["token_count"]) == (1.0, 0, len(TEXT[:-1].encode()))


def test_a_table_of_many_texts_names_the_unit(run):
    line = ("trace", "index", "rows.jsonl", "--match", "words", "--on-bad", "keep", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(run(*line)[1])))
    assert [(row["unit"], row["word_count"], row["token_count"], row["longest_match"]) for row in rows] == [
        ("words", "9", "", "9"), ("words", "", "", ""), ("words", "2", "", "2"),
    ]  # fmt: skip
    assert "no words" in rows[1]["problem"]


def test_text_and_report_are_in_words(run, folder):
    out = run("trace", "index", "copy.txt", "--match", "words", "--density", "1")[1]
    assert "longest passage: 9 words, 1 ×" in out
    assert "token" not in out
    assert run("trace", "index", "copy.txt", "--match", "words", "--html", "out.html")[0] == 0
    page = (folder / "out.html").read_text("utf-8")
    assert "<th>Words</th>" in page and "in 9 words" in page and "word for word, apart from case" in page
    assert "tokens" not in page.partition("How this was made")[0]


@pytest.mark.parametrize("option", [("--delimiter", "x"), ("--abbreviations",), ("--word-boundaries", "off")])
def test_options_for_tokens_are_refused(run, option):
    code, _, error = run("trace", "index", "copy.txt", "--match", "words", *option)
    assert code == 2
    assert f"{option[0]} cannot be used with --match words" in error


def test_a_limit_in_words_and_copies_that_are_left_out(run, folder):
    assert run("trace", "index", "copy.txt", "--match", "words", "--fail-over", "8")[0] == 1
    assert run("trace", "index", "copy.txt", "--match", "words", "--fail-over", "9")[0] == 0
    build_index([{"text": " ".join(f"w{n}" for n in range(40))}, {"text": "W1, w2"}], folder / "own", tokenizer="bytes")
    (folder / "own.txt").write_text("\n".join(f"W{n}" for n in range(40)), "utf-8")
    code, out, error = run("trace", "own", "own.txt", "--match", "words", "--without-self")
    assert code == 0
    assert "contain most of the text: 1 document" in error
    assert "longest passage: 2 words" in out
