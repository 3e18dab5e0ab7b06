"""Files take steps in proportion to their size.

The size is such that a quadratic way takes minutes of processor time, and the linear one a second.
"""

from __future__ import annotations

import json
import signal
import sys

import pytest

from explorer import build_index
from explorer.cli.main import main

SIZE = 60_000
LIMIT = 40
"""Seconds of processor time."""


def project(*parts):
    return '{"format": "corpus-explorer project", "version": 1, ' + ", ".join(parts) + "}"


def keys(numbers):
    return '"x": {' + ", ".join(f'"k{n}": 1' for n in numbers) + "}"


READERS = {
    "repeated key": ("p.cxproj", lambda: project(keys([*range(SIZE), 1])), "project check p.cxproj", 2),
    "all keys twice": ("p.cxproj", lambda: project(keys([*range(SIZE // 2)] * 2)), "project check p.cxproj", 2),
    "unknown keys": ("p.cxproj", lambda: project(*(f'"k{n}": 1' for n in range(SIZE))), "project show p.cxproj", 0),
    "columns of a watch list": (
        "l.csv", lambda: ",".join(["pattern", *(f"c{n}" for n in range(SIZE))]) + "\ncat\n",
        "count index --patterns l.csv --format jsonl --fields pattern", 0,
    ),
    "columns of queries": (
        "q.csv", lambda: ",".join(["query", *(f"c{n}" for n in range(SIZE))]) + "\ncat\n",
        "count index --queries q.csv", 0,
    ),
    "equal columns": ("q.csv", lambda: "query" + ",c" * 9_000 + "\ncat\n", "count index --queries q.csv", 0),
    "fields of a record": (
        "q.jsonl", lambda: json.dumps({"query": "cat", **{f"k{n}": 1 for n in range(SIZE)}}) + "\n",
        "count index --queries q.jsonl", 0,
    ),
    "bad lines": (
        "q.jsonl", lambda: '{"query": "cat"}\n' + "[]\n" * SIZE, "count index --queries q.jsonl --on-bad skip", 0,
    ),
    "a list of words": (
        "l.tsv", lambda: "".join(f"{n}\t5\tw{n}\n" for n in range(1, SIZE)),
        "keywords index --against l.tsv --min-count 1 --top 1", 0,
    ),
}  # fmt: skip


@pytest.fixture
def index(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    build_index([{"text": "the cat sat on the mat"}] * 3, "index", tokenizer="bytes")


@pytest.mark.skipif(sys.platform == "win32", reason="there is no timer of the processor")
@pytest.mark.parametrize("name", READERS)
def test_reading_takes_steps_in_proportion(name, index, tmp_path, capsys):
    file, text, words, code = READERS[name]
    (tmp_path / file).write_text(text(), encoding="utf-8")

    def stop(*_: object) -> None:
        pytest.fail(f"{name}: more than {LIMIT} s of processor time")

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, LIMIT)
    try:
        assert main(words.split()) == code
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
    assert len(capsys.readouterr().out.splitlines()) < SIZE
