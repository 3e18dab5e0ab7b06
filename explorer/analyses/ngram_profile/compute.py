"""The n-gram profile of one token of a text: how often each context before it occurs, and how often it follows there.

The figure is that of J. Liu's blog on infini-gram, OLMoTrace and infini-LLM, 2025. A plateau, five or more lengths with
one count, shows a passage that the corpus contains as a whole: a longer context then only counts its copies again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.analyses.next_tokens.profile import PLATEAU
from explorer.backends.protocol.protocol import Backend, Ids
from explorer.core.arrays import ArrayValue
from explorer.core.jobs import CancelToken
from explorer.errors import QueryError
from explorer.i18n import mark

Numbers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class NgramProfile(ArrayValue):
    """The contexts before one token, from the empty one to the longest that occurs; one entry per n.

    position: The token's place in its text, from 0.
    n: The length of the n-gram, 1 and more: n - 1 tokens of context, and the token. int64 of shape (rows,).
    count: Occurrences of the context, int64 of shape (rows,). The empty context occurs at every token of the index,
        among them a separator per document.
    agreeing: Those that this token follows, int64 of shape (rows,).
    plateau: Whether n is one of at least five lengths in a row with one count, bool of shape (rows,).
    """

    position: int
    token: int
    n: Numbers
    count: Numbers
    agreeing: Numbers
    plateau: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.n)

    @property
    def disagreeing(self) -> Numbers:
        """Occurrences that another token follows, or the end of a document; int64 of shape (rows,)."""
        return self.count - self.agreeing

    @property
    def share(self) -> NDArray[np.float64]:
        """The part of the occurrences that this token follows, 0 to 1; float64 of shape (rows,)."""
        # The empty context of an index without tokens occurs nowhere.
        return self.agreeing / np.maximum(1, self.count)


def ngram_profile(
    index: Backend, ids: Ids, position: int = -1, max_n: int | None = None, cancel: CancelToken | None = None
) -> NgramProfile:
    """Count every context before a token of a text, and how often the token follows it.

    position: The token, from 0; negative positions count from the end, -1 is the last token.
    max_n: The longest n-gram, 1 or more; None for the longest context that occurs.
    Returns: One row per n, up to the longest context that occurs. A longer one occurs nowhere, so it has no row.
    Raises `QueryError` if there is no such token, an id is not one of the index, or `max_n` is less than 1.

    Notes
    -----
    Exact. Counts never grow with n, so equal counts at two lengths hold for all between them: the number of searches
    grows with the number of different counts, not with the length of the context.

    Examples
    --------
    >>> from explorer.analyses.ngram_profile.compute import ngram_profile
    >>> found = ngram_profile(corpus.index, corpus.encode("the cat sat on the rug"))
    >>> found.n.tolist()
    [1, 2, 3, 4, 5, 6]
    >>> found.agreeing.tolist()
    [1, 1, 1, 1, 1, 1]
    """
    array = index.counts.check_ids(ids, allow_empty=True)
    at = _checked(position, len(array), max_n)
    context = array[:at]
    # Beyond this length the context occurs nowhere, so no length there is asked about.
    longest = index.counts.longest_suffix(context.tolist())
    if max_n is not None:
        longest = min(longest, max_n - 1)
    # Each context is a stretch of this one array that ends before the token, or with it.
    last = array[: at + 1]

    def count(lengths: Numbers) -> Numbers:
        return index.counts.count_many(last, at - lengths, np.full_like(lengths, at), cancel)

    def agree(lengths: Numbers) -> Numbers:
        return index.counts.count_many(last, at - lengths, np.full_like(lengths, at + 1), cancel)

    counts = falling(count, longest + 1)
    return NgramProfile(
        position=at,
        token=int(array[at]),
        n=np.arange(1, longest + 2, dtype=np.int64),
        count=counts,
        # With searches of its own: it falls at other lengths than the count of the context.
        agreeing=falling(agree, longest + 1),
        plateau=plateaus(counts),
    )


def _checked(position: int, tokens: int, max_n: int | None) -> int:
    """The position from the beginning."""
    if not -tokens <= position < tokens:
        raise QueryError(
            mark("There is no token {position}: the text has {tokens:,} tokens."),
            reason="bad-position",
            position=position,
            tokens=tokens,
        )
    if max_n is not None and max_n < 1:
        raise QueryError(mark("n must be at least 1, not {max_n}."), reason="bad-length", max_n=max_n)
    # Python takes the sign of the divisor, so -1 becomes the last token.
    return position % tokens


def falling(ask: Callable[[Numbers], Numbers], size: int) -> Numbers:
    """Compute all values of a function that never grows, with few questions.

    ask: Gives the values at ascending places, int64; called with many places at once.
    size: The number of places, from 0; at least 1.
    Returns: The value at each place, int64 of shape (size,).

    Notes
    -----
    Asks about the middle of each part whose ends differ, so about d log(size) places for d different values.
    """
    values = np.zeros(size, dtype=np.int64)
    ends = np.unique(np.array([0, size - 1], dtype=np.int64))
    values[ends] = ask(ends)
    # All parts of one depth are asked about together: the engine answers many places in one call.
    open_ = [(0, size - 1)]
    while open_:
        # A part with equal ends is flat; one without an inside is known.
        parts = [(first, last) for first, last in open_ if last - first > 1]
        for first, last in parts:
            if values[first] == values[last]:
                values[first:last] = values[first]
        parts = [(first, last) for first, last in parts if values[first] != values[last]]
        middles = np.array([(first + last) // 2 for first, last in parts], dtype=np.int64)
        if len(middles):
            # Middles of different parts are different places, so none is asked about twice.
            values[middles] = ask(middles)
        pairs = zip(parts, middles.tolist(), strict=True)
        open_ = [half for (first, last), middle in pairs for half in ((first, middle), (middle, last))]
    return values


def plateaus(counts: Numbers) -> NDArray[np.bool_]:
    """Find the runs of at least five equal counts.

    Returns: Whether each count is in such a run. Counts of 0 are in none: what does not occur is not a copy.
    """
    if not len(counts):
        return np.zeros(0, dtype=np.bool_)
    # The value in front differs from the first one, so that a run begins at 0.
    starts = np.flatnonzero(np.diff(counts, prepend=counts[0] + 1))
    lengths = np.diff(starts, append=len(counts))
    return np.repeat(lengths >= PLATEAU, lengths) & (counts > 0)
