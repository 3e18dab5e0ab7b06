"""The static n-gram cache of llama.cpp: what follows each pair of tokens in the corpus.

The layout is that of `common/ngram-cache.cpp` of llama.cpp no header; per pair four int32 (two ids, -1, -1),
an int32 number of followers, and for each follower two int32 (id, count); in the byte order of the machine.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from explorer.backends.protocol.protocol import Backend, Numbers
from explorer.core.jobs import CancelToken, Progress, Report, no_report

_NO_TOKEN = -1
_MOST = 2**31 - 1


def lookup_cache(
    index: Backend, report: Report = no_report, cancel: CancelToken | None = None
) -> Iterator[tuple[int, int, bytes]]:
    """Write the cache, piece by piece.

    index: The index. Its tokenizer must be that of the model that will use the cache.
    report: Called with the first tokens that are done.
    Yields: For one first token: pairs with followers, their followers, and the bytes.

    Notes
    -----
    Cost: one `next_tokens` per distinct pair of the corpus. Documents are not crossed.
    """
    firsts, _ = _after(index, ())
    for done, first in enumerate(firsts.tolist()):
        if cancel is not None:
            cancel.check()
        yield _pairs(index, first)
        report(Progress("Writing the cache", done + 1, len(firsts), "tokens"))


def _pairs(index: Backend, first: int) -> tuple[int, int, bytes]:
    pieces, followers = [], 0
    for second in _after(index, (first,))[0].tolist():
        tokens, counts = _after(index, (first, second))
        if len(tokens):
            head = np.array([first, second, _NO_TOKEN, _NO_TOKEN, len(tokens)], dtype=np.int32)
            # A count is an int32 there; more than two thousand million are as good as that.
            rows = np.column_stack([tokens, np.minimum(counts, _MOST)]).astype(np.int32)
            pieces += [head.tobytes(), rows.tobytes()]
            followers += len(tokens)
    return len(pieces) // 2, followers, b"".join(pieces)


def _after(index: Backend, context: tuple[int, ...]) -> tuple[Numbers, Numbers]:
    """The tokens that follow a context in its document, by id, and how often."""
    found = index.counts.next_tokens(context)
    tokens, counts = found.tokens[found.tokens != index.separator], found.counts[found.tokens != index.separator]
    order = np.argsort(tokens)
    return tokens[order], counts[order]
