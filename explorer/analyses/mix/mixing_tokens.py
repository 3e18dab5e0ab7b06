"""The next token of a neural model and of a corpus together: two shares of each candidate, and their mixture."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from explorer.analyses.model.byte_tokens import TokenStrings, byte_shares, token_shares
from explorer.analyses.model.distribution import distribution, levels_after
from explorer.analyses.model.generation import Used
from explorer.analyses.model.method import Method, Shares
from explorer.backends.hit_places import first_places
from explorer.backends.protocol.protocol import Backend, Level, Numbers
from explorer.core.arrays import ArrayValue
from explorer.core.jobs import CancelToken
from explorer.errors import QueryError
from explorer.i18n import mark

if TYPE_CHECKING:
    # Not needed to mix: they bring the modules of a connection along.
    from explorer.neural.answers import Candidate
    from explorer.neural.llama import Piece

ModelWeight = Callable[[int, int], float]
"""The weight of the neural model, 0 to 1, after a context of n tokens of the index that is followed m times in it."""

LEAST = 1e-4
"""Strings of bytes with less than this stay with the token that they begin with."""


class NextTokenModel(Protocol):
    """A neural model that tells what it may write next; `LlamaServer` is one."""

    model: str
    ends: frozenset[int]

    def pieces(self, text: str, cancel: CancelToken | None = None) -> list[Piece]:
        """Tokenize a text."""

    def next_tokens(self, ids: Sequence[int], top: int, cancel: CancelToken | None = None) -> tuple[Candidate, ...]:
        """Give the most probable next tokens.

        top: How many, from 1.
        """

    def vocabulary(self, cancel: CancelToken | None = None) -> tuple[bytes, ...]:
        """Give the bytes of every token, by id."""


def check_weight(weight: float) -> float:
    """Check the weight of the neural model.

    weight: 1 for the model alone, 0 for the corpus alone.
    Raises `QueryError` if it is not from 0 to 1.
    """
    if not 0 <= weight <= 1:
        raise QueryError(
            mark("The weight of the model must be from 0 (the corpus alone) to 1 (the model alone), not {weight:g}."),
            reason="bad-weight",
            weight=weight,
        )
    return weight


def constant(weight: float) -> ModelWeight:
    """Make a weight that is the same everywhere.

    weight: The weight of the neural model, 0 to 1.
    Raises `QueryError` if it is not from 0 to 1.
    """
    # At once, and not before the first token.
    check_weight(weight)
    return lambda n, m: weight


def by_confidence(weight: float) -> ModelWeight:
    """Make a weight that leaves the corpus more, the longer the match is and the more often it occurs.

    The corpus gets (1 - weight) times 0.7 min(n / 10, 1) + 0.3 min(m / 100, 1), which Infinigram's package calls the
    confidence of a match.

    Parameters
    ----------
    weight
        The weight of the neural model beside a perfect match, 0 to 1.

    Returns
    -------
    ModelWeight
        The weight.

    Raises
    ------
    QueryError
        If it is not from 0 to 1.

    Examples
    --------
    >>> weigh = by_confidence(0.5)
    >>> weigh(10, 100), weigh(0, 0)
    (0.5, 1.0)
    """
    # Nothing that occurs in the corpus leaves the model alone, whatever its weight is.
    check_weight(weight)
    return lambda n, m: 1 - (1 - weight) * (0.7 * min(n / 10, 1) + 0.3 * min(m / 100, 1))


@dataclass(frozen=True, eq=False)
class NextMixture(ArrayValue):
    """The candidates of one next token.

    tokens: Their ids in the model's vocabulary, the most probable of the mixture first, int64.
    shares: Weight times the model's probability + (1 - weight) times the corpus's, divided by its sum over the
        candidates.
    model: The model's probability of each.
    corpus: The corpus's probability of each.
    weight: The weight of the model, 0 to 1.
    total: The sum that the mixture was divided by: what both give the candidates together.
    levels: What the corpus weighed, the longest context first.
    """

    tokens: Numbers
    data: tuple[bytes, ...]
    shares: Shares
    model: Shares
    corpus: Shares
    weight: float
    total: float
    levels: tuple[Level, ...] = ()


def mixture(
    candidates: Sequence[Candidate], corpus: Shares, weight: float, levels: tuple[Level, ...] = ()
) -> NextMixture:
    """Mix the probabilities of candidates.

    candidates: The model's most probable tokens.
    weight: The weight of the model: 1 gives its own probabilities, 0 the corpus's.
    Returns: The mixture; its shares are all 0 if the weight is 0 and the corpus knows none of the candidates.
    Raises `QueryError` if the weight is not from 0 to 1.

    Examples
    --------
    >>> import math
    >>> from explorer.neural.answers import Candidate
    >>> two = [Candidate(5, b"a", math.log(0.3)), Candidate(7, b"b", math.log(0.7))]
    >>> mixture(two, np.array([1.0, 0.0]), 0.5).shares.round(2).tolist()
    [0.65, 0.35]
    """
    # Again, since a function of the match may give anything.
    check_weight(weight)
    model = np.exp([each.logprob for each in candidates])
    # Not in logarithms: sums of logarithms would be a product of both models, which is another mixture.
    mixed = weight * model + (1 - weight) * corpus
    total = float(mixed.sum())
    ids = np.array([each.id for each in candidates], dtype=np.int64)
    order = np.lexsort((ids, -mixed))
    return NextMixture(
        ids[order],
        tuple(candidates[at].data for at in order.tolist()),
        mixed[order] / total if total else mixed[order],
        model[order],
        corpus[order],
        weight,
        total,
        levels,
    )


class CorpusSide(Protocol):
    """What a corpus knows of the next token of the model."""

    def shares(
        self, ids: Numbers, data: bytes, wanted: Numbers, cancel: CancelToken | None
    ) -> tuple[Shares, tuple[Level, ...]]:
        """Give the probability of each wanted token, and what was weighed.

        ids: What comes before, in the model's tokens, int64.
        wanted: Ids of the model's tokens, int64.
        Returns: The probabilities, and the contexts, the longest first.
        """

    def used(self, ids: Numbers, data: bytes, token: int, piece: bytes, levels: tuple[Level, ...]) -> tuple[Used, ...]:
        """Tell how often a token follows each of the contexts that were weighed.

        ids: What comes before, in the model's tokens, int64.
        """

    def place(
        self, ids: Numbers, data: bytes, token: int, piece: bytes, used: tuple[Used, ...]
    ) -> tuple[int, int] | None:
        """Find a document and an offset where a token follows the longest of these contexts that it follows.

        ids: What comes before, in the model's tokens, int64.
        Returns: The number of the document and the token's offset in it, in tokens of the index; None if it follows
            none.
        """


class _Side:
    """What both kinds of corpus have."""

    def __init__(self, index: Backend, method: Method, known: Numbers) -> None:
        self._index, self._method, self._known = index, method, known

    def _used(self, before: Numbers, token: Numbers, levels: tuple[Level, ...]) -> tuple[Used, ...]:
        both = np.concatenate([before, token])
        # All contexts end where the token begins, so they are parts of one array.
        begins = np.array([len(before) - level.length for level in levels], dtype=np.int64)
        times = self._index.counts.count_many(both, begins, np.full(len(levels), len(both), dtype=np.int64))
        return tuple(
            Used(level.length, level.followed, count) for level, count in zip(levels, times.tolist(), strict=True)
        )

    def _place(self, before: Numbers, token: Numbers, used: tuple[Used, ...]) -> tuple[int, int] | None:
        length = next((each.n for each in used if each.count), None)
        if length is None:
            return None
        # The first occurrence in the order of the index: any is a place, and none is better than another.
        both = np.concatenate([before[len(before) - length :], token])
        found = first_places(self._index, self._index.hits.find(both), 1)
        return (int(found.documents[0]), int(found.offsets[0]) + length) if len(found) else None


class _OwnTokens(_Side):
    """A corpus that was tokenized by the model's own tokenizer."""

    def shares(
        self, ids: Numbers, data: bytes, wanted: Numbers, cancel: CancelToken | None
    ) -> tuple[Shares, tuple[Level, ...]]:
        """See `CorpusSide`."""
        found = distribution(self._index, self._method, ids, len(self._known), cancel)
        # Listed by probability; sorted by id, they can be looked up.
        order = np.argsort(found.tokens)
        at = np.searchsorted(found.tokens[order], wanted)
        listed = np.isin(wanted, found.tokens)
        shares = np.where(np.isin(wanted, self._known), found.other, 0.0)
        shares[listed] = found.shares[order][at[listed]]
        return shares, found.levels

    def used(self, ids: Numbers, data: bytes, token: int, piece: bytes, levels: tuple[Level, ...]) -> tuple[Used, ...]:
        """See `CorpusSide`."""
        return self._used(ids, np.array([token], dtype=np.int64), levels)

    def place(
        self, ids: Numbers, data: bytes, token: int, piece: bytes, used: tuple[Used, ...]
    ) -> tuple[int, int] | None:
        """See `CorpusSide`."""
        return self._place(ids, np.array([token], dtype=np.int64), used)


