"""Files of texts and of queries: several at once, folders, compressed, of every format, odd and damaged ones."""

from __future__ import annotations

import gzip
import io
import json

import pyarrow
import pyarrow.parquet
import pytest
import zstandard

from explorer.cli.main import main

QUERIES = ["the cat", "dog", "(a"]
ROWS = [{"query": query, "n": number} for number, query in enumerate(QUERIES)]
LINES = "".join(f"{query}\n" for query in QUERIES).encode()
RECORDS = "".join(json.dumps(row) + "\n" for row in ROWS).encode()


def parquet() -> bytes:
    file = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(ROWS), file)
    return file.getvalue()


FILES = {
    "plain": LINES,
    "windows.txt": LINES.replace(b"\n", b"\r\n"),
    "wide.txt": LINES.decode().encode("utf-16"),
    "q.txt.gz": gzip.compress(LINES),
    "q.txt.zst": zstandard.compress(LINES),
    "q.jsonl": RECORDS,
    "q.jsonl.gz": gzip.compress(RECORDS),
    "q.csv": b'n,query\n0,the cat\n1,dog\n2,"(a"\n',
    "q.tsv": b"query\tn\nthe cat\t0\ndog\t1\n(a\t2\n",
    "q.parquet": parquet(),
    "odd \u202e\n name.txt": LINES,
}


@pytest.fixture
def run(small_index, tmp_path, monkeypatch, capsys):
    """run(command, argument …): exit code, output and remarks, in a folder of its own."""
    monkeypatch.chdir(tmp_path)

    def command(name, *arguments):
        code = main([name, str(small_index), *map(str, arguments)])
        return code, *capsys.readouterr()

    return command


@pytest.mark.parametrize("name", FILES)
def test_queries_of_every_format(name, run, tmp_path, monkeypatch):
    (tmp_path / name).write_bytes(FILES[name])
    counted = run("count", "--queries", name)
    assert counted == run("count", "-F", *QUERIES) and counted[0] == 0
    if "q." not in name or "txt" in name:
        # Standard input has lines, compressed or not.
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(FILES[name])), "utf-8"))
        assert run("count", "--queries", "-") == counted


def test_several_files_of_queries(run, tmp_path):
    (tmp_path / "a").write_bytes(LINES)
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "b.txt").write_bytes(b"cat\n")
    code, out, err = run("count", "--queries", "a", "--queries", "folder", "--queries", "a")
    assert (code, [line.split("\t")[1] for line in out.splitlines()]) == (0, [*QUERIES, "cat", *QUERIES])
    assert err == "# a is given 2 times, and read as often\n"
    (tmp_path / "c.csv").write_text("q\ncat\n")
    assert run("count", "--queries", "c.csv", "--text-field", "q")[1].endswith("\tcat\n")


@pytest.mark.parametrize(
    ("name", "data", "sentence"),
    [
        ("a", b"cat\n\ndog\n", "a, line 2: it is empty"),
        ("a", b"cat\nd\xff\n", "a, line 2: it is not UTF-8 text (byte 2)"),
        ("a.jsonl", b'{"query": "cat"}\n{"q": 1}\n', 'a.jsonl, line 2: the field "query" is missing (fields: q)'),
        ("a.jsonl", b'{"query": "cat"}\n{"query"\n', "a.jsonl, line 2: "),
        ("a.gz", gzip.compress(LINES * 999, mtime=0)[:60], "a.gz is cut short"),
        ("a.gz", b"", "a.gz is cut short"),
    ],
)
def test_bad_files_of_queries(name, data, sentence, run, tmp_path):
    (tmp_path / name).write_bytes(data)
    code, _, err = run("count", "--queries", name)
    assert code == 2 and sentence in err and err.count("\n") == 1


