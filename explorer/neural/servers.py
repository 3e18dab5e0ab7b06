"""Servers of language models: which kind answers at an address."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Protocol, Self

from explorer.core.jobs import CancelToken
from explorer.i18n import mark
from explorer.neural.address import Confirm, ServerError, address_of
from explorer.neural.answers import items
from explorer.neural.connection import Connection
from explorer.neural.llama import LlamaServer
from explorer.neural.openai import OpenAIServer
from explorer.neural.records import ScoredToken


class ScoringServer(Protocol):
    """A server that gives the tokens of a text their log probabilities."""

    model: str

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None:
        """Close the connection."""

    def count(self, text: str, cancel: CancelToken | None = None) -> int | None:
        """Count the tokens of a text.

        Returns: How many there are; None where that takes as long as to score it.
        """

    def score(
        self, text: str, done: Sequence[ScoredToken] = (), top: int = 0, cancel: CancelToken | None = None
    ) -> Iterator[ScoredToken]:
        """Ask for the log probability of each token of a text.

        done: Its first tokens, where they were scored before.
        top: How many of the most probable tokens to list with each, from 0.
        Yields: The tokens after those that are done.
        """


def open_server(
    url: str, *, window: int = 1024, timeout: float = 120.0, confirm: Confirm | None = None,
    key: str | None = None, cancel: CancelToken | None = None,
) -> ScoringServer:  # fmt: skip
    """Connect to a server of a language model, and check that it can be used.

    url: Its address, such as "http://localhost:8080".
    window: Most tokens of context of a token, from 8. OpenAI's interface has no windows.
    timeout: Most seconds until an answer is complete.
    confirm: Asked with the name of a host that is not this machine, before anything is sent; None to refuse it.
    key: The key that the server asks for; None for no key. It is not kept, and no message has it.
    Returns: The server: llama.cpp's interface where it tokenizes, otherwise OpenAI's.
    Raises `ServerError` if the address is not one, or not of this machine, or nothing that can be used answers there.
    """
    connection = Connection(address_of(url, confirm), timeout, key)
    # An address is checked before a connection is made, and a connection that is of no use is closed.
    try:
        found = _recognized(connection, window, cancel)
        found.check(cancel)
    except BaseException:
        connection.close()
        raise
    return found


def _recognized(connection: Connection, window: int, cancel: CancelToken | None) -> LlamaServer | OpenAIServer:
    host = connection.address.name
    rows = items(connection.get("/v1/models", cancel), "data", host)
    row = rows[0] if rows and isinstance(rows[0], dict) else {}
    name, told = row.get("id"), row.get("meta")
    if not isinstance(name, str) or not name:
        raise ServerError(mark("{host} has no model."), reason="no-model", host=host)
    # Both kinds list models and write, but only llama.cpp tells the pieces of a text by this question: vLLM's has
    # another form and refuses it.
    if not _tokenizes(connection, cancel):
        return OpenAIServer(connection, name)
    size = told.get("n_vocab") if isinstance(told, dict) else None
    # llama.cpp names a model by its file; the folders on the way to it are nobody's business.
    shown = re.split(r"[/\\]", name)[-1] or name
    return LlamaServer(connection, shown, window, size if type(size) is int and 0 < size < 1 << 22 else 0)


def open_llama(
    url: str, *, window: int = 1024, timeout: float = 120.0, confirm: Confirm | None = None,
    key: str | None = None, cancel: CancelToken | None = None,
) -> LlamaServer:  # fmt: skip
    """Connect to a server with llama.cpp's interface, which also tells candidates of next tokens."""
    found = open_server(url, window=window, timeout=timeout, confirm=confirm, key=key, cancel=cancel)
    if not isinstance(found, LlamaServer):
        found.__exit__()
        raise ServerError(
            mark("{url} is not a server with llama.cpp's interface: it does not tokenize texts."),
            reason="not-llama",
            url=url,
        )
    return found


def _tokenizes(connection: Connection, cancel: CancelToken | None) -> bool:
    try:
        value = connection.post("/tokenize", {"content": "a b", "with_pieces": True}, cancel)
    except ServerError as error:
        if error.reason in ("refused", "not-json"):
            return False
        raise
    # Without pieces it is an old llama.cpp, which tells no bytes and is not of use here.
    rows = value.get("tokens") if isinstance(value, dict) else None
    return isinstance(rows, list) and bool(rows) and isinstance(rows[0], dict)
