"""Watch lists at the command line, and patterns that cannot be looked for."""

from __future__ import annotations

import csv
import gzip
import io
import json
import shutil

import pytest

from explorer.cli.main import main


@pytest.fixture
def run(small_index, capsys):
    """run(argument …): exit code, output and remarks of `count`."""

    def command(*arguments, index=small_index, name="count"):
        code = main([name, str(index), *map(str, arguments)])
        return code, *capsys.readouterr()

    return command


@pytest.fixture
def counts(text_folder):
    """counts(text): the occurrences in the texts, and the number of texts that have some."""
    texts = [path.read_text(encoding="utf-8") for path in text_folder.rglob("*.*")]
    return lambda text: (sum(one.count(text) for one in texts), sum(text in one for one in texts))


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "names.csv"
    path.write_text('\ufeffteam,pattern,label,count\n=1+1,cat,A cat,9\n,"mat, and",,\nx,unheard of,@x,\n', "utf-8")
    return path


def test_a_watch_list_as_text(run, counts, tmp_path):
    path = tmp_path / "list.txt"
    path.write_text("# names\ncat\n\nat AND\nthe \\\n")
    code, out, err = run("--patterns", path)
    assert (code, err) == (0, "")
    rows = [line.split("\t") for line in out.splitlines()]
    assert rows == [[*map(str, counts("cat")), "cat"], ["0", "0", "at AND"], ["0", "0", "the \\"]]
    code, out, _ = run("--patterns", path, "--match", "regex")
    assert code == 2 and [line.split("\t")[0] for line in out.splitlines()] == [str(counts("cat")[0]), "0", "?"]


def test_a_watch_list_as_json(run, counts, table, small):
    code, out, _ = run("--patterns", table, "--json")
    rows = json.loads(out)["results"]
    assert code == 0 and [(row["count"], row["document_count"]) for row in rows] == [
        counts("cat"), counts("mat, and"), (0, 0)
    ]  # fmt: skip
    assert rows[0]["columns"] == {"team": "=1+1", "count": "9"} and rows[0]["label"] == "A cat"
    assert [row["line"] for row in rows] == [2, 3, 4] and {row["match"] for row in rows} == {"text"}
    first = rows[0]["first_documents"]
    having = [number for number in range(small.document_count) if "cat" in small.document(number).text]
    assert [one["document"] for one in first] == having[:3] and first[0]["title"].endswith(".txt")
    lines = run("--patterns", table, "--format", "jsonl")[1].splitlines()
    assert list(map(json.loads, lines)) == rows
    upper = json.loads(run("--patterns", table, "--json", "--ignore-case", "--whole-words")[1])["results"]
    assert (upper[0]["ignore_case"], upper[0]["whole_words"]) == (True, True)
    tokens = json.loads(run("--patterns", table, "--json", "--match", "tokens")[1])["results"]
    assert tokens[0]["count"] == small.count("cat", match="tokens") and tokens[0]["match"] == "tokens"


def test_a_watch_list_as_a_table(run, counts, table):
    code, out, _ = run("--patterns", table, "--csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert code == 0 and [(int(row["count"]), int(row["document_count"])) for row in rows[:2]] == [
        counts("cat"), counts("mat, and")
    ]  # fmt: skip
    assert list(rows[0])[-2:] == ["team", "list.count"]
    # A spreadsheet takes no cell for a formula.
    assert (rows[0]["team"], rows[0]["list.count"], rows[2]["label"]) == ("'=1+1", "9", "'@x")
    assert rows[2]["count"] == "0" and rows[2]["first_documents"] == ""


def test_the_exit_code_of_a_watch_list(run, tmp_path):
    def code(text, *options):
        (tmp_path / "l.txt").write_bytes(text)
        return run("--patterns", tmp_path / "l.txt", "--fail-if-found", *options)

    assert code(b"unheard of\nneither\n")[0] == 0
    assert code(b"unheard of\ncat\n")[0] == 1
    assert code(b"CAT\n")[0] == 0 and code(b"CAT\n", "--ignore-case", "--json")[0] == 1
    # What could not be checked is never a success, and what was counted before and after it is printed.
    for bad, options in ((b"\xff", []), (b"x" * 3000, []), (b"a*", ["--match", "regex"])):
        found = code(b"unheard of\n" + bad + b"\nneither\n", *options)
        assert found[0] == 2 and len(found[1].splitlines()) == 3
        assert "l.txt, line 2: " in found[2] and "1 pattern could not be counted" in found[2].splitlines()[-1]
        assert code(b"cat\n" + bad, *options)[0] == 2
    assert code(b"")[0] == code(b"# nothing\n")[0] == 2
    assert run("--patterns", tmp_path / "none.txt", "--fail-if-found")[0] == 2


