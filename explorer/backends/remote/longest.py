"""The longest matches of a text, by questions about where matches end."""

from __future__ import annotations

import numpy as np

from explorer.backends.longest import starts_from_ends
from explorer.backends.protocol.protocol import Numbers
from explorer.backends.remote.service import Service
from explorer.core.jobs import CancelToken
from explorer.errors import CapabilityError
from explorer.i18n import tr


def suffix_length(service: Service, ids: Numbers, cancel: CancelToken | None = None) -> int:
    """Find the length of the longest suffix of a context that occurs.

    Raises `CapabilityError` if it may be longer than the service can be asked.
    """
    return int(_ends(service, ids, np.array([len(ids) - 1]), cancel)[0]) if len(ids) else 0


def longest_matches(service: Service, ids: Numbers, cancel: CancelToken | None = None) -> Numbers:
    """Find the longest n-gram from each token of a text on that occurs.

    cancel: Stops the questions; what was answered is kept.
    Returns: Lengths in tokens, int64.
    Raises `CapabilityError` if a match may be longer than the service can be asked.

    Notes
    -----
    At most one question per token. The longest match that ends with a token is at most one longer than that of the
    token before, and at least one shorter than that of the token after. So tokens are asked about by halving, and where
    both bounds meet, as within a long match, none of those between is asked about.
    """
    if not len(ids):
        return np.zeros(0, dtype=np.int64)
    # back[i + 1]: of the match that ends with token i; nothing ends before the first one.
    back = np.full(len(ids) + 1, -1, dtype=np.int64)
    back[0] = 0
    back[-1] = _ends(service, ids, np.array([len(ids) - 1]), cancel)[0]
    lows, highs = np.array([0]), np.array([len(ids)])
    while len(lows):
        settled = back[highs] - back[lows] == highs - lows
        for low, high in zip(lows[settled].tolist(), highs[settled].tolist(), strict=True):
            back[low : high + 1] = back[low] + np.arange(high - low + 1)
        wide = ~settled & (highs - lows > 1)
        lows, highs = lows[wide], highs[wide]
        middles = (lows + highs) // 2
        back[middles] = _ends(service, ids, middles - 1, cancel)
        lows, highs = np.concatenate([lows, middles]), np.concatenate([middles, highs])
    return starts_from_ends(back[1:])


def _ends(service: Service, ids: Numbers, lasts: Numbers, cancel: CancelToken | None) -> Numbers:
    """The lengths of the longest matches that end with some tokens."""
    most = service.limits.tokens
    asked = [ids[max(0, last + 1 - most) : last + 1] for last in lasts.tolist()]
    questions = [service.question("infgram_ntd", part, max_support=1) for part in asked]
    answers = service.ask_many(questions, cancel)
    lengths = np.array([answer["suffix_len"] for answer in answers], dtype=np.int64)
    # All that could be asked about occurs, and there are tokens before it.
    if ((lengths == most) & (lasts + 1 > most)).any():
        raise CapabilityError(
            tr(
                "More than {most:,} tokens of this text occur in a row, which is more than {host} can be asked about.",
                most=most,
                host=service.host,
            )
        )
    return lengths
