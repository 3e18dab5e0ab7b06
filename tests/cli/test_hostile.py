"""Text of other people cannot steer the terminal: every command on a hostile corpus, and the raw bytes that come."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from steering import steers

import explorer.cli
from explorer import build_index
from explorer.cli.main import main

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")

EVIL = (
    "\x1b]0;title\x07\x1b]52;c;ZXZpbA==\x07\x1b[2J\x9b31m\x9d0;t\x9c\x7f\x08\r\v\f\u2028\u2029\x85\u202eabc\u2066\u061c"
)
OURS = re.compile(rb"\x1b\[(1;4;34|4;34|4|0)m|\r\x1b\[K")
PROGRAM = """
import json, sys
from explorer.cli.main import main
for arguments in json.load(open(sys.argv[1])):
    print("== " + ascii(arguments))
    try:
        code = main(arguments)
    except SystemExit as end:
        code = end.code
    print(f"== code {code}")
"""


def in_terminal(folder: Path, command_lines: list[list[str]], stdin: bytes = b"") -> bytes:
    """What a terminal gets from these command lines."""
    (folder / "lines.json").write_text(json.dumps(command_lines))
    master, terminal = os.openpty()
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM, folder / "lines.json"],
        stdin=subprocess.PIPE,
        stdout=terminal,
        stderr=terminal,
        env={**os.environ, "TERM": "xterm", "PYTHONIOENCODING": "utf-8", "QT_QPA_PLATFORM": "offscreen"},
        cwd=folder,
    ) as process:
        os.close(terminal)
        process.stdin.write(stdin)
        process.stdin.close()
        got = []
        while True:
            try:
                data = os.read(master, 1 << 16)
            except OSError:
                break
            if not data:
                break
            got.append(data)
        assert process.wait(timeout=300) == 0
    os.close(master)
    return b"".join(got)


def steering(data: bytes) -> list[str]:
    """Characters that a terminal would obey, but for line ends, tabs and our own colors."""
    text = OURS.sub(b"", data).replace(b"\r\n", b"\n").decode("utf-8")
    return [
        f"{char!r} in {text[max(0, at - 60) : at + 20]!r}"
        for at, char in enumerate(text)
        if char not in "\n\t" and steers(char)
    ]


@pytest.fixture
def hostile(tmp_path):
    """A folder with a hostile corpus, two indexes of it with hostile names, and files to trace."""
    source = tmp_path / f"so{EVIL[:9]}urce"
    source.mkdir()
    record = {"text": f"evil {EVIL} end. evil twin", f"ti{EVIL}tle": EVIL, "title": f"t{EVIL}", "path": f"p\n{EVIL}"}
    (source / f"a{EVIL[:20]}.jsonl").write_text(json.dumps(record) + "\n")
    odd = source / os.fsdecode(b"caf\xe9")
    odd.mkdir()
    (odd / os.fsdecode(b"\x1b[2Jx\nb\xe9.txt")).write_text(f"evil {EVIL} again")
    build_index(source, tmp_path / f"by{EVIL[:7]}tes", tokenizer="bytes", name=f"n{EVIL}")
    build_index(source, tmp_path / "trained", tokenizer="train:300")
    (tmp_path / "text.txt").write_text(f"evil {EVIL} end\r\nof {EVIL}")
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps({**record, "group": f"g{EVIL}"}) + "\n" for _ in range(2)))
    (tmp_path / "bad.jsonl").write_text(json.dumps({f"x{EVIL}": 1}) + "\n")
    turns = [{"role": f"u{EVIL}", "content": EVIL}, {"role": "assistant", "content": f"evil {EVIL}"}]
    (tmp_path / "chat.json").write_text(json.dumps(turns))
    tokens = [{"start": at, "end": at + 1, "probability": 0.5} for at in range(5 + len(EVIL))]
    (tmp_path / "neural.jsonl").write_text(json.dumps({"text": f"evil {EVIL}", "tokens": tokens}) + "\n")
    return tmp_path, source


def answers_of(index: str) -> list[list[str]]:
    """Command lines that have an answer."""
    lines = [["info", index], ["info", index, "--json"], ["verify", index, "--deep"], ["verify", index, "--json"]]
    lines += [["count", index, query, *more] for query in ("evil", EVIL) for more in ([], ["--json"], ["-F"])]
    lines += [["count", index, "evil", EVIL, "--format", "jsonl"], ["count", index, "--queries", "text.txt"]]
    lines += [["kwic", index, "evil", "--format", form, "--width", "60"] for form in ("tsv", "csv", "jsonl")]
    lines += [
        ["kwic", index, "evil", "--out", "-", "--fields", "title", "--format", f] for f in ("tsv", "csv", "jsonl")
    ]
    lines += [["next", index, "evil "], ["next", index, EVIL[:5], "--json"], ["next", index, "evil", "--n", "2"]]
    lines += [["trace", index, "text.txt", "--density", "1", *more] for more in ([], ["--json"], ["--html", "-"])]
    lines += [["trace", index, "rows.jsonl", "--format", form] for form in ("tsv", "csv", "jsonl")]
    lines += [["trace", index, "rows.jsonl", *more] for more in (["--json"], ["--without-self"])]
    lines += [["trace", index, "chat.json", "--conversation"], ["trace", index, "chat.json"]]
    lines += [
        ["agree", index, "rows.jsonl", *more] for more in ([], ["--group", "group"], ["--group", "group", "--json"])
    ]
    lines += [["agree", index, "rows.jsonl", "--group", "group", *more] for more in (["--csv", "-"], ["--plot", "-"])]
    lines += [["mix", index, "--probabilities", "neural.jsonl", *more] for more in ([], ["--html", "-"])]
    lines += [["agree", index, "neural.jsonl", "--neural", *more] for more in ([], ["--csv", "-"])]
    return lines


def errors_of(index: str) -> list[list[str]]:
    """Command lines that are wrong, and echo what is hostile."""
    lines = [[EVIL], [f"{EVIL}/x"], ["count", f"{EVIL}", "x"], ["count", index, "x", f"--{EVIL}"], ["build", EVIL]]
    lines += [["kwic", index, "evil", option, EVIL] for option in ("--sort", "--limit", "--format", "--where", "--out")]
    lines += [["kwic", index, "evil", "--out", f"{EVIL}/{EVIL}.csv"], ["kwic", index, f'"{EVIL} AND']]
    lines += [["kwic", index, "evil", "--where", f"{EVIL}=1"], ["kwic", index, "evil", "--sort", f"field:{EVIL}"]]
    lines += [["kwic", index, "evil", "--out", "x.csv", "--fields", EVIL], ["count", index, "x", "--variants", EVIL]]
    lines += [
        ["trace", index, EVIL],
        ["trace", index, "bad.jsonl"],
        ["trace", index, "bad.jsonl", "--text-field", EVIL],
    ]
    lines += [["trace", index, "rows.jsonl", "--text-field", EVIL, "--on-bad", "keep"]]
    lines += [["agree", index, EVIL], ["agree", index, "bad.jsonl"], ["agree", index, "rows.jsonl", "--group", EVIL]]
    lines += [["agree", index, "text.txt", "--plot", EVIL], ["agree", index, "bad.jsonl", "--neural"]]
    lines += [["build", "bad.jsonl", "--out", f"o{EVIL[:5]}"], ["verify", f"{EVIL}"], ["info", EVIL]]
    lines += [["count", index, "x", "--tokenizer", EVIL], ["demo", EVIL], ["trace", index, EVIL, "--debug"]]
    return lines


@pytest.mark.parametrize("name", [f"by{EVIL[:7]}tes", "trained"])
def test_every_answer_is_harmless(hostile, name):
    folder, _ = hostile
    data = in_terminal(folder, answers_of(name))
    text = data.decode("utf-8")
    assert text.count("== code 0") == len(answers_of(name)), re.findall(r"== \[.*\]|== code [^0].*|corpus-expl.*", text)
    assert steering(data) == []
    assert "␛]52;c;" in text and "\\u202e" in text


def test_every_error_is_harmless(hostile):
    folder, _ = hostile
    data = in_terminal(folder, errors_of("trained"))
    text = data.decode("utf-8")
    codes = re.findall(r"^== code (.*)\r", text, re.M)
    assert [line for line, code in zip(errors_of("trained"), codes, strict=True) if code != "2"] == []
    assert steering(data) == []
    assert text.count("␛") > 20


def test_builds_and_damage_are_harmless(hostile):
    folder, source = hostile
    built = [["build", str(source), "--out", f"{EVIL[:9]}{form}", "--tokenizer", "bytes", *more] for form, more in (
        ("1", []), ("2", ["--json"]), ("3", ["--estimate"]), ("4", ["--estimate", "--json"]))]  # fmt: skip
    data = in_terminal(folder, built)
    assert data.count(b"== code 0") == 4, data
    assert steering(data) == []
    (folder / f"{EVIL[:9]}1" / "table.0").write_bytes(b"")
    data = in_terminal(folder, [["verify", f"{EVIL[:9]}1"], ["verify", f"{EVIL[:9]}1", "--json"]])
    assert data.count(b"== code 1") == 2, data
    assert steering(data) == []


@pytest.mark.parametrize("form", ["tsv", "csv"])
def test_separated_values_are_one_line_each(hostile, capsys, form):
    folder, _ = hostile
    for arguments, rows in ((["kwic", "evil"], 3), (["trace", str(folder / "rows.jsonl")], 2)):
        assert main([arguments[0], str(folder / "trained"), *arguments[1:], "--format", form]) == 0
        out = capsys.readouterr().out
        assert out.count("\n") == len(out.splitlines()) == rows + 1


def test_only_one_module_prints():
    """Nothing gets around `visible`: no other module of the commands calls print or writes to a stream."""
    folder = Path(explorer.cli.__file__).parent
    for path in folder.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            name = ast.unparse(node.func) if isinstance(node, ast.Call) else ""
            if path.name != "terminal.py":
                assert name != "print" and not name.startswith(("sys.stdout.", "sys.stderr.")), (path.name, node.lineno)


@pytest.mark.parametrize("form", ["tsv", "csv"])
def test_the_names_of_columns_cannot_steer_either(tmp_path, capsys, form):
    name = "year\x1b[2J\x9b"
    (tmp_path / "a.jsonl").write_text(json.dumps({"text": "a cat", name: 1}))
    build_index(tmp_path / "a.jsonl", tmp_path / "out", tokenizer="bytes")
    assert main(["kwic", str(tmp_path / "out"), "cat", "--fields", name, "--format", form]) == 0
    header = capsys.readouterr().out.splitlines()[0]
    assert header.endswith("year␛[2J\\x9b")
