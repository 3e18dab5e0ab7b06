"""What learned trust is learned from: parts of the corpus, as if they were not in it, or another text."""

from __future__ import annotations

import numpy as np

from explorer.backends.protocol import Backend, Numbers
from explorer.jobs import CancelToken
from explorer.model.levels import Places, places_in

TOKENS = 131_072
"""Tokens of a corpus to learn from: four times as many change the perplexity of a text by a quarter of a percent."""
_STRETCH = 2_048


def sample(index: Backend, context: int, tokens: int = TOKENS, cancel: CancelToken | None = None) -> Places:
    """Choose tokens of a corpus, in stretches that are spread evenly over it.

    Parameters
    ----------
    index
        The index.
    context
        Most tokens before each that are its context.
    tokens
        About how many; the corpus may have fewer.
    cancel
        Stops the reading.

    Returns
    -------
    Places
        The tokens. The same corpus gives the same ones.
    """
    sizes = index.documents.sizes()
    numbers = np.flatnonzero(sizes > 1)
    # Without the separators, which are not in a document.
    ends = np.cumsum(sizes[numbers] - 1)
    every = int(ends[-1]) if len(ends) else 0
    wanted = min(tokens, every)
    stretches = max(1, -(-wanted // _STRETCH))
    at = (np.arange(stretches, dtype=np.int64) * every) // stretches
    texts, firsts = [], []
    for begin, end in zip(at.tolist(), [*at[1:].tolist(), every], strict=True):
        if cancel is not None:
            cancel.check()
        for text, first in _read(index, numbers, ends, begin, min(begin + wanted // stretches, end), context):
            texts.append(text)
            firsts.append(first)
    return places_in(texts, firsts)


def _read(
    index: Backend, numbers: Numbers, ends: Numbers, begin: int, end: int, context: int
) -> list[tuple[Numbers, int]]:
    """The documents' parts between two tokens of the corpus, each with its context, and the first token after that."""
    if begin >= end:
        return []
    documents = np.arange(np.searchsorted(ends, begin, side="right"), np.searchsorted(ends, end, side="left") + 1)
    starts = np.where(documents > 0, ends[documents - 1], 0)
    firsts = np.maximum(0, begin - starts)
    lasts = np.minimum(ends[documents], end) - starts
    froms = np.maximum(0, firsts - context)
    read = index.documents.windows(numbers[documents], froms, lasts)
    # The first token of a document has no context.
    return [
        (text, max(int(first - from_), int(from_ == first)))
        for text, first, from_ in zip(read, firsts, froms, strict=True)
    ]