def test_a_watch_list_from_standard_input(run, counts, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"cat\r\n"), "utf-8"))
    assert run("--patterns", "-")[1] == "{}\t{}\tcat\n".format(*counts("cat"))


def test_several_watch_lists(run, counts, table, tmp_path):
    (tmp_path / "b.jsonl.gz").write_bytes(gzip.compress(b'{"pattern": "mat", "owner": "Bo"}\n{"owner": 1}\n'))
    code, out, err = run("--patterns", table, "--patterns", tmp_path / "b.jsonl.gz", "--json")
    found = json.loads(out)
    rows, bad = found["results"], found["problems"]
    # What is wrong with one record does not stop the others.
    assert (
        code == 2
        and "b.jsonl.gz, line 2: " in err
        and [(one["line"], one["source"][-6:]) for one in bad] == [(2, "onl.gz")]
    )
    assert [row["source"][-6:] for row in rows] == ["es.csv"] * 3 + ["onl.gz"] * 2
    assert (rows[3]["count"], rows[3]["document_count"]) == counts("mat") and rows[4]["count"] is None
    assert rows[3]["columns"] == {"team": "", "count": "", "owner": "Bo"}


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--patterns", "x", "cat"], "QUERY cannot be used with --patterns"),
        (["--patterns", "x", "--queries", "y"], "--queries cannot be used with --patterns"),
        (["cat", "--csv"], "--csv needs --patterns"),
        (["cat", "--fail-if-found"], "--fail-if-found needs --patterns"),
        (["--patterns", "x", "--csv", "--json"], "--csv cannot be used with --json"),
        (["--patterns", "x", "--distance", "3"], "--distance needs a query with AND"),
        (["--patterns", "nowhere"], "nowhere cannot be read"),
    ],
)
def test_what_a_watch_list_does_not_go_with(run, options, said):
    code, _, err = run(*options)
    assert code == 2 and said in err and err.count("\n") == 1


BAD = {
    "a*": "empty text", "(a|b?)": "empty text", ".*": "empty text", "(?<=the )cat": "Look-around",
    "a(?=b)": "Look-around", r"(a)\1": "back-reference", "^the": r"\A", "(": "not a regular expression",
    "a{5000}": "at most", "x" * 10_000: "10,000 characters", "(" * 3000 + "a" + ")" * 3000: "6,001 characters",
    "\udcff": "not UTF-8",
}  # fmt: skip


@pytest.mark.parametrize(("pattern", "said"), BAD.items(), ids=range(len(BAD)))
@pytest.mark.parametrize("command", ["count", "kwic"])
def test_patterns_that_cannot_be_looked_for(run, command, pattern, said):
    code, out, err = run(pattern, "--match", "regex", name=command)
    assert (code, out) == (2, "") and said in err and err.count("\n") == 1 and "Unexpected" not in err


@pytest.mark.parametrize("text", ["", "x" * 10_000, "a\udcff"], ids=["empty", "long", "no UTF-8"])
def test_texts_that_cannot_be_looked_for(run, text):
    for command in ("count", "kwic"):
        code, out, err = run(text, name=command)
        assert (code, out) == (2, "") and err.count("\n") == 1 and "Unexpected" not in err


def test_files_that_are_not_utf8(run, tmp_path):
    (tmp_path / "q.txt").write_bytes(b"cat\n\xe9t\xe9\n")
    code, out, err = run("--queries", tmp_path / "q.txt")
    assert code == 2 and out.count("\n") == 1 and "line 2: it is not UTF-8 text" in err
    (tmp_path / "q.csv").write_bytes(b"pattern\ncat\n\xe9t\xe9\n")
    code, out, err = run("--patterns", tmp_path / "q.csv")
    assert (code, out) == (2, "") and "line 3: this is not UTF-8 text" in err


@pytest.mark.parametrize("asked", [["cat"], ["c.t", "--match", "regex"], ["cat", "--ignore-case"]], ids=str)
def test_an_index_without_tokenizer(run, small_index, tmp_path, asked):
    shutil.copytree(small_index, tmp_path / "bare")
    for name in ("tokenizer.json", "index.json"):
        (tmp_path / "bare" / name).unlink(missing_ok=True)
    for command in ("count", "kwic"):
        code, out, err = run(*asked, index=tmp_path / "bare", name=command)
        assert (code, out) == (2, "") and "tokenizer" in err and err.count("\n") == 1, err
