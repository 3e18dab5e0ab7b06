"""--out, --fields and --where: one definition for all commands that print records."""

from __future__ import annotations

import csv
import json
import re
import shutil

import pyarrow.parquet
import pytest
from openpyxl import load_workbook

from explorer import build_index
from explorer.cli.commands import COMMANDS, command_parser
from explorer.cli.main import main

ROWS = [{"text": f"so the cat sat on the mat and the dog {n} saw it", "year": 2019 + n} for n in range(6)]
RECORDS = {
    "count": ["index", "cat", "the dog"],
    "kwic": ["index", "cat"],
    "breakdown": ["index", "cat", "--by", "year"],
    "dispersion": ["index", "cat"],
    "next": ["index", "the"],
    "ngram-profile": ["index", "the cat"],
    "trace": ["index", "rows.jsonl"],
    "agree": ["index", "rows.jsonl"],
    "info": ["index"],
    "verify": ["broken"],
    "compare-texts": ["a.txt", "b.txt"],
    "set-tokenizer": ["index"],
}


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """An index, a damaged one and texts."""
    home = tmp_path_factory.mktemp("output")
    (home / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    build_index(home / "rows.jsonl", home / "index", tokenizer="bytes")
    shutil.copytree(home / "index", home / "broken")
    (home / "broken" / "table.0").write_bytes(b"")
    (home / "a.txt").write_text("the cat sat on the mat")
    (home / "b.txt").write_text("the cat sat at the mat")
    return home


@pytest.fixture
def run(made, monkeypatch, capsys):
    """run(argument …): exit code, output and remarks, in the folder of the files."""
    monkeypatch.chdir(made)

    def command(*arguments):
        code = main(list(map(str, arguments)))
        return code, *capsys.readouterr()

    return command


def test_every_command_with_records_has_the_options():
    own_folder, without_index = (
        {"build", "merge", "fgrams", "duplicates", "decontaminate", "personal-data"},
        {"embed-fgrams", "plan", "compare-texts", "project", "set-tokenizer", "verify", "build", "add", "workers"}
        | {"duplicates", "repeats"},
    )
    for command in COMMANDS:
        options = {name for word in command_parser(command).words for name in word.option_strings}
        if "--format" in options:
            assert {"--out", "--fields"} <= options, command.name
            assert ("--where" in options) == (command.name not in without_index), command.name
            # Their --out is the folder of the index, of arrays, or of texts that are cut.
            assert bool(command_parser(command).out_suffixes) == (command.name not in own_folder), command.name


@pytest.mark.parametrize("command", RECORDS)
@pytest.mark.parametrize("suffix", [".jsonl", ".json", ".csv", ".parquet", ".xlsx"])
def test_a_file_has_the_records_that_are_printed(command, suffix, run, tmp_path):
    code, printed, _ = run(command, *RECORDS[command], *(["--limit", "0"] if command == "kwic" else []), "--json")
    expected = json.loads(printed)
    path = tmp_path / f"out{suffix}"
    assert run(command, *RECORDS[command], "--out", path)[:2] == (code, "")
    assert {file.name for file in tmp_path.iterdir()} <= {path.name, f"{path.name}.about.json"}
    count = len(expected["results"])
    if suffix == ".json":
        found = json.loads(path.read_text())
        assert (found["results"], found["schema"]) == (expected["results"], expected["schema"])
    elif suffix == ".jsonl":
        assert [json.loads(line) for line in path.read_text().splitlines()] == expected["results"]
    elif suffix == ".parquet":
        assert pyarrow.parquet.read_table(path).num_rows == count
    elif suffix == ".csv":
        with path.open(newline="") as file:
            assert len(list(csv.DictReader(file))) == count
    else:
        assert load_workbook(path).worksheets[0].max_row == count + 1


def test_fields(run, tmp_path):
    assert run("count", "index", "cat", "dog", "--fields", "count, query")[1] == "6\tcat\n6\tdog\n"
    assert run("count", "index", "cat", "--fields", "document_count,count")[1] == "\t6\n"
    assert run("count", "index", "cat", "--fields", "query,count", "--format", "csv")[1] == "query,count\ncat,6\n"
    answer = json.loads(run("count", "index", "cat", "--fields", "count", "--json")[1])
    assert (answer["results"], answer["settings"]["fields"]) == ([{"count": 6}], ["count"])
    run("next", "index", "the", "--fields", "text,count", "--out", tmp_path / "t.parquet")
    assert pyarrow.parquet.read_table(tmp_path / "t.parquet").schema.names == ["text", "count"]
    # Details of a trace need not be asked for twice.
    (row, *_) = run("trace", "index", "rows.jsonl", "--fields", "line,spans", "--format", "jsonl")[1].splitlines()
    assert json.loads(row)["spans"]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (
            ["count", "index", "cat", "--fields", "count,nothing"],
            'no field "nothing". The fields are query, parsed, count,',
        ),
        (["count", "index", "cat", "--fields", "label"], 'no field "label"'),
        (["kwic", "index", "cat", "--fields", "nothing"], '"nothing". The fields are: path, linenum, year'),
        (["count", "index", "cat", "--out", "x.png"], 'not ".png"'),
        (["kwic", "index", "cat", "--out", "x"], 'not ""'),
        (["count", "index", "cat", "--out", "/no-folder/x.csv"], "cannot be written"),
        (["trace", "index", "rows.jsonl", "--out", "index.csv/x.csv"], "cannot be written"),
        (["count", "index", "cat", "--out", "x.csv", "--json"], "cannot be used with --out FILE"),
        (["kwic", "index", "cat", "--out", "x.json", "--about", "inline"], "--about cannot be used"),
        (["count", "index", "cat", "--where", "nothing=1"], 'no document has the field "nothing"'),
        (["next", "index", "the", "--where", "year>3000"], "No document meets the conditions"),
    ],
)
def test_refused(words, sentence, run, made):
    before = sorted(made.iterdir())
    code, out, err = run(*words)
    assert (code, out) == (2, "") and sentence.lower() in err.lower() and err.count("\n") == 1
    assert sorted(made.iterdir()) == before


