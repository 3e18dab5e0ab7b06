"""The levels of one context, and its most likely continuation, from single counts: for every kind of index."""

from __future__ import annotations

import numpy as np

from explorer.backends.protocol.protocol import CountQuestions, Ids, Level
from explorer.core.jobs import CancelToken


def levels_by_counts(
    counts: CountQuestions,
    separator: int,
    context: Ids,
    least: int,
    most: int | None,
    selective: bool,
    cancel: CancelToken | None = None,
) -> tuple[tuple[Level, ...], bool]:
    """Answer `explorer.backends.protocol.count_questions.CountQuestions.levels` by other questions.

    separator: The id that ends documents.
    least: The fewest tokens of a suffix.
    most: The most suffixes; None for all.
    selective: Whether to leave out a suffix that is followed as often as a longer one.
    """
    # Once for all suffixes: the questions below take checked ids.
    near = counts.check_ids(context, allow_empty=True)
    longest = counts.longest_suffix(near)
    lengths = [*range(longest, max(least, 1) - 1, -1)]
    ends = np.full(len(lengths), len(near), dtype=np.int64)
    followed = counts.followers(near, ends - np.array(lengths, dtype=np.int64), ends, cancel)[0].tolist()
    kept = [pair for pair in zip(lengths, followed, strict=True) if pair[1]]
    if selective:
        # From the longest: one that is followed no oftener than the one before it has the same followers.
        kept = [pair for number, pair in enumerate(kept) if not number or pair[1] > kept[number - 1][1]]
    wanted = [length for length, _ in kept] + ([0] if least < 1 else [])
    found = (_level(counts, separator, near[len(near) - length :], cancel) for length in wanted[:most])
    return tuple(level for level in found if level.followed), bool(lengths) and not followed[0]


def _level(counts: CountQuestions, separator: int, suffix: Ids, cancel: CancelToken | None) -> Level:
    found = counts.next_tokens(suffix, cancel=cancel)
    # The end of a document is counted apart from the tokens.
    is_token = found.tokens != separator
    order = np.argsort(found.tokens[is_token])
    ends = found.context_count - int(found.counts[is_token].sum()) if len(suffix) else 0
    return Level(len(suffix), found.tokens[is_token][order], found.counts[is_token][order], ends)


def greedy_by_counts(
    counts: CountQuestions, separator: int, context: Ids, most: int, least: float, cancel: CancelToken | None = None
) -> tuple[int, list[int]]:
    """Answer `explorer.backends.protocol.count_questions.CountQuestions.greedy` by other questions.

    separator: The id that ends documents.
    least: The least product of their shares.
    """
    near = counts.check_ids(context, allow_empty=True).tolist()
    match = counts.longest_suffix(near)
    after = near[len(near) - match :]
    found: list[int] = []
    product = 1.0
    while match and len(found) < min(most, max(1, match)):
        following = counts.next_tokens(after, cancel=cancel)
        # Most frequent first, then by id.
        if not len(following.tokens) or int(following.tokens[0]) == separator:
            break
        # The ends of documents are among what follows, so they make each share smaller.
        product *= float(following.counts[0] / following.counts.sum())
        if product < least:
            break
        found.append(int(following.tokens[0]))
        after = [*after, found[-1]]
    return match, found
