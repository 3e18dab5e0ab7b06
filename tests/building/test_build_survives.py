"""Builds that are killed, run out of disk, or lose their sources."""

from __future__ import annotations

import errno
import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from held import HeldBuilds

from explorer import build_index, open_index
from explorer.building.estimate.estimate import estimate_requested
from explorer.building.lock import build_lock
from explorer.building.process import build_in_process
from explorer.building.request import BuildRequest, partial_folder
from explorer.building.state import can_resume
from explorer.core.jobs import CancelToken
from explorer.errors import BuildError, Cancelled, CorpusError, NotAnIndexError, SourceError

PATIENCE = 120
"""Seconds that a test waits for what must come: only one that fails waits so long."""
COMMAND = Path(sys.executable).with_name("corpus-explorer")
WORDS = [
    "a",
    "suffix",
    "array",
    "lists",
    "every",
    "suffix",
    "of",
    "a",
    "text",
    "in",
    "the",
    "order",
    "of",
    "its",
    "bytes",
]


@pytest.fixture(scope="module")
def sources(tmp_path_factory):
    """Large enough that a build takes about a second."""
    folder = tmp_path_factory.mktemp("sources")
    chance = random.Random(5)
    for number in range(20):
        lines = [json.dumps({"text": " ".join(chance.choices(WORDS, k=60)), "n": i}) for i in range(300)]
        (folder / f"{number}.jsonl").write_text("\n".join(lines))
    return folder


TIMES = ("index.json", "report.json")
"""They tell when the build was made, and how long it took."""


def files_of(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.name not in TIMES}


KILLED = """
import os, signal, sys, threading, time
at, wait, out = int(sys.argv.pop(1)), float(sys.argv.pop(1)), sys.argv.pop(1)
count = 0
def kill():
    time.sleep(wait)
    os.kill(os.getpid(), signal.SIGKILL)
def hook(event, arguments):
    global count
    if event in ("open", "os.rename", "os.remove", "os.mkdir", "os.truncate") and out in str(arguments[0]):
        count += 1
        if count == at:
            threading.Thread(target=kill, daemon=True).start() if wait else kill()
sys.addaudithook(hook)
from explorer.cli.main import run
try:
    run()
finally:
    print(count, file=sys.stderr)
"""


def no_index_or_whole(partial, expected):
    """Only between its manifest and the last rename is the folder of an unfinished build an index: a whole one."""
    try:
        with open_index(partial):
            pass
    except CorpusError:
        return
    assert files_of(partial) == expected


def test_killed_at_random_moments(sources, tmp_path, scale):
    """SIGKILL: afterwards there is no index, or a whole one; resuming gives the undisturbed build's bytes.

    Moments are counted in uses of the index's files, so that they are inside the build on any machine; every second
    one is some milliseconds after that use, in the middle of a file perhaps, or after the end.
    """
    wishes = ["--tokenizer", "train:600", "--shards", "3", "--memory", "0.1"]

    def killed(out, at, wait):
        begin = [sys.executable, "-P", "-c", KILLED, str(at), str(wait), str(out)]
        command = [*begin, "build", str(sources), "--out", str(out), *wishes]
        return subprocess.run(command, capture_output=True, check=False)

    uses = int(killed(tmp_path / "whole", 0, 0).stderr.split()[-1])
    assert uses > 30
    expected = files_of(tmp_path / "whole")
    chance = random.Random(11)
    for number in range(scale(2, 100)):
        out = tmp_path / f"out{number}"
        wait = number % 2 and chance.uniform(0.001, 0.2)
        done = killed(out, chance.randrange(1, uses - 5), wait)
        if not wait:
            assert done.returncode == -signal.SIGKILL and not out.exists()
        if not out.exists():
            with pytest.raises(NotAnIndexError):
                open_index(out)
            no_index_or_whole(partial_folder(out), expected)
            resume = [COMMAND, "build", str(sources), "--out", str(out), *wishes, "--resume"]
            subprocess.run(resume, check=True, capture_output=True)
        assert files_of(out) == expected
        assert not partial_folder(out).exists()


def test_an_unfinished_folder_is_no_index(text_folder, tmp_path):
    def interrupt(progress):
        if progress.stage == "Sorting" and progress.done > 0:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build_index(text_folder, tmp_path / "out", tokenizer="bytes", report=interrupt)
    with pytest.raises(NotAnIndexError, match="is a build that was interrupted") as raised:
        open_index(partial_folder(tmp_path / "out"))
    assert (raised.value.reason, raised.value.option) == ("interrupted-build", "resume")


