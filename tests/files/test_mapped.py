"""Files that are cut short in the middle of their use."""

from __future__ import annotations

import contextlib
import gc
import os
import shutil
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
import twin

import _fastsa
from explorer import build_index, enable_fault_guard, open_index
from explorer.core.files.mapped import MappedFile
from explorer.errors import DamagedIndexError
from explorer.index import monitored as shard_module

USES = {
    "count": lambda corpus: corpus.count(b"the cat".decode()),
    "next": lambda corpus: corpus.next_tokens(corpus.encode("the ")),
    "document": lambda corpus: corpus.document(corpus.document_count - 1).text,
    "metadata": lambda corpus: corpus.document(corpus.document_count - 1).metadata,
    "concordance": lambda corpus: corpus.concordance("the cat").lines(5, 9),
    "agreement": lambda corpus: corpus.agreement(corpus.encode("the cat sat")),
    "trace": lambda corpus: corpus.trace("the cat sat on the mat"),
}


@pytest.fixture(autouse=True)
def guarded():
    assert enable_fault_guard()


@pytest.fixture
def corpus(tmp_path, monkeypatch):
    # The look at the sizes, which comes before a query now and then, must not be what saves us.
    monkeypatch.setattr(shard_module, "_LOOK_SECONDS", 3600.0)
    (tmp_path / "texts").mkdir()
    for number in range(300):
        (tmp_path / "texts" / f"{number:03}.txt").write_text(f"the cat {number} sat on the mat.\n" * 40)
    build_index(tmp_path / "texts", tmp_path / "out", tokenizer="bytes")
    return open_index(tmp_path / "out")


@pytest.mark.skipif(os.name == "nt", reason="a mapped file cannot be cut short there")
@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("name", ["tokenized.0", "table.0", "offset.0", "metadata.0", "metaoff.0"])
def test_a_file_cut_short_in_use(corpus, use, name):
    path = corpus.folders[0] / name
    before = USES[use](corpus)
    os.truncate(path, 0)
    try:
        after = USES[use](corpus)
    except DamagedIndexError as error:
        assert name in str(error) and "shrunk" in str(error)
        with pytest.raises(DamagedIndexError):
            USES[use](corpus)
    else:
        # Not every use reads every file; what it did not read it cannot miss.
        assert repr(after) == repr(before)


