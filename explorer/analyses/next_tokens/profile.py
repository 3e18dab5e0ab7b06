"""The n-gram profile of a context: what each of its suffixes predicts about the next token; and what occurs around it.

Plateau: five or more suffixes of growing length with the same count. The corpus then holds the passage
itself that often, word for word, and longer contexts only count its copies (the rule of thumb is from the
infini-gram blog of 2025).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from explorer.analyses.next_tokens.counts import next_tokens
from explorer.analyses.search.hits import Hits
from explorer.backends.protocol.protocol import Backend
from explorer.core.jobs import CancelToken

# Suffixes of one count that are a plateau, and rungs that are shown at most.
PLATEAU = 5
MOST_RUNGS = 100
# Occurrences that are looked up for the tokens before an n-gram; of more, a sample.
LEFT_LIMIT = 200_000


@dataclass(frozen=True)
class Rung:
    """One suffix of a context.

    n: Its tokens and the next one.
    distinct: The number of tokens that follow.
    entropy: The entropy of their distribution, in bits.
    top: The likeliest with their counts.
    plateau: Whether it is one of at least five suffixes of one count.
    sample: Occurrences that `distinct`, `entropy` and `top` are from; 0 for all.
    """

    n: int
    context_count: int
    distinct: int
    entropy: float
    top: tuple[tuple[int, int], ...]
    plateau: bool = False
    sample: int = 0


@dataclass(frozen=True)
class Branch:
    """A token beside an n-gram.

    count: How often it occurs there.
    """

    token: int
    count: int


@dataclass(frozen=True)
class Branches:
    """Tokens on one side of an n-gram.

    branches: The tokens, most frequent first.
    distinct: The number of all different ones.
    total: Occurrences of the n-gram.
    looked_at: Occurrences that were looked at.
    """

    branches: tuple[Branch, ...]
    distinct: int
    total: int
    looked_at: int

    @property
    def exact(self) -> bool:
        """Whether every occurrence was looked at."""
        return self.looked_at == self.total


def ladder(
    index: Backend,
    ids: Sequence[int] | NDArray[np.int64],
    cancel: CancelToken | None = None,
    limit: int | None = None,
) -> tuple[Rung, ...]:
    """Look up every suffix of a context that occurs.

    limit: Occurrences of each suffix to look at, for an index that cannot count all that follows; None for all.
    Returns: One rung per suffix, the empty one first, with the entropy of the next token in bits; of more than 100, the
        shortest and the longest 50.
    """
    array = index.counts.check_ids(ids, allow_empty=True)
    longest = index.counts.longest_suffix(array.tolist())
    # From the empty suffix to the longest that occurs: every suffix of one that occurs does, too.
    lengths = list(range(longest + 1))
    if len(lengths) > MOST_RUNGS:
        lengths = [*lengths[: MOST_RUNGS // 2], *lengths[-MOST_RUNGS // 2 :]]
    rungs = []
    for length in lengths:
        if cancel is not None:
            cancel.check()
        rungs.append(_rung(index, array[len(array) - length :], limit, cancel))
    return _with_plateaus(rungs)


def _rung(index: Backend, context: NDArray[np.int64], limit: int | None, cancel: CancelToken | None) -> Rung:
    found = next_tokens(index, context, limit=limit, cancel=cancel)
    shares = found.probabilities
    # The shares are above 0, since only tokens that follow are listed. One of them gives -0.0, hence the maximum below.
    entropy = float(-(shares * np.log2(shares)).sum()) if len(shares) else 0.0
    top = zip(found.tokens[:5].tolist(), found.counts[:5].tolist(), strict=True)
    distinct = len(found.tokens)
    return Rung(
        len(context) + 1, found.context_count, distinct, max(0.0, entropy), tuple(top), sample=found.sample_size
    )


def _with_plateaus(rungs: Sequence[Rung]) -> tuple[Rung, ...]:
    marked: list[Rung] = []
    start = 0
    # One step past the end closes the last run of equal counts.
    for i in range(1, len(rungs) + 1):
        if i < len(rungs) and rungs[i].context_count == rungs[start].context_count:
            continue
        flat = i - start >= PLATEAU
        marked += [replace(rung, plateau=flat) for rung in rungs[start:i]]
        start = i
    return tuple(marked)


def right_of(index: Backend, ids: Sequence[int], most: int = 20, cancel: CancelToken | None = None) -> Branches:
    """Count the tokens after an n-gram; exact.

    Returns: The tokens, most frequent first, and the number of distinct ones.
    """
    found = next_tokens(index, ids, cancel=cancel)
    pairs = zip(found.tokens[:most].tolist(), found.counts[:most].tolist(), strict=True)
    return Branches(tuple(Branch(*pair) for pair in pairs), len(found.tokens), found.context_count, found.context_count)


def left_of(
    index: Backend, ids: Sequence[int], most: int = 20, seed: int = 0, cancel: CancelToken | None = None
) -> Branches:
    """Count the tokens before an n-gram. The suffix array does not help here: up to 200,000 occurrences are looked at.

    Returns: The tokens, most frequent first; the separator for the beginning of a document.
    """
    hits = Hits(index, [index.hits.find(ids)])
    numbers: NDArray[np.int64] | None = None
    if hits.total > LEFT_LIMIT:
        # Ascending, so that the entries of the table are read in the order of the file.
        numbers = np.sort(np.random.default_rng(seed).choice(hits.total, LEFT_LIMIT, replace=False))
    found: dict[int, int] = {}
    looked_at = 0
    for _, located in hits.chunks(numbers, cancel):
        looked_at += len(located)
        # Before the first token of a document is the separator.
        tokens = index.documents.tokens_at(located.documents, located.offsets - 1)
        for token, count in zip(*(part.tolist() for part in np.unique(tokens, return_counts=True)), strict=True):
            found[token] = found.get(token, 0) + count
    # Ties by token id, so that the answer does not depend on the order of hits.
    ordered = sorted(found.items(), key=lambda pair: (-pair[1], pair[0]))
    return Branches(tuple(Branch(*pair) for pair in ordered[:most]), len(ordered), hits.count, looked_at)
