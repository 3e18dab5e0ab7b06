"""Every pair of options of every command: both have their effect, or the pair is refused by name."""

from __future__ import annotations

import importlib
import itertools
import json
import re
import shutil

import pytest

from explorer import build_index, open_index
from explorer.cli.commands import _BY_NAME
from explorer.cli.main import main
from explorer.cli.parser import Parser
from explorer.project import Index, KeptLines, LineSet, Project, Query, save_project
from explorer.project.tables import place_of

INDEX_OPTIONS = {
    "--index": "other", "--minus": "part", "--tokenizer": "bytes", "--no-fit-check": None,
}  # fmt: skip
QUERY_OPTIONS = {
    "--literal": None, "--variants": "upper", "--distance": "4", "--exact": None, "--match": "regex",
    "--ignore-case": None, "--whole-words": None,
}  # fmt: skip
TOKEN_OPTIONS = {"--literal": None, "--variants": "upper", "--distance": "4", "--ignore-case": None}
TRACE_OPTIONS = {
    "--prompt": "mat and cat", "--html": "out.html", "--density": "1", "--min-length": "30", "--max-count": "2",
    "--delimiter": "c", "--abbreviations": None, "--word-boundaries": "off", "--documents-per-span": "1",
    "--seed": "7", "--without-self": None, "--input": "text", "--jsonl": None, "--text-field": "other",
    "--prompt-field": "ask", "--on-bad": "keep", "--skip-bad": None, "--format": "csv", "--fail-over": "1",
    "--json": None, "--full": None, "--read": "markdown",
}  # fmt: skip
AGREE_OPTIONS = {
    "--group": "year", "--text-field": "other", "--input": "text", "--on-bad": "keep", "--skip-bad": None, "--n": "2",
    "--max-tokens": "5", "--max-texts": "1", "--seed": "3", "--without-self": None, "--csv": "out.csv",
    "--plot": "plot.json", "--plot-kind": "count", "--title": "A title", "--width": "100", "--height": "50",
    "--dpi": "100", "--json": None, "--format": "tsv",
}  # fmt: skip
COMMANDS = {
    "count": (
        ["index", "cat AND the"],
        {
            **INDEX_OPTIONS, **QUERY_OPTIONS, "--format": "jsonl", "--json": None, "--queries": "queries.txt",
            "--documents": None,
        },
    ),
    "count patterns": (
        ["index", "--patterns", "list.csv"],
        {
            **INDEX_OPTIONS, **QUERY_OPTIONS, "--format": "jsonl", "--json": None, "--csv": None,
            "--fail-if-found": None, "--documents": None,
        },
    ),
    "kwic": (
        ["index", "cat AND the"],
        {
            **INDEX_OPTIONS, **QUERY_OPTIONS, "--limit": "3", "--width": "2", "--sort": "-1L", "--where": "year>=2021",
            "--near": "dog", "--not-near": "zebra", "--sample": "5", "--collapse": "12", "--seed": "3",
            "--format": "csv", "--fields": "year", "--out": "out.jsonl", "--about": "inline", "--squash": None,
            "--json": None, "--count": None,
        },
    ),
    "breakdown": (
        ["index", "cat", "--by", "year"],
        {
            **INDEX_OPTIONS, "--ignore-case": None, "--where": "year>=2021", "--near": "dog",
            "--near-distance": "9", "--sample": "5", "--collapse": "12", "--seed": "3", "--format": "jsonl",
            "--json": None,
        },
    ),
    "dispersion": (
        ["index", "cat"],
        {
            **INDEX_OPTIONS, "--ignore-case": None, "--where": "year>=2021", "--not-near": "zebra", "--sample": "5",
            "--format": "jsonl", "--json": None,
        },
    ),
    "count tokens": (
        ["index", "cat AND the", "--match", "tokens"],
        {**INDEX_OPTIONS, **TOKEN_OPTIONS, "--json": None, "--queries": "queries.txt"},
    ),
    "kwic tokens": (
        ["index", "cat AND the", "--match", "tokens"],
        {**INDEX_OPTIONS, **TOKEN_OPTIONS, "--near": "dog", "--limit": "3", "--whole-words": None},
    ),
    "ngram-profile": (
        ["index", "the cat"],
        {**INDEX_OPTIONS, "--token": "4", "--max-n": "2", "--json": None, "--format": "csv"},
    ),
    "compare-texts": (
        ["answer.txt", "said.txt"],
        {"--least": "2", "--ignore-case": None, "--json": None, "--format": "csv"},
    ),
    "next": (
        ["index", "e "],
        {
            **INDEX_OPTIONS, "--n": "2", "--top": "1", "--words": None, "--before": None, "--json": None,
            "--format": "jsonl",
        },
    ),
    "trace": (["index", "answer.txt"], {**INDEX_OPTIONS, **TRACE_OPTIONS}),
    "trace many": (["index", "rows.jsonl"], {**INDEX_OPTIONS, **TRACE_OPTIONS}),
    "trace conversation": (["index", "chat.json", "--conversation"], {**INDEX_OPTIONS, **TRACE_OPTIONS}),
    "agree": (["index", "rows.jsonl"], {**INDEX_OPTIONS, **AGREE_OPTIONS, "--input": "csv", "--neural": None}),
    "agree neural": (["index", "neural.jsonl", "--neural"], {**INDEX_OPTIONS, **AGREE_OPTIONS}),
    "build": (
        ["source", "--out", "built"],
        {
            "--tokenizer": "bytes", "--text-field": "other", "--shards": "2", "--memory": "3", "--on-bad": "skip",
            "--skip-bad": None, "--resume": None, "--estimate": None, "--name": "A name", "--json": None,
            "--format": "jsonl",
        },
    ),
    "merge": (
        ["index", "other", "--out", "merged"],
        {
            "--where": "year>=2021", "--name": "A name", "--memory": "3", "--tokenizer": "bytes", "--json": None,
            "--format": "jsonl",
        },
    ),
    "project lines": (
        ["lines", "p.cxproj", "cats"],
        {"--format": "csv", "--json": None, "--out": "out.csv"},
    ),
    "project show": (["show", "p.cxproj"], {"--format": "csv", "--json": None, "--out": "out.csv"}),
    "project check": (["check", "p.cxproj"], {"--format": "csv", "--json": None, "--out": "out.csv"}),
    "info": (["index"], {**INDEX_OPTIONS, "--json": None, "--format": "csv"}),
    "verify": (["index"], {"--tokenizer": "bytes", "--deep": None, "--json": None, "--format": "csv"}),
}  # fmt: skip

