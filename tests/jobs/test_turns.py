"""Threads that need the same file make it once; who waits can be cancelled."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from explorer import open_index
from explorer.core.jobs import CancelToken
from explorer.core.jobs.turns import one_at_a_time
from explorer.errors import Cancelled
from explorer.index import lcp


def test_one_thread_at_a_time_is_inside(tmp_path):
    inside, most = [0], [0]

    def work(_):
        with one_at_a_time(tmp_path / "file"):
            inside[0] += 1
            most[0] = max(most[0], inside[0])
            time.sleep(0.01)
            inside[0] -= 1

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(8)))
    assert most == [1]


def test_another_file_is_not_waited_for(tmp_path):
    with one_at_a_time(tmp_path / "one"), one_at_a_time(tmp_path / "other"):
        pass


def test_who_waits_can_be_cancelled(tmp_path):
    cancel, free = CancelToken(), threading.Event()

    def hold():
        with one_at_a_time(tmp_path / "file"):
            held.set()
            free.wait()

    held = threading.Event()
    thread = threading.Thread(target=hold)
    thread.start()
    held.wait()
    cancel.cancel()
    try:
        with pytest.raises(Cancelled), one_at_a_time(tmp_path / "file", cancel):
            pass
    finally:
        free.set()
        thread.join()


def test_duplicates_and_repeats_at_once_make_one_file_of_prefixes(small_index, tmp_path, monkeypatch):
    monkeypatch.setenv("CORPUS_EXPLORER_CACHE", str(tmp_path))
    monkeypatch.setattr("explorer.backends.local.lists.prefixes.is_small", lambda shard: False)
    corpus, made, write = open_index(small_index), [], lcp._write
    together = threading.Barrier(3)

    def slowly(*args):
        made.append(threading.get_ident())
        time.sleep(0.05)
        write(*args)

    monkeypatch.setattr(lcp, "_write", slowly)

    def ask(question):
        together.wait()
        return question()

    questions = (
        lambda: corpus.duplicates(3).tokens_removed,
        lambda: corpus.repeats(3).total,
        lambda: corpus.duplicates_curve([3, 4], "all").tolist(),
    )
    with ThreadPoolExecutor(3) as pool:
        found = list(pool.map(ask, questions))
    alone = open_index(small_index)
    assert found == [
        alone.duplicates(3).tokens_removed,
        alone.repeats(3).total,
        alone.duplicates_curve([3, 4], "all").tolist(),
    ]
    assert len(made) == 1
