"""The shell: what it answers is what the library answers, line by line, and a mistake does not end it."""

from __future__ import annotations

import io
import os
import re
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from explorer import build_index, open_index
from explorer.cli.main import main
from explorer.cli.shell.commands import BY_NAME, COMMANDS, Shell
from explorer.cli.shell.editor import completions

INTERRUPT = b"\x03"
COMMAND = Path(sys.executable).with_name("corpus-explorer")


@pytest.fixture
def shell(byte_index, monkeypatch, capsys):
    """shell(lines): the exit code, what was printed, and what was reported."""

    def shell(*lines, folder=byte_index):
        data = "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogateescape")
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        code = main(["shell", str(folder)])
        found = capsys.readouterr()
        return code, found.out, found.err

    return shell


@pytest.fixture
def corpus(byte_index):
    with open_index(byte_index) as corpus:
        yield corpus


def test_queries(shell, corpus):
    code, out, _ = shell("count the cat", "count cat AND dog", 'count "cat AND dog"', "search the rug -n 2 -w 12")
    lines = out.splitlines()
    assert code == 0 and lines[:3] == [f"{corpus.count('the cat')}", f"{corpus.search('cat AND dog').count}", "0"]
    first = corpus.concordance("the rug", sort="index").lines(0, 2, 12, characters=True)
    assert lines[3].startswith(f"{first[0].document}:{first[0].offset}\t") and len(lines) == 5
    assert "[the rug]" in lines[3]


def test_the_context_of_a_line(shell, corpus):
    line = corpus.concordance("the rug", sort="index")[0]
    code, out, _ = shell(f"context {line.document}:{line.offset} -w 8", f"context {line.document} {line.offset} -w 8")
    text = corpus.document(line.document).text
    at = line.offset
    assert code == 0 and out == f"{text[at - 8 : at]}[{text[at]}]{text[at + 1 : at + 9]}\n" * 2


def test_predictions_are_the_methods_own(shell, corpus):
    code, out, err = shell(
        "predict the cat sat -n 3", "set method infgram", 'predict "the "', "predict sat on the -b -n 1"
    )
    found = corpus.model("levels").distribution("the cat sat")
    lines = out.splitlines()
    assert code == 0 and lines[0] == f"{found.probabilities[0]:.4f}  ␣"
    found = corpus.model("infgram").distribution("the ")
    shown = [line for line in lines if re.match(r"[01]\.\d{4}  ", line)]
    assert f"{found.probabilities[0]:.4f}  {found.texts[0]}" in shown
    assert shown[-1].endswith("  20") and "longest context: 11 tokens" in err


def test_texts_are_those_of_generate(shell, corpus):
    lines = (
        "set seed 4",
        "complete the dog -n 20",
        "set temperature 0",
        "sample the cat -n 2 -l 5",
        "complete the cat -t 1",
    )
    code, out, _ = shell(*lines)
    one = corpus.model("levels").generate("the dog", max_tokens=20, seed=4).text
    assert code == 0 and f"the dog{one}\n" in out
    greedy = corpus.model("levels").generate("the cat", max_tokens=5, temperature=0).text
    assert f"[1] the cat{greedy}\n[2] the cat{greedy}\n" in out
    assert "the cat" + corpus.model("levels").generate("the cat", max_tokens=50, temperature=1, seed=4).text in out


def test_without_a_seed_the_seed_is_reported(shell, corpus):
    code, out, err = shell("complete the dog -n 20")
    seed = int(re.search(r"# seed (\d+)", err)[1])
    assert code == 0 and out == f"the dog{corpus.model('levels').generate('the dog', max_tokens=20, seed=seed).text}\n"


def test_settings(shell, corpus):
    lines = ("set weight quadratic", "set smoothing 0.5", "set max_length 7", "predict the cat -n 1", "config")
    code, out, _ = shell(*lines, "set method learned", "set max_length none", "config")
    made = corpus.model("weighted", weight="quadratic", alpha=0.5, context=7).distribution("the cat")
    assert code == 0 and f"{made.probabilities[0]:.4f}" in out
    assert "method = weighted" in out and "smoothing    0.5\n" in out
    assert "weight       quadratic  (not used by learned)" in out and "max_length   none" in out


def test_a_context_of_an_n_gram(corpus):
    shell = Shell(corpus)
    shell.execute("set method ngram")
    shell.execute("set max_length 3")
    assert shell.settings.of_model() == {"n": 4}


