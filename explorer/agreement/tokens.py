"""Effective n, probability, agreement and sparsity of every token of a text.

Liu et al., "Infini-gram", 2024, sections 2 and 4: the ∞-gram predicts each token from the longest suffix of the text
before it that occurs in the corpus; effective n is that suffix's length plus one. A token agrees where its probability
exceeds 0.5, and is sparse where every occurrence of the suffix is followed by the same token.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.backends.protocol import Backend, Followed, Ids
from explorer.errors import QueryError
from explorer.i18n import tr
from explorer.jobs import CancelToken

AGREEMENT_THRESHOLD = 0.5


@dataclass(frozen=True)
class Agreement:
    """One entry a token; token i is predicted from the tokens before it.

    effective_n: 1 + tokens of context used; context_count, continuation_count: occurrences of that
    context, and of it with the token; probability: their ratio; sparse: only one token ever follows.
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


def agreement(
    index: Backend,
    ids: Ids,
    max_n: int | None = None,
    cancel: CancelToken | None = None,
    longest: NDArray[np.int64] | None = None,
) -> Agreement:
    """Agreement of every token of a text; with `max_n`, of an n-gram model with backoff (5: 5-gram).

    longest: the index's longest matches of these tokens, where they are known already. Cost: a few searches a
    token, all in the engine.
    """
    return agreements(index, ids, (max_n,), cancel, longest)[0]


def agreements(
    index: Backend,
    ids: Ids,
    orders: Sequence[int | None],
    cancel: CancelToken | None = None,
    longest: NDArray[np.int64] | None = None,
) -> tuple[Agreement, ...]:
    """As `agreement` for several models, in one request; None: the ∞-gram."""
    if wrong := [order for order in orders if order is not None and order < 1]:
        raise QueryError(tr("n must be at least 1, not {max_n}.", max_n=wrong[0]))
    return tuple(map(_as_agreement, index.followed(ids, orders, longest, cancel)))


def _as_agreement(found: Followed) -> Agreement:
    return Agreement(
        effective_n=np.arange(1, len(found.starts) + 1, dtype=np.int64) - found.starts,
        context_count=found.context,
        continuation_count=found.continuation,
        probability=found.continuation / np.maximum(1, found.context),
        sparse=found.sparse,
    )
