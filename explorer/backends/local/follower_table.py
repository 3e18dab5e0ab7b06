"""What follows the most frequent tokens, found once and kept in the user's cache folder.

A frequent token of a large index has thousands of followers, and a walk over its ranks reads the text at least once for
each of them: milliseconds. The answers for all such tokens together take less than a byte per token of the index, and
half a second for 60 million tokens. They stay exact, since an index never changes. The file is named by a fingerprint
of the shards, as that of the sampled keys is.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from explorer.backends.local.shard_set import ShardSet
from explorer.backends.protocol.protocol import Ids, NextTokens, Numbers
from explorer.core.files.paths import cache_folder
from explorer.core.jobs import CancelToken, Progress, Report, no_report
from explorer.index.guard import Guard
from explorer.index.key_samples import LARGEST_UNASKED, index_fingerprint, keep

_LOG = logging.getLogger("explorer.index")
FREQUENT = 1024
"""Occurrences from which the followers of a token are kept: fewer are walked in a tenth of a millisecond."""
MANY = 64
"""Distinct followers from which they are kept."""
LARGE = 1 << 20
"""Tokens of an index from which there is a table: in a smaller one, a walk takes a fraction of a millisecond."""
# A limit of 64 MiB: eight bytes per follower.
_MOST_ENTRIES = 1 << 23
# In the place of the token, for the context without tokens.
_EMPTY = -1
# The first number of a file; another layout gets another one.
_KIND = 0x31524C4C4F46
_LARGEST_COUNT = 1 << 32
_Entries = NDArray[np.uint32]


class Asked(Protocol):
    """Who answers what is not in the table."""

    def next_tokens(
        self, context: Ids, backoff: bool = False, limit: int | None = None, cancel: CancelToken | None = None
    ) -> NextTokens:
        """Count the tokens that follow a context.

        backoff: Whether to take the longest suffix that occurs.
        limit: The most occurrences to look at; None for all.
        """

    def count(self, ids: Ids) -> int:
        """Count an n-gram."""


class FollowerTable:
    """The followers of some contexts of one token, and of the empty one.

    contexts: The tokens, int64, ascending; -1 first, for the empty context.
    occurrences: How often each occurs, int64.
    begins: Where the followers of each begin, one or more; one entry more for the end of the last, int64.
    tokens: The followers of each, most frequent first, then by id, uint32.
    counts: How often each follows, uint32.
    separator: The id that ends documents.
    guard: Watches what the arrays are mapped from.
    """

    def __init__(
        self, contexts: Numbers, occurrences: Numbers, begins: Numbers, tokens: _Entries, counts: _Entries,
        separator: int, guard: Guard,
    ) -> None:  # fmt: skip
        self.contexts, self.occurrences, self.begins = contexts, occurrences, begins
        self.tokens, self.counts, self._guard = tokens, counts, guard
        self._rows = {context: row for row, context in enumerate(contexts.tolist())}
        # Summed at once for all rows; the separator is not a token that follows.
        is_token = tokens != separator
        none = np.zeros(0, dtype=np.int64)
        self._followed = np.add.reduceat(counts * is_token, begins[:-1], dtype=np.int64) if len(contexts) else none
        self._distinct = np.add.reduceat(is_token, begins[:-1], dtype=np.int64) if len(contexts) else none

    def __len__(self) -> int:
        return len(self.contexts)

    def next_tokens(self, context: Ids) -> NextTokens | None:
        """Look up what follows a context.

        Returns: The answer; None if it is not in the table, which decides nothing about whether the ids are valid.
        """
        if not isinstance(context, list | tuple | np.ndarray) or len(context) > 1:
            return None
        token = context[0] if len(context) else _EMPTY
        # Whoever checks ids refuses other types, such as True, which equals 1 here.
        if type(token) is not int and not isinstance(token, np.integer):
            return None
        row = self._rows.get(int(token)) if token >= 0 or not len(context) else None
        if row is None:
            return None
        with self._guard:
            part = slice(self.begins[row], self.begins[row + 1])
            tokens, counts = self.tokens[part].astype(np.int64), self.counts[part].astype(np.int64)
            occurrences = int(self.occurrences[row])
        # Closed in place: nobody else has these arrays.
        tokens.setflags(write=False)
        counts.setflags(write=False)
        return NextTokens(tokens, counts, occurrences, len(context))

    def followers(self, contexts: Numbers) -> tuple[Numbers, Numbers, NDArray[np.bool_]]:
        """Look up how many tokens follow some contexts, and how many distinct ones.

        contexts: One token each; -1 for the empty context, -2 for what cannot be in the table, int64.
        Returns: Tokens that follow each, distinct ones, and whether the context is in the table; 0 where it is not.
        """
        # One past the end for what is greater than every context.
        at = np.searchsorted(self.contexts, contexts)
        known = at < len(self.contexts)
        known[known] = self.contexts[at[known]] == contexts[known]
        followed, distinct = np.zeros(len(contexts), dtype=np.int64), np.zeros(len(contexts), dtype=np.int64)
        followed[known], distinct[known] = self._followed[at[known]], self._distinct[at[known]]
        return followed, distinct, known


def prepare(
    shards: ShardSet, asked: Asked, report: Report = no_report, cancel: CancelToken | None = None
) -> FollowerTable | None:
    """Give the table of an index, from the cache or newly made.

    asked: Answers about their next tokens, without a table.
    report: Called once if the table must be made.
    Returns: The table; None where it would cost much, or documents are subtracted.

    Notes
    -----
    Making it costs one `next_tokens` per token that occurs `FREQUENT` times: half a second for 60 million tokens.
    """
    size = sum(len(shard.table) + shard.tokens.nbytes for shard in shards.shards)
    # Stored backwards, a walk looks at every occurrence: making the table would take minutes.
    if not shards.is_forward or shards.subtraction.minus or shards.token_count < LARGE:
        return None
    path = cache_folder() / f"{index_fingerprint(shards.shards)}.followers"
    table = _load(path, shards, asked)
    if table is None and size <= LARGEST_UNASKED:
        report(Progress("Preparing the index", 0, 0))
        table = _made(shards, asked, cancel)
        keep(path, _pieces(table))
    return table


def _made(shards: ShardSet, asked: Asked, cancel: CancelToken | None) -> FollowerTable:
    rows = list(_rows(shards, asked, cancel))
    # By token, so that many contexts are found at once by halving.
    rows.sort(key=lambda row: row[0])
    found = [row[1] for row in rows]
    sizes = [len(each.tokens) for each in found]
    none = np.zeros(0, dtype=np.int64)
    return FollowerTable(
        np.array([row[0] for row in rows], dtype=np.int64),
        np.array([each.context_count for each in found], dtype=np.int64),
        np.cumsum([0, *sizes], dtype=np.int64),
        np.concatenate([none, *(each.tokens for each in found)]).astype(np.uint32),
        np.concatenate([none, *(each.counts for each in found)]).astype(np.uint32),
        shards.separator,
        Guard(shards.shards[:1]),
    )


def _rows(shards: ShardSet, asked: Asked, cancel: CancelToken | None) -> Iterator[tuple[int, NextTokens]]:
    """The contexts with many followers and what follows them, until the table is full; the most frequent first."""
    every = asked.next_tokens((), cancel=cancel)
    # Counts have four bytes here; so large an index is answered by walks.
    if int(every.counts.max(initial=0)) >= _LARGEST_COUNT:
        return
    entries = len(every.tokens)
    if entries:
        yield _EMPTY, every
    for token in every.tokens[every.counts >= FREQUENT].tolist():
        if entries > _MOST_ENTRIES:
            return
        if token != shards.separator:
            found = asked.next_tokens((token,), cancel=cancel)
            # Few followers are long runs, which a walk gallops over.
            if len(found.tokens) >= MANY:
                entries += len(found.tokens)
                yield token, found


def _pieces(table: FollowerTable) -> list[NDArray[Any]]:
    """The file: numbers of 8 bytes, then those of 4, as this machine stores them."""
    head = np.array([_KIND, len(table), len(table.tokens)], dtype=np.int64)
    return [head, table.contexts, table.occurrences, table.begins, table.tokens, table.counts]


def _load(path: Path, shards: ShardSet, asked: Asked) -> FollowerTable | None:
    """The table of the cache if it is there and fits; a few entries are compared with the index."""
    try:
        size = path.stat().st_size
        # Mapped with the files of a shard: answers depend on it as much as on them.
        data = shards.shards[0].map(path) if size >= 24 else None
    except OSError:
        return None
    table = None if data is None else _read(data, shards)
    if table is None or not _fits(table, asked):
        _LOG.warning("%s does not fit its index and is made again", path)
        return None
    return table


def _read(data: NDArray[np.uint8], shards: ShardSet) -> FollowerTable | None:
    guard = Guard(shards.shards[:1])
    kind, rows, entries = data[:24].view(np.int64).tolist()
    if kind != _KIND or rows < 0 or entries < 0 or len(data) != 24 + 8 * (3 * rows + 1) + 8 * entries:
        return None
    numbers = data[24 : 24 + 8 * (3 * rows + 1)].view(np.int64)
    # What would lead outside of the arrays is refused; wrong counts are found by `_fits`.
    begins = numbers[2 * rows :]
    if begins[0] != 0 or begins[-1] != entries or (np.diff(begins) <= 0).any() or (np.diff(numbers[:rows]) <= 0).any():
        return None
    rest = data[24 + 8 * (3 * rows + 1) :].view(np.uint32)
    occurrences = numbers[rows : 2 * rows]
    return FollowerTable(numbers[:rows], occurrences, begins, rest[:entries], rest[entries:], shards.separator, guard)


def _fits(table: FollowerTable, asked: Asked) -> bool:
    """Whether some entries, spread over the table, are what the index answers."""
    for entry in np.linspace(0, len(table.tokens), 32, endpoint=False).astype(np.int64).tolist() if len(table) else []:
        row = int(np.searchsorted(table.begins, entry, side="right")) - 1
        token = int(table.contexts[row])
        before = [] if token == _EMPTY else [token]
        pairs = ((before, table.occurrences[row]), ([*before, int(table.tokens[entry])], table.counts[entry]))
        if any(asked.count(ids) != count for ids, count in pairs):
            return False
    return True
