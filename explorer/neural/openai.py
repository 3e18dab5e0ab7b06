"""A server with OpenAI's interface that returns log probabilities of the prompt: vLLM, llama-cpp-python and others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Self

from explorer.core.files.encoding import replace_surrogates
from explorer.core.jobs import CancelToken
from explorer.i18n import mark
from explorer.neural.address import ServerError
from explorer.neural.answers import id_of, items, logprob_of, unusable
from explorer.neural.connection import Connection
from explorer.neural.records import ScoredToken

_PROBES = ("The capital of France is", "One, two, three,", "Once upon a time there was a")
_CLOSE = 0.1
"""How far two log probabilities of one token may differ: servers compute a text at once and token by token."""


@dataclass(frozen=True)
class _Row:
    """A token of a prompt as the server sends it."""

    text: str
    logprob: float | None
    id: int | None = None
    top: tuple[tuple[int, float], ...] = ()


class OpenAIServer:
    """A server with OpenAI's interface."""

    def __init__(self, connection: Connection, model: str) -> None:
        self._connection, self.model = connection, model
        self._host = connection.address.name
        self._shifted = False

    def close(self) -> None:
        """Close the connection; a later request opens it again."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def check(self, cancel: CancelToken | None = None) -> None:
        """Find out which token each log probability belongs to.

        Some servers give each token the value of the one after it. So the server writes one token, whose log
        probability is known then, and is asked for it again as a part of the text.

        Raises `ServerError` if the server returns no log probabilities of a text, or others than those of its tokens.
        """
        # Several, since one may be tokenized otherwise with what follows it, or be followed by an equal probability.
        for probe in _PROBES:
            written, wanted = self._written(probe, cancel)
            before, rows = self._rows(probe, 0, cancel), self._rows(probe + written, 0, cancel)
            values = [row.logprob for row in rows]
            if len(rows) < 3 or [row.text for row in rows] != [*(row.text for row in before), written]:
                # As a part of the text, what was written is tokenized otherwise: the next probe.
                continue
            as_asked = _is_close(values[-1], wanted)
            # Nothing comes before the first token, so only a shifted list has a value for it.
            self._shifted = values[0] is not None and _is_close(values[-2], wanted)
            if as_asked and self._shifted:
                # Two tokens in a row that are equally probable show nothing.
                continue
            if as_asked or self._shifted:
                return
            raise ServerError(
                mark(
                    "{host} gives a token another log probability in a text ({found}) than where it writes it "
                    "({wanted:.2f}), so its values are not those of the tokens."
                ),
                reason="other-values",
                host=self._host,
                found="-" if values[-1] is None else f"{values[-1]:.2f}",
                wanted=wanted,
            )
        raise ServerError(
            mark("It cannot be checked which token each log probability of {host} belongs to."),
            reason="unchecked",
            host=self._host,
        )

    @property
    def mended(self) -> bool:
        """Whether the server gives each token the value of the next one, so that its lists are shifted back."""
        return self._shifted

    def count(self, text: str, cancel: CancelToken | None = None) -> int | None:
        """Count the tokens of a text: None, since the interface has no such question."""
        return None

    def score(
        self, text: str, done: Sequence[ScoredToken] = (), top: int = 0, cancel: CancelToken | None = None
    ) -> Iterator[ScoredToken]:
        """Ask for the log probability of each token of a text; the text must fit the model's context.

        done: Its first tokens, where they were scored before: they are left out.
        top: How many of the most probable tokens to list with each, from 0; vLLM tells their ids, others list none.
        Yields: The tokens after those that are done.
        Raises `ServerError` if the answer cannot be used.

        Notes
        -----
        Cost: one request for the whole text.
        """
        text = replace_surrogates(text)
        if not text:
            return
        rows = self._rows(text, top, cancel)
        values = [row.logprob for row in rows]
        if self._shifted:
            # The last value belongs to the token that was written after the text.
            values = [None, *values[:-1]]
        ranges = text_ranges(text, [row.text for row in rows], self._host)
        for row, value, place in list(zip(rows, values, ranges, strict=True))[len(done) :]:
            yield ScoredToken(*place, value, row.id, row.top)

    def _written(self, probe: str, cancel: CancelToken | None) -> tuple[str, float]:
        """The token that follows a text, and its log probability."""
        tokens, values = self._lists(self._choice(probe, {"logprobs": 1}, cancel))
        if len(tokens) != 1:
            raise unusable(self._host, "the one token that was asked for")
        return tokens[0], logprob_of(values[0], self._host)

    def _rows(self, text: str, top: int, cancel: CancelToken | None) -> list[_Row]:
        """The tokens of a text."""
        most = max(1, top)
        # What vLLM calls prompt_logprobs tells ids; others do not know it, and answer without.
        choice = self._choice(text, {"echo": True, "logprobs": most, "prompt_logprobs": most}, cancel)
        tokens, values = self._lists(choice)
        told = choice.get("prompt_logprobs")
        by_id = told if isinstance(told, list) else []
        rows = []
        at = 0
        for number, (token, value) in enumerate(zip(tokens, values, strict=True)):
            if at >= len(text):
                # The token that was written after the text.
                break
            known = None if value is None else logprob_of(value, self._host)
            if not at and not number and known is None and not _begins(text, token):
                # What the model's tokenizer puts before a text. The next token has a log probability, then.
                continue
            entry = by_id[number] if number < len(by_id) else None
            rows.append(_row(token, known, entry, top, self._host))
            at += len(token) if number or not token.startswith(" ") or text.startswith(" ") else len(token) - 1
        # One null is the first token's, which has nothing before it.
        if len(rows) > 1 and all(row.logprob is None for row in rows):
            raise unusable(self._host, "log probabilities of the text")
        return rows

    def _lists(self, choice: dict[str, Any]) -> tuple[list[str], list[Any]]:
        logprobs = choice.get("logprobs")
        tokens = items(logprobs, "tokens", self._host)
        values = items(logprobs, "token_logprobs", self._host)
        if len(tokens) != len(values) or not all(isinstance(token, str) for token in tokens):
            raise unusable(self._host, "one log probability per token")
        return tokens, values

    def _choice(self, prompt: str, more: dict[str, Any], cancel: CancelToken | None) -> dict[str, Any]:
        asked = {"model": self.model, "prompt": prompt, "max_tokens": 1, "temperature": 0, **more}
        choices = items(self._connection.post("/v1/completions", asked, cancel), "choices", self._host)
        if not choices or not isinstance(choices[0], dict):
            raise unusable(self._host, "a choice")
        found: dict[str, Any] = choices[0]
        return found


def _is_close(value: float | None, wanted: float) -> bool:
    return value is not None and abs(value - wanted) < _CLOSE


def _begins(text: str, token: str) -> bool:
    return text.startswith((token, token.removeprefix(" "))) or _is_cut(token)


def _is_cut(token: str) -> bool:
    """Whether a token has a part of a character, which a text cannot show."""
    return "\ufffd" in token or token.startswith("bytes:")


def _row(token: str, value: float | None, entry: Any, top: int, host: str) -> _Row:
    """A token, with the ids that an entry of vLLM's list tells."""
    if not isinstance(entry, dict):
        # Other servers than vLLM tell no ids.
        return _Row(token, value)
    found = [
        (
            id_of(int(key) if key.isascii() and key.isdigit() else None, host),
            logprob_of(each.get("logprob"), host),
            each,
        )
        for key, each in entry.items()
        if isinstance(each, dict)
    ]
    # Its own entry: the text and the value are those of the token.
    own = [key for key, number, each in found if each.get("decoded_token") == token and _is_close(value, number)]
    ranked = sorted(((key, number) for key, number, _ in found), key=lambda pair: (-pair[1], pair[0]))
    return _Row(token, value, own[0] if len(own) == 1 else None, tuple(ranked[:top]))