def test_a_disk_that_fills_while_sorting_keeps_the_tokens(text_folder, tmp_path, monkeypatch):
    import explorer.index.writer as writer

    def full(*args):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "table.0")

    with monkeypatch.context() as patch:
        patch.setattr(writer, "_pack", full)
        with pytest.raises(BuildError, match=r"disk of .* is full.*kept in .*out\.partial\.$") as raised:
            build_index(text_folder, tmp_path / "out", tokenizer="bytes")
        assert (raised.value.reason, raised.value.outcome) == ("disk-full", "kept")
    assert not [path for path in (tmp_path / "out.partial").iterdir() if path.suffix == ".part"]
    build_index(text_folder, tmp_path / "out", tokenizer="bytes", resume=True)
    build_index(text_folder, tmp_path / "whole", tokenizer="bytes")
    assert files_of(tmp_path / "out") == files_of(tmp_path / "whole")


def test_in_a_process_of_its_own(text_folder, tmp_path):
    reports = []
    request = BuildRequest((text_folder,), tmp_path / "out", "train:400", name="Mine")
    made = build_in_process(request, reports.append)
    alone = build_index(text_folder, tmp_path / "alone", tokenizer="train:400", name="Mine")
    assert (made.token_count, made.name, made.sources) == (alone.token_count, "Mine", alone.sources)
    assert files_of(tmp_path / "out") == files_of(tmp_path / "alone")
    assert {progress.stage for progress in reports} >= {"Tokenizing", "Sorting"}


def test_its_errors_come_back(tmp_path):
    with pytest.raises(SourceError, match="does not exist"):
        build_in_process(BuildRequest((tmp_path / "none",), tmp_path / "out"))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("stage", "share"), [("Training the tokenizer", -1.0), ("Tokenizing", 0.2), ("Sorting", 0.75)])
def test_it_is_cancelled_and_resumed(sources, tmp_path, monkeypatch, stage, share):
    cancel = CancelToken()
    request = BuildRequest((sources,), tmp_path / "out", "train:600", shards=2)

    def stop(progress):
        if progress.stage == stage:
            cancel.cancel()

    # The child waits there, so that it is certainly cancelled before its end.
    HeldBuilds(monkeypatch, tmp_path / "held", share)
    with pytest.raises(Cancelled):
        build_in_process(request, stop, cancel)
    assert not (tmp_path / "out").exists()
    assert can_resume(tmp_path / "out") == partial_folder(tmp_path / "out").exists()
    if stage == "Sorting":
        assert can_resume(tmp_path / "out")
        monkeypatch.undo()
        build_in_process(BuildRequest((sources,), tmp_path / "out", "train:600", shards=2, resume=True))
        assert open_index(tmp_path / "out").shard_count == 2


PARENT = """
import os, signal, sys, threading
from pathlib import Path
import held
from explorer.building.process import build_in_process
from explorer.building.request import BuildRequest
held.replace_builds()
def die(progress):
    if progress.overall > 0.2:
        os.kill(os.getpid(), signal.SIGKILL)
build_in_process(BuildRequest((Path(sys.argv[1]),), Path(sys.argv[2]), "bytes"), die)
"""


def test_it_ends_with_the_program_that_asked(sources, tmp_path, monkeypatch):
    """The build is held where its program is killed; it never goes on by itself."""
    HeldBuilds(monkeypatch, tmp_path / "held", 0.2)
    parent = subprocess.run([sys.executable, "-P", "-c", PARENT, sources, tmp_path / "out"], check=False)
    assert parent.returncode == -signal.SIGKILL
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        # The build holds this lock for as long as it runs.
        with build_lock(tmp_path / "out.partial") as free:
            if free:
                return
        time.sleep(0.1)
    pytest.fail("the build outlived its program")


def test_sources_that_change_or_vanish_while_they_are_read(tmp_path):
    folder = tmp_path / "s"
    folder.mkdir()
    for name in "abc":
        (folder / f"{name}.txt").write_text(f"text {name} " * 50)

    def disturb(progress):
        if progress.stage == "Training the tokenizer":
            (folder / "a.txt").write_text("another text")
            (folder / "b.txt").unlink()

    with pytest.raises(SourceError, match=r"b\.txt cannot be read"):
        build_index(folder, tmp_path / "out", report=disturb, tokenizer="train:300")
    assert not (tmp_path / "out").exists()
    (folder / "b.txt").write_text("text b")
    made = build_index(folder, tmp_path / "out", report=disturb, tokenizer="train:300", skip_bad=True)
    assert made.skipped == {
        "files that changed since the build began": 1,
        "files that cannot be read to their end": 1,
        "files of which nothing could be read": 1,
    }
    report = json.loads((tmp_path / "out" / "report.json").read_text())["problems"]
    assert [(Path(row["path"]).name, row["place"]) for row in report] == [("a.txt", 0), ("b.txt", 0), ("b.txt", 0)]
    assert "No such file" in report[1]["reason"]
    open_index(tmp_path / "out")


