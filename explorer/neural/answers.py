"""What a server answers, checked: nothing of it is taken to be a number, an id or a list before it was looked at."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Any

from explorer.i18n import mark
from explorer.neural.address import ServerError
from explorer.neural.records import NOISE

_ROUNDING = 1e-3
"""How far above 1 probabilities may add up by rounding, each."""


@dataclass(frozen=True)
class Candidate:
    """A token that a model may write next.

    id: Its id in the model's vocabulary.
    data: The bytes that it represents.
    logprob: The natural logarithm of its probability, at most 0.
    """

    id: int
    data: bytes
    logprob: float


def unusable(host: str, what: str) -> ServerError:
    """Make the error of an answer that does not have what it must have.

    what: What is missing, such as "a list of tokens".
    """
    return ServerError(mark("{host} sent an answer without {what}."), reason="bad-answer", host=host, what=what)


def logprob_of(value: Any, host: str) -> float:
    """Check a log probability.

    Returns: The number, at most 0; minus infinity for a probability of 0.
    Raises `ServerError` if it is not a number, or above 0 by more than rounding.
    """
    if isinstance(value, bool) or not isinstance(value, int | float) or math.isnan(value):
        raise ServerError(mark("{host} sent a log probability that is not a number."), reason="not-a-number", host=host)
    if value > NOISE:
        raise ServerError(
            mark("{host} sent a log probability above 0 ({value})."), reason="above-zero", host=host, value=value
        )
    # No logarithm of a float is that low: llama.cpp sends the lowest float for a probability of 0.
    return min(float(value), 0.0) if value > -1e30 else -math.inf


def id_of(value: Any, host: str) -> int:
    """Check the id of a token.

    Returns: The id, 0 or more.
    """
    # `type`, since JSON's true is an int to `isinstance`.
    if type(value) is not int or not 0 <= value < 1 << 31:
        raise unusable(host, "the ids of its tokens")
    return value


def bytes_of(value: Any, host: str) -> bytes:
    """Check the bytes of a token: a text, or a list of bytes where the token has a part of a character."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace")
    if isinstance(value, list) and all(type(byte) is int and 0 <= byte < 256 for byte in value):
        return bytes(value)
    raise unusable(host, "the texts of its tokens")


def items(value: Any, name: str, host: str) -> list[Any]:
    """Take a list out of an object.

    Raises `ServerError` if there is none.
    """
    found = value.get(name) if isinstance(value, dict) else None
    if not isinstance(found, list):
        raise unusable(host, f'a list "{name}"')
    return found


def candidates(content: list[Any], host: str) -> tuple[Candidate, ...]:
    """Read candidates of a next token.

    content: Objects with `id`, `bytes` and `logprob`.
    Returns: The candidates in their order.
    Raises `ServerError` if one cannot be used, or their probabilities add up to more than 1.
    """
    rows = [row if isinstance(row, dict) else {} for row in content]
    found = tuple(
        Candidate(id_of(row.get("id"), host), bytes_of(row.get("bytes"), host), logprob_of(row.get("logprob"), host))
        for row in rows
    )
    # Equal ids, or more than there can be: whatever these numbers are, they are not a distribution.
    distinct = {row.id: row for row in found}
    if len(distinct) < len(found) or sum(math.exp(row.logprob) for row in found) > 1 + _ROUNDING * max(1, len(found)):
        raise ServerError(
            mark("{host} sent probabilities of next tokens that cannot be true: together they are above 1."),
            reason="above-one",
            host=host,
        )
    return found


def character_ranges(text: str, pieces: list[bytes]) -> list[tuple[int, int]]:
    """Find the characters that the tokens of a text represent.

    pieces: The bytes of its tokens, which together are its UTF-8.
    Returns: For each token, its first character and one past its last. A character that several tokens share belongs to
        the first of them, so a token that only has the rest of one has none.
    Raises `ValueError` if the pieces are not the bytes of the text.

    Examples
    --------
    >>> character_ranges("né", [b"n", b"\\xc3", b"\\xa9"])
    [(0, 1), (1, 2), (2, 2)]
    """
    data = text.encode()
    if b"".join(pieces) != data:
        raise ValueError("The pieces are not the bytes of the text.")
    # Characters that begin before each byte.
    begun = [0, *accumulate(int((byte & 0xC0) != 0x80) for byte in data)]
    ends = [0, *accumulate(map(len, pieces))]
    return [(begun[first], begun[last]) for first, last in pairwise(ends)]