QUIET = {
    "--no-fit-check": "the tokenizer fits",
    "--tokenizer": "is the one that the index has",
    "--exact": "every hit is looked at unless there are a million",
    "--deep": "the index is sound",
    "--resume": "no build was interrupted",
    "--whole-words": "no longer word holds these",
    "--squash": "a printed row is one line anyway",
    "--seed": "decides what a sample is",
    "--on-bad": "no line is bad",
    "--skip-bad": "no line is bad",
    "--density": "tokens are bytes, so that the rarest 5 % are all spans",
    "--abbreviations": "the spans end before them",
    "--input": "the input is what it is taken for",
    "--jsonl": "the input is what it is taken for",
}
"""Options that change nothing here by themselves, and why."""

WHEN = re.compile(
    rb'\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00|"times": {[^}]*}|"seconds": [\d.e-]+'
    rb'|"free_(disk|memory)_bytes": \d+|\([\d,]+ free\)| \d+(?:\.\d+)? s\b|\n  "settings": .*'
)
"""When something was made, how long it took, and what the machine has free: these differ from run to run. Settings are
left out of JSON: an option that changes nothing but these has no effect."""

COMMON = {
    # None of the texts of the rows has a mark of Markdown.
    "trace many": {"--index", "--read", "--min-length", "--max-count", "--word-boundaries", "--documents-per-span"},
    "agree": {"--index"},
    "agree neural": {"--index", "--minus"},
}
"""Options that change nothing either, since an answer in few numbers hides what they change."""

_ONE_SPAN = (
    "--minus beside --min-length",
    "--max-count beside --min-length",
    "--documents-per-span beside --min-length",
)
ALIKE = {
    "kwic": (
        "--index beside --limit", "--index beside --collapse", "--near beside --limit", "--not-near beside --distance",
        "--collapse beside --sample",
    ),
    "kwic tokens": ("--near beside --limit",),
    "trace": (*_ONE_SPAN, "--documents-per-span beside --max-count", "--documents-per-span beside --without-self"),
    "trace conversation": (
        *_ONE_SPAN, "--documents-per-span beside --max-count", "--documents-per-span beside --without-self",
    ),
    "trace many": (
        "--minus beside --index", "--minus beside --without-self", "--delimiter beside --text-field",
        "--delimiter beside --min-length", "--delimiter beside --without-self", "--fail-over beside --without-self",
        "--without-self beside --input", "--without-self beside --text-field",
    ),
    "agree": (
        "--minus beside --index", "--minus beside --max-tokens", "--minus beside --max-texts",
        "--minus beside --without-self", "--minus beside --text-field",
        "--without-self beside --text-field", "--without-self beside --max-tokens",
    ),
    "merge": ("--memory beside --where",),
    # One word is before the prompt.
    "next": ("--top beside --before",),
    "build": ("--memory beside --estimate", "--on-bad beside --estimate", "--skip-bad beside --estimate"),
}  # fmt: skip
"""Pairs in which the first has nothing left to change; each was looked at. A long least length leaves one span that
occurs once; a line of a sample or of the first few is the same in one index and two; what is left out has gone; a small
build needs the same memory whatever its limit, and leaves out nothing."""


