"""Which n-grams of an index are listed: what is asked, checked, and the answer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import SupportsIndex

from explorer.backends.protocol import Backend, Ids, NgramList, NgramRows, NgramRule
from explorer.errors import QueryError
from explorer.i18n import mark
from explorer.jobs import CancelToken, Report, no_report
from explorer.search.limits import whole_number

LONGEST = 64
"""Tokens of the longest n-gram that is listed."""


@dataclass(frozen=True)
class NgramRequest:
    """What a caller asks for; `rule` checks it.

    min_n, max_n: Tokens of the shortest and of the longest n-grams.
    top: How many of each n, the most frequent ones; None for all.
    min_documents: The least number of documents that they are in.
    begins: Token ids that they begin with; None for any.
    contains: Token ids that they contain, one after the other; None for any.
    stop: Token ids that none of them contains.
    """

    min_n: SupportsIndex
    max_n: SupportsIndex
    top: SupportsIndex | None = None
    min_count: SupportsIndex = 1
    min_documents: SupportsIndex = 1
    begins: Ids | None = None
    contains: Ids | None = None
    stop: frozenset[int] = frozenset()

    def rule(self, index: Backend) -> NgramRule:
        """Check what was asked.

        Raises `QueryError` if a number is out of range, an id is not one of the index, or what n-grams contain is
            longer than they are.
        """
        if self.begins is not None and self.contains is not None:
            raise QueryError(
                mark("List the n-grams that begin with something, or those that contain it, not both."),
                reason="begins-and-contains",
            )
        # Before what is compared with it.
        max_n = whole_number(self.max_n, "max_n", 1, LONGEST)
        begins, contains = (
            () if ids is None else tuple(index.counts.check_ids(ids).tolist()) for ids in (self.begins, self.contains)
        )
        if len(begins or contains) > max_n:
            raise QueryError(
                mark("{tokens:,} tokens do not fit into n-grams of length {n:,}."),
                reason="needle-too-long",
                n=max_n,
                tokens=len(begins or contains),
            )
        return NgramRule(
            whole_number(self.min_n, "min_n", 1, max_n),
            max_n,
            None if self.top is None else whole_number(self.top, "top", 1),
            whole_number(self.min_count, "min_count", 1),
            whole_number(self.min_documents, "min_documents", 1),
            begins,
            contains,
            stop=self.stop,
        )


def list_ngrams(
    index: Backend, request: NgramRequest, report: Report = no_report, cancel: CancelToken | None = None
) -> tuple[NgramList, ...]:
    """Count all n-grams of an index, and list some.

    Raises `QueryError` as from `NgramRequest.rule`, or if there are too many rows.
    """
    index.capabilities.require("lists")
    return index.lists.ngrams(request.rule(index), report, cancel)


def ngram_rows(
    index: Backend, request: NgramRequest, report: Report = no_report, cancel: CancelToken | None = None
) -> Iterator[NgramRows]:
    """List all n-grams of one length, some at a time, so that they need not all be in memory.

    request: Which n-grams: `min_n` is `max_n`, and `top` is None.
    Returns: Rows in the order of their stored bytes.
    Raises `QueryError` as from `NgramRequest.rule`.
    Raises `CapabilityError` if the index cannot list n-grams.
    """
    index.capabilities.require("lists")
    return index.lists.ngram_rows(request.rule(index), report, cancel)


def running_tokens(index: Backend) -> int:
    """Tokens of an index without separators, of which rates are."""
    return index.token_count - index.document_count
