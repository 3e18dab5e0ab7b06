"""A web server in this process that sends parts of files, as slow and as faulty as a test wants it."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Self
from urllib.parse import unquote, urlsplit


@dataclass
class Sent:
    """What is about to be sent: a test may change it."""

    name: str
    status: int
    headers: dict[str, str]
    body: bytes
    cut: int = 0
    path: str = ""
    asked: dict[str, str] = field(default_factory=dict)


class _Quick(ThreadingHTTPServer):
    daemon_threads = True
    # A search opens 32 connections at once.
    request_queue_size = 128


class RangeServer:
    """Serves a folder at a free port of 127.0.0.1; there is no listing.

    Attributes
    ----------
    change
        Called with each answer before it is sent.
    parts
        The name, the first byte and the size of each part that was sent, in the order of arrival.
    """

    def __init__(self, folder: Path, delay: float = 0, change: Callable[[Sent], None] | None = None) -> None:
        self.folder, self.delay, self.change = folder, delay, change
        self.parts: list[tuple[str, int, int]] = []
        self.most_at_once = self.under_way = 0
        self.lock = threading.Lock()
        self._server = _Quick(("127.0.0.1", 0), type("Handler", (_Handler,), {"of": self}))
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def answer(self, path: str, asked: dict[str, str]) -> Sent:
        """What a request gets."""
        file = self.folder / unquote(urlsplit(path).path).lstrip("/")
        sent = Sent(file.name, 404, {}, b"<h1>404</h1>", path=path, asked=asked)
        if file.is_file():
            self._fill(sent, file, asked.get("range", ""))
        if self.change is not None:
            self.change(sent)
        return sent

    def _fill(self, sent: Sent, file: Path, span: str) -> None:
        facts = file.stat()
        sent.headers = {
            "ETag": f'"{facts.st_mtime_ns:x}-{facts.st_size:x}"',
            "Last-Modified": formatdate(facts.st_mtime, usegmt=True),
        }
        if not span:
            sent.status, sent.body = 200, file.read_bytes()
            return
        first, last = map(int, span.removeprefix("bytes=").split("-"))
        if first >= facts.st_size:
            sent.status, sent.headers["Content-Range"] = 416, f"bytes */{facts.st_size}"
            return
        last = min(last, facts.st_size - 1)
        with open(file, "rb") as opened:
            opened.seek(first)
            sent.body = opened.read(last - first + 1)
        sent.status, sent.headers["Content-Range"] = 206, f"bytes {first}-{last}/{facts.st_size}"
        with self.lock:
            self.parts.append((file.name, first, len(sent.body)))


class _Handler(BaseHTTPRequestHandler):
    of: RangeServer
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_HEAD(self) -> None:
        self._handle(is_head=True)

    def do_GET(self) -> None:
        self._handle(is_head=False)

    def _handle(self, is_head: bool) -> None:
        of = self.of
        with of.lock:
            of.under_way += 1
            of.most_at_once = max(of.most_at_once, of.under_way)
        try:
            time.sleep(of.delay)
            sent = of.answer(self.path, {name.lower(): value for name, value in self.headers.items()})
        finally:
            with of.lock:
                of.under_way -= 1
        with contextlib.suppress(OSError):
            self.send_response(sent.status)
            for name, value in ({"Content-Length": str(len(sent.body) + sent.cut)} | sent.headers).items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(b"" if is_head else sent.body)
            if sent.cut:
                self.wfile.flush()
                self.close_connection = True

    def log_message(self, *_: object) -> None:
        """Nothing to the terminal."""