class _OfBytes(_Side):
    """A corpus of bytes, which knows no tokens."""

    def __init__(self, index: Backend, method: Method, known: Numbers, strings: TokenStrings) -> None:
        super().__init__(index, method, known)
        self._strings = strings

    def shares(
        self, ids: Numbers, data: bytes, wanted: Numbers, cancel: CancelToken | None
    ) -> tuple[Shares, tuple[Level, ...]]:
        """See `CorpusSide`."""
        # The corpus sees the text, not the tokens that the model made of it.
        context = _bytes(data)
        step = byte_shares(self._index, self._method, context, self._known, cancel)
        levels, _ = levels_after(self._index, context, self._method.reach, cancel)
        return token_shares(step, self._strings, LEAST).share_of(wanted), levels

    def used(self, ids: Numbers, data: bytes, token: int, piece: bytes, levels: tuple[Level, ...]) -> tuple[Used, ...]:
        """See `CorpusSide`."""
        return self._used(_bytes(data), _bytes(piece), levels)

    def place(
        self, ids: Numbers, data: bytes, token: int, piece: bytes, used: tuple[Used, ...]
    ) -> tuple[int, int] | None:
        """See `CorpusSide`."""
        return self._place(_bytes(data), _bytes(piece), used)


def _bytes(data: bytes) -> Numbers:
    return np.frombuffer(data, dtype=np.uint8).astype(np.int64)


