"""Strangers, web pages and oversized requests are refused, and no answer shows a trace or a path."""

from __future__ import annotations

import json
import os
import socket
import stat
import time
from urllib.parse import urlsplit

import pytest
import urllib3
from served import running

from explorer import open_index
from explorer.serve import connections
from explorer.serve.settings import Settings
from explorer.serve.sockets import ServeError, check_address
from explorer.serve.token import TokenError, read_token

TOKEN = "0123456789abcdef0123456789ABCDEF"
ASKED = {"index": "Small", "query_type": "count", "query": "the cat"}


@pytest.fixture(scope="module")
def corpus(small_index):
    return open_index(small_index)


@pytest.fixture(scope="module")
def asker(corpus):
    with running([("", corpus)], Settings(hosts=("corpus.example",), connections=40)) as asker:
        yield asker
        assert asker.complaints == []


def refused(found, status):
    """The sentence of a refusal, which has no trace and no path."""
    assert found[0] == status, found
    text = json.dumps(found[1])
    assert "Traceback" not in text and ".py" not in text and os.sep not in text.replace("application/json", "")
    return found[1]["error"]


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8765", "127.0.0.1.evil.example", "", "localhost.", "[::2]"]
)
def test_foreign_hosts_are_refused(asker, host):
    """A page can give its own name the address of this machine."""
    assert refused(asker.post(ASKED, Host=host), 403) == "[Flask] This host name is not allowed here"


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:9", "127.0.0.1", "[::1]:80", "corpus.example:443"])
def test_own_hosts_are_answered(asker, host):
    assert asker.post(ASKED, Host=host)[0] == 200


def test_pages_of_other_sites_are_refused(asker):
    own = urlsplit(asker.address).netloc
    for origin in ("http://evil.example", "null", "http://localhost:1", f"http://{own}.evil.example", "file://"):
        assert "Pages of other sites" in refused(asker.post(ASKED, Origin=origin), 403)
    assert "Pages of other sites" in refused(asker.post(ASKED, Sec_Fetch_Site="cross-site"), 403)
    assert asker.post(ASKED, Origin=f"http://{own}", Sec_Fetch_Site="same-origin")[0] == 200
    # What a page can send without asking first is not JSON; and the question whether it may has no yes.
    assert asker.post(ASKED, Content_Type="text/plain")[0] == 415
    response = asker.http.request("OPTIONS", asker.address, headers={"Origin": "http://evil.example"})
    assert response.status == 403 and not any("access-control" in name.lower() for name in response.headers)


def test_large_and_deep_bodies_are_refused(asker):
    assert "1,048,576 bytes" in refused(asker.post({**ASKED, "query": "a" * (2 << 20)}), 413)
    # Without a length, it is counted as it comes.
    chunks = (b" " * 65_536 for _ in range(32))
    try:
        response = asker.http.request(
            "POST", asker.address, body=chunks, chunked=True, headers={"Content-Type": "application/json"}
        )
        assert response.status == 413
    except urllib3.exceptions.HTTPError as error:
        # The server may close before all of it is sent.
        assert "roken pipe" in str(error) or "reset" in str(error).lower()
    for depth in (13, 1_000, 400_000):
        body = b'{"index": "Small", "query_type": "count", "query_ids": ' + b"[" * depth + b"]" * depth + b"}"
        refused(asker.post(body), 400)
    assert asker.post({**ASKED, "query": "a" * 500_000})[1]["error"].startswith("Please limit your input")


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"5", b"null", b'"a"', b"\xff", b'{"a": }', b"{}" * 2])
def test_what_is_not_a_question_is_refused(asker, body):
    refused(asker.post(body), 400)


@pytest.mark.parametrize(
    ("changed", "status"),
    [
        ({"query_type": "__class__"}, 400),
        ({"query_type": "engine"}, 400),
        ({"query_type": "get_doc_by_ix"}, 400),
        ({"query_type": "creativity"}, 400),
        ({"index": "../Small"}, 400),
        ({"index": "/etc/passwd"}, 400),
        ({"index": {"a": 1}}, 400),
        ({"query": None}, 200),
        ({"query": 5}, 200),
        ({"max_clause_freq": 2**63}, 200),
        ({"max_diff_tokens": 10**400}, 200),
    ],
)
def test_hostile_fields_are_refused(asker, changed, status):
    found = asker.post({**ASKED, **changed})
    assert found[0] == status and "error" in found[1] and "Traceback" not in found[1]["error"]


def test_hostile_numbers_are_refused(asker):
    def ask(**changed):
        return asker.post(
            {key: value for key, value in {**ASKED, "query": None, **changed}.items() if value is not None}
        )

    for ids in ([2**63], [-1], [10**30], [5.0], [True], [[[2**63]]], "5", {"a": 1}, [[5]]):
        assert "query_ids" in refused(ask(query_ids=ids), 200)
    for s, rank in ((2**63, 0), (0, 2**63), (-1, 0), (0, -1), (0.0, 0), ("0", 0), (True, 0), (None, 0)):
        found = asker.post({"index": "Small", "query_type": "get_doc_by_rank", "query_ids": [], "s": s, "rank": rank})
        assert "must be an integer in range" in refused(found, 200)
    assert "must be" in refused(
        asker.post({"index": "Small", "query_type": "get_doc_by_ptr", "query_ids": [], "s": 0, "ptr": 1}), 200
    )


