"""Servers in this process: started at a free port on a thread, and ended."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import urllib3

from explorer.corpus import Corpus
from explorer.serve.access import Access
from explorer.serve.indexes import served
from explorer.serve.running import Server
from explorer.serve.settings import Settings


class Asker:
    """A client of a server, with the server and what it complained about."""

    def __init__(self, server: Server, complaints: list[str]) -> None:
        self.server, self.complaints = server, complaints
        self.address = server.address
        self.http = urllib3.PoolManager(retries=False, timeout=20.0, maxsize=16)

    def post(self, payload: Any, path: str = "/", **headers: str) -> tuple[int, Any]:
        """The status and the value of an answer."""
        body = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
        return self.request("POST", path, body, **headers)

    def get(self, path: str = "/", **headers: str) -> tuple[int, Any]:
        """The same by GET."""
        return self.request("GET", path, None, **headers)

    def request(self, method: str, path: str, body: bytes | None, **headers: str) -> tuple[int, Any]:
        """A request with any method; underscores of headers become hyphens."""
        sent = {"Content-Type": "application/json", **{k.replace("_", "-"): v for k, v in headers.items()}}
        found = self.http.request(method, self.address + path, body=body, headers=sent)
        return found.status, json.loads(found.data) if found.data else None


@contextmanager
def running(
    corpora: Sequence[tuple[str, Corpus]],
    settings: Settings | None = None,
    tell: Callable[[Access], None] | None = None,
) -> Iterator[Asker]:
    """Serve corpora by their names until the block ends.

    Yields
    ------
    Asker
        A client of the server.
    """
    complaints: list[str] = []
    server = Server(served(corpora), replace(settings or Settings(), port=0), complaints.append, tell)
    ready = threading.Event()
    thread = threading.Thread(target=server.run, args=(ready.set,))
    thread.start()
    try:
        assert ready.wait(20)
        asker = Asker(server, complaints)
        try:
            yield asker
        finally:
            asker.http.clear()
    finally:
        server.stop()
        thread.join()
