"""Lists of the n-grams of an index."""

from __future__ import annotations

from collections.abc import Iterator

from explorer.backends.protocol.protocol import Backend, NgramList, NgramRows, NgramRule
from explorer.core.jobs import CancelToken, Report, no_report

LONGEST = 64
"""Tokens of the longest n-gram that is listed."""


def list_ngrams(
    index: Backend, rule: NgramRule, report: Report = no_report, cancel: CancelToken | None = None
) -> tuple[NgramList, ...]:
    """Count all n-grams of an index, and list some; raises `QueryError` if there are too many rows."""
    index.capabilities.require("lists")
    return index.lists.ngrams(rule, report, cancel)


def ngram_rows(
    index: Backend, rule: NgramRule, report: Report = no_report, cancel: CancelToken | None = None
) -> Iterator[NgramRows]:
    """List all n-grams of one length in the order of their stored bytes, some at a time.

    rule: Which n-grams: `min_n` is `max_n`, and `top` is None.
    Raises `CapabilityError` if the index cannot list n-grams.
    """
    index.capabilities.require("lists")
    return index.lists.ngram_rows(rule, report, cancel)


def running_tokens(index: Backend) -> int:
    """Tokens of an index without separators, of which rates are."""
    return index.token_count - index.document_count