@pytest.mark.parametrize(
    ("line", "part"),
    [
        ("build a b", "corpus-explorer build"),
        ("frequency x", '"help" lists'),
        ("count", "Usage: count QUERY"),
        ("predict the -n many", "whole number"),
        ("set colour red", "no setting colour"),
        ("set top_p 7", "top_p must be"),
        ("set method none", "needs a value"),
        ("set weight", "Usage: set"),
        ("context x", "Usage: context"),
        ("context 99999", "99"),
        ("context 0:99999", "Document 0 has"),
        ("count (cat AND", ""),
        ("use /nowhere/at/all", "nowhere"),
    ],
)
def test_a_mistake_is_one_line(shell, line, part):
    """The session goes on, and its code tells."""
    code, out, err = shell(line, "count cat")
    complaints = [each for each in err.splitlines() if not each.startswith("#")]
    assert code == 2 and out.strip().isdigit() and len(complaints) == 1 and part in complaints[0]


def test_bytes_that_are_not_utf8(shell):
    code, _, err = shell("count cat", "count \udcff")
    assert code == 2 and "UTF-8" in err


def test_empty_lines_comments_and_quit(shell):
    code, out, _ = shell("", "# a remark", "quit", "count cat")
    assert (code, out) == (0, "")


def test_another_index(shell, small_index):
    code, out, _ = shell("info", f"use {small_index}", "count the cat", "set seed 1", "complete the cat -n 3")
    assert code == 0 and "index\tSmall\n" in out


def test_help_names_every_command(shell):
    code, out, _ = shell("help", "help predict")
    assert code == 0 and all(each.usage in out for each in BY_NAME.values())
    assert out.splitlines()[-1].strip().startswith("predict TEXT")


def test_completion(tmp_path):
    build_index([{"text": "the mountain, the mountains and the moor"}], tmp_path / "index", tokenizer="train:300")
    with open_index(tmp_path / "index") as corpus:
        shell = Shell(corpus)
        assert completions(shell, "") == [f"{each.names[0]} " for each in COMMANDS]
        assert completions(shell, "set we") == ["weight "]
        assert completions(shell, "set weight q") == ["quadratic "]
        assert completions(shell, "set seed ") == ["none "]
        assert "predict " in completions(shell, "help p")
        assert sorted(completions(shell, "predict the moun")) == ["mountain", "mountains"]
        assert sorted(completions(shell, "count never seen mo")) == ["moor", "mountain", "mountains"]
        assert completions(shell, "predict zzz qqq") == completions(shell, "info x") == []


@pytest.mark.skipif(sys.platform == "win32", reason="no terminals of this kind")
def test_a_terminal(byte_index, tmp_path):
    """Tab completes, the history is kept for the next session, and Ctrl-C does not end it."""
    import pty

    with open_index(byte_index) as corpus:
        dogs = corpus.count("dog")
    home = {**os.environ, "CORPUS_EXPLORER_DATA": str(tmp_path), "TERM": "dumb"}

    def session(*keys: bytes) -> str:
        first, second = pty.openpty()
        process = subprocess.Popen([COMMAND, "shell", byte_index], stdin=second, stdout=second, stderr=second, env=home)
        os.close(second)
        seen = _until(first, b"> ")
        for key in keys:
            if key == INTERRUPT:
                seen += _interrupted(process, first)
            else:
                os.write(first, key)
                seen += _until(first, b"> ")
        os.close(first)
        assert process.wait(60) == 0
        return seen.decode()

    seen = session(b"cou\tdo\t\n", INTERRUPT, b"count cat\n", b"\x04")
    assert seen.count("bytes> ") >= 4 and "count dog" in seen and re.search(rf"^{dogs}\r?$", seen, re.M)
    history = tmp_path / "shell-history"
    assert history.read_text().splitlines() == ["count dog", "count cat"] and history.stat().st_mode & 0o77 == 0
    # The second last line of the session before.
    assert re.search(rf"^{dogs}\r?$", session(b"\x10\x10\n", b"quit\n"), re.M)


def _interrupted(process: subprocess.Popen, terminal: int) -> bytes:
    """What a terminal shows after Ctrl-C; it is not the process's own, so it sends no signals itself.

    Python may look for signals just before one comes and then wait for a key, so it is sent until it is heard.
    """
    seen, deadline = b"", time.monotonic() + 60
    while not seen.endswith(b"> ") and time.monotonic() < deadline:
        process.send_signal(signal.SIGINT)
        seen += _until(terminal, b"> ", 3)
    return seen


def _until(terminal: int, end: bytes, seconds: float = 60) -> bytes:
    """What a terminal shows up to `end`, for so long at most, or until the other side is closed."""
    seen, deadline = b"", time.monotonic() + seconds
    while time.monotonic() < deadline and not seen.endswith(end):
        if not select.select([terminal], [], [], 1)[0]:
            continue
        try:
            data = os.read(terminal, 1024)
        except OSError:
            return seen
        if not data:
            return seen
        seen += data
    return seen
