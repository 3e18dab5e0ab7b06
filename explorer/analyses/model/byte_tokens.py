"""Tokens of another vocabulary from a corpus of bytes: a distribution, and the product that Infinigram calls one.

A corpus of bytes gives each next byte a probability, so also each string of bytes: the product P of its bytes. Strings
of a vocabulary do not exclude each other, since "lord" begins with "lor": their products add up to more than 1. What is
wanted is the probability that a token is the longest of the vocabulary that the bytes begin with, which is

    P(t) - Σ P(u) over the shortest tokens u that continue t,

and these add up to 1 where every byte is a token. Tokenizers that do not take the longest token, such as byte-pair
encoding, divide some texts otherwise; a corpus that was tokenized by the model's own tokenizer knows how.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.analyses.model.distribution import distribution
from explorer.analyses.model.method import Method, Shares
from explorer.backends.protocol.protocol import Backend, Numbers
from explorer.core.arrays import ArrayValue
from explorer.core.jobs import CancelToken

FLOOR = 1e-10
"""What Infinigram counts a byte as that never follows."""

ByteShares = Callable[[bytes], Shares]
"""The probability of each byte, float64 of shape (256,), after the context and some more bytes."""


class TokenStrings:
    """The tokens of a vocabulary, by the bytes that they represent.

    pieces: The bytes of each token, by id. Tokens without bytes are never meant; of tokens with the same bytes, the one
        with the lowest id is.
    """

    def __init__(self, pieces: Sequence[bytes]) -> None:
        # Sorted, all strings with a common prefix are one range, a tree without nodes. Of equal strings, the
        # one with the lowest id comes first, which is the only one that `token_at` sees.
        rows = sorted((data, token) for token, data in enumerate(pieces) if data)
        self._strings = [data for data, _ in rows]
        self._ids = [token for _, token in rows]

    def __len__(self) -> int:
        return len(self._strings)

    def all(self) -> tuple[int, int]:
        """The range of all strings."""
        return 0, len(self._strings)

    def with_byte(self, place: tuple[int, int], prefix: bytes) -> tuple[int, int]:
        """Narrow a range of strings with a common prefix to those with one byte more.

        Returns: The range of its strings; empty for none.
        """
        first = bisect_left(self._strings, prefix, *place)
        if prefix[-1] == 255:
            # No next prefix of this length: up to the end of what was common before.
            return first, place[1]
        return first, bisect_left(self._strings, prefix[:-1] + bytes([prefix[-1] + 1]), first, place[1])

    def token_at(self, place: tuple[int, int], prefix: bytes) -> int | None:
        """Find the token that is exactly a prefix.

        Returns: Its id; None if no token is this string.
        """
        first = place[0]
        return self._ids[first] if first < place[1] and self._strings[first] == prefix else None


@dataclass(frozen=True, eq=False)
class TokenShares(ArrayValue):
    """What a corpus of bytes gives the tokens of a vocabulary.

    tokens: Ids, ascending, int64: those that may come next.
    shares: The probability that each is the longest token that the next bytes begin with, float64.
    products: The product of the probabilities of its bytes, float64: Infinigram's score of a token, which counts longer
        tokens as well.
    """

    tokens: Numbers
    shares: Shares
    products: Shares

    @property
    def total(self) -> float:
        """The sum of the shares: at most 1, and 1 if every byte is a token and the corpus knows the context."""
        return float(self.shares.sum())

    @property
    def product_total(self) -> float:
        """The sum of the products, which is above 1 wherever a token begins another one."""
        return float(self.products.sum())

    def share_of(self, tokens: Numbers) -> Shares:
        """Give the shares of some tokens.

        Returns: Their shares; 0 for those that cannot come next.
        """
        if not len(self.tokens):
            return np.zeros(len(tokens))
        at = np.minimum(np.searchsorted(self.tokens, tokens), len(self.tokens) - 1)
        found: Shares = np.where(self.tokens[at] == tokens, self.shares[at], 0.0)
        return found


def byte_shares(
    index: Backend, method: Method, context: Numbers, known: Numbers, cancel: CancelToken | None = None
) -> ByteShares:
    """Make the function that gives the next byte after a context and some more bytes.

    known: The bytes that there may be, int64.
    Returns: The function. Where the method knows nothing of the context, all are 0.
    """

    def shares(more: bytes) -> Shares:
        ids = np.concatenate([context, np.frombuffer(more, dtype=np.uint8).astype(np.int64)])
        found = distribution(index, method, ids, len(known), cancel)
        # What the method leaves to bytes that never follow is for those that there may be.
        made = np.zeros(256)
        made[known] = found.other
        made[found.tokens] = found.shares
        return made

    return shares


def token_shares(step: ByteShares, strings: TokenStrings, least: float = 1e-6) -> TokenShares:
    """Compute the probability of each token of a vocabulary from those of bytes.

    least: Bytes are not followed further where their product is below this: what is there stays with the token that it
        begins with, so the sum stays the same.
    Returns: The tokens with a product of `least` or more, and those that are one byte longer than such a string.

    Notes
    -----
    Cost: one distribution per string of bytes that begins a token and has at least `least`.
    """
    found: list[tuple[int, float, float]] = []
    _walk(step, strings, b"", strings.all(), 1.0, least, found)
    rows = sorted(found)
    return TokenShares(
        np.array([token for token, _, _ in rows], dtype=np.int64),
        np.array([share for _, share, _ in rows], dtype=np.float64),
        np.array([product for _, _, product in rows], dtype=np.float64),
    )


def _walk(
    step: ByteShares,
    strings: TokenStrings,
    prefix: bytes,
    place: tuple[int, int],
    product: float,
    least: float,
    found: list[tuple[int, float, float]],
) -> float:
    """Collect the tokens from a string on; the probability that they have together."""
    token = strings.token_at(place, prefix)
    # Of the strings in its range, all but the token itself are longer.
    longer = place[1] - place[0] - (token is not None)
    # What the shortest tokens from here on take of the product; each of them divides its part in the same way.
    claimed = 0.0
    if longer and product >= least:
        shares: NDArray[np.float64] = step(prefix)
        for byte in np.flatnonzero(shares).tolist():
            further = prefix + bytes([byte])
            inside = strings.with_byte(place, further)
            if inside[0] < inside[1]:
                claimed += _walk(step, strings, further, inside, product * float(shares[byte]), least, found)
    if token is None:
        # Bytes that no token continues stay with the token before them.
        return claimed
    # Rounding may leave less than nothing.
    found.append((token, max(0.0, product - claimed), product))
    return product


def infinigram_product(step: ByteShares, data: bytes, floor: float = FLOOR) -> float:
    """Compute Infinigram's score of a token: the product of its bytes' probabilities, each at least the floor.

    step: The probability of each next byte, of the ∞-gram in Infinigram's package.
    data: The bytes of the token.
    floor: What a byte counts as that never follows.
    Returns: The score. It is not a probability: over a vocabulary, scores add up to more than 1.
    """
    # The context grows byte by byte: after a byte that never follows, it is found again from a shorter suffix.
    product = 1.0
    for number, byte in enumerate(data):
        product *= max(float(step(data[:number])[byte]), floor)
    return product
