"""What a worker does: it answers while it is described, and opens a folder again only if its files have changed."""

from __future__ import annotations

import os
import shutil
import threading
from pathlib import Path

import numpy as np
import pytest

from explorer import build_index
from explorer.backends.asked.questions import written
from explorer.backends.cluster import host
from explorer.core.jobs import CancelToken


@pytest.fixture
def worker(tmp_path, monkeypatch):
    """Two folders of a worker that has looked at neither."""
    for number in range(2):
        build_index([{"text": f"the cat {number} sat"}], tmp_path / "shards" / f"part-{number}", tokenizer="bytes")
    monkeypatch.setenv(host.FOLDERS, str(tmp_path / "shards"))
    for kept in (host._KNOWN, host._PATHS, host._DESCRIBED):
        kept.clear()
    yield tmp_path / "shards"
    for kept in (host._KNOWN, host._PATHS, host._DESCRIBED):
        kept.clear()


def count(fingerprint):
    return host._answered((fingerprint,), "", "count", written([np.array([ord("t")])]), CancelToken())


def opening(monkeypatch, before=lambda: None):
    """The folders that are opened from now on; `before` is called before each."""
    opened, own = [], host.open_folders

    def opens(request):
        before()
        opened.append(Path(str(request.sources[0])).name)
        return own(request)

    monkeypatch.setattr(host, "open_folders", opens)
    return opened


def test_a_worker_answers_while_it_is_described(worker, monkeypatch):
    first, second = (each["fingerprint"] for each in host._described()["folders"])
    assert count(first) == {"answer": 3}
    reached, go_on, described = threading.Event(), threading.Event(), []

    def waits():
        reached.set()
        assert go_on.wait(20)

    opening(monkeypatch, waits)
    host._DESCRIBED.clear()
    describing = threading.Thread(target=lambda: described.append(host._described()))
    describing.start()
    try:
        assert reached.wait(20)
        # The description waits in the middle of a folder; an open folder answers, also after a look at its files.
        assert count(first) == {"answer": 3}
        host._KNOWN[(first,)].seen -= 2 * host._SECONDS
        assert count(first) == {"answer": 3}
        # A folder that is opened meanwhile waits for the same gate, and keeps nobody from asking the open one.
        other = threading.Thread(target=count, args=(second,))
        other.start()
        assert count(first) == {"answer": 3}
    finally:
        go_on.set()
        describing.join()
    other.join()
    assert [each["fingerprint"] for each in described[0]["folders"]] == [first, second]


def test_a_folder_is_opened_again_only_if_its_files_have_changed(worker, monkeypatch):
    opened = opening(monkeypatch)
    before = host._described()
    assert opened == ["part-0", "part-1"]
    assert host._described() == before and opened == ["part-0", "part-1"]
    file = next(each for each in (worker / "part-1").iterdir() if each.name.startswith("tokenized"))
    os.utime(file, ns=(1, 1))
    assert host._described() == before and opened == ["part-0", "part-1", "part-1"]
    # Another index at the same place is another one, and one that is gone is not listed.
    shutil.rmtree(worker / "part-1")
    assert [each["name"] for each in host._described()["folders"]] == ["part-0"]
    build_index([{"text": "another"}], worker / "part-1", tokenizer="bytes")
    after = host._described()["folders"]
    assert [each["name"] for each in after] == ["part-0", "part-1"] and after[1] != before["folders"][1]


def test_what_cannot_be_opened_is_tried_again(worker):
    file = next(each for each in (worker / "part-0").iterdir() if each.name.startswith("table"))
    whole = file.read_bytes()
    file.write_bytes(whole[:3])
    assert len(host._described()["unreadable"]) == 1
    file.write_bytes(whole)
    found = host._described()
    assert not found["unreadable"] and len(found["folders"]) == 2
