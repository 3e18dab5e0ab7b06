"""An index that is shared from a process of its own: asked, counted, and ended."""

from __future__ import annotations

import json
import socket
import threading

import pytest
import urllib3

from explorer.backends.request import IndexRequest
from explorer.core.jobs import CancelToken
from explorer.errors import Cancelled, CorpusError
from explorer.serve import sharing
from explorer.serve.settings import PORT, Settings
from explorer.serve.sharing import Shared, ShareRequest, share_in_child
from explorer.serve.sockets import listen

TOKEN = "0123456789abcdef" * 4


class Sharing:
    """A process that shares; used as a block, at whose end it is asked to stop."""

    def __init__(self, folder):
        self.request = ShareRequest(IndexRequest((str(folder),)), "news", TOKEN)
        self.cancel, self.told, self.ended = CancelToken(), [], []
        self.changed = threading.Condition()
        self.thread = threading.Thread(target=self.run)

    def run(self):
        try:
            share_in_child(self.request, self.tell, self.cancel)
            self.ended.append("done")
        except (CorpusError, Cancelled) as error:
            self.ended.append(error)
            self.tell(None)

    def tell(self, shared):
        with self.changed:
            self.told.append(shared)
            self.changed.notify_all()

    def wait(self, condition):
        with self.changed:
            assert self.changed.wait_for(lambda: bool(self.told) and condition(self.told[-1]), 60)
        return self.told[-1]

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.cancel.pause()
        self.thread.join()


def ask(address, token=TOKEN):
    body = json.dumps({"index": "news", "query_type": "count", "query": "the"})
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}
    return urllib3.request("POST", address + "/", body=body, headers=headers, retries=False)


def test_it_answers_counts_and_ends(small_index, small):
    with Sharing(small_index) as shared:
        first = shared.wait(lambda told: told is not None)
        assert first == Shared(first.address, 0) and first.address.startswith("http://127.0.0.1:")
        assert ask(first.address).json()["count"] == small.count(" the"), "the protocol puts a space before"
        assert ask(first.address, "wrong").status == 401
        # Those that were refused are not counted.
        assert shared.wait(lambda told: told.questions > 0).questions == 1
    assert shared.ended == ["done"]
    with pytest.raises(urllib3.exceptions.HTTPError):
        ask(first.address)


def test_the_next_port_is_taken(small_index):
    try:
        taken = listen(Settings(port=PORT))
    except CorpusError:
        # Another program has it already, which is just as well.
        taken = []
    try:
        with Sharing(small_index) as shared:
            address = shared.wait(lambda told: told is not None).address
            assert not address.endswith(f":{PORT}")
    finally:
        for each in taken:
            each.close()


def test_a_process_that_is_ended_leaves_no_server(small_index):
    with Sharing(small_index) as shared:
        address = shared.wait(lambda told: told is not None).address
        shared.cancel.cancel()
        shared.thread.join()
    assert isinstance(shared.ended[0], Cancelled)
    host, port = address.removeprefix("http://").split(":")
    with socket.socket() as probe:
        assert probe.connect_ex((host, int(port))) != 0


def test_what_cannot_be_shared_is_an_error(tmp_path, monkeypatch, small_index):
    with Sharing(tmp_path) as shared:
        shared.wait(lambda told: told is None)
    assert "is not an infini-gram index" in str(shared.ended[0])
    monkeypatch.setattr(sharing, "_PACKAGES", ("no_such_package",))
    with pytest.raises(CorpusError) as caught:
        share_in_child(Sharing(small_index).request, print, CancelToken())
    assert caught.value.reason == "needs-serve-packages"


def test_the_token_is_in_no_text_of_the_request():
    assert TOKEN not in repr(Sharing("/a").request)
