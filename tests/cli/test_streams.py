"""Standard streams that are closed, full or broken, and Ctrl-C from the first import on."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from tiers import nightly

from explorer.cli.output.terminal import colors

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="streams are closed and filled by a shell")
COMMAND = Path(sys.executable).with_name("corpus-explorer")


def shell(line: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        ["bash", "-c", line.replace("CE", f"'{COMMAND}'")],
        capture_output=True,
        env={**os.environ, **environment},
        timeout=120,
        check=False,
    )


FORMS = ["json", *nightly("text", "csv", "tsv", "jsonl")]


@pytest.fixture(autouse=True)
def interruptible():
    """The programs that a test starts hear Ctrl-C, even where the tests run in the background, which has it ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def files(small_index, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "i").symlink_to(small_index)
    (tmp_path / "t.txt").write_text("so the cat sat on the mat.")
    (tmp_path / "a.jsonl").write_text('{"text": "the cat sat on the mat."}\n' * 3)
    return tmp_path


ANSWERS = ["count i the", "info i --json", "verify i", "count i the a --json", "kwic i the", "next i the",
           "trace i t.txt", "trace i a.jsonl", "trace i a.jsonl --json", "agree i t.txt", "kwic i the --out -",
           "agree i t.txt --csv -", "trace i t.txt --html -", "--help",
           "--version"]  # fmt: skip


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is always full")
@pytest.mark.parametrize("sink", ["> /dev/full", ">&-"])
@pytest.mark.parametrize("command", [*ANSWERS[:1], *nightly(*ANSWERS[1:])])
def test_output_that_is_full_or_closed_is_an_error(files, command, sink):
    done = shell(f"CE {command} {sink}")
    assert done.returncode == 2, done
    assert re.fullmatch(rb"(# .*\n)*corpus-explorer: Standard output [^\n]*\n", done.stderr), done


@pytest.mark.parametrize("sink", ["2>&-", *nightly("2> /dev/full")])
def test_a_remark_that_cannot_be_written_is_no_error(files, sink):
    done = shell(f"CE next i the --top 1 {sink}")
    assert done.returncode == 0
    assert done.stdout.count(b"\n") == 1
    assert shell(f"CE count none the {sink}").returncode == 2


@pytest.mark.parametrize(
    "command",
    ["trace i", "count i --queries -", *nightly("trace i -", "agree i -", "count i -", "next i -", "kwic i -")],
)
def test_input_that_is_closed(files, command):
    done = shell(f"CE {command} <&-")
    assert done.returncode == 2
    assert re.fullmatch(rb"corpus-explorer: Standard input is closed[^\n]*\n", done.stderr), done


def test_a_reader_that_leaves(files):
    """`head` has seen enough: no error. But a check that was not finished is one."""
    done = without_reader("kwic", "i", "the", "--limit", "0")
    assert (done.returncode, done.stderr) == (0, b"")
    done = without_reader("trace", "i", "a.jsonl", "--fail-over", "100")
    assert done.returncode == 2 and b"before everything had been checked" in done.stderr


@pytest.mark.parametrize("line", [["verify", "i"], *nightly(["count", "i", "--patterns", "t.txt", "--fail-if-found"])])
def test_a_reader_that_leaves_ends_a_check_with_an_error(files, line):
    assert without_reader(*line).returncode == 2


def without_reader(*arguments: str) -> subprocess.CompletedProcess[bytes]:
    """A command whose output goes into a pipe that nobody reads any more."""
    reading, writing = os.pipe()
    os.close(reading)
    try:
        return subprocess.run([COMMAND, *arguments], stdout=writing, stderr=subprocess.PIPE, timeout=120, check=False)
    finally:
        os.close(writing)


def test_closed_streams_do_not_mix_with_files(files):
    """A file that is opened must not get the number of a closed stream, into which an error is then written."""
    done = shell("CE build t.txt --out built --tokenizer bytes >&- 2>&- <&-; CE verify built --deep")
    assert done.returncode == 0, done


INTERRUPTED_AT_IMPORT = """
import os, signal, sys
at, count = int(sys.argv.pop(1)), 0
class Interrupt:
    def find_spec(self, name, path=None, target=None):
        global count
        count += 1
        if count == at:
            os.kill(os.getpid(), signal.SIGINT)
from explorer.cli.main import run
sys.meta_path.insert(0, Interrupt())
try:
    run()
finally:
    sys.stdout.flush()
    print(count, file=sys.stderr)
"""


