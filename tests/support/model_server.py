"""Servers of a small language model in this process: llama.cpp's interface, OpenAI's, and such as break or lie."""

from __future__ import annotations

import contextlib
import json
import threading
import time
from collections.abc import Callable, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

WORDS = (b" the", b"the", b" cat", b" sat", b" on", b" mat", b" dog", b"lo", b"lor", b"lord", b"\xf0\x9d", b" ", b"th")
PIECES = (*(bytes([byte]) for byte in range(256)), *dict.fromkeys(word for word in WORDS if len(word) > 1))
"""Every byte, and some longer pieces: what the ids represent."""


def tokenize(text: str) -> list[int]:
    """Ids of a text: the longest piece that fits, from left to right."""
    data = text.encode()
    ids: list[int] = []
    by_length = sorted(range(len(PIECES)), key=lambda token: -len(PIECES[token]))
    while data:
        token = next(token for token in by_length if data.startswith(PIECES[token]))
        ids.append(token)
        data = data[len(PIECES[token]) :]
    return ids


def log_probabilities(context: Sequence[int]) -> NDArray[np.float64]:
    """What the model gives each next token: it looks at the last two tokens only."""
    last, before = context[-1] if context else 0, context[-2] if len(context) > 1 else 0
    # It seldom writes parts of characters.
    unlikely = np.array([6.0 * (piece[0] >= 128) for piece in PIECES])
    logits = -unlikely + (2 + last % 7 / 2) * np.sin(
        1.0 + last * 0.7 + before * 0.11 + np.arange(len(PIECES)) * (1.3 + 0.01 * last)
    )
    found: NDArray[np.float64] = logits - np.log(np.exp(logits).sum())
    return found


def text_of(token: int) -> str:
    """A piece as a server writes it."""
    return PIECES[token].decode("utf-8", "replace")


class ModelServer:
    """A server on a free port of 127.0.0.1; `manner` is what it does wrong.

    Attributes
    ----------
    requests
        Paths and bodies of what was asked.
    key
        The key that it asks for; "" for no key.
    """

    def __init__(self, kind: str = "llama", manner: str = "", after: int = 0, begin: Sequence[int] = ()) -> None:
        self.kind, self.manner, self.after, self.begin = kind, manner, after, list(begin)
        self.key = ""
        self.requests: list[tuple[str, Any]] = []
        self.completions = 0
        self.closing = threading.Event()
        handler = type("Handler", (_Handler,), {"of": self})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
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

    def answer(self, path: str, body: Any) -> tuple[int, Any]:
        """(status, value) of a request."""
        if path == "/v1/models":
            llama = {"id": "/models/toy.gguf", "meta": {"n_vocab": len(PIECES)}}
            return 200, {"data": [llama if self.kind == "llama" else {"id": "toy"}]}
        if path == "/props" and self.kind == "llama":
            return 200, {"default_generation_settings": {"n_ctx": 4096}, "eos_token": "\x00"}
        if path == "/tokenize" and self.kind == "llama":
            return 200, self._tokens(body)
        if path == "/v1/completions":
            self.completions += 1
            return 200, self._llama(body) if self.kind == "llama" else self._openai(body)
        return 404, {"error": {"message": "File Not Found"}}

    def wrong(self) -> str:
        """What it does wrong now; "" before its time."""
        return self.manner if self.completions >= self.after else ""

    def _tokens(self, body: Any) -> Any:
        text = body["content"].upper() if self.wrong() == "changes text" else body["content"]
        ids = (self.begin if body.get("add_special") else []) + tokenize(text)
        return {"tokens": [{"id": token, "piece": _piece(token)} for token in ids]}

    def _llama(self, body: Any) -> Any:
        context, biases = body["prompt"], dict(body.get("logit_bias", []))
        values = log_probabilities(context)
        token = next(iter(biases), int(values.argmax()))
        order = np.lexsort((np.arange(len(values)), -values))[: body["logprobs"]].tolist()
        value = float(values[token])
        if self.wrong() == "ignores bias":
            token = int(values.argmax())
        if self.wrong() == "after the bias":
            value = 0.0
        top = [_entry(each, float(values[each])) for each in order]
        content = [{**_entry(token, self._told(value)), "top_logprobs": top}]
        if self.wrong() == "above one":
            content[0]["top_logprobs"] = [_entry(each, -0.1) for each in order]
        seen = len(context) + (self.wrong() == "adds tokens")
        return {
            "choices": [{"text": text_of(token), "logprobs": {"content": content}}],
            "usage": {"prompt_tokens": seen},
        }

    def _told(self, value: float) -> Any:
        told: dict[str, Any] = {"nan": float("nan"), "above zero": 1.5, "null": None, "text": "-1", "noise": 1e-7}
        return told.get(self.wrong(), value)

    def _openai(self, body: Any) -> Any:
        ids = [*self.begin, *tokenize(body["prompt"])]
        written = int(log_probabilities(ids).argmax())
        everything = [*ids, written]
        true = [None, *(float(log_probabilities(everything[:at])[everything[at]]) for at in range(1, len(everything)))]
        values: list[float | None] = [*true]
        if self.manner == "shifted":
            values = [*true[1:], true[-1]]
        if self.manner == "of the token before":
            values = [float(log_probabilities(everything[: at + 1])[everything[at]]) for at in range(len(everything))]
            values[-1] = true[-1]
        first = 0 if body.get("echo") and self.manner != "no echo" else len(ids)
        logprobs: dict[str, Any] = {"tokens": list(map(text_of, everything))[first:], "token_logprobs": values[first:]}
        if self.wrong() == "too few":
            logprobs["token_logprobs"].pop()
        choice: dict[str, Any] = {
            "text": text_of(written),
            "logprobs": None if self.manner == "no logprobs" else logprobs,
        }
        if self.kind == "vllm" and body.get("prompt_logprobs"):
            choice["prompt_logprobs"] = [None, *(_told_by_id(ids[:at], ids[at]) for at in range(1, len(ids)))]
        return {"choices": [choice]}


