"""The tokens that follow a context, as the library returns them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from explorer.analyses.next_tokens.table import TokenRecord
from explorer.analyses.search.limits import whole_number
from explorer.analyses.search.query import show_token
from explorer.backends.protocol import values
from explorer.backends.token_text import token_text
from explorer.corpus.results.origin import Result, as_result
from explorer.corpus.tabular import Tabular
from explorer.export.columns import BATCH, Batch, Column, columns_of
from explorer.export.reports.notebook import bar_table
from explorer.i18n import counted

_SHOWN = 15
"""Rows of a notebook."""


class NextTokens(Result, values.NextTokens, Tabular):
    """Tokens that follow a context, most frequent first, then by id, with their counts; also a table.

    Attributes
    ----------
    tokens
        int64 array of distinct ids. The separator means that the document ends.
    counts
        int64 array of the same length: how often each follows; of a sample where `exact` is False.
    context_count
        Occurrences of the context that was used.
    context_length
        Tokens of the context that was used: fewer than asked for after backing off.
    exact
        False for an estimate from `sample_size` occurrences.
    sample_size
        Occurrences that were looked at; 0 if `exact`.

    Notes
    -----
    The columns of the table are `rank` (from 0), `token`, `text`, `count`, `probability` and `end_of_document`.

    Examples
    --------
    >>> found = corpus.next_tokens("the cat sat on the")
    >>> found.texts
    (' mat', ' rug')
    >>> found.to_arrow().column_names
    ['rank', 'token', 'text', 'count', 'probability', 'end_of_document']
    """

    def __len__(self) -> int:
        return len(self.tokens)

    @property
    def texts(self) -> tuple[str, ...]:
        """The text of each token; "" for the end of a document, and U+FFFD for a part of a character."""
        index = self._known().index
        return tuple(token_text(index, token) for token in self.tokens.tolist())

    @property
    def end_of_document(self) -> NDArray[np.bool_]:
        """Which of the tokens is the end of a document: bool, of the length of `tokens`."""
        return np.asarray(self.tokens == self._known().index.separator)

    @property
    def probabilities(self) -> NDArray[np.float64]:
        """Share of each token among all that follow: float64, of the length of `tokens`."""
        shares: NDArray[np.float64] = self.counts / max(1, self.total)
        return shares

    @property
    def total(self) -> int:
        """Occurrences that are followed by a token, those included that `top` leaves out."""
        return int(vars(self).get("_total", super().total))

    def top(self, k: int) -> NextTokens:
        """Keep the most frequent tokens.

        Parameters
        ----------
        k
            How many, from 0.

        Returns
        -------
        NextTokens
            The first `k`. Their probabilities stay shares of all that follows.

        Raises
        ------
        QueryError
            If `k` is not a whole number from 0 on.

        Examples
        --------
        >>> corpus.infgram_next_tokens("sat on the").top(1).texts
        (' mat',)
        """
        count = whole_number(k, "k")
        made = as_result(
            NextTokens, replace(self, tokens=self.tokens[:count], counts=self.counts[:count]), self._origin
        )
        vars(made)["_total"] = self.total
        return made

    def _columns(self) -> tuple[Column, ...]:
        return columns_of(TokenRecord)

    def _batches(self) -> Iterator[Batch]:
        index = self._known().index
        shares, ends = self.probabilities, self.end_of_document
        for first in range(0, len(self), BATCH):
            part = slice(first, min(len(self), first + BATCH))
            tokens = self.tokens[part]
            known = [token_text(index, token) for token in tokens.tolist()] if index.has_tokenizer else None
            yield {
                "rank": np.arange(part.start, part.stop),
                "token": tokens,
                "text": known or [None] * len(tokens),
                "count": self.counts[part],
                "probability": shares[part],
                "end_of_document": ends[part],
            }

    def __repr__(self) -> str:
        # The context is counted exactly in any case; what follows it may be a sample.
        sample = "" if self.exact else f", in a sample of {self.sample_size:,}"
        return (
            f"NextTokens({counted('token', len(self))} after a context of {counted('token', self.context_length)}, "
            f"which occurs {counted('time', self.context_count)}{sample})"
        )

    def _repr_html_(self) -> str:
        index = self._known().index
        rows = (
            (show_token(index, token) if index.has_tokenizer else str(token), f"{count:,}", share)
            for token, count, share in zip(
                self.tokens[:_SHOWN].tolist(), self.counts[:_SHOWN].tolist(), self.probabilities.tolist(), strict=False
            )
        )
        return bar_table(
            repr(self), ("token", "count", "share"), rows, max(0, len(self) - _SHOWN), "" if self.exact else "≈ "
        )