def test_a_file_that_cannot_be_written_is_refused_before_the_work(run, monkeypatch):
    monkeypatch.setattr("explorer.cli.options.common.BACKENDS", None)
    assert "cannot be written" in run("agree", "index", "rows.jsonl", "--out", "/no-folder/x.csv")[2]


def test_an_error_leaves_the_file_as_it_was(run, tmp_path):
    path = tmp_path / "c.csv"
    path.write_text("before")
    # The second query fails after the first was counted.
    assert run("count", "index", "cat", "(", "--match", "regex", "--out", path)[0] == 2
    assert (path.read_text(), [file.name for file in tmp_path.iterdir()]) == ("before", ["c.csv"])


@pytest.mark.parametrize(
    "more",
    [[], ["--literal"], ["--match", "regex"], ["--match", "tokens"], ["--match", "tokens", "--variants", "space"]],
)
def test_counts_of_some_documents(more, run, tmp_path):
    later = tmp_path / "later"
    build_index([row for row in ROWS if row["year"] > 2021], later, tokenizer="bytes")
    ask = ["--documents", "--format", "jsonl", *more]
    kept = ("count", "document_count", "per_million", "variants")
    for query in ("cat", "the", "it the"):
        whole = json.loads(run("count", later, query, *ask)[1])
        part = json.loads(run("count", "index", query, *ask, "--where", "year>2021")[1])
        assert {name: part[name] for name in kept} == {name: whole[name] for name in kept}


def test_other_commands_ask_some_documents(run, tmp_path):
    later = tmp_path / "later"
    build_index([row for row in ROWS if row["year"] > 2021], later, tokenizer="bytes")
    for name, words in (("next", ["the dog "]), ("ngram-profile", ["the dog 4"]), ("agree", ["a.txt"])):
        part = run(name, "index", *words, "--where", "year>2021", "--format", "jsonl")[1]
        assert part == run(name, later, *words, "--format", "jsonl")[1]
    assert run("info", "index", "--where", "year>2021", "--fields", "document_count")[1] == "3\n"


SHORTENED = {
    "kwic": (["cat"], "--limit", "0"),
    "next": (["the"], "--top", "0"),
    "next of words": (["the ", "--words"], "--top", "0"),
    "wordlist": (["--n", "2"], "--top", "all"),
    "clusters": (["cat"], "--top", "all"),
    "keywords": (["index", "--min-count", "1"], "--top", "all"),
    "repeats": (["--length", "2"], "--top", "all"),
    "dispersion": (["--words", "--min-count", "1"], "--top", "all"),
}
"""Commands that show people some rows only, and what prints all."""
ROWS_ASKED = re.compile('"(top|limit)": [^,]*')


@pytest.fixture(scope="module")
def many(made):
    """An index with more of everything than people see at once."""
    words = [f"the {'abcdefghij'[n % 10]}w{n}x cat cat w{n} saw w{n} saw" for n in range(130)]
    build_index([{"text": " ".join(words)}], made / "many", tokenizer="bytes")


@pytest.mark.parametrize("name", SHORTENED)
@pytest.mark.parametrize("form", ["jsonl", "csv", "json"])
def test_formats_for_programs_are_complete(name, form, run, many):
    words, option, every = SHORTENED[name]
    command = (name.split()[0], "many", *words, "--format", form)
    code, some, remarks = run(*command)
    assert (code, ROWS_ASKED.sub("", some)) == (0, ROWS_ASKED.sub("", run(*command, option, every)[1]))
    assert "prints all" not in remarks


@pytest.mark.parametrize("name", SHORTENED)
def test_people_are_told_that_they_see_some_rows(name, run, many):
    words, option, every = SHORTENED[name]
    command = (name.split()[0], "many", *words, "--format", "text")
    code, some, remarks = run(*command)
    shortened = len(some.splitlines()) < len(run(*command, option, every)[1].splitlines())
    assert code == 0 and shortened == (f"{option} {every} prints all" in remarks)
    assert "prints all" not in run(*command, option, "5")[2] + run(*command, option, every)[2] + run(*command, "-q")[2]


def test_a_table_is_complete_where_no_format_is_named(run, many):
    """Its reader is a program: on a terminal, lines are aligned and the first ones only."""
    assert len(run("kwic", "many", "cat")[1].splitlines()) == 261
    _, some, remarks = run("kwic", "many", "cat", "--format", "text")
    assert (len(some.splitlines()), remarks) == (20, "# 20 of 260 lines; --limit 0 prints all\n")


def test_lines_on_a_terminal_are_aligned(run, many, monkeypatch):
    aligned = run("kwic", "many", "cat", "--format", "text")
    monkeypatch.setattr("explorer.cli.search.kwic.is_terminal", lambda: True)
    assert run("kwic", "many", "cat") == aligned
    assert len(run("kwic", "many", "cat", "--format", "tsv")[1].splitlines()) == 261
    # Columns of their own need a table.
    assert run("kwic", "many", "cat", "--fields", "path", "--limit", "1")[1].startswith("number\t")
