"""Requests for completions, as clients of OpenAI's older text interface send them, checked; and the form of errors."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NoReturn, TypeGuard

from explorer.errors import CorpusError
from explorer.i18n import mark

MOST_CHOICES, MOST_STOPS, MOST_LOGPROBS, MOST_WRITTEN, MOST_PROMPTS = 8, 4, 5, 4_096, 256
"""The most texts per prompt, texts to stop at, alternatives per token, tokens per text, and prompts."""
Prompt = str | tuple[int, ...]
"""A text, or token ids."""
_NEUTRAL: dict[str, tuple[Any, ...]] = {
    "suffix": (None, ""),
    "logit_bias": (None, {}),
    "presence_penalty": (None, 0),
    "frequency_penalty": (None, 0),
}
"""Parameters that are not supported, with the values that ask for nothing."""
_KNOWN = frozenset({
    "model", "prompt", "max_tokens", "temperature", "top_p", "n", "seed", "stop", "echo", "logprobs", "stream",
    "stream_options", "user", "best_of", *_NEUTRAL,
})  # fmt: skip


class CompletionError(CorpusError):
    """A request for completions that cannot be answered.

    code: A name for programs, such as "unsupported_parameter".
    param: The parameter that is wrong; None for none.
    """

    def __init__(
        self, sentence: str, *, status: int = 400, code: str = "invalid_value", param: str | None = None, **fields: Any
    ) -> None:
        super().__init__(sentence, reason=code.replace("_", "-"), **fields)
        self.status, self.code, self.param = status, code, param


_KINDS = {401: "authentication_error", 404: "not_found_error", 429: "rate_limit_error"}


def error_body(message: str, status: int = 400, code: str | None = None, param: str | None = None) -> dict[str, Any]:
    """Give an error in the form that clients of this interface read.

    param: The parameter that is wrong; None for none.

    Examples
    --------
    >>> error_body("Too many.", 429)["error"]["type"]
    'rate_limit_error'
    """
    kind = _KINDS.get(status, "invalid_request_error" if status < 500 else "server_error")
    return {"error": {"message": message, "type": kind, "param": param, "code": code}}


@dataclass(frozen=True)
class CompletionRequest:
    """A request for completions.

    prompts: Texts or token ids, one or more.
    max_tokens: The most tokens to write per text, 0 or more.
    temperature: 0 takes the most probable token, 1 draws by probability.
    top_p: Draw from the most probable tokens that have this much together, above 0 to 1.
    seed: Seed of all chance; None for any.
    stop: Texts before which a text ends.
    echo: Whether a text begins with its prompt.
    logprobs: How many of the most probable tokens to list per token; None for no log probabilities.
    stream: Whether to send the text while it is written.
    with_usage: Whether a stream ends with the number of tokens.
    """

    model: str
    prompts: tuple[Prompt, ...]
    max_tokens: int = 16
    temperature: float = 1.0
    top_p: float = 1.0
    n: int = 1
    seed: int | None = None
    stop: tuple[str, ...] = ()
    echo: bool = False
    logprobs: int | None = None
    stream: bool = False
    with_usage: bool = False


def read_completion_request(body: object) -> CompletionRequest:
    """Check a request.

    Returns: The request. A parameter that is null has its default.
    Raises `CompletionError` if a parameter is missing, unknown, out of range or not supported.

    Examples
    --------
    >>> read_completion_request({"model": "cats", "prompt": "the cat", "stop": "."}).stop
    ('.',)
    """
    if not isinstance(body, Mapping):
        raise CompletionError(mark("The request must be a JSON object."), code="invalid_json")
    given = {name: value for name, value in body.items() if value is not None}
    _refuse_unsupported(given)
    options = given.get("stream_options", {})
    if not isinstance(options, Mapping) or options.keys() - {"include_usage"}:
        _unsupported("stream_options")
    return CompletionRequest(
        _text(given, "model"),
        _prompts(given.get("prompt")),
        _whole(given, "max_tokens", 16, 0, MOST_WRITTEN),
        _real(given, "temperature", 1.0, 0.0, 2.0),
        _real(given, "top_p", 1.0, math.ulp(0.0), 1.0),
        _whole(given, "n", 1, 1, MOST_CHOICES),
        # Any number of 64 bits is a seed, and ours begin at 0.
        _whole(given, "seed", 0, -(1 << 63), (1 << 63) - 1) % (1 << 63) if "seed" in given else None,
        _stops(given.get("stop", ())),
        _flag(given, "echo"),
        _whole(given, "logprobs", 0, 0, MOST_LOGPROBS) if "logprobs" in given else None,
        _flag(given, "stream"),
        _flag(options, "include_usage"),
    )


def _refuse_unsupported(given: Mapping[str, Any]) -> None:
    for name, value in given.items():
        if name not in _KNOWN:
            _unsupported(str(name))
        # A boolean equals 0 or 1, and is not a number that anybody means.
        if name in _NEUTRAL and (isinstance(value, bool) or value not in _NEUTRAL[name]):
            _unsupported(name)
    # The best of as many texts as are asked for are all of them.
    if "best_of" in given and (isinstance(given["best_of"], bool) or given["best_of"] != given.get("n", 1)):
        _unsupported("best_of")


def _unsupported(name: str) -> NoReturn:
    raise CompletionError(
        mark("The parameter {name} is not supported."), code="unsupported_parameter", param=name[:100], name=name[:100]
    )


def _wrong(name: str, expected: str) -> NoReturn:
    raise CompletionError(mark("{name} must be {expected}."), param=name, name=name, expected=expected)


def _text(given: Mapping[str, Any], name: str) -> str:
    value = given.get(name)
    if not isinstance(value, str) or not value:
        _wrong(name, "a text")
    return value


def _flag(given: Mapping[str, Any], name: str) -> bool:
    value = given.get(name, False)
    if not isinstance(value, bool):
        _wrong(name, "true or false")
    return value


def _whole(given: Mapping[str, Any], name: str, default: int, least: int, most: int) -> int:
    value = given.get(name, default)
    # Some clients write 16.0.
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        _wrong(name, f"a whole number from {least} to {most}")
    return value


def _real(given: Mapping[str, Any], name: str, default: float, least: float, most: float) -> float:
    value = given.get(name, default)
    if not isinstance(value, int | float) or isinstance(value, bool) or not least <= value <= most:
        _wrong(name, f"a number {'above 0' if least else 'from 0'} to {most:g}")
    return float(value)


def _stops(given: object) -> tuple[str, ...]:
    stops = (given,) if isinstance(given, str) else given
    if not isinstance(stops, list | tuple) or len(stops) > MOST_STOPS or not all(map(_is_text, stops)):
        _wrong("stop", f"a text, or at most {MOST_STOPS} texts, none of them empty")
    return tuple(stops)


def _is_text(value: object) -> bool:
    return isinstance(value, str) and value != ""


def _prompts(given: object) -> tuple[Prompt, ...]:
    if isinstance(given, str):
        return (given,)
    if _are_ids(given):
        return (tuple(given),)
    if isinstance(given, list) and 0 < len(given) <= MOST_PROMPTS:
        if all(isinstance(each, str) for each in given):
            return tuple(given)
        if all(map(_are_ids, given)):
            return tuple(map(tuple, given))
    _wrong("prompt", f"a text, token ids, or a list of at most {MOST_PROMPTS} of either")


def _are_ids(given: Any) -> TypeGuard[list[int]]:
    is_list = isinstance(given, list) and bool(given)
    return is_list and all(isinstance(each, int) and not isinstance(each, bool) and each >= 0 for each in given)
