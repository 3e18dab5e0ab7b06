"""What trace and agree read: standard input as a file of the same content, one policy for bad lines, exit codes."""

from __future__ import annotations

import gzip
import io
import json

import pyarrow
import pyarrow.parquet
import pytest
import zstandard

from explorer.cli.main import main

TEXT = "so the cat sat on the mat."
ROWS = [
    {"id": 1, "output": TEXT, "target": "a dog"},
    {"id": 2, "output": "the dog", "target": "the cat sat on the mat."},
]
LM_EVAL = {
    "doc_id": 0,
    "target": "the cat sat on the mat. the cat sat",
    "resps": [[TEXT], ["a dog"]],
    "doc": {"q": "?"},
}
CHAT = {"messages": [{"role": "user", "content": "Where?"}, {"role": "assistant", "content": TEXT}]}


def lines(*records: object) -> bytes:
    return "".join(json.dumps(record) + "\n" for record in records).encode()


def parquet(records: list[dict[str, object]]) -> bytes:
    file = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(records), file)
    return file.getvalue()


INPUTS = {
    "plain.txt": TEXT.encode(),
    "rows.jsonl": lines(*ROWS),
    "rows.jsonl.gz": gzip.compress(lines(*ROWS)),
    "rows.jsonl.zst": zstandard.compress(lines(*ROWS)),
    "rows.json": json.dumps(ROWS).encode(),
    "rows.parquet": parquet(ROWS),
    "samples.jsonl": lines(LM_EVAL),
    "chat.jsonl": lines(CHAT, CHAT),
    "chat.json": json.dumps(CHAT["messages"]).encode(),
    "no-ending": lines(*ROWS),
}


@pytest.fixture
def give(monkeypatch):
    """give(data): what standard input holds from now on."""

    def set_stdin(data: bytes) -> None:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(data)), "utf-8"))

    return set_stdin


@pytest.fixture
def run(small_index, capsys):
    """run(command, argument …): exit code, output and remarks."""

    def command(name, *arguments):
        code = main([name, str(small_index), *map(str, arguments)])
        return code, *capsys.readouterr()

    return command


@pytest.mark.parametrize("command", ["trace", "agree"])
@pytest.mark.parametrize("name", INPUTS)
def test_standard_input_is_read_as_a_file(run, give, tmp_path, command, name):
    path = tmp_path / name
    path.write_bytes(INPUTS[name])
    as_file = run(command, path, *(["--density", "1"] if command == "trace" else []))
    give(INPUTS[name])
    as_stream = run(command, "-", *(["--density", "1"] if command == "trace" else []))
    # A record names its file.
    code, out, err = as_file
    assert (code, out.replace(str(path), "standard input"), err) == as_stream
    assert code == 0 and out


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("rows.jsonl", 'read as jsonl; text from "output"'),
        ("samples.jsonl", 'read as lm-eval; text from "resps[0][0]"'),
        ("chat.jsonl", 'read as chat; text from "messages[1].content"'),
        ("rows.parquet", 'read as parquet; text from "output"'),
    ],
)
def test_what_was_chosen_is_told(run, give, name, said):
    for command in (("trace",), ("agree", "-")):
        give(INPUTS[name])
        assert f"# {said}" in run(*command)[2]


def test_the_expected_answer_is_not_traced(run, give):
    give(INPUTS["samples.jsonl"])
    rows = [json.loads(line) for line in run("trace", "--format", "jsonl", "--full")[1].splitlines()]
    assert [row["text"] for row in rows] == [TEXT, "a dog"]
    give(lines({"question": "Which?", "target": TEXT}))
    code, out, err = run("trace")
    assert (code, out) == (2, "") and "question, target" in err and "--text-field" in err


def test_a_path_to_the_text(run, give):
    give(lines({"a": {"b": [["no", TEXT]]}}))
    out = run("trace", "--text-field", "a.b[0][1]", "--format", "jsonl", "--full")[1]
    assert [json.loads(line)["text"] for line in out.splitlines()] == [TEXT]


BAD = b'{"output": "the cat sat"}\nno json\n{"output": 5}\n{"text": "x"}\n\xff\xfe\n[1]\n{"output": ""}\n'
BAD += b'{"output": "the dog"}\n'


def test_bad_lines_of_trace(run, give):
    give(BAD)
    code, out, err = run("trace", "--format", "jsonl")
    assert code == 2 and len(out.splitlines()) == 1 and "line 2: " in err and "--on-bad skip" in err
    for option in (["--on-bad", "skip"], ["--skip-bad"]):
        give(BAD)
        code, out, err = run("trace", "--format", "jsonl", *option)
        assert code == 0 and [json.loads(row)["line"] for row in out.splitlines()] == [1, 7, 8]
        assert "left out because unreadable: 5 texts" in err and "line 2: " in err
    give(BAD)
    rows = [json.loads(line) for line in run("trace", "--format", "jsonl", "--on-bad", "keep")[1].splitlines()]
    assert [row["line"] for row in rows if not row["problem"]] == [1, 8]
    assert [row["line"] for row in rows] == [1, 2, 3, 4, 5, 6, 7, 8]