def test_bad_queries_are_skipped_or_listed(run, tmp_path):
    (tmp_path / "q").write_bytes(b"cat\n\nd\xff\n(\ndog\n")
    (tmp_path / "r.jsonl").write_bytes(b'{"query": "cat"}\n{"q": 1}\n')
    bad = ["q, line 2: it is empty", "q, line 3: it is not UTF-8", "q, line 4: ", "r.jsonl, line 2: the field"]
    both = ["--queries", "q", "--queries", "r.jsonl", "--match", "regex"]
    good = "".join(run("count", query)[1] for query in ("cat", "dog", "cat"))
    code, out, err = run("count", *both, "--on-bad", "keep")
    assert (code, out) == (0, good)
    assert [line[: len(place) + 2] for line, place in zip(err.splitlines(), bad, strict=True)] == [
        f"# {b}" for b in bad
    ]
    code, out, err = run("count", *both, "--skip-bad", "--json")
    found = json.loads(out)
    assert code == 0 and len(found["results"]) == 3 and "left out because unreadable: 4 texts" in err
    assert [(one["source"], one["line"]) for one in found["problems"]] == [("q", 2), ("q", 3), ("q", 4), ("r.jsonl", 2)]
    # The first one ends a command that does not skip, with what came before.
    code, out, err = run("count", *both)
    assert (code, out) == (2, run("count", "cat")[1]) and "q, line 2: it is empty" in err and "--on-bad skip" in err


def test_a_million_bad_queries(run, tmp_path):
    (tmp_path / "q").write_bytes(b"cat\n" + b"\xff\n" * 600_000 + b"\n" * 400_000 + b"dog\n")
    code, out, err = run("count", "--queries", "q", "--on-bad", "keep", "--json")
    found = json.loads(out)
    assert code == 0 and [one["query"] for one in found["results"]] == ["cat", "dog"]
    assert len(found["problems"]) == 1_001 and found["problems"][999]["line"] == 1_001
    assert found["problems"][1_000]["reason"] == "999,000 further problems are not listed"
    assert len(err.splitlines()) == 1_001 and err.splitlines()[-1] == "# 999,000 further problems are not listed"
    # Without a single query, there is no result.
    (tmp_path / "q").write_bytes(b"\n" * 10)
    code, out, err = run("count", "--queries", "q", "--on-bad", "skip")
    assert (code, out) == (2, "") and "q contains no readable text: q, line 1: it is empty" in err.splitlines()[-1]


def test_a_million_bad_lines(run, tmp_path):
    (tmp_path / "a.jsonl").write_bytes(b'{"text": "the cat"}\n' + b'{"n": 1}\n' * 5_000)
    code, out, err = run("trace", "a.jsonl", "--json")
    assert code == 2 and "a.jsonl, line 2: the field" in err.splitlines()[-1]
    code, out, err = run("trace", "a.jsonl", "--on-bad", "skip", "--json")
    problems = json.loads(out)["problems"]
    assert code == 0 and "5,000 texts" in err and len(problems) == 1_001
    assert problems[-1] == {"source": "a.jsonl", "line": None, "reason": "4,000 further problems are not listed"}
    assert problems[0]["line"] == 2


def test_trace_reads_several_files(run, tmp_path):
    (tmp_path / "a.jsonl").write_text('{"text": "the cat sat"}\n{"n": 1}\n')
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "b.txt").write_text("the dog sat")
    (tmp_path / "c.csv").write_text("text\nthe mat\n")
    asked = ("trace", "a.jsonl", "folder", "c.csv", "--on-bad", "keep")
    found = json.loads(run(*asked, "--json")[1])
    rows = [(row["source"], row["line"], bool(row["problem"])) for row in found["results"]]
    assert rows == [("a.jsonl", 1, False), ("a.jsonl", 2, True), ("folder/b.txt", None, False), ("c.csv", 2, False)]
    assert [(each["source"], each["line"]) for each in found["problems"]] == [("a.jsonl", 2)]
    # The whole check covers every file.
    assert run(*asked, "--fail-over", "0")[0] == 2
    assert run("trace", "folder", "c.csv", "--fail-over", "0")[0] == 1
    assert run("trace", "folder", "c.csv", "--fail-over", "999")[0] == 0


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["a.txt", "none.txt"], "none.txt cannot be read"),
        (["none.txt", "a.txt"], "none.txt cannot be read"),
        (["a.txt", "a.txt", "--html", "x.html"], "--html cannot be used"),
        (["a.txt", "b.txt", "--text-field", "x"], 'has no field "x"'),
        (["-", "-"], "given twice"),
    ],
)
def test_refused(words, sentence, run, tmp_path):
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text("the cat")
    code, _, err = run("trace", *words)
    assert code == 2 and sentence in err
