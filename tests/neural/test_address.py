"""Where a server is: nothing is sent anywhere but to this machine without a question."""

from __future__ import annotations

import socket

import pytest
from model_server import ModelServer

from explorer.core.jobs import CancelToken
from explorer.neural.address import ServerError, address_of
from explorer.neural.connection import Connection
from explorer.neural.servers import open_server

HERE = ("localhost", "http://localhost:8080", "http://LOCALHOST.:1/v1/", "127.0.0.1:99", "http://127.8.9.1", "http://[::1]:80",
        "https://127.0.0.1")  # fmt: skip
ELSEWHERE = (
    "http://example.com", "http://localhost.example.com", "http://127.0.0.1.example.com", "http://10.0.0.1",
    "http://0.0.0.0:80", "http://127.1", "http://2130706433", "http://0x7f000001", "http://[::]:80", "http://[fe80::1]",
    "http://localhos", "https://api.openai.com/v1", "http://0177.0.0.1", "http://169.254.169.254",
)  # fmt: skip
WRONG = (
    "", "http://", "ftp://localhost", "file:///etc/passwd", "http://a@localhost", "http://localhost@example.com",
    "http://localhost:0", "http://localhost:99999", "http://localhost:x", "http://localhost?a", "http://localhost#b",
    "http://local host", "http://localhost\n.example.com", "http://localhost\\@example.com", "http://[::1", "http://ⓛocalhost",
)  # fmt: skip


@pytest.mark.parametrize("url", HERE)
def test_this_machine_is_known(url):
    assert address_of(url).is_local


def test_an_address_is_read():
    found = address_of("localhost:8080/base/v1/")
    assert (found.scheme, found.host, found.port, found.path) == ("http", "localhost", 8080, "/base")
    assert address_of("http://[::1]:81").name == "[::1]:81" and address_of("https://localhost").port == 443


@pytest.mark.parametrize("url", ELSEWHERE)
def test_other_machines_are_refused_before_anything_is_asked(url, monkeypatch):
    def refuse(*_, **__):
        raise AssertionError("the network was used")

    monkeypatch.setattr(socket, "socket", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    asked = []
    with pytest.raises(ServerError) as error:
        open_server(url, confirm=lambda host: asked.append(host))
    assert error.value.reason == "not-this-machine" and error.value.option == "allow_remote"
    assert asked == [error.value.fields["host"]]
    with pytest.raises(ServerError, match="Nothing was sent"):
        open_server(url)


@pytest.mark.parametrize("url", WRONG)
def test_what_is_no_address_is_refused(url):
    with pytest.raises(ServerError) as error:
        address_of(url, confirm=lambda _: True)
    assert error.value.reason == "bad-address"


def test_a_confirmed_machine_is_accepted_and_a_local_one_is_not_asked_about():
    assert not address_of("http://example.com:8000", lambda host: host == "example.com:8000").is_local
    assert address_of("localhost", confirm=pytest.fail).is_local


def test_localhost_is_not_looked_up_and_no_proxy_is_used(monkeypatch):
    """A hosts file may send the name elsewhere, and an environment all requests."""
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://192.0.2.1:9")
    looked, ask = [], socket.getaddrinfo
    monkeypatch.setattr(socket, "getaddrinfo", lambda host, *a, **k: looked.append(host) or ask(host, *a, **k))
    with ModelServer() as server, Connection(address_of(f"http://localhost:{server.port}")) as connection:
        found = connection.get("/v1/models")
    assert found["data"][0]["id"] == "/models/toy.gguf" and looked == ["127.0.0.1"]


def ask(url, timeout=60.0):
    with Connection(address_of(url), timeout) as connection:
        return connection.get("/v1/models")


BROKEN = {
    "redirects": "redirected", "not json": "not-json", "deep": "not-json", "fails": "refused", "huge": "too-large",
    "cut": "gone",
}  # fmt: skip


@pytest.mark.parametrize(("manner", "reason"), BROKEN.items())
def test_broken_answers_are_one_sentence(manner, reason, monkeypatch):
    monkeypatch.setattr("explorer.neural.connection._MOST_BYTES", 1 << 20)
    with ModelServer(manner=manner) as server, pytest.raises(ServerError) as error:
        ask(server.url)
    assert error.value.reason == reason
    shown = str(error.value)
    assert shown.isprintable() and len(shown) < 300 and f":{server.port}" in shown
    # Redirections are not followed: one request, to this server.
    assert len(server.requests) == 1


def test_no_server_and_a_late_one():
    with ModelServer() as server:
        port = server.port
    with pytest.raises(ServerError, match="No server answers at 127"):
        ask(f"127.0.0.1:{port}")
    for manner in ("slow", "drips"):
        with ModelServer(manner=manner) as server, pytest.raises(ServerError) as error:
            ask(server.url, 0.3)
        assert error.value.reason == "no-answer"


@pytest.mark.parametrize("manner", ["slow", "drips"])
def test_a_request_that_waits_is_stopped(manner):
    import threading

    from explorer.errors import Cancelled

    cancel = CancelToken()
    with ModelServer(manner=manner) as server:
        threading.Timer(0.1, cancel.cancel).start()
        with Connection(address_of(server.url), timeout=60) as connection:
            with pytest.raises(Cancelled):
                connection.get("/v1/models", cancel)
            # The next request does not read what is left of this one.
            server.manner = ""
            assert connection.get("/v1/models")["data"]


def test_a_connection_that_was_closed_while_it_waited_is_opened_again():
    with ModelServer() as server, Connection(address_of(server.url)) as connection:
        connection.get("/v1/models")
        connection._open.sock._inner.shutdown(socket.SHUT_RDWR)
        assert connection.get("/v1/models")["data"]
