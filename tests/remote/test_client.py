"""Requests to a host: repeated where this helps, in its pace, and gone when they are not wanted any more."""

from __future__ import annotations

import gzip
import socket
import ssl
import threading
import time

import pytest
from faulty_service import Answer, FaultyService

from explorer.core.jobs import CancelToken
from explorer.errors import Cancelled
from explorer.http import client as client_module
from explorer.http import failures, pace
from explorer.http.client import Client, Request, read_json
from explorer.http.consent import remote_address
from explorer.http.errors import RemoteError, stated
from explorer.http.pace import Pace
from explorer.http.wire.address import Address, read_address


@pytest.fixture(autouse=True)
def brisk(monkeypatch):
    """Waits between attempts take no time; how long they would be is kept."""
    waits = []

    def wait_until(moment, check):
        waits.append(moment - time.monotonic())
        check()

    monkeypatch.setattr(client_module, "wait_until", wait_until)
    return waits


def echo(value):
    return Answer.of({"asked": value})


def client_of(service, **options):
    return Client(read_address(service.url), **options)


def ask(client, value=1, **options):
    return read_json(client.ask(Request.of_json(value, **options)), client.address)


@pytest.mark.parametrize("fault", ["429", "502", "504", "403", "reset"])
def test_what_passes_by_is_asked_again(fault):
    with FaultyService(echo, fault) as service:
        assert ask(client_of(service), 7) == {"asked": 7}
        assert service.asked == [7, 7]


@pytest.mark.parametrize(
    ("fault", "tries", "reason"),
    [
        ("429", 5, "too-many-requests"),
        ("502", 5, "service-busy"),
        ("504", 5, "service-busy"),
        ("reset", 5, "connection-broke"),
        ("403", 2, "service-refused"),
        (Answer.of({"error": "[Flask] unknown index"}, 400), 1, "service-reports"),
        (Answer(404, b"<html>"), 1, "bad-status"),
        (Answer.of({"detail": "internal"}, 500), 1, "service-reports"),
    ],
)
def test_what_stays_is_a_sentence_that_names_the_host(fault, tries, reason):
    with FaultyService(echo, *[fault] * 9) as service:
        client = client_of(service)
        with pytest.raises(RemoteError) as error:
            ask(client)
        assert error.value.reason == reason and client.address.short in str(error.value)
        assert len(service.asked) == tries and "<html" not in str(error.value)


def test_the_service_is_quoted():
    fault = Answer.of({"error": "query\x1b[31m is\ntoo long"}, 400)
    with FaultyService(echo, fault) as service, pytest.raises(RemoteError, match=r"reports: query \[31m is too long"):
        ask(client_of(service))
    assert stated(b'{"error": {"message": "no key ab"}}', "ab") == "no key …"
    assert stated(b'{"type": "about:blank", "title": "Busy", "status": 503}') == "Busy"
    assert len(stated(b'{"error": "%s"}' % (b"x" * 9999))) == 201


def test_waits_double_and_obey_the_service(brisk):
    with FaultyService(echo, "502", "502", "502", Answer(429, b"", {"Retry-After": "3"})) as service:
        client = client_of(service, pace=Pace(per_second=None))
        client.pace.hold = brisk.append
        ask(client)
    for number, wait in enumerate(brisk[:3]):
        assert 0.45 * 2**number < wait < 1.55 * 2**number
    assert brisk[3] == 3.0 and 2.5 < brisk[4] <= 3.0


def test_a_service_that_asks_for_more_than_a_minute_is_given_up_at_once(brisk):
    with FaultyService(echo, Answer(429, b"", {"Retry-After": "90"})) as service:
        with pytest.raises(RemoteError):
            ask(client_of(service))
        assert len(service.asked) == 1 and not brisk


def test_a_silent_service_is_given_up(monkeypatch):
    with FaultyService(echo, "silence", "silence", "silence") as service:
        with pytest.raises(RemoteError) as error:
            ask(client_of(service), seconds=0.2)
        assert error.value.reason == "timed-out" and len(service.asked) == 2


def test_a_service_that_sends_a_byte_at_a_time_has_no_more_time_than_others():
    slow = Answer(body=bytes(1000), manner="drip")
    with FaultyService(echo, slow, slow) as service, pytest.raises(RemoteError) as error:
        client_of(service).ask(Request(seconds=0.4))
    assert error.value.reason == "timed-out"