@pytest.mark.skipif(os.name == "nt", reason="a mapped file cannot be cut short there")
def test_only_what_lies_behind_is_lost(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(bytes([7]) * 100_000)
    mapped = MappedFile(path)
    other = MappedFile(path)
    os.truncate(path, 8192)
    assert mapped.data[:8192].tobytes() == bytes([7]) * 8192
    mapped.check_read()
    assert mapped.data[50_000] == 0
    with pytest.raises(DamagedIndexError, match=r"shrunk from 100,000 to 8,192 bytes"):
        mapped.check_read()
    other.check_read()
    assert np.count_nonzero(mapped.data) == 8192
    path.write_bytes(bytes([7]) * 100_000)
    with pytest.raises(DamagedIndexError, match=r"its drive failed, or the file was cut short"):
        mapped.check_read()


def test_a_file_that_was_closed_is_not_watched(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(bytes(10))
    for _ in range(70_000):
        MappedFile(path).check_read()


@pytest.mark.skipif(os.name == "nt", reason="a mapped file cannot be cut short there")
def test_a_file_cut_short_under_threads(corpus):
    """Others open and close files meanwhile, so that places in the guard's table change hands."""
    path = corpus.folders[0] / "tokenized.0"
    expected = {name: repr(use(corpus)) for name, use in USES.items()}
    ended = threading.Event()
    wrong = []

    def ask():
        while not ended.is_set():
            for name, use in USES.items():
                with contextlib.suppress(DamagedIndexError):
                    if (found := repr(use(corpus))) != expected[name]:
                        wrong.append((name, found))

    def open_and_close():
        while not ended.is_set():
            assert int(MappedFile(corpus.folders[0] / "table.0").data[0]) >= 0

    with ThreadPoolExecutor(8) as pool:
        running = [pool.submit(ask) for _ in range(6)] + [pool.submit(open_and_close) for _ in range(2)]
        for size in (300_000, 100_000, 8192, 0):
            os.truncate(path, min(size, path.stat().st_size))
            for use in USES.values():
                with contextlib.suppress(DamagedIndexError):
                    use(corpus)
        ended.set()
        for future in running:
            future.result()
    assert not wrong
    with pytest.raises(DamagedIndexError, match="shrunk"):
        corpus.agreement(corpus.encode("the cat sat"))


SIGNALS = """
import explorer, re, sys
def caught():
    mask = re.search("SigCgt:\\t([0-9a-f]+)", open("/proc/self/status").read()).group(1)
    return bool(int(mask, 16) >> (signal.SIGBUS - 1) & 1)
import signal
corpus = explorer.open_index(sys.argv[1])
corpus.count("the")
print(caught())
assert explorer.enable_fault_guard() and explorer.enable_fault_guard()
print(caught())
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="/proc tells which signals are caught")
def test_a_library_leaves_signals_alone(small_index):
    """Only who asks for the guard has the handler of SIGBUS changed."""
    # AddressSanitizer, where the tests run under it, catches the signal itself.
    plain = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
    command = [sys.executable, "-I", "-c", SIGNALS, small_index]
    done = subprocess.run(command, capture_output=True, check=True, text=True, env=plain)
    assert done.stdout.split() == ["False", "True"]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="/proc tells which signals are caught")
def test_without_the_guard_sizes_are_looked_at_before_queries(small_index, tmp_path):
    """What a library user has who does not ask for more."""
    program = """
import explorer, os, sys
from explorer.index import monitored
monitored._LOOK_SECONDS = 0
corpus = explorer.open_index(sys.argv[1])
os.truncate(sys.argv[1] + "/table.0", 0)
try:
    corpus.count("the")
except explorer.CorpusError as error:
    print(error)
"""
    shutil.copytree(small_index, tmp_path / "copy")
    command = [sys.executable, "-I", "-c", program, str(tmp_path / "copy")]
    done = subprocess.run(command, capture_output=True, check=True, text=True)
    assert "shrunk" in done.stdout


MANY = """
import resource, sys
resource.setrlimit(resource.RLIMIT_NOFILE, (int(sys.argv[2]),) * 2)
import explorer
corpus = explorer.open_index(sys.argv[1], reversed_text=False)
assert explorer.verify_index(sys.argv[1]).shards == corpus.shard_count
print(corpus.shard_count, corpus.count([1, 2]), corpus.document_count, len(corpus.document(299).metadata))
"""


@pytest.mark.skipif(os.name == "nt", reason="there is no such limit there")
def test_many_shards_need_no_file_descriptors(tmp_path):
    """300 shards of five mapped files each, with 40 descriptors."""
    twin.write_index(tmp_path / "many", [[[1, 2, number % 7]] for number in range(300)])
    command = [sys.executable, "-I", "-c", MANY, str(tmp_path / "many"), "40"]
    done = subprocess.run(command, capture_output=True, check=False, text=True)
    assert done.stdout.split() == ["300", "300", "300", "3"], done.stderr


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="/proc lists them")
def test_an_open_index_keeps_no_descriptor(small_index):
    def descriptors():
        # Others come and go meanwhile: of threads, of what is collected.
        links = [os.path.realpath(f"/proc/self/fd/{number}") for number in os.listdir("/proc/self/fd")]
        return [path for path in links if path.startswith(os.path.realpath(small_index))]

    kept = [open_index(small_index) for _ in range(5)]
    assert descriptors() == []
    with open(small_index / "table.0", "rb"):
        assert len(descriptors()) == 1
    assert kept


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="/proc lists them")
def test_a_mapping_lasts_as_long_as_its_bytes_are_used(tmp_path):
    path = tmp_path / "unlike any other"
    path.write_bytes(bytes(range(200)) * 100)

    def mapped():
        return Path("/proc/self/maps").read_text().count(path.name)

    part = MappedFile(path).data[100:150]
    gc.collect()
    assert mapped() == 1
    assert part.tobytes() == bytes(range(100, 150))
    with pytest.raises(ValueError, match="read-only"):
        part[0] = 1
    del part
    gc.collect()
    assert mapped() == 0


def test_where_the_system_has_no_such_mappings(small_index, monkeypatch):
    monkeypatch.setattr(_fastsa, "CAN_MAP", False)
    corpus = open_index(small_index)
    assert corpus.count("the") > 0
    corpus.index.shards[0].check_read()
