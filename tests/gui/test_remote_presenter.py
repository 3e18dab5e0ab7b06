"""The dialog for indexes on other machines without its widgets: nothing is sent before the user agreed."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from by_hand import HandSlot

from explorer.backends.remote import listing
from explorer.backends.remote.listing import ListedIndex, ServiceIndexes
from explorer.core.jobs import Kind
from explorer.gui.presenting.requests import OpenRequest
from explorer.gui.remote.hosts import Hosts, address_of, host_of, source_name, what_is_sent, with_host
from explorer.gui.remote.presenter import RemotePresenter
from explorer.gui.settings.store import Settings
from explorer.http.errors import RemoteError

MOMENT = datetime(2026, 3, 4, tzinfo=UTC)
PUBLIC = "https://corpora.example.org"


class Desk:
    def __init__(self, path, monkeypatch):
        self.settings = Settings(path)
        self.slot, self.asked, self.listed = HandSlot("remote", Kind.APART), [], []
        self.presenter = RemotePresenter(self.slot, self.settings.hosts, self.settings.recents, self.asked.append)
        self.found = ServiceIndexes("corpora.example.org", (ListedIndex("news", 12, 3), ListedIndex("letters")))
        monkeypatch.setattr(listing, "list_indexes", self.list)

    def list(self, url, *, allow_remote, token, cancel):
        self.listed.append((url, token))
        assert allow_remote
        if isinstance(self.found, RemoteError):
            raise self.found
        return self.found

    @property
    def state(self):
        return self.presenter.state


@pytest.fixture
def desk(tmp_path, monkeypatch):
    return Desk(tmp_path / "settings.json", monkeypatch)


def test_an_address_is_read_and_not_asked(desk):
    for typed in ("c", "corpora.example.org", f"{PUBLIC}/", f"{PUBLIC}#news"):
        desk.presenter.type_address(typed)
    assert not desk.slot.busy and not desk.settings.hosts.all()
    assert desk.state.entries.name == "news" and desk.state.entries.source == f"{PUBLIC}#news"
    # Without "http://", another machine is asked with encryption, and this one without.
    desk.presenter.type_address("corpora.example.org")
    assert desk.state.entries.source == PUBLIC and desk.state.entries.name == ""
    desk.presenter.type_address("localhost:8765")
    assert desk.state.entries.url == "http://localhost:8765"


def test_a_list_is_asked_for_once_the_user_agreed(desk):
    desk.presenter.type_address(PUBLIC)
    desk.presenter.list()
    assert desk.state.asks and not desk.slot.busy
    assert desk.state.notice == ("Queries that you type are sent to corpora.example.org, which may keep them.")
    desk.presenter.decline()
    assert not desk.state.asks and not desk.slot.busy and desk.settings.hosts.all() == ()
    desk.presenter.list()
    assert desk.presenter.agree() is False, "nothing is opened by a list"
    desk.slot.answer()
    assert desk.listed == [(PUBLIC, None)] and [row[0].text for row in desk.state.rows] == ["news", "letters"]
    assert [cell.text for cell in desk.state.rows[0]] == ["news", "3", "12"]
    assert [cell.text for cell in desk.state.rows[1]] == ["letters", "", ""], "what is not told is not 0"
    # Once per host: the next list is not asked about.
    desk.presenter.begin()
    desk.presenter.type_address(PUBLIC + "/other")
    desk.presenter.list()
    assert not desk.state.asks and desk.slot.busy


def test_this_machine_needs_no_consent(desk):
    for address in ("http://localhost:8765", "http://127.0.0.1:8765", "http://[::1]:8765"):
        desk.presenter.begin()
        desk.presenter.type_address(address)
        desk.presenter.list()
        assert desk.slot.busy and not desk.state.asks
        desk.slot.answer()
    assert desk.settings.hosts.all() == ()


def test_opening_asks_for_consent_and_goes_on(desk):
    desk.presenter.type_address(PUBLIC)
    desk.presenter.type_name("news")
    assert desk.presenter.open() is False and desk.state.asks and desk.asked == []
    assert desk.presenter.agree() is True
    assert desk.asked == [OpenRequest((f"{PUBLIC}#news",))] and desk.settings.hosts.allows([f"{PUBLIC}#news"])
    desk.presenter.withdraw()
    assert not desk.settings.hosts.allows([f"{PUBLIC}#news"]) and not desk.state.is_allowed


def test_nothing_opens_without_an_address_and_a_name(desk):
    assert desk.state.why_not_open == "Type an address first." and desk.state.why_not_list
    desk.presenter.list()
    assert desk.presenter.open() is False and not desk.slot.busy and not desk.state.asks
    desk.presenter.type_address("not an address")
    assert desk.state.why_not_open == "This is not an address."
    desk.presenter.type_address(PUBLIC)
    # It may be that of an index folder, so its indexes are asked for first, and then it can be opened as it is.
    assert desk.state.why_not_open == "" and desk.state.lists_first
    desk.presenter.list()
    assert desk.presenter.agree() is False
    desk.found = ServiceIndexes("corpora.example.org")
    desk.slot.answer()
    assert not desk.state.lists_first and "index folder" in desk.state.said
    desk.presenter.withdraw()
    desk.presenter.type_address("s3://bucket/index")
    assert desk.state.why_not_open == "" and not desk.state.lists_first and desk.state.why_not_list
    assert desk.presenter.open() and desk.asked == [OpenRequest(("s3://bucket/index",))]


def test_the_only_index_is_the_one_that_is_meant(desk):
    desk.found = ServiceIndexes("localhost:8765", (ListedIndex("news"),), sends_tokenizer=True)
    desk.presenter.type_address("http://localhost:8765")
    desk.presenter.list()
    assert desk.state.said == "Asking localhost:8765 …"
    desk.slot.answer()
    assert desk.state.entries.source == "http://localhost:8765#news"
    assert desk.state.said == "Indexes at localhost:8765:" and "sends its own" in desk.state.tokenizer_hint


def test_what_does_not_tell_is_typed_by_hand(desk):
    desk.found = ServiceIndexes("localhost:8765")
    desk.presenter.type_address("http://localhost:8765")
    desk.presenter.list()
    desk.slot.answer()
    assert desk.state.said.startswith("localhost:8765 does not list its indexes. Type the name of one")
    assert desk.state.rows == ()


def test_a_failure_is_a_sentence_and_another_address_forgets_it(desk):
    desk.found = RemoteError("Nobody there.", reason="no-service")
    desk.presenter.type_address("http://localhost:8765")
    desk.presenter.list()
    desk.slot.answer()
    assert desk.state.notice.startswith("Nobody there.") and desk.state.said == ""
    desk.presenter.type_address("http://localhost:8766")
    assert desk.state.notice == ""
    # An answer about the address before is not shown for this one.
    desk.presenter.list()
    desk.presenter.type_address("http://localhost:8767")
    assert not desk.slot.busy


def test_a_token_is_sent_and_never_stored(desk, tmp_path):
    file = tmp_path / "token"
    file.write_text("0123456789abcdef" * 2)
    file.chmod(0o600)
    desk.presenter.type_address("http://localhost:8765#news")
    desk.presenter.choose(token_file=str(file))
    desk.presenter.list()
    desk.slot.answer()
    desk.presenter.choose(token="secret")
    desk.presenter.list()
    desk.slot.answer()
    assert [token for _, token in desk.listed] == ["0123456789abcdef" * 2, "secret"]
    assert desk.presenter.open()
    assert desk.asked[0].token == "secret" and desk.asked[0].token_file == "", "what was typed wins"
    assert "secret" not in repr(desk.asked[0]) and "secret" not in repr(desk.state)
    assert "secret" not in str(desk.asked[0].as_session(opened=True))
    desk.presenter.end()
    assert desk.state.entries.token == ""


def test_what_an_address_was_opened_with_is_remembered(desk):
    desk.settings.recents.add(f"{PUBLIC}#news", MOMENT, "News", 12)
    desk.settings.recents.keep_opening(f"{PUBLIC}#news", "/tokenizers/news.json", "/tokens/news")
    desk.presenter.type_address(f"{PUBLIC}/#news")
    assert desk.state.entries.tokenizer == "/tokenizers/news.json" and desk.state.entries.token_file == "/tokens/news"
    desk.settings.recents.forget(f"{PUBLIC}#news")
    assert desk.settings.get("recent_tokenizers") == {} and desk.settings.get("recent_token_files") == {}


def test_it_begins_with_what_did_not_open(desk):
    desk.presenter.begin(OpenRequest((f"{PUBLIC}#news",), tokenizer="/a.json", token="secret"))
    entries = desk.state.entries
    assert (entries.address, entries.name, entries.tokenizer, entries.token) == (PUBLIC, "news", "/a.json", "secret")


def test_hosts_are_those_of_addresses(tmp_path):
    assert address_of("/data/a#b") is None and address_of("localhost:80") is None and host_of("C:\\data") == ""
    assert host_of("https://api.infini-gram.io/#pile") == "api.infini-gram.io"
    assert host_of("http://LOCALHOST:8765#a") == "localhost:8765"
    assert (
        source_name("https://example.org/index/news") == "news" and source_name("https://example.org") == "example.org"
    )
    assert source_name("/") == "/" and with_host("news", ["https://example.org#news"]) == "news · example.org"
    assert with_host("example.org", ["https://example.org"]) == "example.org"
    settings = Settings(tmp_path / "settings.json")
    hosts = Hosts(settings.get, settings.set)
    assert hosts.allows(["/data/a", "http://localhost:1#a"]) and not hosts.allows(["https://example.org#a"])
    hosts.allow(["example.org"])
    assert hosts.allows(["https://example.org/#b"]) and not hosts.allows(["https://example.org:8443#b"])
    assert not hosts.allows(["https://example.org.evil.net#a"]) and not hosts.allows(["s3://example.org/a"])
    assert host_of("S3://bucket/a/b") == "s3://bucket" and source_name("s3://bucket/a/b/") == "b"
    hosts.allow([host_of("s3://bucket/a")])
    assert hosts.allows(["s3://bucket/b"]) and not hosts.allows(["s3://other/b"])
    assert "may keep them" in what_is_sent("a", False) and "which parts" in what_is_sent("a", True)