def test_the_report_names_lines(tmp_path):
    (tmp_path / "a.jsonl").write_text('{"text": "one"}\n{"no": 1}\nnot json\n{"text": "two"}\n')
    (tmp_path / "b.txt").write_bytes(b"caf\xe9 " + b"x" * 9000 + b"\xff")
    made = build_index([tmp_path / "a.jsonl", tmp_path / "b.txt"], tmp_path / "out", tokenizer="bytes", skip_bad=True)
    report = json.loads((tmp_path / "out" / "report.json").read_text())["problems"]
    assert [row["place"] for row in report] == [2, 3, 0]
    assert (
        "missing" in report[0]["reason"] and "not JSON" in report[1]["reason"] and "windows-1252" in report[2]["reason"]
    )
    # No answer depends on it, so an index without it is whole.
    assert made.skipped and "report.json" not in made.files


def test_files_that_may_not_be_read(tmp_path, monkeypatch):
    folder = tmp_path / "s"
    folder.mkdir()
    (folder / "a.txt").write_text("text")
    (folder / "b.txt").write_text("secret")
    monkeypatch.setattr(os, "access", lambda path, mode: not str(path).endswith("b.txt"))
    made = build_index(folder, tmp_path / "out", tokenizer="bytes", skip_bad=True)
    assert (made.document_count, made.skipped) == (1, {"folders and files that cannot be read": 1})


def test_many_small_files(tmp_path, scale):
    count = scale(500, 100_000)
    for number in range(count):
        folder = tmp_path / "s" / str(number // 1_000)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{number}.txt").write_text(f"file number {number}")
    made = build_index(tmp_path / "s", tmp_path / "out", tokenizer="bytes")
    assert made.document_count == count
    assert open_index(tmp_path / "out").count("file number") == count


def test_one_very_long_line(tmp_path, scale):
    """One document of a whole gigabyte in the long run."""
    size = scale(1_000_000, 1_000_000_000)
    with open(tmp_path / "a.jsonl", "w") as file:
        file.write('{"text": "')
        part = "all on one line " * 1_000
        for _ in range(size // len(part)):
            file.write(part)
        file.write('"}\n')
    made = build_index(tmp_path / "a.jsonl", tmp_path / "out", tokenizer="train:300")
    assert made.document_count == 1
    assert open_index(tmp_path / "out").count(" line all on") == size // 16 // 1_000 * 1_000 - 1


def test_a_name_that_cannot_be(text_folder, tmp_path):
    with pytest.raises(BuildError, match="cannot be written: File name too long"):
        build_index(text_folder, tmp_path / ("x" * 300))
    with pytest.raises(BuildError, match="cannot be written"):
        build_in_process(BuildRequest((text_folder,), tmp_path / ("x" * 300)))


def test_names_that_mean_a_folder(text_folder, tmp_path, monkeypatch):
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    build_index(text_folder, ".", tokenizer="bytes")
    assert open_index(tmp_path / "here").document_count == 4
    monkeypatch.chdir(tmp_path)
    assert not can_resume(Path()) and not can_resume(Path(".."))
    with pytest.raises(BuildError, match="cannot be an index folder"):
        build_index(text_folder, "/", tokenizer="bytes")


@pytest.mark.parametrize("name", ["x" * 300, "x" * 5_000, "a\0b", "def f():\n    return 1\n" * 60])
def test_names_that_no_file_can_have(text_folder, tmp_path, name):
    """Wherever a path may be typed: an error of ours, nothing else."""
    odd = tmp_path / name
    for ask in (
        lambda: build_index(text_folder, odd, tokenizer="bytes"),
        lambda: build_index(odd, tmp_path / "out", tokenizer="bytes"),
        lambda: build_index(text_folder, tmp_path / "out", tokenizer=str(odd)),
        lambda: estimate_requested(BuildRequest((text_folder,), tmp_path / "out", str(odd))),
        lambda: estimate_requested(BuildRequest((odd,), tmp_path / "out")),
        lambda: open_index(odd),
        lambda: open_index(text_folder, tokenizer=str(odd)),
    ):
        with pytest.raises(CorpusError):
            ask()
    estimate_requested(BuildRequest((text_folder,), odd, "bytes"))
