"""Random command lines: whatever is typed, an exit code that is documented, and at most one line of error."""

from __future__ import annotations

import io
import json
import random
import re

import pytest
from steering import steers

from explorer.cli.main import main

ODD = [
    "", " ", "-", "--", "-1", "0", "1", "-0", "+5", "1e5", "nan", "inf", "-inf", "1_000", "٣", "9" * 20, "9" * 5000,
    "0x10", "1.5", "the", " cat", "the AND dog", "AND", '"', "(", "NOT x", "a OR NOT b", "\x1b[2J", "a\tb\nc\rd",
    "\u202ex", "\udce9", "x" * 3000, "%s %d {0}", "=cmd", "/dev/null", "nowhere/x", "index", "source", "a.txt",
    "a.jsonl", "bad.jsonl", "chat.json", "neural.jsonl", "out.csv", "out.xlsx", "out.jsonl", "out.png", "out.nope",
    "tsv", "csv", "jsonl", "text", "auto", "skip", "keep", "bytes", "train:300", "train:x", "path=a.txt", "a.b[0][0]",
    "field:path", "random", "1L,-1R,M", "document", "space,upper", "-F", "--json", "--top=3", "\\n", "panels",
]  # fmt: skip
OPTIONS = {
    "count": "--index --minus --tokenizer --no-fit-check --queries -F --literal --match --ignore-case "
    "--whole-words --variants --distance --exact --format --json --patterns --csv --fail-if-found "
    "--documents",
    "kwic": "--index --minus --tokenizer --no-fit-check -F --match --ignore-case --whole-words --variants --distance "
    "--exact --limit --width --sort --where --near --not-near --sample --collapse --seed --format --fields --out "
    "--about --squash --json",
    "next": "--index --minus --tokenizer --no-fit-check --n --top --words --before --json --format",
    "trace": "--index --minus --tokenizer --no-fit-check --prompt --html --density --min-length --max-count "
    "--delimiter --abbreviations --word-boundaries --documents-per-span --seed --without-self --conversation --input "
    "--jsonl --text-field --prompt-field --on-bad --skip-bad --format --fail-over --full "
    "--json",
    "agree": "--index --minus --tokenizer --no-fit-check --group --text-field --input --on-bad --skip-bad --n "
    "--max-tokens --max-texts --seed --without-self --neural --csv --plot --plot-kind --title --width --height --dpi "
    "--json --format",
    "perplexity": "--index --minus --input --text-field --on-bad --skip-bad --group --prompt-field --leave-one-out "
    "--accuracy --transform "
    "--method --levels --decay --n --weight --base --alpha --factor --discount --context --floor --vocabulary --tune "
    "--json --format",
    "generate": "--mix --weight-by --candidates --allow-remote "
    "--index --max-tokens --temperature --top-k --top-p --seed --most-verbatim --no-stop --method --levels "
    "--n --weight --alpha --discount --context --vocabulary --json --format",
    "mix": "--server --probabilities-out --window "
    "--index --probabilities --log-base --halvings --seed --leave-one-out --html --method --levels --context "
    "--tune --json --format",
    "probe": "--index --minus --input --text-field --on-bad --skip-bad --prompt-field --method --levels --n --weight "
    "--alpha --context --floor --vocabulary --tune --json --format",
    "draft": "--index --input --text-field --on-bad --skip-bad --group --context --max-draft --min-probability "
    "--draft-cost --cache --json --format",
    "build": "--out --tokenizer --text-field --shards --memory --on-bad --skip-bad --resume --estimate --preview "
    "--name --metadata --encoding --json --format",
    "info": "--index --minus --tokenizer --no-fit-check --files --json --format",
    "verify": "--tokenizer --deep --no-fit-check --json --format",
    "bogus": "--minus --tokenizer --version",
}
FLAGS = {
    "--no-fit-check", "-F", "--literal", "--exact", "--json", "--abbreviations", "--without-self", "--conversation",
    "--jsonl", "--skip-bad", "--neural", "--resume", "--estimate", "--deep", "--version", "--squash", "--ignore-case",
    "--leave-one-out", "--accuracy", "--no-stop", "--allow-remote",
    "--whole-words", "--fail-if-found", "--documents", "--full", "--before", "--words",
}  # fmt: skip
FITTING = {
    "--index": ["index"], "--minus": ["index"], "--tokenizer": ["bytes"], "--queries": ["a.txt", "-"],
    "--patterns": ["a.txt", "-", "a.jsonl", "list.csv"],
    "--match": ["text", "tokens", "regex"], "--limit": ["0", "3"],
    "--width": ["0", "5", "100000"], "--distance": ["0", "9", "100000"],
    "--sample": ["3", "2000000"], "--n": ["1", "3"],
    "--top": ["0", "2", "1000000000000"], "--seed": ["0", str(2**63 - 1)], "--density": ["1", "1e-9"],
    "--fail-over": ["0", "9"], "--out": ["out.csv", "-"], "--html": ["out.html", "-"], "--csv": ["out.csv", "-"],
    "--plot": ["out.json", "out.csv"], "--collapse": ["1", "1000"], "--documents-per-span": ["0", "1000000"],
    "--max-count": ["1", str(10**12)], "--min-length": [str(10**12)], "--memory": ["0", "0.3"], "--shards": ["1", "3"],
    "--format": ["jsonl", "tsv", "json", "text"], "--input": ["auto", "text", "jsonl"],
    "--on-bad": ["skip", "keep", "fail"],
    "--word-boundaries": ["off"], "--plot-kind": ["count"], "--variants": ["space,upper"], "--where": ["path=one.txt"],
    "--sort": ["random", "1L,-1R", "field:path"], "--fields": ["path"], "--text-field": ["text"], "--group": ["year"],
    "--mix": ["http://192.0.2.1", "ftp://localhost"], "--server": ["http://192.0.2.1"], "--window": ["8"],
    "--probabilities-out": ["out.jsonl"], "--weight-by": ["confidence"], "--candidates": ["1", "1000"],
    "--dpi": ["72"], "--max-tokens": ["0", "2"], "--max-texts": ["1"],
    "--probabilities": ["neural.jsonl", "a.jsonl", "-"], "--log-base": ["10"],
}  # fmt: skip
_QUERIES = ["the", " cat", "cat AND dog", "-", '"the cat" OR dog', "a\tb", "/c.t/ AND dog OR the", "(c|d).+", "a*"]
_FILES = ["a.txt", "a.jsonl", "bad.jsonl", "chat.json", "-"]
PLACES = {
    "count": [["index"], _QUERIES], "kwic": [["index"], _QUERIES], "next": [["index"], _QUERIES],
    "trace": [["index"], _FILES], "agree": [["index"], [*_FILES, "neural.jsonl"]], "info": [["index"]],
    "verify": [["index"]], "perplexity": [["index"], _FILES], "draft": [["index"], _FILES], "mix": [["index"], _FILES],
    "probe": [["index"], _FILES],
    "generate": [["index"], _QUERIES], "build": [["source", "a.jsonl", "-"]], "bogus": [],
}  # fmt: skip


