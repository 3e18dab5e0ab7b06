"""A server that writes an answer slowly, as a language model does, and such as breaks off, stalls or sends nonsense."""

from __future__ import annotations

import contextlib
import json
import threading
import time
from collections.abc import Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self


class ChatHost:
    """A server on a free port of 127.0.0.1.

    Attributes
    ----------
    pieces
        What is written, a token each.
    pace
        Seconds between two tokens.
    manner
        What it does wrong; "" for nothing.
    after
        The number of tokens before it does so.
    requests
        Paths and bodies of what was asked.
    key
        What requests must carry; "" for nothing.
    keys
        What each request carried.
    sent
        When each token of the last answer was sent, by `time.perf_counter`.
    gone
        Set when a client left in the middle of an answer.
    """

    def __init__(
        self, pieces: Sequence[str] = ("The", " cat", " sat", "."), pace: float = 0.0, manner: str = "", after: int = 2
    ) -> None:
        self.pieces, self.pace, self.manner, self.after = tuple(pieces), pace, manner, after
        self.models = ["toy", "other:7b"]
        self.requests: list[tuple[str, Any]] = []
        self.key = ""
        self.keys: list[str | None] = []
        self.sent: list[float] = []
        self.closing, self.gone, self.going = threading.Event(), threading.Event(), threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"of": self}))
        self._server.daemon_threads = True
        self.port = int(self._server.server_address[1])
        self.url = f"http://127.0.0.1:{self.port}"

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()

    @property
    def bodies(self) -> list[Any]:
        """What was asked, without the lists of models."""
        return [body for path, body in self.requests if path != "/v1/models"]


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    of: ChatHost

    def _refused(self) -> bool:
        given = self.headers["Authorization"]
        self.of.keys.append(given)
        if self.of.key and given != f"Bearer {self.of.key}":
            self._whole(401, b'{"error": {"message": "Invalid API Key"}}')
            return True
        return False

    def do_GET(self) -> None:
        self.of.requests.append((self.path, None))
        if self._refused():
            return
        if self.of.manner == "no models":
            self._whole(200, b'{"object": "list", "data": null}')
        elif self.of.manner == "models not json":
            self._whole(200, b"<html>")
        else:
            self._whole(200, json.dumps({"data": [{"id": name} for name in self.of.models]}).encode())

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.of.requests.append((self.path, body))
        if self._refused():
            return
        chat = self.path == "/v1/chat/completions"
        manner = self.of.manner
        if manner == "no chat" and chat:
            self._whole(404, b'{"error": {"message": "File Not Found"}}')
        elif manner == "no template" and chat:
            self._whole(400, b'{"message": "the tokenizer does not define a chat_template"}')
        elif manner == "refuses":
            self._whole(500, b'{"error": {"message": "out of\\u001b[31m memory"}}')
        elif manner == "html":
            self._whole(200, b"<html>", "text/html")
        elif manner == "at once":
            message = {"message": {"content": "".join(self.of.pieces)}, "finish_reason": "stop"}
            self._whole(200, json.dumps({"choices": [message], "usage": {"completion_tokens": 7}}).encode())
        else:
            with contextlib.suppress(OSError):
                self._stream(body, chat)

    def _whole(self, status: int, data: bytes, kind: str = "application/json") -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(data)))
        self.send_header("Content-Type", kind)
        self.end_headers()
        self.wfile.write(data)

    def _stream(self, body: Any, chat: bool) -> None:
        of = self.of
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream; charset=utf-8")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        of.sent.clear()
        if of.manner == "thinks":
            self._event({"choices": [{"delta": {"role": "assistant", "content": None, "reasoning_content": "Hm."}}]})
        for number, piece in enumerate(of.pieces[: body["max_tokens"]]):
            if number == of.after and self._goes_wrong():
                return
            if of.pace and of.closing.wait(of.pace):
                return
            of.sent.append(time.perf_counter())
            added = {"delta": {"content": piece}} if chat else {"text": piece}
            try:
                self._event({"choices": [{**added, "finish_reason": None}]})
            except OSError:
                of.gone.set()
                raise
        cut = len(of.pieces) > body["max_tokens"]
        self._event({"choices": [{"delta": {}, "finish_reason": "length" if cut else "stop"}]})
        if of.manner != "does not count":
            self._event({"choices": [], "usage": {"completion_tokens": min(len(of.pieces), body["max_tokens"])}})
        self._chunk(b"data: [DONE]\n\n")
        self._chunk(b"")

    def _goes_wrong(self) -> bool:
        """What it does after some tokens; whether the answer ends here."""
        of, manner = self.of, self.of.manner
        if manner == "error":
            self._event({"error": {"message": "the model \x1b[31mcrashed"}})
        elif manner == "not json":
            self._chunk(b"data: {nonsense\n\n")
        elif manner == "ends":
            self._chunk(b"")
        elif manner == "goes":
            self.close_connection = True
            self.connection.close()
        elif manner == "stalls":
            of.going.set()
            of.closing.wait(30)
            return True
        elif manner == "waits":
            # Until a test has seen what came before.
            of.going.wait(30)
            return False
        elif manner == "floods":
            with contextlib.suppress(OSError):
                while not of.closing.is_set():
                    self._chunk(b"x" * 0x10000)
        else:
            return False
        if manner in ("error", "not json"):
            self._chunk(b"")
        return True

    def _event(self, value: Any) -> None:
        data = b"data: " + json.dumps(value, ensure_ascii=False).encode() + b"\n\n"
        if self.of.manner == "drips":
            # Every byte on its own, with comments in between.
            for byte in b": ping\r\n\r\n" + data.replace(b"\n", b"\r\n"):
                self._chunk(bytes([byte]))
        else:
            self._chunk(data)

    def _chunk(self, data: bytes) -> None:
        self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))

    def log_message(self, *_: object) -> None:
        """Nothing on the screen."""
