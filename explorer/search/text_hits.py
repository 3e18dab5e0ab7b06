"""Where the hits of a text pattern are, and where they end."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from explorer.corpus.index import Index
from explorer.jobs import CancelToken
from explorer.patterns.find import Pattern, TextMatches
from explorer.patterns.scan import Scanner, scanner
from explorer.search.located import Located

_BEFORE = 4
"""Tokens before a place that hold the character before it: one character has at most four bytes."""
_ROOM = 16
"""Tokens in which the end of a match is looked for at first."""

Numbers = NDArray[np.int64]


class TextPlaces:
    """The hits of a pattern, numbered by shard, n-gram and rank.

    total: of the numbers; `count`: less hits of subtracted documents and hits that begin in the space that the
    tokenizer puts before each text. sieved: whether some numbers are such hits.
    """

    def __init__(self, index: Index, matches: TextMatches) -> None:
        self.matches = matches
        self._index = index
        finds = matches.shards
        self._shards = np.repeat(np.arange(len(finds)), [len(found.firsts) for found in finds])
        self._firsts = np.concatenate([found.firsts for found in finds])
        self._lengths = np.concatenate([found.lengths for found in finds])
        self._skipped = np.concatenate([found.skipped for found in finds])
        self._begins = np.concatenate([found.offsets for found in finds])
        sizes = np.concatenate([found.lasts - found.firsts for found in finds])
        self._ends = np.cumsum(sizes)
        self._starts = self._ends - sizes
        self.total = int(sizes.sum())
        self.count = matches.count
        self.sieved = self.count != self.total

    def locate(self, numbers: Numbers) -> Located:
        """Places of these hits; their ends are not looked for: see `measured`."""
        which = np.searchsorted(self._ends, numbers, side="right")
        ranks = self._firsts[which] + numbers - self._starts[which]
        documents, offsets = np.empty_like(numbers), np.empty_like(numbers)
        shards = self._shards[which]
        for number in np.unique(shards).tolist():
            chosen = np.flatnonzero(shards == number)
            shard, some = self._index.shards[number], which[chosen]
            positions = shard.positions(np.ascontiguousarray(ranks[chosen]))
            ahead = self._skipped[some]
            if shard.reversed_text:
                ahead = self._lengths[some] - 1 - ahead
            places = self._index.token_places(number, positions + ahead)
            documents[chosen], offsets[chosen] = places.documents, places.offsets
        return Located(documents, offsets, np.ones_like(numbers), self._begins[which], np.zeros_like(numbers))

    def is_artificial(self, located: Located) -> NDArray[np.bool_]:
        """Which hits begin in the space that the tokenizer put before the text."""
        found = (located.offsets == 0) & (located.begins == 0)
        if not self._index.tokenizer.adds_space or not self.sieved:
            return np.zeros(len(located), dtype=np.bool_)
        where = np.flatnonzero(found)
        tokens = tokens_at(self._index, located.documents[where], located.offsets[where])
        found[where] = [self._index.tokenizer.artificial_bytes(token) for token in tokens.tolist()]
        return np.asarray(found)

    def measured(self, located: Located, cancel: CancelToken | None = None) -> Located:
        """The same hits with their ends: those of the longest match at each place.

        Cost: of a literal text with its case, a few reads per hit; otherwise each hit is read as text, some ten
        microseconds.
        """
        size = constant_size(self.matches.patterns)
        if size is not None:
            return self._by_size(located, size)
        found = scanner(self.matches.patterns)
        ends = []
        rows = zip(located.documents.tolist(), located.offsets.tolist(), located.begins.tolist(), strict=True)
        for number, row in enumerate(rows):
            if cancel is not None and number % 256 == 0:
                cancel.check()
            ends.append(self._end(found, *row))
        lengths, rests = np.array(ends, dtype=np.int64).reshape(-1, 2).T
        return Located(located.documents, located.offsets, lengths.copy(), located.begins, rests.copy())

    def _by_size(self, located: Located, size: int) -> Located:
        """Ends of hits of so many bytes: tokens are taken in until they hold them."""
        sizes = self._index.tokenizer.token_sizes
        left = located.begins + size
        lengths = np.zeros_like(left)
        while len(active := np.flatnonzero(left > 0)):
            tokens = tokens_at(self._index, located.documents[active], located.offsets[active] + lengths[active])
            left[active] -= sizes[np.minimum(tokens, len(sizes) - 1)]
            lengths[active] += 1
        return Located(located.documents, located.offsets, lengths, located.begins, -left)

    def _end(self, found: Scanner, document: int, offset: int, begin: int) -> tuple[int, int]:
        """Tokens from `offset` to the end of the match that begins there, and bytes of the last one after it."""
        index, room = self._index, _ROOM
        total = index.document_length(document)
        first = max(0, offset - _BEFORE)
        while True:
            tokens = index.document_tokens(document, first, offset + room).tolist()
            pieces = [index.tokenizer.token_bytes(token) for token in tokens]
            at = sum(map(len, pieces[: offset - first])) + begin
            whole = offset + room >= total
            match = found.longest(b"".join(pieces), at, whole=whole)
            if match is not None and (whole or not match[1]):
                break
            if whole:
                raise AssertionError(f"no match begins at byte {begin} of token {offset} of document {document}")
            room *= 4
        ends = np.cumsum([len(piece) for piece in pieces])
        last = int(np.searchsorted(ends, match[0], side="left"))
        return last - (offset - first) + 1, int(ends[last]) - match[0]


def tokens_at(index: Index, documents: Numbers, offsets: Numbers) -> Numbers:
    """One token of each document, in reading order; the separator where the document has no such token."""
    found = np.full(len(documents), index.separator, dtype=np.int64)
    for shard, chosen, local in index.by_shard(documents):
        starts, ends = shard.bounds(local)
        places = ends - 1 - offsets[chosen] if shard.reversed_text else starts + offsets[chosen]
        inside = (offsets[chosen] >= 0) & (places >= starts) & (places < ends)
        found[chosen[inside]] = shard.tokens_at(places[inside])
    return found


def constant_size(patterns: tuple[Pattern, ...]) -> int | None:
    """Bytes of every match, where all are the same."""
    if len(patterns) > 1:
        return None
    only = patterns[0]
    # A stray byte in a text counts as U+FFFD, which has three bytes in UTF-8.
    if only.match != "text" or only.ignore_case or "\ufffd" in only.text:
        return None
    return len(only.text.encode())