@pytest.fixture
def work(tmp_path, monkeypatch, small_index):
    """A folder with indexes and files in which each option makes a difference."""
    animals = ("dog", "owl", "zebra", "dog zebra")
    rows = [
        {
            "text": f"cat AND the mat {n} {'x ' * n} the cat sat with THE CAT, CAT AND THE and cat AND the "
            + animals[n % 4],
            "year": 2019 + n % 4,
            "title": f"t{n}",
        }
        for n in range(6)
    ]
    (tmp_path / "source").mkdir()
    lines = "".join(json.dumps({**row, "other": f"so the dog {n}"}) + "\n" for n, row in enumerate(rows))
    (tmp_path / "source" / "a.jsonl").write_text(lines)
    monkeypatch.chdir(tmp_path)
    build_index("source", "index", tokenizer="bytes")
    (tmp_path / "other.jsonl").write_text(lines + json.dumps({**rows[0], "text": "A cat AND the " + rows[0]["text"]}))
    build_index("other.jsonl", "other", tokenizer="bytes")
    (tmp_path / "part.jsonl").write_text("".join(lines.splitlines(True)[:3]))
    build_index("part.jsonl", "part", tokenizer="bytes")
    _save_project(tmp_path)
    (tmp_path / "list.csv").write_text("pattern,label\nthe cat,pet\nThe Cat AND,\nc.t,\n")
    (tmp_path / "queries.txt").write_text("the cat\ncat AND dog\n")
    asked = [{**row, "other": f"so the dog {n}", "ask": f"zebra {n}"} for n, row in enumerate(rows)]
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in asked))
    said = "Mr. A. Cat: " + rows[3]["text"] + " Mr. B sat *with* the zebra"
    (tmp_path / "answer.txt").write_text(said)
    (tmp_path / "said.txt").write_text("the cat sat with The Cat, cat and the Mr. B")
    turns = [{"role": "user", "content": "mat and zebra?"}, {"role": "assistant", "content": said}]
    (tmp_path / "chat.json").write_text(json.dumps(turns))
    tokens = [{"start": 4 * n, "end": 4 * n + 4, "probability": n / 10} for n in range(10)]
    (tmp_path / "neural.jsonl").write_text(json.dumps({**asked[0], "tokens": tokens}) + "\n")
    return tmp_path


def _save_project(folder):
    corpus = open_index(folder / "index")
    kept = KeptLines().with_mark([place_of(line) for line in corpus.concordance("cat").lines(0, 2)])
    index = Index("1", "Small", ("index",), fingerprint=corpus.index.fingerprint)
    cats = LineSet("cats", "1", Query("cat"), "", corpus.index.fingerprint, kept)
    save_project(Project((index,), (), (cats,)), folder / "p.cxproj")


@pytest.mark.parametrize("scenario", list(COMMANDS))
def test_pairs(scenario, work, capsys):
    bare = outcome(scenario, [], work, capsys)
    alone = {name: outcome(scenario, [name], work, capsys) for name in COMMANDS[scenario][1]}
    idle = {name for name, found in alone.items() if found[:3] == bare[:3]}
    assert idle <= QUIET.keys() | COMMON.get(scenario, set())
    wrong = []
    for pair in itertools.combinations(alone, 2):
        both = outcome(scenario, pair, work, capsys)
        if both[0] == 2:
            # Read as what it is not, an input is refused by its name.
            named = (*pair, "answer.txt", "rows.jsonl")
            wrong += [] if any(name in both[3] for name in named) else [f"{pair} is refused without naming them"]
            continue
        for name, other in (pair, pair[::-1]):
            said = f"{name} beside {other}"
            if name not in idle and both[:3] == alone[other][:3] and said not in ALIKE.get(scenario, ()):
                wrong.append(said)
    assert "\n".join(wrong) == ""


def outcome(scenario, options, folder, capsys):
    base, values = COMMANDS[scenario]
    before = set(folder.rglob("*"))
    words = [word for name in options for word in (name, values[name]) if word is not None]
    code = main([scenario.split()[0], *base, *words])
    said = capsys.readouterr()
    files = {}
    for path in sorted(set(folder.rglob("*")) - before):
        if path.is_file():
            files[path.relative_to(folder)] = WHEN.sub(b"", path.read_bytes())
    for path in set(folder.iterdir()) - before:
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    return code, WHEN.sub(b"", said.out.encode()), files, said.err


@pytest.mark.parametrize("command", sorted(_BY_NAME))
def test_every_option_is_explained(command):
    parser = Parser("p", "d")
    module = importlib.import_module(f"explorer.cli.{_BY_NAME[command].module}")
    getattr(module, f"define_{command}".replace("-", "_"))(parser)
    assert [action.dest for action in parser._actions if not action.help] == []