def _piece(token: int) -> str | list[int]:
    try:
        return PIECES[token].decode()
    except UnicodeDecodeError:
        return list(PIECES[token])


def _entry(token: int, value: Any) -> dict[str, Any]:
    return {"id": token, "token": text_of(token), "bytes": list(PIECES[token]), "logprob": value}


def _told_by_id(context: Sequence[int], own: int) -> dict[str, Any]:
    values = log_probabilities(context)
    best = [own, *(each for each in np.argsort(-values)[:2].tolist() if each != own)]
    return {str(each): {"logprob": float(values[each]), "decoded_token": text_of(each)} for each in best}


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    of: ModelServer

    def do_GET(self) -> None:
        self._reply({})

    def do_POST(self) -> None:
        self._reply(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))

    def _reply(self, body: Any) -> None:
        self.of.requests.append((self.path, body))
        # A client that was stopped is gone before its answer.
        with contextlib.suppress(ConnectionError):
            self._send(*self.of.answer(self.path, body))

    def _send(self, status: int, value: Any) -> None:
        sent = self.headers.get("Authorization", "")
        if sent != (f"Bearer {self.of.key}" if self.of.key else ""):
            # As some servers do, it quotes the key.
            status, value = 401, {"error": {"message": f"Incorrect API key: {sent.removeprefix('Bearer ')}."}}
        wrong = self.of.wrong()
        data = json.dumps(value).encode()
        if wrong == "slow":
            self.of.closing.wait(20)
        if wrong == "goes" and self.path == "/v1/completions":
            self.close_connection = True
            self.connection.close()
            return
        if wrong == "redirects":
            status = 307
        if wrong == "not json":
            data = b"<html>"
        if wrong == "deep":
            data = b"[" * 200_000
        if wrong == "fails":
            status, data = 500, json.dumps({"error": {"message": "out of\x1b[31m memory " + "x" * 500}}).encode()
        self.send_response(status)
        if wrong == "redirects":
            self.send_header("Location", "http://example.com/v1/completions")
        if wrong == "huge":
            self._flood()
            return
        self.send_header("Content-Length", str(len(data)))
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        if wrong == "drips":
            for byte in data:
                self.wfile.write(bytes([byte]))
                if self.of.closing.wait(0.05):
                    return
        elif wrong == "cut":
            self.wfile.write(data[:-2])
            self.close_connection = True
        else:
            self.wfile.write(data)

    def _flood(self) -> None:
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        while not self.of.closing.is_set():
            self.wfile.write(b"10000\r\n" + b" " * 0x10000 + b"\r\n")

    def log_message(self, *_: object) -> None:
        """Nothing on the screen."""


def wait_until(true: Callable[[], bool], seconds: float = 5.0) -> None:
    """Wait for something that another thread does."""
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.005)
