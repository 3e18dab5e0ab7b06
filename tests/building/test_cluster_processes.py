"""Builds whose workers are processes, which are killed, as is the head."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from cluster import started
from same_files import assert_same_files

from explorer import build_index
from explorer.building.request import partial_folder

pytest.importorskip("distributed", reason="the extra cluster is not installed")
pytestmark = [
    # Dask and its event loop leave sockets to the garbage collector.
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
]
COMMAND = Path(sys.executable).with_name("corpus-explorer")
OPTIONS = ["--tokenizer", "train:2000", "--shards", "4", "--name", "x"]


@pytest.fixture(scope="module", autouse=True)
def one_time():
    """Builds have equal times in their manifests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SOURCE_DATE_EPOCH", "1750000000")
        yield


@pytest.fixture(scope="module")
def sources(tmp_path_factory, scale):
    """Large enough that a build takes some seconds."""
    folder = tmp_path_factory.mktemp("sources")
    chance = random.Random(7)
    words = ["".join(chance.choices("abcdefghijklm", k=chance.randint(2, 9))) for _ in range(5000)]
    for number in range(scale(40, 400)):
        lines = [json.dumps({"text": " ".join(chance.choices(words, k=120)), "n": n}) for n in range(120)]
        (folder / f"{number}.jsonl").write_text("\n".join(lines))
    return folder


@pytest.fixture(scope="module")
def expected(sources, tmp_path_factory):
    """What one process builds, and how long it takes."""
    out, begun = tmp_path_factory.mktemp("one") / "index", time.monotonic()
    build_index(sources, out, tokenizer="train:2000", shards=4, name="x")
    return out, time.monotonic() - begun


@pytest.fixture(scope="module")
def workers(tmp_path_factory):
    folder = tmp_path_factory.mktemp("nothing")
    with started({"one": folder, "two": folder}) as workers:
        yield workers


@pytest.mark.nightly
def test_the_command_starts_workers_that_end_with_it(sources, expected, tmp_path):
    out = tmp_path / "out"
    done = subprocess.run(
        [COMMAND, "build", sources, "--out", out, "--cluster", "local:2", *OPTIONS],
        capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert_same_files(expected[0], out)


def test_workers_that_are_killed(sources, expected, workers, tmp_path, scale):
    chance = random.Random(3)
    for number in range(scale(1, 20)):
        workers.wait()
        out = tmp_path / str(number)
        # Also in the middle of the sort, which comes last.
        timer = threading.Timer(chance.uniform(0.2, 0.9) * expected[1], workers.kill, [chance.choice(["one", "two"])])
        timer.start()
        build_index(sources, out, tokenizer="train:2000", shards=4, name="x", cluster=workers.address)
        timer.join()
        assert_same_files(expected[0], out)
        assert not partial_folder(out).exists()


@pytest.mark.nightly
def test_a_head_that_is_killed(sources, expected, workers, tmp_path, scale):
    """What workers did is found by the next head; a worker may still be at the job of the one before."""
    workers.wait()
    chance = random.Random(5)
    out = tmp_path / "out"
    command = [COMMAND, "build", sources, "--out", out, "--cluster", workers.address, "--resume", *OPTIONS]
    for _ in range(scale(1, 5)):
        head = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        pieces = partial_folder(out) / "pieces"
        before = len([*pieces.glob("*/piece.json")]) if pieces.is_dir() else 0
        end = time.monotonic() + 60
        while head.poll() is None and len([*pieces.glob("*/piece.json")]) <= before and time.monotonic() < end:
            time.sleep(0.02)
        time.sleep(chance.uniform(0, scale(0.05, 0.3)))
        head.send_signal(signal.SIGKILL)
        head.wait()
    assert not out.exists()
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    assert_same_files(expected[0], out)