def corpus_side(index: Backend, method: Method, known: Numbers, pieces: Sequence[bytes]) -> CorpusSide:
    """Choose how a corpus knows the tokens of a model.

    known: The tokens that there may be, int64.
    pieces: The bytes of each token of the model, by id.
    Returns: By tokens, if the index has the model's tokenizer; by bytes, if it is one of bytes.
    Raises `QueryError` if it is neither, or the method gives scores.
    """
    if not method.normalised:
        raise QueryError(
            mark('"{method}" gives scores, which cannot be mixed with probabilities.'),
            reason="scores",
            method=method.name,
        )
    tokenizer = index.tokenizer
    # Any model spells its tokens in bytes, so such an index fits all of them.
    if tokenizer.backend is None:
        return _OfBytes(index, method, known, TokenStrings(pieces))
    # A model may have more ids than its tokenizer, whose number is rounded up; special tokens are spelled in many ways.
    size = min(tokenizer.vocabulary_size, len(pieces))
    ids = np.arange(size, dtype=np.int64)
    other = [
        token for token in ids[~tokenizer.is_special(ids)].tolist() if tokenizer.token_bytes(token) != pieces[token]
    ]
    if other or tokenizer.vocabulary_size > len(pieces):
        raise QueryError(
            mark("The index has another tokenizer than the model. Its own tokenizer is needed, or an index of bytes."),
            reason="other-tokenizer",
        )
    return _OwnTokens(index, method, known)
