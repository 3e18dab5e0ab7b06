"""What a backend is asked about all of its n-grams at once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from explorer.backends.values import NgramList, NgramRows, NgramRule
from explorer.jobs import CancelToken, Report, no_report


class ListQuestions(Protocol):
    """What `explorer.backends.protocol.Backend.lists` answers."""

    def ngrams(
        self, rule: NgramRule, report: Report = no_report, cancel: CancelToken | None = None
    ) -> tuple[NgramList, ...]:
        """Count every n-gram, and list some.

        Parameters
        ----------
        rule
            Which n-grams.
        report
            Called with the tokens that were counted.
        cancel
            Stops the count.

        Returns
        -------
        tuple of NgramList
            One for each n of the rule, ascending.

        Raises
        ------
        QueryError
            If there are too many rows for an answer, or n is too large.
        CapabilityError
            If `capabilities.lists` is False, or the index cannot be counted as it is.
        Cancelled
            If it was cancelled.

        Notes
        -----
        Cost: for local indexes, one read of the text per token, and one of the table per occurrence of the rows if
        documents are counted.
        """

    def ngram_rows(
        self, rule: NgramRule, report: Report = no_report, cancel: CancelToken | None = None
    ) -> Iterator[NgramRows]:
        """List all n-grams of one n, some at a time, so that they need not all be in memory.

        Parameters
        ----------
        rule
            Which n-grams: `min_n` is `max_n`, and `top` is None.
        report
            Called with the tokens that were counted.
        cancel
            Stops the list.

        Yields
        ------
        NgramRows
            The next rows, in the order of their stored bytes.

        Raises
        ------
        QueryError
            If n is too large.
        CapabilityError
            If `capabilities.lists` is False, or the index cannot be counted as it is.
        Cancelled
            If it was cancelled.
        """
