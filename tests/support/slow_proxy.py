"""A proxy in front of a server of this machine: each answer is late, and some fail, as over a bad connection."""

from __future__ import annotations

import contextlib
import random
import socket
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Self

import urllib3
from faulty_service import FAULTS

KINDS = ("429", "502", "504", "reset")
"""How requests fail, by the names of `FAULTS`; each of them may succeed if it is repeated."""


class SlowProxy:
    """Passes requests on to `target`, an address without a path.

    Attributes
    ----------
    asked
        How many requests came.
    failed
        How many of them failed.
    """

    def __init__(
        self, target: str, delay: float = 0.0, rate: float = 0.0, seed: int = 0, hidden: tuple[str, ...] = ()
    ) -> None:
        self.target, self.delay, self.rate, self.hidden = target, delay, rate, hidden
        self.asked = self.failed = 0
        self.closing = threading.Event()
        self._lock = threading.Lock()
        self._random = random.Random(seed)
        self.http = urllib3.PoolManager(retries=False, timeout=30.0, maxsize=16)
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"of": self}))
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()
        self.http.clear()

    def fault(self) -> str:
        """How the next request fails; "" if it does not."""
        with self._lock:
            self.asked += 1
            fails = self._random.random() < self.rate
            self.failed += fails
            return self._random.choice(KINDS) if fails else ""


class _Handler(BaseHTTPRequestHandler):
    of: SlowProxy
    protocol_version = "HTTP/1.1"
    # As in `faulty_service`.
    disable_nagle_algorithm = True

    def do_GET(self) -> None:
        self._pass_on(None)

    def do_POST(self) -> None:
        self._pass_on(self.rfile.read(int(self.headers.get("Content-Length", 0))))

    def _pass_on(self, body: bytes | None) -> None:
        of = self.of
        of.closing.wait(of.delay)
        fault = of.fault()
        if fault:
            answer = FAULTS[fault]
            self._send(answer.status, answer.headers, answer.body, answer.manner == "reset")
        elif self.path in of.hidden:
            self._send(404, {}, b"{}")
        else:
            headers = {name: text for name, text in self.headers.items() if name.lower() != "host"}
            found = of.http.request(self.command, of.target + self.path, body=body, headers=headers)
            kept = {name: text for name, text in found.headers.items() if name.lower() == "content-type"}
            self._send(found.status, kept, found.data)

    def _send(self, status: int, headers: dict[str, str], body: bytes, breaks: bool = False) -> None:
        with contextlib.suppress(OSError):
            self.send_response(status)
            for name, text in {**headers, "Content-Length": str(len(body) + 100 * breaks)}.items():
                self.send_header(name, text)
            self.end_headers()
            self.wfile.write(body)
            if breaks:
                self.wfile.flush()
                self.connection.shutdown(socket.SHUT_RDWR)
        if breaks:
            self.close_connection = True

    def log_message(self, *_: object) -> None:
        """Nothing to the terminal."""
