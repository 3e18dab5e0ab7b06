"""Asks models, off the interface thread, and lists those that can be asked."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from explorer.analyses.trace.conversation import Turn
from explorer.core.jobs import CancelToken, Progress, Report
from explorer.errors import Cancelled
from explorer.i18n import mark

# A connection brings modules along that nothing else in the window needs: it is imported when a server is asked.
if TYPE_CHECKING:
    from explorer.neural.chat import ChatServer, Ending, FoundServer, Piece


@dataclass(frozen=True)
class Manner:
    """How questions are answered.

    temperature: 0 for the most probable answer, up to 2.
    system: What precedes the conversation; "" for nothing.
    """

    temperature: float = 0.7
    most_tokens: int = 512
    system: str = ""


@dataclass(frozen=True)
class Asked:
    """What a model is asked.

    url: The address of its server.
    model: Its name on the server; "" for the first one that the server lists.
    turns: The conversation; the last message is the question.
    manner: How it is answered.
    allowed: Hosts, and models that a server passes on, to which the user agreed to send texts.
    key: What the server asks for; None for nothing.
    """

    url: str
    model: str
    turns: tuple[Turn, ...]
    manner: Manner
    allowed: frozenset[str] = frozenset()
    key: str | None = field(default=None, repr=False)


@dataclass(frozen=True)
class Said:
    """What came of an answer so far.

    model: The model's name on its server; "" until it is known.
    pieces: The parts that came, with those of thoughts: about one per token.
    thinks: Whether only thoughts came so far.
    seconds: From the first part to the last.
    reason: Why it ended, as the server told; "" if it did not end by itself.
    tokens: Tokens as the server counted them; None if it did not.
    """

    text: str = ""
    model: str = ""
    pieces: int = 0
    thinks: bool = False
    seconds: float = 0.0
    reason: str = ""
    tokens: int | None = None

    @property
    def speed(self) -> float | None:
        """Tokens per second, of those after the first; None for fewer than two."""
        count = self.pieces if self.tokens is None else self.tokens
        return (count - 1) / self.seconds if count > 1 and self.pieces > 1 and self.seconds > 0 else None


class Heard:
    """Gathers an answer on one thread, while another one looks at it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._parts: list[str] = []
        self._said = Said()
        self._first = 0.0

    def name(self, model: str) -> None:
        """Note which model answers."""
        with self._lock:
            self._said = replace(self._said, model=model)

    def take(self, piece: Piece | Ending) -> None:
        """Add what came."""
        from explorer.neural.chat import Ending

        now = time.perf_counter()
        with self._lock:
            said = self._said
            if isinstance(piece, Ending):
                self._said = replace(said, reason=piece.reason, tokens=piece.tokens)
                return
            if not said.pieces:
                self._first = now
            if not piece.thought:
                self._parts.append(piece.text)
            thinks = piece.thought and not self._parts
            self._said = replace(said, pieces=said.pieces + 1, thinks=thinks, seconds=now - self._first)

    @property
    def pieces(self) -> int:
        """The parts that came so far."""
        return self._said.pieces

    def look(self) -> Said:
        """What came so far."""
        with self._lock:
            if len(self._parts) > 1:
                # Joined only as often as somebody looks.
                self._parts = ["".join(self._parts)]
            return replace(self._said, text="".join(self._parts))


def converse(
    asked: Asked, heard: Heard, send: Callable[[Callable[[], None]], None], report: Report, cancel: CancelToken
) -> Said:
    """Ask a model, and gather its answer. Runs off the interface thread.

    heard: Gets the answer part by part; what it has stays valid where the answer breaks off.
    send: Called when there is more.
    report: Called with the number of tokens so far.
    cancel: Stops the answer. If it is paused, what came until then is returned.
    Raises `CorpusError` if the texts would leave this machine and this was not allowed, or there is no answer, or it
        breaks off.
    Raises `Cancelled` if it was cancelled, and not paused.
    """
    from explorer.neural.chat import Message, Question, open_chat

    manner = asked.manner
    system = [Message("system", manner.system)] if manner.system.strip() else []
    messages = (*system, *(Message("assistant" if turn.answers else turn.role, turn.content) for turn in asked.turns))
    try:
        with open_chat(asked.url, confirm=asked.allowed.__contains__, key=asked.key) as server:
            model = _model(server, asked, cancel)
            heard.name(model)
            for piece in server.answer(Question(model, messages, manner.temperature, manner.most_tokens), cancel):
                heard.take(piece)
                report(Progress("Answering", min(heard.pieces, manner.most_tokens), manner.most_tokens, "tokens"))
                send(lambda: None)
    except Cancelled:
        if not cancel.paused:
            raise
    return heard.look()


def _model(server: ChatServer, asked: Asked, cancel: CancelToken) -> str:
    """The model that is asked: the chosen one, or the first one that answers on the server itself."""
    from explorer.neural.chat import ChatError
    from explorer.neural.models import passes_on

    host = server.connection.address.name
    model = asked.model
    if not model:
        names = server.models(cancel)
        if not names:
            raise ChatError(mark("{host} has no model."), reason="no-model", host=host)
        model = next((name for name in names if not passes_on(name)), names[0])
    if passes_on(model) and model not in asked.allowed:
        raise ChatError(
            mark("{host} passes questions for {model} on to another machine. Nothing was sent."),
            reason="passed-on",
            option="allow_remote",
            host=host,
            model=model,
        )
    return model


def list_models(url: str, allowed: frozenset[str], key: str | None, cancel: CancelToken) -> tuple[FoundServer, ...]:
    """List the models of one server. Runs off the interface thread.

    allowed: Hosts that are not this machine and to which the user agreed.
    key: What the server asks for; None for nothing.
    Raises `CorpusError` if it cannot be asked.
    """
    from explorer.neural.chat import FoundServer, open_chat

    with open_chat(url, timeout=10.0, confirm=allowed.__contains__, key=key) as server:
        return (FoundServer(url, server.models(cancel)),)


def look_around(cancel: CancelToken) -> tuple[FoundServer, ...]:
    """Look for servers on this machine. Runs off the interface thread.

    Returns: Those that were found at the usual ports.
    """
    from explorer.neural.chat import find_servers

    return find_servers(cancel=cancel)
