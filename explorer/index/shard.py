"""One shard as it is on disk: mapped files around the engine's search."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import numpy as np
from numpy.typing import NDArray

import _fastsa
from explorer.core.jobs import CancelToken
from explorer.index.layout import ShardFiles
from explorer.index.shard_text import TOKEN_TYPES, ShardText


class MappedShard(ShardText):
    """One shard with its suffix array; ranks count its entries.

    files: The paths of the shard's files.
    reversed_text: Whether each document's tokens are stored in reverse order (infini-gram version 5).
    Raises `DamagedIndexError` if a file cannot be mapped, or its size does not fit the others.
    """

    def __init__(self, files: ShardFiles, reversed_text: bool = False) -> None:
        super().__init__(files, reversed_text)
        self.table = self.map(files.table, scattered=True)
        # The engine keeps references to both arrays, and so the mappings, for as long as it lives.
        raw = self.tokens.view(np.uint8)
        self.engine = _fastsa.Shard(raw, self.table, self.widths.token, self.widths.pointer, str(files.table))

    @contextmanager
    def guarded(self) -> Iterator[_fastsa.Shard]:
        """The engine, its errors told as a user needs them."""
        with self._guard:
            yield self.engine

    def query_bytes(self, ids: NDArray[np.int64]) -> NDArray[np.uint8]:
        """Pack a query as this shard stores it.

        ids: Token ids in reading order, at most the separator's.
        Returns: Its bytes in the order in which they are stored, uint8.
        """
        # Reversing an array makes a view, and the engine takes contiguous arrays only.
        stored = ids[::-1] if self.reversed_text else ids
        return np.ascontiguousarray(stored.astype(TOKEN_TYPES[self.widths.token])).view(np.uint8)

    def find(self, ids: NDArray[np.int64], within: tuple[int, int] | None = None) -> tuple[int, int]:
        """Find the ranks of an n-gram's occurrences.

        ids: Token ids in reading order, int64.
        within: Ranks to search in: those of an n-gram that the query extends. None: all.
        Returns: The first rank, and one past the last; both equal if there is no occurrence.

        Notes
        -----
        Costs a binary search: about log2(tokens) comparisons, fewer with sampled keys.
        """
        query = self.query_bytes(ids)
        with self.guarded() as engine:
            return engine.find(query) if within is None else engine.find(query, *within)

    def positions(self, ranks: NDArray[np.int64]) -> NDArray[np.int64]:
        """Read entries of the suffix array.

        Returns: The position of the suffix at each rank, int64.
        Raises `DamagedIndexError` if an entry points outside the text.
        """
        with self.guarded() as engine:
            return engine.positions(ranks)

    def near(
        self,
        documents: NDArray[np.int64],
        offsets: NDArray[np.int64],
        ngrams: Sequence[Sequence[int]],
        distance: int,
        cancel: CancelToken | None = None,
    ) -> NDArray[np.bool_]:
        """Tell which places have one of several n-grams nearby, in the same document.

        documents: The document of each place, int64.
        offsets: The token offset of each place in its document, int64.
        ngrams: The n-grams, as token ids in reading order.
        distance: The most tokens between the place and the beginning of an n-gram, in either direction.

        Notes
        -----
        Reads the text around each place: its cost is places times distance.
        """
        found = np.zeros(len(documents), dtype=np.bool_)
        starts, ends = self.bounds(documents)
        # N-grams of one length share their borders: they must end within the document.
        for length in {len(ngram) for ngram in ngrams}:
            group = np.concatenate([np.asarray(ngram) for ngram in ngrams if len(ngram) == length])
            packed = [self.query_bytes(part) for part in group.reshape(-1, length)]
            first = np.maximum(offsets - distance, 0)
            # The last offset at which an n-gram of this length still fits into the document.
            last = np.minimum(offsets + distance, ends - starts - length)
            lows, highs = starts + first, starts + last + 1
            if self.reversed_text:
                # Stored backwards, an n-gram at offset o begins at position end - length - o, so the borders change
                # places.
                lows, highs = ends - length - last, ends - length - first + 1
            # Where no n-gram fits, the range is empty; the engine still wants both borders within the text.
            lows = np.minimum(lows, self.token_count)
            with self.guarded() as engine:
                found |= engine.near(
                    np.ascontiguousarray(lows),
                    np.ascontiguousarray(np.maximum(highs, lows)),
                    np.concatenate(packed),
                    np.full(len(packed), length, dtype=np.int64),
                    cancel.flag if cancel else None,
                )
        return found

    def next_tokens(
        self, span: tuple[int, int], length: int, cancel: CancelToken | None = None
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Count the tokens that follow an n-gram's occurrences, in reading order.

        span: The ranks of the occurrences, as `find` gives them.
        length: Tokens of the n-gram; 0 counts all tokens.
        Returns: Distinct token ids in no particular order, and their counts, both int64.
        """
        # The empty n-gram is followed by every token in either direction.
        if not self.reversed_text or length == 0:
            with self.guarded() as engine:
                tokens, counts = engine.next_tokens(*span, length, cancel.flag if cancel else None)
            return tokens.astype(np.int64), counts
        return self._next_tokens_reversed(span, cancel)

    def _next_tokens_reversed(
        self, span: tuple[int, int], cancel: CancelToken | None
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """In a reversed text what follows is stored before the occurrence: look at every one of them."""
        totals: dict[int, int] = {}
        # In pieces, so that a cancel is answered and memory does not grow with the number of occurrences.
        for first in range(span[0], span[1], 1 << 16):
            if cancel is not None:
                cancel.check()
            positions = self.positions(np.arange(first, min(first + (1 << 16), span[1]), dtype=np.int64))
            with self._guard:
                # An occurrence at position 0 has nothing stored before it, so nothing follows it.
                tokens, counts = np.unique(self.tokens[positions[positions > 0] - 1], return_counts=True)
            for token, count in zip(tokens.tolist(), counts.tolist(), strict=True):
                totals[token] = totals.get(token, 0) + count
        keys = np.array(list(totals), dtype=np.int64)
        return keys, np.array([totals[key] for key in keys.tolist()], dtype=np.int64)