def test_bad_lines_of_agree_and_build(run, give, tmp_path, capsys):
    give(BAD)
    assert run("agree", "-")[0] == 2
    # One of the remarks is about the text that is too short to score.
    for option, remarks in (("skip", 3), ("keep", 7)):
        give(BAD)
        code, _, err = run("agree", "-", "--on-bad", option)
        assert (code, err.count("# ")) == (0, remarks)
    (tmp_path / "a.jsonl").write_bytes(BAD)
    asked = ["build", str(tmp_path / "a.jsonl"), "--tokenizer", "bytes", "--text-field", "output", "--out"]
    assert main([*asked, str(tmp_path / "no")]) == 2
    assert main([*asked, str(tmp_path / "yes"), "--on-bad", "skip"]) == 0
    assert main([*asked, str(tmp_path / "keep"), "--on-bad", "keep"]) == 2
    # An index has no place for a bad line.
    assert "invalid choice" in capsys.readouterr().err


@pytest.mark.parametrize("policy", ["fail", "skip", "keep"])
@pytest.mark.parametrize(
    ("data", "options"),
    [
        (BAD, []),
        (b"", []),
        (b"\n\n", []),
        (lines(*ROWS), ["--text-field", "typo"]),
        (lines({"output": ""}, {"output": ""}), []),
        (gzip.compress(lines(*ROWS) * 300, mtime=0)[:-20], []),
        (zstandard.compress(lines(*ROWS))[:-9], []),
        (b'{"output": "the cat"}\n{"output": "the', []),
    ],
)
def test_fail_over_never_passes_what_it_could_not_check(run, give, policy, data, options):
    give(data)
    code, _, err = run("trace", "--jsonl", "--fail-over", "1000000", "--on-bad", policy, *options)
    assert code == 2
    assert err.splitlines()[-1].startswith("corpus-explorer: ")


def test_fail_over_answers(run, give):
    for limit, expected in (("100", 0), ("7", 0), ("3", 1), ("0", 1)):
        give(lines({"text": "the cat sat on the mat."}, {"text": ""}))
        assert run("trace", "--jsonl", "--fail-over", limit)[0] == expected, limit


@pytest.mark.parametrize("command", [["trace"], ["agree", "-"]])
def test_no_text_in_any_row_names_the_fields(run, give, command):
    for policy in ("skip", "keep"):
        give(lines(*ROWS))
        code, _, err = run(*command, "--text-field", "typo", "--on-bad", policy)
        assert code == 2 and "id, output, target" in err.splitlines()[-1]


def test_without_self_holds_for_each_row(run, give, small):
    text = small.document(2).text
    give(lines({"text": text}, {"text": "the dog"}))
    plain = [json.loads(line) for line in run("trace", "--format", "jsonl")[1].splitlines()]
    give(lines({"text": text}, {"text": "the dog"}))
    less = [json.loads(line) for line in run("trace", "--format", "jsonl", "--without-self")[1].splitlines()]
    assert plain[0]["longest_match"] == plain[0]["token_count"] > less[0]["longest_match"]
    assert plain[1] == less[1]


def test_line_separators_within_strings(run, give):
    """Lines end at line feeds only: U+2028 and U+0085 may be in a JSON string as they are."""
    text = "the\u2028cat\x85sat"
    give(json.dumps({"text": text}, ensure_ascii=False).encode() + b"\n")
    row = json.loads(run("trace", "--format", "jsonl", "--full")[1])
    assert row["text"] == text
    tokens = [{"start": 0, "end": 3, "probability": 0.95}]
    give(json.dumps({"text": text, "tokens": tokens}, ensure_ascii=False).encode() + b"\n")
    assert json.loads(run("agree", "-", "--neural", "--json")[1])["token_count"] == 1
    give(f"the\u2028cat\n{text}\n".encode())
    counts = [json.loads(line) for line in run("count", "--queries", "-", "--format", "jsonl")[1].splitlines()]
    assert [count["query"] for count in counts] == ["the\u2028cat", text]


def test_a_conversation_with_a_long_number(run, give):
    give(b'[{"role": "user", "content": "?", "n": ' + b"1" * 5000 + b'}, {"role": "assistant", "content": "the cat"}]')
    code, out, _ = run("trace", "--conversation")
    assert code == 0 and "== Answer 1" in out


