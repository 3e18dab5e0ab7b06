"""A neural model's probabilities beside the ∞-gram: its histogram, and the ∞-gram's agreement in each part.

This is the paper's Figure 4. The model's tokens come with the characters that they represent, so that its
tokenizer may be another one: an ∞-gram token belongs to the model's token that contains its first character, not
counting spaces before a word, since some tokenizers give them to the word and others do not.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.analyses.agreement.figure import Bin
from explorer.analyses.agreement.tokens import agreement
from explorer.backends.protocol.protocol import Backend
from explorer.core.jobs import CancelToken, Progress, Report, no_report
from explorer.core.proportions import wilson_interval
from explorer.errors import QueryError
from explorer.i18n import mark
from explorer.neural.records import ScoredText
from explorer.text.tokens.tokenizer import Encoded

# Tenths, as in the paper's Figure 4.
BUCKETS = 10


@dataclass(frozen=True)
class NeuralFigure:
    """The ∞-gram's agreement by the probabilities of a language model.

    bins: Ten bins: bin k has the probabilities of k/10 to (k+1)/10, and `effective_n` is k.
    tokens: The number of tokens in them.
    without: The number of the model's tokens in which no token of the index begins.
    """

    bins: tuple[Bin, ...]
    tokens: int
    without: int


def _without_blanks(text: str, encoded: Encoded) -> NDArray[np.int64]:
    """The first character of each token that is not white space; if all are, the first one."""
    begins = encoded.starts.copy()
    for i, (start, end) in enumerate(zip(encoded.starts.tolist(), encoded.ends.tolist(), strict=True)):
        # Some tokenizers give the space before a word to the word, others to a token of its own.
        inner = text[start:end].lstrip()
        begins[i] = end - len(inner) if inner else start
    return begins


def neural_figure(
    index: Backend, texts: Sequence[ScoredText], report: Report = no_report, cancel: CancelToken | None = None
) -> NeuralFigure:
    """Group tokens of a language model by their probability, and compute the ∞-gram's agreement in each tenth.

    Returns: Ten bins. A token of the model agrees if all tokens of the index in it do.
    Raises `QueryError` if there is no token with a probability.
    """
    scored = [
        [(token.start, token.end, math.exp(token.logprob)) for token in text.tokens if token.logprob is not None]
        for text in texts
    ]
    if not any(scored):
        raise QueryError(mark("The file has no token with a probability."), reason="no-probabilities")
    cancel = cancel or CancelToken()
    tokens, agreeing = np.zeros(BUCKETS, dtype=np.int64), np.zeros(BUCKETS, dtype=np.int64)
    without = 0
    for number, (text, parts) in enumerate(zip(texts, scored, strict=True)):
        cancel.check()
        report(Progress("Agreement", number, len(texts), "texts"))
        encoded = index.tokenizer.encode_with_offsets(text.text)
        begins = _without_blanks(text.text, encoded)
        agrees = agreement(index, encoded.ids, cancel=cancel).agrees
        for start, end, value in parts:
            # `begins` ascends, so the tokens that begin in [start, end) are a range.
            first, last = np.searchsorted(begins, [start, end], side="left")
            # No token of the index begins here, since the model splits more finely. Its token is counted as one without
            # a partner.
            if last <= first:
                without += 1
                continue
            # A probability of exactly 1 belongs to the last bin.
            # A probability such as 0.3 was a logarithm in between, and may have become a little less.
            bucket = min(BUCKETS - 1, int(value * BUCKETS + 1e-9))
            tokens[bucket] += 1
            agreeing[bucket] += bool(agrees[first:last].all())
    bins = tuple(
        # Empty bins are kept: ten bars are compared, and nan is not a share of 0.
        Bin(k, n, a, a / n if n else math.nan, *wilson_interval(a, n))
        for k, (n, a) in enumerate(zip(tokens.tolist(), agreeing.tolist(), strict=True))
    )
    return NeuralFigure(bins, int(tokens.sum()), without)
