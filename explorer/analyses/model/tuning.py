"""What learned trust is learned from: parts of the corpus, as if they were not in it, or another text."""

from __future__ import annotations

import numpy as np

from explorer.analyses.model.levels import Places, places_in
from explorer.backends.protocol.protocol import Backend, Numbers
from explorer.core.jobs import CancelToken

TOKENS = 131_072
"""Tokens of a corpus to learn from: four times as many change the perplexity of a text by a quarter of a percent."""
_STRETCH = 2_048


def sample(index: Backend, context: int, tokens: int = TOKENS, cancel: CancelToken | None = None) -> Places:
    """Choose tokens of a corpus, in stretches that are spread evenly over it.

    tokens: About how many; the corpus may have fewer.
    """
    sizes = index.documents.sizes()
    numbers = np.flatnonzero(sizes > 1)
    # Without the separators, which are not in a document.
    ends = np.cumsum(sizes[numbers] - 1)
    every = int(ends[-1]) if len(ends) else 0
    wanted = min(tokens, every)
    stretches = max(1, -(-wanted // _STRETCH))
    at = (np.arange(stretches, dtype=np.int64) * every) // stretches
    parts = [
        _parts(ends, begin, min(begin + wanted // stretches, end), context)
        for begin, end in zip(at.tolist(), [*at[1:].tolist(), every], strict=True)
    ]
    documents, froms, firsts, lasts = np.concatenate(parts, axis=1)
    if cancel is not None:
        cancel.check()
    # All at once: of an index on another machine, this is one request.
    texts = index.documents.windows(numbers[documents], froms, lasts)
    # The first token of a document has no context.
    return places_in(texts, np.maximum(firsts - froms, froms == firsts).tolist())


def _parts(ends: Numbers, begin: int, end: int, context: int) -> Numbers:
    """The documents between two tokens of the corpus: number, begin of the context, first and last token, [4, n]."""
    if begin >= end:
        return np.empty((4, 0), dtype=np.int64)
    documents = np.arange(np.searchsorted(ends, begin, side="right"), np.searchsorted(ends, end, side="left") + 1)
    starts = np.where(documents > 0, ends[documents - 1], 0)
    firsts = np.maximum(0, begin - starts)
    return np.stack([documents, np.maximum(0, firsts - context), firsts, np.minimum(ends[documents], end) - starts])
