"""How many tokens, and how many distinct ones, follow many contexts of a text."""

from __future__ import annotations

import numpy as np

import _fastsa
from explorer.backends.local.follower_table import FollowerTable
from explorer.backends.local.shard_set import ShardSet
from explorer.backends.longest import find_in_text
from explorer.backends.protocol.protocol import CountQuestions, Numbers
from explorer.core.jobs import CancelToken
from explorer.index.shard import MappedShard


def followers(
    shards: ShardSet,
    counts: CountQuestions,
    table: FollowerTable | None,
    ids: Numbers,
    starts: Numbers,
    ends: Numbers,
    cancel: CancelToken | None,
) -> tuple[Numbers, Numbers]:
    """Answer `explorer.backends.protocol.protocol.CountQuestions.followers` for some shards.

    counts: Answers about their next tokens.
    table: What is known already of frequent tokens.
    starts: The first token of each context.
    ends: One past the last token of each.
    Returns: Tokens that follow each context in its document, and distinct ones.

    Notes
    -----
    Numbers of tokens are sums over shards; numbers of distinct tokens are not, so contexts that several shards have are
    asked for one by one.
    """
    if table is None:
        return _walked(shards, counts, ids, starts, ends, cancel)
    # -1 is the empty context; the table has no -2.
    asked = np.where(ends > starts, -2, -1)
    single = ends == starts + 1
    asked[single] = ids[starts[single]]
    followed, distinct, known = table.followers(asked)
    # Rare tokens and longer contexts.
    rest = np.flatnonzero(~known)
    followed[rest], distinct[rest] = _walked(shards, counts, ids, starts[rest], ends[rest], cancel)
    return followed, distinct


def _walked(
    shards: ShardSet, counts: CountQuestions, ids: Numbers, starts: Numbers, ends: Numbers, cancel: CancelToken | None
) -> tuple[Numbers, Numbers]:
    followed, distinct = np.zeros(len(starts), dtype=np.int64), np.zeros(len(starts), dtype=np.int64)
    # The empty context is followed by every token, also by a shard's first.
    one_by_one = starts == ends
    if shards.is_forward and not shards.subtraction.minus:
        for shard in shards.shards:
            some, kinds = _in_shard(shard, shards.separator, ids, starts, ends, cancel)
            one_by_one |= (followed > 0) & (some > 0)
            followed += some
            distinct += kinds
    else:
        one_by_one |= True
    for number in np.flatnonzero(one_by_one).tolist():
        found = counts.next_tokens(ids[starts[number] : ends[number]], cancel=cancel)
        kept = found.counts[found.tokens != shards.separator]
        followed[number], distinct[number] = kept.sum(), len(kept)
    return followed, distinct


def _in_shard(
    shard: MappedShard, separator: int, ids: Numbers, starts: Numbers, ends: Numbers, cancel: CancelToken | None
) -> tuple[Numbers, Numbers]:
    first, last = find_in_text(shard, ids, starts, ends, cancel)
    # What is not there has a range of its own, which is empty.
    with shard.guarded() as engine:
        return _fastsa.followers(engine, first, last, ends - starts, separator, cancel.flag if cancel else None)
