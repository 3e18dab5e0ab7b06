"""Effective n, probability, agreement and sparsity of every token of a text.

Liu et al., "Infini-gram", 2024, sections 2 and 4: the ∞-gram predicts each token from the longest suffix of the text
before it that occurs in the corpus; effective n is that suffix's length plus one. A token agrees where its probability
exceeds 0.5, and is sparse where every occurrence of the suffix is followed by the same token.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from explorer.backends.protocol.protocol import Backend, Followed, Ids
from explorer.core.arrays import ArrayValue
from explorer.core.jobs import CancelToken
from explorer.errors import QueryError
from explorer.i18n import mark

# Above it, no other token can be as likely: the most likely next token is the one of the text.
AGREEMENT_THRESHOLD = 0.5


@dataclass(frozen=True, eq=False)
class Agreement(ArrayValue):
    """How each token of a text agrees with the corpus; token i is predicted from the tokens before it.

    Attributes
    ----------
    effective_n
        1 + tokens of context used, int64.
    context_count
        Occurrences of that context, int64.
    continuation_count
        Occurrences of that context with the token after it, int64.
    probability
        Their ratio, float64; 0 if the context does not occur.
    sparse
        Whether only one token ever follows the context, bool.
    """

    effective_n: NDArray[np.int64]
    context_count: NDArray[np.int64]
    continuation_count: NDArray[np.int64]
    probability: NDArray[np.float64]
    sparse: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.effective_n)

    @property
    def agrees(self) -> NDArray[np.bool_]:
        """Tokens whose probability exceeds 0.5."""
        return self.probability > AGREEMENT_THRESHOLD

    def after(self, first: int) -> Agreement:
        """Leave the first tokens out, which were context for the others.

        Parameters
        ----------
        first
            How many, from 0.

        Returns
        -------
        Agreement
            The same figures of the other tokens.
        """
        return Agreement(*(getattr(self, each.name)[first:] for each in fields(self))) if first else self


def agreement(
    index: Backend,
    ids: Ids,
    max_n: int | None = None,
    cancel: CancelToken | None = None,
    longest: NDArray[np.int64] | None = None,
    first: int = 0,
) -> Agreement:
    """Compute the agreement of every token of a text with the corpus.

    ids: The text's token ids; may be empty.
    max_n: The most tokens of an n-gram, with backoff (5: a 5-gram model); None for the longest context that occurs.
    longest: The index's longest matches of these tokens, if they are known.
    first: The first token that is scored, from 0; those before it are context only.
    Returns: One entry per token that is scored.
    Raises `QueryError` if `max_n` is less than 1, or an id is not one of the index.

    Notes
    -----
    A few searches per token, all in the engine. The definitions are those of J. Liu et al., "Infini-gram", 2024.
    """
    return agreements(index, ids, (max_n,), cancel, longest)[0].after(first)


def agreements(
    index: Backend,
    ids: Ids,
    orders: Sequence[int | None],
    cancel: CancelToken | None = None,
    longest: NDArray[np.int64] | None = None,
) -> tuple[Agreement, ...]:
    """Compute the agreement of every token of a text for several models, in one request.

    ids: The text's token ids; may be empty.
    orders: One entry per model: the most tokens of an n-gram, or None for the longest context that occurs.
    longest: The index's longest matches of these tokens, if they are known.
    Returns: One result per model, each with one entry per token.
    Raises `QueryError` if an order is less than 1, or an id is not one of the index.

    Notes
    -----
    A few searches per token and model.
    """
    # Checked here, and not by backends: they all take orders from 1.
    if wrong := [order for order in orders if order is not None and order < 1]:
        raise QueryError(mark("n must be at least 1, not {max_n}."), reason="bad-length", max_n=wrong[0])
    return tuple(map(_as_agreement, index.counts.followed(ids, orders, longest, cancel)))


def _as_agreement(found: Followed) -> Agreement:
    return Agreement(
        # Token i has used the tokens from `starts[i]` to i as its context, so i - starts[i] of them, plus itself.
        effective_n=np.arange(1, len(found.starts) + 1, dtype=np.int64) - found.starts,
        context_count=found.context,
        continuation_count=found.continuation,
        # The empty context occurs at every token, so 0 is only the count of an index without tokens; 0 / 1 is 0 then.
        probability=found.continuation / np.maximum(1, found.context),
        sparse=found.sparse,
    )
