"""Asks a language model on a server, and receives its answer as it is written.

OpenAI's interface, as llama.cpp, Ollama, LM Studio and vLLM have it: `/v1/models`, and `/v1/chat/completions` with
server-sent events. A server without the latter continues a text by `/v1/completions`.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Self

from explorer.core.jobs import CancelToken
from explorer.i18n import mark
from explorer.neural.address import Confirm, ServerError, address_of
from explorer.neural.connection import Connection, quoted
from explorer.neural.events import EventTooLongError, data_of_events
from explorer.neural.models import HOTTEST, MOST_TOKENS

USUAL_PORTS = (8080, 11434, 1234, 8000)
"""Where servers listen unless told otherwise: llama.cpp, Ollama, LM Studio, vLLM."""
_MOST_CHARACTERS = 1_000_000
"""Characters of one answer: servers do not always keep to the number of tokens."""
_MOST_MODELS = 1_000
_LOOK_SECONDS = 1.0
"""How long a port of this machine may take to answer when servers are looked for."""
_NO_CHAT = (404, 405, 501)
"""What servers answer that can continue texts only."""


class ChatError(ServerError):
    """A question to a model was not answered, or not to its end."""


@dataclass(frozen=True)
class Message:
    """One message of a conversation.

    role: "system", "user" or "assistant".
    """

    role: str
    content: str


@dataclass(frozen=True)
class Question:
    """What a model is asked.

    messages: The conversation so far; the last message is the one to be answered.
    temperature: 0 for the most probable answer, up to 2; higher is more varied.
    most_tokens: Tokens of the answer at most, from 1 to 32,768.
    Raises `ChatError` if a value is out of range, or there is no message.
    """

    model: str
    messages: tuple[Message, ...]
    temperature: float = 0.7
    most_tokens: int = 512

    def __post_init__(self) -> None:
        holds = 0 <= self.temperature <= HOTTEST and 1 <= self.most_tokens <= MOST_TOKENS
        if not holds or not self.messages or not math.isfinite(self.temperature):
            raise ChatError(
                mark("A question needs a message, a temperature from 0 to {hottest} and 1 to {most:,} tokens."),
                reason="bad-question",
                hottest=HOTTEST,
                most=MOST_TOKENS,
            )


@dataclass(frozen=True)
class Piece:
    """A part of an answer, usually one token.

    thought: Whether it belongs to what the model thinks before it answers.
    """

    text: str
    thought: bool = False


@dataclass(frozen=True)
class Ending:
    """The end of a complete answer.

    reason: Why it ended: "stop" (the model ended it) or "length" (the most tokens were reached); servers have others.
    tokens: Tokens of the answer as the server counted them, with those of its thoughts; None if it did not tell.
    """

    reason: str
    tokens: int | None = None


@dataclass(frozen=True)
class FoundServer:
    """A server on this machine."""

    url: str
    models: tuple[str, ...]


class ChatServer:
    """A server that answers questions. Nothing is sent before a method is called.

    Notes
    -----
    Close it, or use it in a `with` statement.
    """

    def __init__(self, connection: Connection) -> None:
        self.connection = connection

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.connection.close()

    def models(self, cancel: CancelToken | None = None) -> tuple[str, ...]:
        """List the models of the server.

        Returns: Their names in the server's order; at most 1,000.
        Raises `ChatError` if nothing answers, or without a list of models.
        """
        value = self.connection.get("/v1/models", cancel)
        # Without models, Ollama has no list there.
        rows = (value.get("data", 0) or []) if isinstance(value, dict) else 0
        if not isinstance(rows, list):
            raise self._error(mark("{host} sent no list of models."), "bad-answer")
        names = [row.get("id") for row in rows[:_MOST_MODELS] if isinstance(row, dict)]
        return tuple(name for name in names if isinstance(name, str) and name)

    def answer(self, question: Question, cancel: CancelToken | None = None) -> Iterator[Piece | Ending]:
        """Ask, and give the answer as it is written.

        cancel: Stops the answer within a tenth of a second.
        Raises `ChatError` if there is no answer, or it breaks off; the parts before are valid.
        """
        try:
            kind, parts = self.connection.stream("/v1/chat/completions", _chat(question), cancel)
        except ChatError as error:
            if not _lacks_chat(error):
                raise
            kind, parts = self.connection.stream("/v1/completions", _completion(question), cancel)
        values = self._events(parts) if kind == "text/event-stream" else self._whole(parts)
        yield from self._read(values)

    def _read(self, values: Iterable[dict[str, Any]]) -> Iterator[Piece | Ending]:
        reason, tokens, size = "", None, 0
        for value in values:
            if value.get("error"):
                sentence = mark("{host} ended the answer with an error: “{text}”.")
                raise self._error(sentence, "broke-off", text=quoted(json.dumps(value).encode()))
            tokens = _counted(value, tokens)
            for piece in _pieces(value):
                size += len(piece.text)
                if size > _MOST_CHARACTERS:
                    sentence = mark("{host} wrote more than {most:,} characters, and was stopped.")
                    raise self._error(sentence, "too-large", most=_MOST_CHARACTERS)
                yield piece
            reason = _reason(value) or reason
        if not reason:
            raise self._error(mark("{host} ended the answer before it was complete."), "broke-off")
        yield Ending(reason, tokens)

    def _events(self, parts: Iterable[bytes]) -> Iterator[dict[str, Any]]:
        try:
            for data in data_of_events(parts):
                if data.strip() == "[DONE]":
                    return
                yield self._object(data)
        except EventTooLongError as error:
            raise self._error(mark("{host} sent an event that does not end."), "bad-answer") from error

    def _whole(self, parts: Iterable[bytes]) -> Iterator[dict[str, Any]]:
        """A server that does not know events answers at once."""
        yield self._object(b"".join(parts))

    def _object(self, data: str | bytes) -> dict[str, Any]:
        try:
            value = json.loads(data)
        except (ValueError, RecursionError):
            value = None
        if not isinstance(value, dict):
            raise self._error(mark("{host} sent a part of the answer that is not JSON."), "not-json")
        return value

    def _error(self, sentence: str, reason: str, **fields: Any) -> ChatError:
        return ChatError(sentence, reason=reason, host=self.connection.address.name, **fields)


def open_chat(
    url: str, *, timeout: float = 300.0, confirm: Confirm | None = None, key: str | None = None
) -> ChatServer:  # fmt: skip
    """Prepare to ask a server. Nothing is sent.

    url: Its address, such as "http://localhost:8080".
    timeout: Most seconds until the next part of an answer. The first one may take minutes, while a model is loaded.
    confirm: Asked with the name of a host that is not this machine; None to refuse it.
    key: The key that the server asks for; None for no key.
    Raises `ServerError` if the address is not one, or not of this machine and not confirmed.
    """
    return ChatServer(Connection(address_of(url, confirm), timeout, key, ChatError))


def find_servers(ports: Sequence[int] = USUAL_PORTS, cancel: CancelToken | None = None) -> tuple[FoundServer, ...]:
    """Look for servers on this machine, at the ports that they usually have.

    Returns: Those that list models; only 127.0.0.1 is asked.
    """
    found = []
    for port in ports:
        url = f"http://127.0.0.1:{port}"
        try:
            with open_chat(url, timeout=_LOOK_SECONDS) as server:
                found.append(FoundServer(url, server.models(cancel)))
        except ServerError:
            # Nothing there, or another kind of server: nobody has named this port, so nothing is reported.
            continue
    return tuple(found)


def _chat(question: Question) -> dict[str, Any]:
    messages = [{"role": message.role, "content": message.content} for message in question.messages]
    return {**_manner(question), "messages": messages}


def _completion(question: Question) -> dict[str, Any]:
    """A single message is continued as it is; of a conversation, each message gets a line that names who wrote it."""
    first, *others = question.messages
    if not others:
        return {**_manner(question), "prompt": first.content}
    names = {"system": "System", "assistant": "Assistant"}
    lines = [f"{names.get(message.role, 'User')}: {message.content}" for message in question.messages]
    # Otherwise most models write the next question, too.
    return {**_manner(question), "prompt": "\n\n".join([*lines, "Assistant:"]), "stop": ["\nUser:"]}


def _manner(question: Question) -> dict[str, Any]:
    return {
        "model": question.model,
        "temperature": question.temperature,
        "max_tokens": question.most_tokens,
        "stream": True,
        # The only way to know how many tokens the answer has.
        "stream_options": {"include_usage": True},
    }


def _lacks_chat(error: ChatError) -> bool:
    if error.reason != "refused":
        return False
    # vLLM refuses a model that was not made for conversations by naming what it lacks.
    text = str(error.fields.get("text", "")).lower().replace("_", " ")
    return error.fields.get("status") in _NO_CHAT or (error.fields.get("status") == 400 and "chat template" in text)


def _choice(value: dict[str, Any]) -> dict[str, Any]:
    choices = value.get("choices")
    # The event with the number of tokens has an empty list.
    first = choices[0] if isinstance(choices, list) and choices else None
    return first if isinstance(first, dict) else {}


def _pieces(value: dict[str, Any]) -> Iterator[Piece]:
    """What an event adds, in the forms that servers have: parts of a message, a message, or a text."""
    choice = _choice(value)
    for name in ("delta", "message"):
        part = choice.get(name)
        if isinstance(part, dict):
            # Two names for the same: of llama.cpp and vLLM, and of Ollama.
            thought = part.get("reasoning_content") or part.get("reasoning")
            if isinstance(thought, str) and thought:
                yield Piece(thought, True)
            if isinstance(part.get("content"), str) and part["content"]:
                yield Piece(part["content"])
    if isinstance(choice.get("text"), str) and choice["text"]:
        yield Piece(choice["text"])


def _reason(value: dict[str, Any]) -> str:
    reason = _choice(value).get("finish_reason")
    return reason if isinstance(reason, str) else ""


def _counted(value: dict[str, Any], before: int | None) -> int | None:
    usage, timings = value.get("usage"), value.get("timings")
    for part, name in ((usage, "completion_tokens"), (timings, "predicted_n")):
        count = part.get(name) if isinstance(part, dict) else None
        if type(count) is int and count >= 0:
            return count
    return before