@pytest.mark.parametrize("fault", ["not-json", "half-json"])
def test_what_is_not_json_is_an_error(fault):
    with FaultyService(echo, fault) as service, pytest.raises(RemoteError) as error:
        ask(client_of(service))
    assert error.value.reason == "not-json"


def test_answers_have_a_size_also_when_they_are_packed():
    packed = Answer(200, gzip.compress(bytes(1 << 20)), {"Content-Encoding": "gzip"})
    with FaultyService(echo, packed, packed) as service:
        client = client_of(service)
        with pytest.raises(RemoteError) as error:
            client.ask(Request(most_bytes=1 << 16))
        assert error.value.reason == "too-large"
        assert len(client.ask(Request()).data) == 1 << 20


def test_other_hosts_are_not_redirected_to():
    with FaultyService(echo) as service:
        client = client_of(service)
        service.faults = [Answer(307, b"", {"Location": "http://example.com/"})]
        with pytest.raises(RemoteError, match=r"redirects to http://example\.com"):
            ask(client)
        service.faults = [Answer(307, b"", {"Location": "/there"})]
        assert ask(client, 3) == {"asked": 3} and service.paths[-1] == "/there"
        service.faults = [Answer(307, b"", {"Location": "/there"})] * 9
        with pytest.raises(RemoteError, match="in a circle"):
            ask(client)


def test_many_are_asked_some_at_once_and_answered_in_order():
    with FaultyService(echo, delay=0.02) as service:
        client = client_of(service)
        took = []
        requests = [Request.of_json(number) for number in range(20)]
        replies = client.ask_many(requests, took=lambda number, reply: took.append(number))
        assert [read_json(reply, client.address)["asked"] for reply in replies] == list(range(20))
        assert sorted(took) == list(range(20)) and service.most_at_once == 4


def test_what_came_before_an_error_is_kept():
    def answer(value):
        return Answer.of({"error": "no"}, 400) if value == 5 else echo(value)

    with FaultyService(answer) as service:
        took = []
        client = client_of(service, pace=Pace(at_once=1, per_second=None))
        with pytest.raises(RemoteError):
            client.ask_many([Request.of_json(n) for n in range(9)], took=lambda number, reply: took.append(number))
        assert took == [0, 1, 2, 3, 4] and len(service.asked) == 6


def test_cancelling_frees_the_caller_and_shuts_the_socket():
    with FaultyService(echo, *["silence"] * 8) as service:
        client, cancel, free = client_of(service), CancelToken(), []

        def wait():
            try:
                client.ask_many([Request.of_json(n) for n in range(8)], cancel)
            except Cancelled:
                free.append(time.monotonic())

        thread = threading.Thread(target=wait)
        thread.start()
        _until(lambda: len(service.asked) == 4)
        began = time.monotonic()
        cancel.cancel()
        thread.join(10)
        assert free and free[0] - began < 0.5
        # The pool has its turns again, so nothing is under way; and no further request began.
        _until(lambda: client.pace._slots._value == 4)
        assert len(service.asked) == 4


def test_a_name_that_is_looked_up_does_not_hold_the_caller(monkeypatch):
    looked, held = threading.Event(), threading.Event()

    def slow(*_, **__):
        looked.set()
        held.wait(30)
        raise socket.gaierror("unknown")

    monkeypatch.setattr(socket, "getaddrinfo", slow)
    cancel, client = CancelToken(), Client(Address("http", "example.invalid", 80, "", False))
    threading.Thread(target=lambda: (looked.wait(30), cancel.cancel()), daemon=True).start()
    with pytest.raises(Cancelled):
        client.ask(Request(), cancel)
    held.set()


def _until(done):
    for _ in range(2000):
        if done():
            return
        time.sleep(0.005)
    raise AssertionError("it did not happen")


def test_nobody_listens():
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    with pytest.raises(RemoteError, match=f"No service answers at 127.0.0.1:{port}"):
        Client(read_address(f"http://127.0.0.1:{port}")).ask(Request())


def test_a_name_that_is_not_found(monkeypatch):
    def unknown(*_, **__):
        raise socket.gaierror(socket.EAI_NONAME, "unknown")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    with pytest.raises(RemoteError, match=r"The name no\.example was not found") as error:
        Client(Address("https", "no.example", 443, "", False)).ask(Request())
    assert error.value.reason == "name-not-found"


def test_a_service_without_encryption_where_it_is_expected():
    with FaultyService(echo) as service, pytest.raises(RemoteError) as error:
        Client(read_address(service.url.replace("http", "https"))).ask(Request())
    assert error.value.reason == "bad-certificate"