def test_dash_is_standard_input_everywhere(run, give, small):
    give(b" cat\n")
    assert run("count", "-")[1] == f"{small.count(' cat')}\t cat\n"
    give(b" cat")
    assert len(run("kwic", "-", "--limit", "0")[1].splitlines()) == 1 + small.count(" cat")
    give(b"the cat")
    assert json.loads(run("next", "-", "--json")[1])["context_length"] == len(small.encode("the cat"))
    give(b" cat\n")
    assert run("count", "-", "-")[0] == 2
    assert run("count", '"-"')[1] == f'{small.count("-")}\t"-"\n'


def test_literal_counts(run, give, tmp_path, small):
    queries = ["the cat", "cat AND dog", '"mat."', " ", "NOT", "NOT a"]
    counts = [small.count(query) for query in queries]
    assert run("count", "-F", *queries)[1] == "".join(f"{n}\t{q}\n" for n, q in zip(counts, queries, strict=True))
    (tmp_path / "q.txt").write_text("\n".join(queries))
    found = json.loads(run("count", "--queries", tmp_path / "q.txt", "--json")[1])
    assert [(one["query"], one["count"]) for one in found["results"]] == list(zip(queries, counts, strict=True))
    give(b"the cat\r\n")
    one = json.loads(run("count", "--queries", "-", "--json")[1])
    assert one["results"] == json.loads(run("count", "the cat", "--json")[1])["results"]
    assert len(run("kwic", "-F", "cat AND dog")[1].splitlines()) == 1
    (tmp_path / "q.txt").write_text("the cat\n\nthe")
    code, out, err = run("count", "--queries", tmp_path / "q.txt")
    assert (code, out.count("\n")) == (2, 1) and "line 2" in err


def test_arguments_that_are_not_utf8(run, give):
    """A byte that is not UTF-8 comes as half a character; what is looked for must have none."""
    odd = "\udce9"
    near = (["kwic", "the", option, odd] for option in ("--near", "--not-near"))
    for command in (["count", odd], ["count", "a", "b" + odd, "--match", "tokens"], ["kwic", odd], *near):
        code, _, err = run(*command)
        assert code == 2 and f"is not UTF-8 text (character {1 + ('b' + odd in command)})" in err
    for command in (["next", odd], ["count", "the", "--queries", odd]):
        code, _, err = run(*command)
        assert code in (0, 2) and "Unexpected" not in err
    for options in (["--delimiter", odd], ["--prompt", odd]):
        give(b"the cat sat")
        assert run("trace", *options)[0] == 0


@pytest.mark.parametrize("first", [{"output": None}, {"id": 1}, {"output": ["x"]}])
@pytest.mark.parametrize("command", [["trace", "--format", "jsonl"], ["agree", "-"]])
def test_a_bad_line_does_not_decide_where_the_text_is(run, give, command, first):
    give(b"not json\n" + lines(first, *ROWS))
    code, _, err = run(*command, "--input", "jsonl", "--on-bad", "skip")
    assert code == 0 and 'text from "output"' in err and "left out because unreadable: 2 texts" in err
    give(lines(first, *ROWS))
    code, _, err = run(*command)
    assert code == 2 and "line 1: " in err


def test_fields_without_any_text_are_an_error(run, give):
    give(lines(*[{"id": 1, "q": "the cat"}] * 3))
    code, _, err = run("trace")
    assert code == 2 and "cannot tell which field contains the text (fields: id, q)" in err


def test_what_is_not_known_of_a_line_is_empty(run, give):
    give(BAD)
    kept = [json.loads(row) for row in run("trace", "--format", "jsonl", "--on-bad", "keep")[1].splitlines()]
    give(BAD)
    as_json = json.loads(run("trace", "--json", "--on-bad", "keep")[1])
    assert as_json["results"] == kept
    assert [problem["line"] for problem in as_json["problems"]] == [row["line"] for row in kept if row["problem"]]
    for row in kept:
        figures = [row[name] for name in ("token_count", "span_count", "longest_match", "coverage", "novelty")]
        assert all((figure is None) == bool(row["problem"]) for figure in figures), row
    give(BAD)
    table = run("trace", "--format", "csv", "--on-bad", "keep")[1].splitlines()
    assert [line for line in table if ",,,,,," in line]


@pytest.mark.parametrize(
    "data",
    [
        "grüße the cat".encode() + b"\xc3\xb6 \xff so",
        "\ufeffthe cat sat".encode("utf-16-le") + b"\x00",
        "\ufeffthe cat sat".encode("utf-16-le")[:-1],
    ],
)
def test_fail_over_does_not_pass_a_damaged_text(run, give, data):
    give(data)
    code, _, err = run("trace")
    assert code == 0 and "invalid bytes replaced by U+FFFD: 1" in err
    give(data)
    code, _, err = run("trace", "--fail-over", "500")
    assert code == 2 and "is damaged" in err
