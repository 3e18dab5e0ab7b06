"""Indexes on the hub: downloaded once, checked, and opened as folders."""

from __future__ import annotations

import shutil
import time
from pathlib import Path

import pytest
from hub_server import Sent, own_hub

from explorer import open_index
from explorer.backends.hub.opening import Download
from explorer.core.jobs import CancelToken
from explorer.errors import Cancelled, CorpusError, DamagedIndexError, NotAnIndexError, QueryError
from explorer.http import client as client_module
from explorer.http import pace
from explorer.http.errors import RemoteError

CATS = "hf://owner/cats"


def files_of(folder):
    return {path.name: path.read_bytes() for path in Path(folder).iterdir()}


@pytest.fixture
def hub(tmp_path, monkeypatch, small_index):
    def wait_until(moment, check):
        check()

    for module in (client_module, pace):
        monkeypatch.setattr(module, "wait_until", wait_until)
    monkeypatch.setattr(time, "sleep", lambda seconds, sleep=time.sleep: sleep(min(seconds, 0.01)))
    with own_hub(tmp_path, monkeypatch) as made:
        made.add("owner/cats", {"README.md": b"# Cats", ".gitattributes": b""} | files_of(small_index), "models")
        yield made


@pytest.mark.parametrize("kind", ["models", "datasets"])
def test_a_published_index_answers_as_its_folder_does(hub, small_index, kind):
    source = CATS if kind == "models" else "hf://datasets/owner/cats"
    hub.repos[kind, "owner/cats"] = hub.repos["models", "owner/cats"]
    near, far = open_index(small_index), open_index(source)
    assert far.count("the cat") == near.count("the cat") > 0
    assert far.document_count == near.document_count and far.index.name == near.index.name
    assert all(path.startswith(str(Path(hub.cache))) for path in far.index.sources)


def test_an_index_is_downloaded_once(hub):
    commit = hub.repos["models", "owner/cats"].refs["main"]
    told = []
    open_index(CATS, report=told.append)
    assert told and told[-1].done == told[-1].total and told[-1].unit == "bytes"
    asked = len(hub.asked)
    open_index(CATS)
    assert all("/api/" in each.path for each in hub.asked[asked:])
    asked = len(hub.asked)
    open_index(f"{CATS}@{commit}")
    assert len(hub.asked) == asked


def test_an_index_in_the_cache_needs_no_connection(hub, monkeypatch):
    from huggingface_hub import constants

    count = open_index(CATS).count("the cat")
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    asked = len(hub.asked)
    assert open_index(CATS).count("the cat") == count and len(hub.asked) == asked
    with pytest.raises(RemoteError, match="HF_HUB_OFFLINE"):
        open_index("hf://owner/dogs")


def test_a_download_goes_on_where_it_stopped(hub):
    stops = [True]
    hub.faults.append(lambda asked: Sent(500) if stops and asked.path.endswith("/table.0") else None)
    with pytest.raises(RemoteError, match=r"stopped in the middle of hf://owner/cats@") as stopped:
        open_index(CATS)
    assert stopped.value.reason == "hub-stopped"
    stops.clear()
    asked = len(hub.asked)
    assert open_index(CATS).count("the cat") > 0
    files = {each.path.rpartition("/")[2] for each in hub.asked[asked:] if "/resolve/" in each.path}
    assert "table.0" in files and len(files) < len(hub.repos["models", "owner/cats"].commits) + 8


def test_a_file_that_arrives_damaged_is_removed(hub):
    repo = hub.repos["models", "owner/cats"]
    commit = repo.refs["main"]
    zeros = Sent(200, bytes(len(repo.commits[commit]["tokenized.0"])), {"ETag": '"0"', "X-Repo-Commit": commit})
    hub.faults.append(lambda asked: zeros if asked.path.endswith("/tokenized.0") else None)
    with pytest.raises(RemoteError, match=r"tokenized\.0 of hf://owner/cats@.* arrived damaged"):
        open_index(CATS)
    hub.faults.clear()
    assert open_index(CATS).count("the cat") > 0


def test_a_download_can_be_stopped(hub):
    cancel = CancelToken()
    with pytest.raises(Cancelled):
        open_index(CATS, report=lambda progress: cancel.cancel(), cancel=cancel)
    assert open_index(CATS).count("the cat") > 0


def test_a_full_disk_is_told_before_anything_is_downloaded(hub, monkeypatch):
    monkeypatch.setattr(shutil, "disk_usage", lambda path: shutil._ntuple_diskusage(10, 10, 0))
    with pytest.raises(RemoteError, match=r"0 kB are free\. The variable HF_HUB_CACHE"):
        open_index(CATS)
    assert not any("/resolve/" in each.path for each in hub.asked)


def test_what_is_no_index_is_an_error(hub):
    hub.add("owner/model", {"config.json": b"{}", "deep/tokenized.0": b""}, "models")
    with pytest.raises(NotAnIndexError, match="hf://owner/model has no index"):
        open_index("hf://owner/model")
    assert not any("/resolve/" in each.path for each in hub.asked)


def test_a_missing_file_is_found_at_opening(hub):
    repo = hub.repos["models", "owner/cats"]
    files = dict(repo.commits[repo.refs["main"]])
    del files["offset.0"]
    repo.commit(files)
    with pytest.raises(DamagedIndexError, match=r"offset\.0 is missing"):
        open_index(CATS)


def test_documents_of_a_published_index_are_subtracted(hub, small_index):
    assert open_index([CATS, small_index], allow_same=True, minus=CATS).count("the cat") == open_index(CATS).count(
        "the cat"
    )


@pytest.mark.parametrize("source", ["hf://owner", "hf://owner/cats/x", "hf://spaces/owner/x"])
def test_other_addresses_are_refused_without_a_request(hub, source):
    with pytest.raises(CorpusError, match="is not an address of the hub"):
        open_index(source)
    assert not hub.asked


def test_a_token_of_a_server_is_refused(hub):
    with pytest.raises(QueryError, match="not on a server"):
        open_index(CATS, token="x" * 20)


def test_a_private_index_needs_a_token(hub, monkeypatch):
    hub.repos["models", "owner/cats"].private = True
    with pytest.raises(RemoteError, match="does not exist, or is private"):
        open_index(CATS)
    monkeypatch.setenv("HF_TOKEN", hub.token)
    assert open_index(CATS).count("the cat") > 0
    assert not any("authorization" in each.headers for each in hub.asked if each.is_storage)


def test_a_download_is_described_before_it_runs(hub):
    download = Download.of(CATS)
    assert download.size == sum(file.size for file in download.files) and not download.folder.exists()
    assert "README.md" not in [file.name for file in download.files]