def test_a_token_is_asked_for(corpus):
    with running([("", corpus)], Settings(token=TOKEN)) as asker:
        for path in ("/", "/healthz", "/nowhere"):
            assert refused(asker.get(path), 401) == "[Flask] The token is missing or wrong"
        for value in (
            "",
            TOKEN,
            f"Basic {TOKEN}",
            f"Bearer {TOKEN[:-1]}",
            f"Bearer {TOKEN}x",
            f"bearer {TOKEN}",
            "Bearer é",
        ):
            refused(asker.post(ASKED, Authorization=value.encode("utf-8").decode("latin-1")), 401)
        assert asker.post(ASKED, Authorization=f"Bearer {TOKEN}")[0] == 200
        # A page of another site does not get further with it.
        assert asker.post(ASKED, Authorization=f"Bearer {TOKEN}", Host="evil.example")[0] == 403
        assert asker.complaints == []


def test_connections_beyond_a_number_are_closed(asker):
    """The others are answered, and places become free again."""
    host, port = urlsplit(asker.address).netloc.split(":")
    idle = [socket.create_connection((host, int(port))) for _ in range(200)]
    closed = 0
    for connection in idle:
        connection.settimeout(5 if closed == 0 else 0.05)
    deadline = time.monotonic() + 20
    while closed < 160 and time.monotonic() < deadline:
        closed = sum(map(_is_closed, idle))
    assert 160 <= closed < 200
    for connection in idle:
        connection.close()
    while asker.server._server.server_state.connections and time.monotonic() < deadline:
        time.sleep(0.01)
    assert asker.post(ASKED)[0] == 200


def test_a_client_that_stops_reading_is_closed_and_holds_nobody_up(corpus, monkeypatch):
    """It sends questions as long as the server takes them, and reads no answer."""
    monkeypatch.setattr(connections, "_REQUEST", 1.0)
    with running([("", corpus)]) as asker:
        host, port = urlsplit(asker.address).netloc.split(":")
        deaf = socket.create_connection((host, int(port)))
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        deaf.settimeout(0.5)
        body = json.dumps(ASKED).encode()
        head = f"POST / HTTP/1.1\r\nHost: {host}:{port}\r\nContent-Type: application/json\r\n"
        question = head.encode() + f"Content-Length: {len(body)}\r\n\r\n".encode() + body
        sent = 0
        deadline = time.monotonic() + 60
        with pytest.raises((TimeoutError, ConnectionError)):
            while time.monotonic() < deadline:
                sent += deaf.send(question * 64)
        # The server stopped reading long before: what it keeps for the client is what the system's buffers hold.
        assert 0 < sent < 64 << 20
        (held,) = asker.server._server.server_state.connections
        assert held.transport.get_write_buffer_size() < 1 << 20
        started = time.monotonic()
        assert [asker.post(ASKED)[0] for _ in range(20)] == [200] * 20
        while held in asker.server._server.server_state.connections and time.monotonic() < started + 30:
            time.sleep(0.05)
        assert held not in asker.server._server.server_state.connections
        deaf.close()


def _is_closed(connection):
    connection.setblocking(False)
    try:
        return connection.recv(1, socket.MSG_PEEK) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True


def test_it_listens_on_this_machine_only(asker):
    for each in asker.server._sockets:
        assert each.getsockname()[0] in ("127.0.0.1", "::1")


def test_other_addresses_need_a_token():
    for host in ("0.0.0.0", "::", "192.168.1.5"):
        with pytest.raises(ServeError) as found:
            check_address(Settings(host))
        assert found.value.reason == "address-needs-token"
        check_address(Settings(host, token=TOKEN))
    for host in ("127.0.0.1", "::1", "localhost", "", "127.8.8.8"):
        check_address(Settings(host))
    with pytest.raises(ServeError, match="not an IP address"):
        check_address(Settings("example.org", token=TOKEN))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (TOKEN, ""),
        (TOKEN + "\n", ""),
        ("abcdefghijklmnopqrstuv", ""),
        (TOKEN[:31], "token-too-short"),
        ("abcdefghijklmnopqrstu", "token-too-short"),
        ("a" * 64, "token-too-short"),
        ("", "not-a-token"),
        ("two words of a token that is long enough", "not-a-token"),
        (f"{TOKEN}\n{TOKEN}", "not-a-token"),
    ],
)
def test_tokens_that_could_be_guessed_are_refused(tmp_path, text, reason):
    path = tmp_path / "token"
    path.write_text(text, encoding="utf-8")
    path.chmod(0o600)
    if not reason:
        assert read_token(path) == text.strip()
        return
    with pytest.raises(TokenError) as found:
        read_token(path)
    assert found.value.reason == reason and TOKEN not in str(found.value)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")
@pytest.mark.parametrize("mode", [0o644, 0o640, 0o604, 0o660])
def test_a_token_that_others_can_read_is_refused(tmp_path, mode):
    path = tmp_path / "token"
    path.write_text(TOKEN, encoding="utf-8")
    path.chmod(mode)
    with pytest.raises(TokenError) as found:
        read_token(path)
    assert found.value.reason == "token-file-open"
    assert stat.S_IMODE(path.stat().st_mode) == mode
    with pytest.raises(TokenError):
        read_token(tmp_path / "missing")
