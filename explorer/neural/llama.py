"""A server with llama.cpp's interface: log probabilities of a given text by forced tokens.

Such a server gives log probabilities of tokens that it writes, and not of a text. So each token of the text is what it
is made to write: a bias of 1,000 on its logit leaves no other choice, and the log probability that is answered is that
before the bias. The server keeps what it computed for the tokens before, so each token takes one step of the model.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Self

from explorer.core.files.encoding import replace_surrogates
from explorer.core.jobs import CancelToken
from explorer.i18n import mark
from explorer.neural.address import ServerError
from explorer.neural.answers import (
    Candidate,
    bytes_of,
    candidates,
    character_ranges,
    id_of,
    items,
    logprob_of,
    unusable,
)
from explorer.neural.connection import Connection
from explorer.neural.records import ScoredToken

_BIAS = 1000
_ROUNDING = 1e-3
_LEAST_WINDOW = 8


@dataclass(frozen=True)
class Piece:
    """A token of a text, as the model's own tokenizer makes it.

    data: The bytes that it represents.
    """

    id: int
    data: bytes


class LlamaServer:
    """A server with llama.cpp's interface.

    window: Most tokens of context, from 8. A longer text is scored in windows that overlap by half, so that every token
        but the first ones has at least half a window of context.
    size: Tokens of its vocabulary; 0 if the server does not tell.
    ends: Ids of the tokens that end a text.
    """

    def __init__(self, connection: Connection, model: str, window: int = 1024, size: int = 0) -> None:
        self._connection, self.model = connection, model
        self._host = connection.address.name
        self._window = max(_LEAST_WINDOW, window)
        self._size = size
        self._begin: tuple[int, ...] = ()
        self.ends: frozenset[int] = frozenset()

    def close(self) -> None:
        """Close the connection; a later request opens it again."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def check(self, cancel: CancelToken | None = None) -> None:
        """Find out whether the server can be used: what begins its texts, how long they may be, and whether forced
        tokens get the log probability that they have without the force.
        """
        # A tokenizer may put a token before each text, which a model that was trained so needs.
        plain = [piece.id for piece in self.pieces("The cat sat", cancel)]
        whole = [piece.id for piece in self._tokenized("The cat sat", cancel, add_special=True)]
        if len(whole) > len(plain) and whole[-len(plain) :] == plain:
            self._begin = tuple(whole[: len(whole) - len(plain)])
        self._read_settings(cancel)
        # Log probabilities after the bias would be near 0 for any forced token, so two of them add up to 2.
        if len(plain) > 2 and plain[1] != plain[2]:
            two = [self._forced(plain[:1], token, 0, cancel)[0] for token in plain[1:3]]
            if sum(map(math.exp, two)) > 1 + _ROUNDING:
                raise ServerError(
                    mark("{host} gives log probabilities after logit_bias, so those of a given text cannot be had."),
                    reason="biased",
                    host=self._host,
                )

    def pieces(self, text: str, cancel: CancelToken | None = None) -> list[Piece]:
        """Tokenize a text with the model's tokenizer; nothing is put before it.

        text: The text; unpaired surrogates count as U+FFFD.
        Raises `ServerError` if the answer cannot be used, or the tokens do not have the bytes of the text.
        """
        text = replace_surrogates(text)
        found = self._tokenized(text, cancel, add_special=False) if text else []
        data, wanted = b"".join(piece.data for piece in found), text.encode()
        if data == b" " + wanted and found:
            # SentencePiece's tokenizers put a space before a text, which is not a part of it.
            return [Piece(found[0].id, found[0].data[1:]), *found[1:]]
        if data != wanted:
            raise ServerError(
                mark("The tokens of {host} do not spell the text: its tokenizer changes it."),
                reason="other-text",
                host=self._host,
            )
        return found

    def count(self, text: str, cancel: CancelToken | None = None) -> int | None:
        """Count the tokens of a text.

        Returns: How many there are.
        """
        return len(self.pieces(text, cancel))

    def score(
        self, text: str, done: Sequence[ScoredToken] = (), top: int = 0, cancel: CancelToken | None = None
    ) -> Iterator[ScoredToken]:
        """Ask for the log probability of each token of a text.

        done: Its first tokens, where they were scored before.
        top: How many of the most probable tokens to list with each, from 0.
        Yields: The tokens after those that are done. The first token of a text has no log probability if the model's
            tokenizer puts nothing before a text.
        Raises `ServerError` if an answer cannot be used.

        Notes
        -----
        Cost: one request and one step of the model per token.
        """
        text = replace_surrogates(text)
        pieces = self.pieces(text, cancel)
        ids = [piece.id for piece in pieces]
        # What was done before is continued only if its tokens are the first of these.
        if any(token.id != piece.id for token, piece in zip(done, pieces, strict=False)) or len(done) > len(pieces):
            raise ServerError(
                mark("{host} divides the text into other tokens than before, so its scores cannot be continued."),
                reason="other-tokens",
                host=self._host,
            )
        ranges = character_ranges(text, [piece.data for piece in pieces])
        for at in range(len(done), len(ids)):
            context = self.context(ids[:at])
            # Without any context there is nothing to ask: a request needs a token.
            found = self._forced(context, ids[at], top, cancel) if context else (None, ())
            yield ScoredToken(*ranges[at], found[0], ids[at], found[1])

    def context(self, ids: Sequence[int]) -> list[int]:
        """Choose what the model sees before a token.

        Returns: What begins each text, and the tokens of the window. Windows begin half a window apart, so that two
            tokens in a row nearly always share theirs, which the server then keeps.
        """
        # The window moves by halves, so that its first token changes seldom: a server keeps only what begins alike.
        half = (self._window - len(self._begin)) // 2
        first = max(0, len(ids) // half * half - half)
        return [*self._begin, *ids[first:]]

    def next_tokens(self, ids: Sequence[int], top: int, cancel: CancelToken | None = None) -> tuple[Candidate, ...]:
        """Ask for the most probable next tokens.

        ids: What comes before; one token or more, unless the model's tokenizer begins texts by itself.
        top: How many, from 1.
        Raises `ServerError` if the answer cannot be used.
        """
        entry = self._entry(self.context(ids), {"logprobs": max(1, top)}, cancel)
        # Not relied upon: the order of what was sent.
        found = candidates(items(entry, "top_logprobs", self._host), self._host)
        return tuple(sorted(found, key=lambda each: (-each.logprob, each.id)))[:top]

    def vocabulary(self, cancel: CancelToken | None = None) -> tuple[bytes, ...]:
        """Ask for the bytes of every token, by id.

        Raises `ServerError` if the server does not tell all of them.

        Notes
        -----
        Cost: one request for the probability of every token, about a second for 50,000.
        """
        context = [*self._begin, *(piece.id for piece in self.pieces("The", cancel))]
        found = {each.id: each.data for each in self.next_tokens(context, self._size, cancel)} if self._size else {}
        if len(found) < max(1, self._size) or max(found) >= self._size:
            raise ServerError(
                mark("{host} does not tell what each token of its vocabulary represents."),
                reason="no-vocabulary",
                host=self._host,
            )
        return tuple(found[token] for token in range(self._size))

    def _forced(
        self, context: Sequence[int], token: int, top: int, cancel: CancelToken | None
    ) -> tuple[float, tuple[tuple[int, float], ...]]:
        entry = self._entry(context, {"logprobs": max(1, top), "logit_bias": [[token, _BIAS]]}, cancel)
        # Greedy and with this bias, a server that knows it can write no other token.
        if id_of(entry.get("id"), self._host) != token:
            raise ServerError(
                mark("{host} ignores logit_bias: it wrote another token than the one it was made to write."),
                reason="not-forced",
                host=self._host,
            )
        others = candidates(items(entry, "top_logprobs", self._host), self._host) if top else ()
        return logprob_of(entry.get("logprob"), self._host), tuple((each.id, each.logprob) for each in others)[:top]

    def _entry(self, context: Sequence[int], more: dict[str, Any], cancel: CancelToken | None) -> dict[str, Any]:
        """What the server reports of the one token that it writes."""
        asked = {"prompt": [*context], "max_tokens": 1, "temperature": 0, "cache_prompt": True, **more}
        answer = self._connection.post("/v1/completions", asked, cancel)
        choices = items(answer, "choices", self._host)
        logprobs = choices[0].get("logprobs") if choices and isinstance(choices[0], dict) else None
        content = items(logprobs, "content", self._host)
        # Some servers put a token before a prompt of ids, or cut a long one: another context has other probabilities.
        usage = answer.get("usage")
        seen = usage.get("prompt_tokens", len(context)) if isinstance(usage, dict) else len(context)
        if seen != len(context):
            raise ServerError(
                mark("{host} used {seen} tokens of context, not the {sent} that were sent."),
                reason="other-context",
                host=self._host,
                seen=str(seen),
                sent=len(context),
            )
        if not content or not isinstance(content[0], dict):
            raise unusable(self._host, "log probabilities")
        return content[0]

    def _tokenized(
        self, text: str, cancel: CancelToken | None, *, add_special: bool, parse_special: bool = False
    ) -> list[Piece]:
        # What looks like a special token in a text is text.
        asked = {"content": text, "with_pieces": True, "add_special": add_special, "parse_special": parse_special}
        rows = items(self._connection.post("/tokenize", asked, cancel), "tokens", self._host)
        objects = [row if isinstance(row, dict) else {} for row in rows]
        return [Piece(id_of(row.get("id"), self._host), bytes_of(row.get("piece"), self._host)) for row in objects]

    def _read_settings(self, cancel: CancelToken | None) -> None:
        """Make the window as small as the server's context, and find what ends a text, where these are told."""
        try:
            value = self._connection.get("/props", cancel)
        except ServerError:
            return
        settings = value.get("default_generation_settings") if isinstance(value, dict) else None
        most = settings.get("n_ctx") if isinstance(settings, dict) else None
        if type(most) is int and most > _LEAST_WINDOW:
            # One token is written.
            self._window = max(_LEAST_WINDOW, min(self._window, most - 1))
        end = value.get("eos_token") if isinstance(value, dict) else None
        if isinstance(end, str) and end:
            # Here it is meant: the only place where text is read as a special token.
            found = self._tokenized(end, cancel, add_special=False, parse_special=True)
            # In several pieces, it is text.
            self.ends = frozenset(piece.id for piece in found) if len(found) == 1 else frozenset()