@pytest.fixture
def folder(tmp_path, monkeypatch, small_index, text_folder):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "index").symlink_to(small_index)
    (tmp_path / "source").symlink_to(text_folder)
    (tmp_path / "a.txt").write_text("so the cat sat\non the mat.\x1b[2J")
    (tmp_path / "a.jsonl").write_text('{"text": "the cat", "year": 1}\n{"text": "", "year": null}\n')
    (tmp_path / "bad.jsonl").write_text('{"text": 5}\nno\n{"text": "the \\u001b[2J"}\n')
    (tmp_path / "list.csv").write_text('pattern,label,n\ncat,"\x1b[2J",=1\n(,a,2\n,,3\n')
    (tmp_path / "chat.json").write_text(
        '[{"role": "user", "content": "?"}, {"role": "assistant", "content": "the cat"}]'
    )
    tokens = [{"start": 0, "end": 3, "logprob": -1}]
    (tmp_path / "neural.jsonl").write_text(json.dumps({"text": "the cat", "tokens": tokens}) + "\n")
    return tmp_path


def command_line(rng: random.Random) -> list[str]:
    """A command with up to four options; about half of it could be meant, the rest is odd."""
    command = rng.choice(list(OPTIONS))
    oddly = rng.random() < 0.5
    words = []
    names = OPTIONS[command].split()
    for name in rng.sample(names, min(len(names), rng.choice((0, 1, 1, 2, 2, 3, 4)))):
        value = rng.choice(ODD if oddly and rng.random() < 0.5 else FITTING.get(name, ODD))
        words.append([name] if name in FLAGS else [f"{name}={value}"] if rng.random() < 0.3 else [name, value])
    if command == "build" and rng.random() < 0.8:
        words += [["--out", "built"], ["--tokenizer", "bytes"]]
    places = [rng.choice(ODD if oddly and rng.random() < 0.3 else those) for those in PLACES[command]]
    places += [rng.choice(ODD)] * (oddly and rng.random() < 0.3)
    # Arguments keep their order, and stand anywhere between the options.
    slots = sorted(rng.choices(range(len(words) + 1), k=len(places)))
    for at, place in zip(reversed(slots), reversed(places), strict=True):
        words.insert(at, [place])
    return [command, *(word for part in words for word in part)]


def test_random_command_lines(folder, capsys, monkeypatch, scale):
    rng = random.Random(13)
    codes = {}
    monkeypatch.setattr("explorer.cli.window.has_display", lambda: False)
    for _ in range(scale(400, 20_000)):
        arguments = command_line(rng)
        stdin = rng.choice([b"", b"the cat\n", b'{"text": "the cat"}\n', b"\xff\x00", b'{"a": 1}\n'])
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(stdin)), "utf-8"))
        code = main(arguments)
        out, err = capsys.readouterr()
        codes[code] = codes.get(code, 0) + 1
        assert code in (0, 1, 2), (arguments, code, err)
        assert "Traceback" not in err and "Unexpected" not in err, (arguments, err)
        lines = err.split("\n")[:-1]
        wrong = [line for line in lines if not line.startswith("# ")]
        assert len(wrong) == (code == 2), (arguments, err)
        assert all(re.match("corpus-explorer: [^a-z]|corpus-explorer: [a-z/.]", line) for line in wrong), (
            arguments,
            err,
        )
        told = [char for char in out + err if char not in "\n\t" and steers(char)]
        assert not told, (arguments, told)
    # Were nearly all of them refused, little would be tried.
    assert codes[0] > sum(codes.values()) / 10, codes
