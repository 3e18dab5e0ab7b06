"""The indexes that a service tells of, or does not."""

from __future__ import annotations

import pytest
from faulty_service import Answer, FaultyService
from remote_index import RemoteIndex
from served import running

from explorer.backends.remote import listing
from explorer.backends.remote.listing import ListedIndex, list_indexes
from explorer.http import client as client_module
from explorer.http import pace
from explorer.http.errors import RemoteError
from explorer.serve.settings import Settings

TOKEN = "0123456789abcdef" * 2


@pytest.fixture(autouse=True)
def afresh(monkeypatch):
    """Nobody waits between attempts."""
    monkeypatch.setattr(client_module, "wait_until", lambda moment, check: check())
    pace._paces.clear()


def test_our_server_tells_sizes_and_sends_tokenizers(small):
    with running([("news", small)]) as asker:
        found = list_indexes(asker.address + "#letters")
    assert found.indexes == (ListedIndex("news", small.token_count, small.document_count),)
    assert found.sends_tokenizer and not found.is_known


def test_our_server_wants_its_token(small):
    with running([("news", small)], Settings(token=TOKEN)) as asker:
        with pytest.raises(RemoteError) as caught:
            list_indexes(asker.address)
        assert caught.value.fields["status"] == 401
        with pytest.raises(RemoteError):
            list_indexes(asker.address, token="another-token-of-this-length-x")
        assert list_indexes(asker.address, token=TOKEN).indexes[0].name == "news"


def test_infini_gram_tells_names(small):
    with RemoteIndex({"Small": small, "Other": small}) as service:
        found = list_indexes(service.url)
    assert found.indexes == (ListedIndex("Small"), ListedIndex("Other")) and not found.sends_tokenizer


@pytest.mark.parametrize(
    "answer", [Answer.of({"message": "Forbidden"}, 403), Answer(body=b"<html>"), Answer.of({"a": 1})]
)
def test_a_service_that_does_not_tell_is_no_error(answer):
    with FaultyService(lambda _: answer) as service:
        assert list_indexes(service.url).indexes == ()


def test_names_of_the_documentation_are_marked_as_such(monkeypatch):
    with FaultyService(lambda _: Answer.of({"message": "Forbidden"}, 403)) as service:
        monkeypatch.setattr(listing, "KNOWN", {"127.0.0.1": ("pile", "c4")})
        found = list_indexes(service.url)
    assert found.is_known and found.indexes == (ListedIndex("pile"), ListedIndex("c4"))


def test_whatever_a_list_holds_is_checked():
    rows = [
        {"name": "a", "tokens": -1, "documents": True},
        {"name": 7},
        "b",
        {"name": "c", "tokens": 5, "documents": 2},
    ]
    with FaultyService(lambda _: Answer.of({"protocol": 1, "indexes": rows})) as service:
        assert list_indexes(service.url).indexes == (ListedIndex("a"), ListedIndex("c", 5, 2))
    with FaultyService(lambda _: Answer.of([None, 1, "", "x"])) as service:
        assert list_indexes(service.url).indexes == (ListedIndex("x"),)


def test_nothing_is_sent_to_another_machine_unless_it_may():
    with pytest.raises(RemoteError) as caught:
        list_indexes("https://corpora.example.org")
    assert caught.value.option == "allow_remote"


def test_nobody_there_is_an_error():
    with FaultyService(lambda _: Answer()) as service:
        url = service.url
    with pytest.raises(RemoteError) as caught:
        list_indexes(url)
    assert caught.value.reason == "no-service"
