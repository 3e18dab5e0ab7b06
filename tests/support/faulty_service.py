"""A service on this machine that answers as a test says, and breaks as services do."""

from __future__ import annotations

import contextlib
import json
import socket
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

LONG_S = 30
"""How long a silent service waits before it gives up."""


@dataclass(frozen=True)
class Answer:
    """What the service sends; see `Faults` for answers that break."""

    status: int = 200
    body: bytes = b"{}"
    headers: dict[str, str] = field(default_factory=dict)
    manner: str = ""

    @classmethod
    def of(cls, value: Any, status: int = 200, **headers: str) -> Answer:
        """A JSON value."""
        return cls(status, json.dumps(value).encode(), {"Content-Type": "application/json", **headers})


FAULTS = {
    "429": Answer.of({"message": "Too Many Requests"}, 429, **{"Retry-After": "0"}),
    "502": Answer(502, b"<html><h1>502 Bad Gateway</h1></html>", {"Content-Type": "text/html"}),
    "504": Answer.of({"message": "Endpoint request timed out"}, 504),
    "403": Answer.of({"message": "Forbidden"}, 403),
    "reset": Answer(manner="reset"),
    "silence": Answer(manner="silence"),
    "not-json": Answer(body=b"<!doctype html><p>It works!"),
    "half-json": Answer(body=b'{"count": 12'),
    "error": Answer.of({"error": "query is too long"}),
}
"""What goes wrong in front of a service, by name."""


class FaultyService:
    """On a free port of 127.0.0.1: each request gets the next of `faults` first, and then what `answer` makes of it.

    Attributes
    ----------
    asked
        What was posted, and None for what was only fetched, in the order of arrival.
    most_at_once
        Requests that were under way together, at most.
    """

    def __init__(self, answer: Callable[[Any], Answer], *faults: str | Answer, delay: float = 0, port: int = 0) -> None:
        self.answer = answer
        self.faults = [FAULTS[fault] if isinstance(fault, str) else fault for fault in faults]
        self.delay = delay
        self.asked: list[Any] = []
        self.paths: list[str] = []
        self.headers: list[dict[str, str]] = []
        self.most_at_once = self.under_way = 0
        self.lock = threading.Lock()
        self.closing = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", port), type("Handler", (_Handler,), {"of": self}))
        self._server.daemon_threads = True
        self.port = self._server.server_address[1]
        self.url = f"http://127.0.0.1:{self.port}"

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()

    def next(self, value: Any) -> Answer:
        """What to send for a request."""
        with self.lock:
            fault = self.faults.pop(0) if self.faults else None
        return self.answer(value) if fault is None else fault


class _Handler(BaseHTTPRequestHandler):
    of: FaultyService
    protocol_version = "HTTP/1.1"
    # Headers and body are two packets: without this each answer waits 40 ms for the client's acknowledgment.
    disable_nagle_algorithm = True

    def do_GET(self) -> None:
        self._handle(None)

    def do_POST(self) -> None:
        data = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self._handle(json.loads(data))

    def _handle(self, value: Any) -> None:
        of = self.of
        with of.lock:
            of.asked.append(value)
            of.paths.append(self.path)
            of.headers.append(dict(self.headers))
            of.under_way += 1
            of.most_at_once = max(of.most_at_once, of.under_way)
        try:
            time.sleep(of.delay)
            with contextlib.suppress(OSError):
                self._send(of.next(value))
        finally:
            with of.lock:
                of.under_way -= 1

    def _send(self, answer: Answer) -> None:
        if answer.manner == "silence":
            self.of.closing.wait(LONG_S)
            self.close_connection = True
            return
        self.send_response(answer.status)
        length = len(answer.body) + (100 if answer.manner == "reset" else 0)
        for name, text in ({"Content-Length": str(length)} | answer.headers).items():
            self.send_header(name, text)
        self.end_headers()
        if answer.manner == "drip":
            for byte in answer.body:
                self.wfile.write(bytes([byte]))
                if self.of.closing.wait(0.05):
                    break
            self.close_connection = True
            return
        self.wfile.write(answer.body)
        if answer.manner == "reset":
            self.wfile.flush()
            self.connection.shutdown(socket.SHUT_RDWR)
            self.close_connection = True

    def log_message(self, *_: object) -> None:
        """Nothing to the terminal."""