def test_the_words_about_a_certificate_are_openssls():
    inner = ssl.SSLCertVerificationError(1, "failed")
    inner.verify_message = "certificate has expired"
    found = failures.of_error(read_address("https://a.example"), failures.exceptions.SSLError(inner), 1, False)
    assert "certificate has expired" in str(found.error) and found.tries == 1


def test_proxies_are_those_of_the_environment_but_not_for_this_machine(monkeypatch):
    with FaultyService(echo) as service:
        for name in ("http_proxy", "HTTP_PROXY"):
            monkeypatch.setenv(name, service.url)
        for name in ("no_proxy", "NO_PROXY"):
            monkeypatch.delenv(name, raising=False)
        there = Client(Address("http", "index.example", 80, "", False))
        assert ask(there, 5) == {"asked": 5}
        assert service.paths == ["http://index.example/"]
        with FaultyService(echo) as here:
            ask(Client(read_address(here.url.replace("127.0.0.1", "localhost"))))
            assert here.headers[0]["Host"] == f"localhost:{here.port}"
        assert len(service.paths) == 1


def test_keys_are_sent_only_where_nobody_reads_them():
    with FaultyService(echo) as service:
        ask(client_of(service, key="abc"))
        assert service.headers[0]["Authorization"] == "Bearer abc"
    with pytest.raises(RemoteError, match="was not sent"):
        Client(Address("http", "index.example", 80, "", False), key="abc")
    with pytest.raises(RemoteError, match="visible ASCII"):
        Client(read_address("http://localhost"), key="a b")


def test_one_pace_per_host():
    assert pace.pace_of("a.example:443", False) is pace.pace_of("a.example:443", False)
    assert pace.pace_of("a.example:443", False).per_second == 10
    assert pace.pace_of("127.0.0.1:9", True).per_second is None


def test_a_pace_gives_turns_evenly(monkeypatch):
    now = [100.0]
    monkeypatch.setattr(pace.time, "monotonic", lambda: now[0])
    found = Pace(at_once=4, per_second=10)
    assert [round(found._reserved() - now[0], 3) for _ in range(8)] == [-0.3, -0.2, -0.1, 0.0, 0.1, 0.2, 0.3, 0.4]
    now[0] += 100
    found.hold(5)
    assert round(found._reserved() - now[0], 3) == 5.0


def test_another_machine_is_asked_about():
    asked = []
    with pytest.raises(RemoteError) as error:
        remote_address("https://api.infini-gram.io/#pile", asked.append)
    assert error.value.option == "allow_remote" and asked == ["api.infini-gram.io"]
    found = remote_address("https://api.infini-gram.io/#pile", lambda host: True)
    assert (found.origin, found.path, found.fragment) == ("https://api.infini-gram.io", "", "pile")
    assert remote_address("http://localhost:8765#a%20b", pytest.fail).fragment == "a b"
    for wrong in ("", "http://", "ftp://a#b", "http://a@b#c"):
        with pytest.raises(RemoteError, match="is not the address of an index"):
            remote_address(wrong, pytest.fail)


def test_a_redirection_to_another_host_is_followed_without_the_key():
    with FaultyService(lambda _: Answer.of({"here": 1})) as storage:
        there = Answer(302, b"", {"Location": f"{storage.url}/file?signature=1"})
        with FaultyService(lambda _: there) as service:
            client = client_of(service, key="secret-of-service")
            assert read_json(client.ask(Request("/a", leaves=True)), client.address) == {"here": 1}
            assert {name.lower() for name in service.headers[0]} >= {"authorization"}
            assert "authorization" not in {name.lower() for name in storage.headers[0]}
            assert storage.paths == ["/file?signature=1"]
            with pytest.raises(RemoteError, match="which is not followed"):
                client.ask(Request("/a"))


@pytest.mark.parametrize("target", ["http://127.0.0.1:1/x", "http://example.org/x", "ftp://a/x", "https://u:p@a/x"])
def test_a_service_elsewhere_cannot_lead_out_of_the_encryption(target):
    client = Client(read_address("https://example.org"))
    with pytest.raises(RemoteError, match="which is not followed"):
        client._redirected("https://example.org/a", target, 302, Request("/a", leaves=True))
    assert client._redirected("https://example.org/a", "https://b.org/x", 302, Request("/a", leaves=True))


def test_some_requests_are_repeated_after_further_failures():
    with FaultyService(echo, Answer(500, b"<html>"), Answer(500, b"<html>")) as service:
        client = client_of(service)
        assert client.ask(Request("/a", repeated=(500,))).status == 200
