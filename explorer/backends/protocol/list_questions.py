"""What a backend is asked about all of its n-grams at once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from explorer.backends.protocol.list_values import (
    GrowthRule,
    NgramGrowth,
    NgramList,
    NgramRows,
    NgramRule,
    RepeatPiece,
    RepeatProfile,
)
from explorer.backends.protocol.values import Numbers
from explorer.core.jobs import CancelToken, Report, no_report


class ListQuestions(Protocol):
    """What `explorer.backends.protocol.protocol.Backend.lists` answers."""

    def ngrams(
        self, rule: NgramRule, report: Report = no_report, cancel: CancelToken | None = None
    ) -> tuple[NgramList, ...]:
        """Count every n-gram, and list some.

        Raises `QueryError` if there are too many rows for an answer, or n is too large.
        Raises `CapabilityError` if `capabilities.lists` is False, or the index cannot be counted as it is.

        Notes
        -----
        Cost: for local indexes, one read of the text per token, and one of the table per occurrence of the rows if
        documents are counted.
        """

    def ngram_rows(
        self, rule: NgramRule, report: Report = no_report, cancel: CancelToken | None = None
    ) -> Iterator[NgramRows]:
        """List all n-grams of one n, some at a time, so that they need not all be in memory.

        rule: Which n-grams: `min_n` is `max_n`, and `top` is None.
        Yields: The next rows, in the order of their stored bytes.
        Raises `QueryError` if n is too large.
        Raises `CapabilityError` if `capabilities.lists` is False, or the index cannot be counted as it is.
        """

    def shared_prefixes(self, report: Report = no_report, cancel: CancelToken | None = None) -> Numbers:
        """Count how many tokens neighbors share in the order of all suffixes (LCP), within documents.

        From these counts follows the number of distinct n-grams for every n.

        Returns: At l, how many suffixes share l tokens with the one before them, int64 [LONGEST_SHARED + 1]; the last
            is for that many and more. Every token begins a suffix, which ends where its document does, and separators
            begin empty ones.
        Raises `CapabilityError` if `capabilities.lists` is False, or documents are subtracted.

        Notes
        -----
        Cost: for local indexes, the common prefixes of every shard, 3 bytes per token, which are kept in the cache
        folder, and a merge of several shards.
        """

    def growth(self, rule: GrowthRule, report: Report = no_report, cancel: CancelToken | None = None) -> NgramGrowth:
        """Count the distinct n-grams of the first documents, for several numbers of documents at once.

        rule: Which n-grams, and how many sizes. Each ends with the document that reaches its share of all tokens,
            separators included; sizes that end with the same document are one.
        Raises `CapabilityError` as from `shared_prefixes`.

        Notes
        -----
        Cost: as for `shared_prefixes`, and one read of each table. Each n-gram is met once: it counts from the document
        on in which it occurs for the last time that it needs.
        """

    def repeats(
        self, least: int, report: Report = no_report, cancel: CancelToken | None = None
    ) -> Iterator[RepeatPiece]:
        """Find every passage that occurs twice or more and cannot be made longer.

        Each occurrence is within a document. One at the start of a document cannot be made longer to the left, one at
        the end not to the right.

        least: Tokens of the shortest passages, 1 to LONGEST_SHARED.
        Yields: The next passages, in no order. Of stretches that repeat themselves, all with a period below `least` are
            met, of longer periods those that hold the nearest occurrences of a passage.
        Raises `QueryError` if `least` is out of range.
        Raises `CapabilityError` as from `shared_prefixes`.

        Notes
        -----
        Cost: as for `shared_prefixes`, and one read of each table. Memory: one piece, and 8 bytes for each place at
        which the most frequent passage of `least` tokens occurs.
        """

    def repeat_profile(
        self,
        least: int,
        report: Report = no_report,
        cancel: CancelToken | None = None,
        preferred: NDArray[np.bool_] | None = None,
    ) -> RepeatProfile:
        """Find the longest stretches that occur elsewhere, and the longest that begin earlier as well.

        least: Tokens of the shortest matches that are asked about, 1 to LONGEST_SHARED.
        preferred: Whether the document of each number comes before all that are not, in what "earlier" means; None:
            earlier is in the order of documents.
        Returns: It has matches of `least` tokens, or of shorter ones as well.
        Raises `QueryError` if `least` is out of range.
        Raises `CapabilityError` as from `shared_prefixes`.

        Notes
        -----
        Cost: as for `shared_prefixes`, and one read of each table; then it is kept in memory, and for `least` of 16 or
        more in the cache folder: 24 bytes per span. Making it takes about three times that for a time. One with
        `preferred` is made again for other documents, and is in memory only.
        """