def text_ranges(text: str, tokens: Sequence[str], host: str) -> list[tuple[int, int]]:
    """Find the characters that tokens represent, where only their texts are known.

    tokens: The texts of its tokens. Those of parts of a character are "\\ufffd" or "bytes:…".
    host: The server that sent them.
    Returns: For each token, its first character and one past its last. Of tokens in a row that are parts of characters,
        the first has all these characters.
    Raises `ServerError` if the tokens are not those of the text.

    Examples
    --------
    >>> text_ranges("a 𝛿 b", ["a", " ", "\\ufffd", "\\ufffd", " b"], "localhost")
    [(0, 1), (1, 2), (2, 3), (3, 3), (3, 5)]
    """
    found: list[tuple[int, int]] = []
    at = 0
    for number, sent in enumerate(tokens):
        # SentencePiece's tokenizers put a space before a text, which is not a part of it.
        added = not number and sent.startswith(" ") and not text.startswith(" ")
        token = sent[1:] if added else sent
        if _is_cut(token) and not text.startswith(token, at):
            inside = number > 0 and _is_cut(tokens[number - 1]) and found[-1][1] == at and at > 0
            end = at if inside else _end_of_cut(text, at, tokens[number:])
        elif text.startswith(token, at):
            end = at + len(token)
        else:
            raise ServerError(
                mark("The tokens of {host} do not spell the text: its tokenizer changes it."),
                reason="other-text",
                host=host,
            )
        found.append((at, end))
        at = end
    return found


def _end_of_cut(text: str, at: int, tokens: Sequence[str]) -> int:
    """Where the characters end that the first of these tokens have in parts."""
    whole = next((token for token in tokens if not _is_cut(token)), None)
    if whole is None:
        # The text ends with them.
        return len(text)
    found = text.find(whole, min(at + 1, len(text)))
    return found if found >= 0 else at
