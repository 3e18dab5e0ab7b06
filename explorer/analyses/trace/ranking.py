"""Relevance of documents to a text: its levels, and BM25 in the Okapi form of rank_bm25 0.2.2.

The default measure is the share of the text that a document contains word for word
(`explorer.analyses.overlap.verbatim`): at least half of some 100 consecutive words is high, a quarter medium.
OLMoTrace's is a BM25 score on a fitted scale.

score(query, text) = Σ over query words q of idf(q) · f(q) · (k1 + 1) / (f(q) + k1 · norm(text)),
norm(text) = 1 − b + b · |text| / mean |text|,
idf(q) = log(N − n(q) + 0.5) − log(n(q) + 0.5), and if that is negative, ε times the mean idf of all words.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

# The defaults of rank_bm25.
K1 = 1.5
B = 0.75
EPSILON = 0.25


@dataclass(frozen=True)
class Scale:
    """The least relevance of documents that are called high or medium."""

    high: float
    medium: float

    def level(self, relevance: float) -> str:
        """Give a relevance in a word.

        Returns: "high", "medium" or "low".
        """
        return "high" if relevance >= self.high else "medium" if relevance >= self.medium else "low"


SCALES = {"share": Scale(0.5, 0.25), "olmotrace": Scale(0.7, 0.5)}
"""By the name of the measure, as in `TraceSettings.relevance`."""
SCORE_A_CHARACTER = 0.18
"""OLMoTrace's fitted constant: a document is as relevant as can be at 0.18 × characters of the text."""


def bm25_scores(query: str, texts: Sequence[str]) -> NDArray[np.float64]:
    """Score texts for a query.

    query: The query; words are what white space separates.
    Returns: One score per text, float64.

    Notes
    -----
    BM25 as in the package rank-bm25 (`BM25Okapi`), whose negative weights are replaced in the same way.
    """
    counted = [Counter(text.split()) for text in texts]
    lengths = np.array([counts.total() for counts in counted], dtype=np.float64)
    scores = np.zeros(len(texts), dtype=np.float64)
    # The mean length would divide by 0.
    if not len(texts) or not lengths.sum():
        return scores
    idf = _inverse_document_frequencies(counted)
    norm = (K1 * (1 - B + B * lengths / lengths.mean())).tolist()
    # Text by text, and only for words of the query: the cost is that of reading the texts.
    wanted = {word: times * idf[word] * (K1 + 1) for word, times in Counter(query.split()).items() if word in idf}
    for i, counts in enumerate(counted):
        shared = counts.keys() & wanted.keys()
        # fsum: the order of a set of strings differs from run to run, and a plain sum of floats would with it.
        scores[i] = math.fsum(wanted[word] * counts[word] / (counts[word] + norm[i]) for word in shared)
    return scores


def _inverse_document_frequencies(counted: Sequence[Counter[str]]) -> dict[str, float]:
    containing = Counter(word for counts in counted for word in counts)
    total = len(counted)
    idf = {word: math.log(total - n + 0.5) - math.log(n + 0.5) for word, n in containing.items()}
    # The mean is taken over all words before any of them is replaced.
    floor = EPSILON * (math.fsum(idf.values()) / len(idf))
    return {word: floor if value < 0 else value for word, value in idf.items()}


def shown_share(share: float) -> float:
    """Prepare a share for display in whole percent: 100 % means exactly all, and 0 % exactly nothing.

    Returns: 0, 1, or a number from 0.01 to 0.99.

    Examples
    --------
    >>> shown_share(0.9999), shown_share(0.0001)
    (0.99, 0.01)
    """
    # 0.9999 would be shown as 100 %, although something is missing.
    return min(max(share, 0.01), 0.99) if 0 < share < 1 else share


def relevance(score: float, characters: int) -> float:
    """Put a score on OLMoTrace's scale.

    Returns: The share of what a text of this length can reach, 0 to 1.
    """
    # Negative weights can make a score negative; a text without characters cannot be divided by.
    return min(1.0, max(0.0, score / (SCORE_A_CHARACTER * max(1, characters))))