def test_ctrl_c_while_modules_load(files, scale):
    """Ctrl-C at the n-th import: exit code 130 and one line, for up to thirty n over all imports."""

    def run(at: int) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            [sys.executable, "-c", INTERRUPTED_AT_IMPORT, str(at), "count", "i", "the"],
            capture_output=True,
            timeout=60,
            check=False,
        )

    imports = int(run(0).stderr.split()[-1])
    assert imports > 100
    for at in [*range(1, scale(2, 4)), *range(5, imports, imports // scale(2, 24))]:
        done = run(at)
        assert done.returncode == 130, (at, done)
        assert re.fullmatch(rb"(?:\d+\n)?Interrupted\.\n(?:\d+\n)?", done.stderr), (at, done)


def test_ctrl_c_keeps_the_rows_that_were_made(files):
    """Rows are on their way as they are made: a pipe has them while the input is still open."""
    with subprocess.Popen(
        [COMMAND, "trace", "i", "-", "--format", "jsonl"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        guard = threading.Timer(300, process.kill)
        guard.start()
        process.stdin.write(b'{"text": "the cat sat on the mat."}\n' * 2000)
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["line"] == 1
        process.send_signal(signal.SIGINT)
        rest = process.stdout.read()
        assert process.wait() == 130
        assert rest == b"" or rest.endswith(b"}\n")
        assert process.stderr.read().endswith(b"Interrupted.\n")
        guard.cancel()


@pytest.mark.parametrize("form", FORMS)
def test_ctrl_c_in_the_middle_of_a_stream_leaves_whole_records(files, form):
    """What was printed is whole; only the object of --json stays open, so that nobody takes it for complete."""
    command = [COMMAND, "count", "i", "--queries", "-", "--format", form]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        guard = threading.Timer(300, process.kill)
        guard.start()
        process.stdin.write(b' cat, "sat"\n' * 500)
        process.stdin.flush()
        # The input stays open, so the command is at work, or waits for the next line.
        head = b""
        while head.count(b"sat") < 2:
            head += process.stdout.readline()
        process.send_signal(signal.SIGINT)
        text = (head + process.stdout.read()).decode()
        assert process.wait() == 130
        assert process.stderr.read() == b"Interrupted.\n"
        guard.cancel()
    check_whole(text, form)


def check_whole(text: str, form: str) -> None:
    if form in ("csv", "tsv"):
        rows = list(csv.reader(io.StringIO(text), delimiter="," if form == "csv" else "\t"))
        assert {len(row) for row in rows} == {len(rows[0])} and text.endswith("\n")
    elif form == "json":
        with pytest.raises(json.JSONDecodeError):
            json.loads(text)
        found = json.loads(f"{text.rstrip().rstrip(',')}]}}")
        assert {row["query"] for row in found["results"]} == {' cat, "sat"'}
    elif form == "jsonl":
        assert text.endswith("\n") and {json.loads(line)["query"] for line in text.splitlines()} == {' cat, "sat"'}
    else:
        assert text.endswith("\n") and len(set(text.splitlines())) == 1


@pytest.mark.parametrize("form", FORMS)
def test_head_ends_a_stream_quietly(files, form):
    (files / "many.txt").write_text("the cat\n" * 3000)
    done = shell(f"set -o pipefail; CE count i --queries many.txt --format {form} | head -n 1")
    assert (done.returncode, done.stderr, done.stdout.count(b"\n")) == (0, b"", 1)


def test_ignored_ctrl_c_stays_ignored(files):
    """A script that is started in the background has it ignored; so have the commands in it."""
    program = "import signal; from explorer.cli import main as m; signal.signal(signal.SIGINT, signal.SIG_IGN)\n"
    program += "import os, sys; sys.argv = ['x', 'count', 'i', 'the']\n"
    program += "m._prepare_streams = lambda: os.kill(os.getpid(), signal.SIGINT); m.run()"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, timeout=60, check=False)
    assert done.returncode == 0, done


def test_counting_answers_each_line_at_once(files):
    with subprocess.Popen(
        [COMMAND, "count", "i", "--queries", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        guard = threading.Timer(300, process.kill)
        guard.start()
        for query in (b" cat", b" dog"):
            process.stdin.write(query + b"\n")
            process.stdin.flush()
            assert process.stdout.readline().rstrip(b"\n").endswith(b"\t" + query)
        process.stdin.close()
        assert process.wait() == 0
        guard.cancel()


def test_python_m(files):
    done = subprocess.run(
        [sys.executable, "-m", "explorer", "count", "i", "the"], capture_output=True, timeout=60, check=False
    )
    assert (done.returncode, done.stdout) == (0, shell("CE count i the").stdout)


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("variables", "expected"),
    [({}, True), ({"NO_COLOR": "1"}, False), ({"NO_COLOR": ""}, True), ({"TERM": "dumb"}, False)],
)
def test_colors_follow_the_environment(monkeypatch, variables, expected):
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "stdout", _Terminal())
    assert colors() is expected
