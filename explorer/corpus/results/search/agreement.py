"""How the tokens of a text agree with a corpus, as the library returns it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from explorer.analyses.agreement import tokens as engine
from explorer.backends.documents.reading import decode_ids
from explorer.corpus.results.origin import Origin, Result, as_result
from explorer.corpus.tabular import Tabular
from explorer.export.columns import BATCH, Batch, Column, columns_of
from explorer.export.records.token import AgreementRecord
from explorer.export.reports.notebook import shaded, text_block
from explorer.i18n import counted

_SHOWN = 2_000
"""Tokens of a notebook."""
_BOUNDS = (5, 9, 17)
"""The smallest effective n of each shade, as in the window."""


class Agreement(Result, engine.Agreement, Tabular):
    """How each token of a text agrees with the corpus; token i is predicted from the tokens before it. Also a table.

    Attributes
    ----------
    effective_n
        1 + tokens of context used, int64.
    context_count
        Occurrences of that context, int64.
    continuation_count
        Occurrences of that context with the token after it, int64.
    probability
        Their ratio, float64; 0 if the context does not occur.
    sparse
        Whether only one token ever follows the context, bool.
    tokens
        Ids of the tokens that are scored, int64.
    first
        The place of the first of them in the text, from 0.

    Notes
    -----
    The columns of the table are `position` (in the text, from 0), `token`, `text`, `effective_n`, `context_count`,
    `continuation_count`, `probability`, `agrees` and `sparse`.

    Examples
    --------
    >>> found = corpus.agreement("the cat sat on the rug")
    >>> found.texts
    ('the', ' cat', ' sat', ' on', ' the', ' rug')
    >>> found.to_arrow().num_rows
    6
    """

    # Set by `scored`: they are not figures, and two texts of the same figures are equal.
    _ids: NDArray[np.int64]
    first: int

    @property
    def tokens(self) -> NDArray[np.int64]:
        """Ids of the tokens that are scored: int64, of the length of the figures."""
        return self._ids[self.first :]

    @property
    def texts(self) -> tuple[str, ...]:
        """The text of each token that is scored; joined, they are the text. A character that several tokens share
        belongs to the first of them."""
        found = decode_ids(self._known().index, self._ids, begins=True)
        return tuple(found.slice(at, at + 1) for at in range(self.first, len(self._ids)))

    @property
    def probabilities(self) -> NDArray[np.float64]:
        """The same as `probability`."""
        return self.probability

    def after(self, first: int) -> Agreement:
        """Leave the first tokens out, which were context for the others.

        Parameters
        ----------
        first
            How many, from 0.

        Returns
        -------
        Agreement
            The same figures of the other tokens.
        """
        return scored(super().after(first), self._ids, self.first + first, self._origin)

    def _columns(self) -> tuple[Column, ...]:
        return columns_of(AgreementRecord)

    def _batches(self) -> Iterator[Batch]:
        known = iter(self.texts) if self._known().index.has_tokenizer else None
        figures = {
            "token": self.tokens,
            "effective_n": self.effective_n,
            "context_count": self.context_count,
            "continuation_count": self.continuation_count,
            "probability": self.probability,
            "agrees": self.agrees,
            "sparse": self.sparse,
        }
        for start in range(0, len(self), BATCH):
            end = min(len(self), start + BATCH)
            texts = [None] * (end - start) if known is None else list(islice(known, end - start))
            positions = self.first + np.arange(start, end)
            yield {"position": positions, "text": texts, **{name: each[start:end] for name, each in figures.items()}}

    def __repr__(self) -> str:
        share = f", {float(self.agrees.mean()):.1%} agree" if len(self) else ""
        return f"Agreement({counted('token', len(self))}{share})"

    def _repr_html_(self) -> str:
        levels = np.searchsorted(_BOUNDS, self.effective_n[:_SHOWN], side="right").tolist()
        rows = zip(self.texts, levels, self.effective_n.tolist(), self.probability.tolist(), strict=False)
        pieces = [shaded(text, level, f"effective n {n:,}, probability {share:.2g}") for text, level, n, share in rows]
        if len(self) > _SHOWN:
            pieces.append(f"<div>… and {len(self) - _SHOWN:,} more tokens</div>")
        legend = ", ".join(f"from {bound}" for bound in _BOUNDS)
        return text_block(f"{self!r}, shaded by effective n: {legend}", pieces)


def scored(found: engine.Agreement, ids: NDArray[np.int64], first: int, origin: Origin | None) -> Agreement:
    """Make a result of figures.

    Parameters
    ----------
    found
        The figures.
    ids
        All ids of the text, int64.
    first
        The first token that was scored, from 0.
    origin
        Where the figures come from.

    Returns
    -------
    Agreement
        The result.
    """
    made = as_result(Agreement, found, origin)
    vars(made).update(_ids=ids, first=first)
    return made
