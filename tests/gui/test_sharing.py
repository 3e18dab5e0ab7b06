"""The switch that shares the open index: what it tells, what is copied, and how it ends."""

from __future__ import annotations

import json

import pytest
from by_hand import HandSlot
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from remote_index import RemoteIndex

from explorer import open_index
from explorer.core.jobs import Kind
from explorer.errors import CorpusError
from explorer.gui.presenting.requests import OpenRequest
from explorer.gui.remote.sharing import COPIES, SharePresenter
from explorer.serve import sharing
from explorer.serve.sharing import Shared
from explorer.version import install_command


class Bench:
    """A presenter on a slot whose work a test does."""

    def __init__(self, corpus, folder, monkeypatch):
        self.slot = HandSlot("share", Kind.APART)
        self.presenter = SharePresenter(self.slot)
        self.presenter.use_corpus(corpus, OpenRequest((str(folder),)))
        self.requests = []
        self.fails = None
        monkeypatch.setattr(sharing, "share_in_child", self.share)

    def share(self, request, tell, cancel):
        self.requests.append(request)
        if self.fails is not None:
            raise self.fails
        tell(Shared("http://127.0.0.1:8765"))
        tell(Shared("http://127.0.0.1:8765", 3))
        # Seen while it runs.
        self.seen = self.presenter.state

    @property
    def state(self):
        return self.presenter.state


@pytest.fixture
def bench(small, small_index, monkeypatch):
    return Bench(small, small_index, monkeypatch)


def test_it_is_shared_with_a_new_token_each_time(bench, small_index):
    assert not bench.state.on and bench.state.why_not == "" and "Other machines cannot" in bench.state.sentence
    for _ in range(2):
        bench.presenter.switch(True)
        assert bench.state.on and bench.state.sentence == "Starting the server …" and not bench.state.can_copy
        bench.slot.answer()
        assert bench.seen.sentence == "Small is shared at http://127.0.0.1:8765 · 3 questions today"
        assert bench.seen.can_copy and not bench.state.on, "the process has ended"
    one, other = bench.requests
    assert one.name == "Small" and one.index.sources == (str(small_index),)
    assert len(one.token) >= 32 and one.token != other.token and one.token not in repr(bench.seen)


def test_every_text_to_copy_has_address_and_token(bench):
    bench.presenter.switch(True)
    bench.presenter._tell(Shared("http://127.0.0.1:8766"))
    token = bench.state.token
    texts = {id: bench.presenter.copied(id) for id, *_ in COPIES}
    assert texts["address"] == "http://127.0.0.1:8766" and texts["token"] == token
    assert all("http://127.0.0.1:8766" in texts[id] and token in texts[id] for id in ("curl", "openai", "assistant"))
    server = json.loads(texts["assistant"])["mcpServers"]["Small"]
    assert server["url"].endswith("/mcp") and server["headers"] == {"Authorization": f"Bearer {token}"}
    compile(texts["openai"], "openai", "exec")
    bench.presenter.switch(False)
    assert bench.state.stopping and bench.presenter.copied("token") == "" and bench.state.why_not


def test_a_failure_is_a_sentence_with_its_remedy(bench):
    bench.fails = CorpusError(
        "A server needs packages.", reason="needs-serve-packages", command=install_command("serve")
    )
    bench.presenter.switch(True)
    bench.slot.answer()
    assert not bench.state.on and install_command("serve") in bench.state.notice
    bench.fails = None
    bench.presenter.switch(True)
    assert bench.state.notice == ""


def test_only_folders_with_a_tokenizer_are_shared(bench, small, small_index):
    bench.presenter.use_corpus(None, OpenRequest(()))
    assert bench.state.why_not == "Open an index first."
    bench.presenter.switch(True)
    assert not bench.slot.busy
    with RemoteIndex({"Small": small}) as service:
        remote = open_index(service.url, tokenizer=small_index / "tokenizer.json")
        bench.presenter.use_corpus(remote, OpenRequest((service.url,)))
    assert "in folders on this machine" in bench.state.why_not


def test_another_index_that_is_opened_leaves_it_shared(bench):
    bench.presenter.switch(True)
    bench.presenter._tell(Shared("http://127.0.0.1:8765"))
    bench.presenter.use_corpus(None, OpenRequest(()))
    assert bench.state.on and bench.state.sentence.startswith("Small is shared at") and bench.state.why_not == ""


def test_tools_for_assistants_say_what_they_need(bench):
    bench.presenter.change(assistants=False)
    assert install_command("mcp") in bench.state.why_not_copy("assistant") and bench.state.why_not_copy("curl") == ""


def test_a_shared_index_is_opened_by_its_address(opened, qtbot):
    opened.show_screen("index")
    view = opened.index.pages.about.share
    qtbot.mouseClick(view.switch, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: view.stop.isVisible())
    said = view.said.text()
    assert said.startswith("Small is shared at http://127.0.0.1:") and said.endswith("· 0 questions today")
    assert not opened.index.busy, "a server that waits is no work that anybody waits for"
    qtbot.mouseClick(view.copy_token, Qt.MouseButton.LeftButton)
    token = QGuiApplication.clipboard().text()
    address = opened.indexes.sharing.copied("address")
    own = opened.corpus
    opened.open(OpenRequest((f"{address}#Small",), token=token))
    qtbot.waitUntil(lambda: opened.corpus is not own)
    assert opened.corpus.count("the cat") == own.count("the cat")
    qtbot.waitUntil(lambda: "· 0 questions" not in view.said.text())
    qtbot.mouseClick(view.stop, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not opened.indexes.sharing.state.on)
    assert not view.stop.isVisible() and not view.switch.isEnabled(), "an index elsewhere cannot be shared"
