"""Maximal matching spans of a text: from longest matches to the spans worth showing.

The steps are those of OLMoTrace (Liu et al., "OLMoTrace", 2025): longest match at each beginning of
a word, cut at a delimiter, backed off to a word's end, filtered by length and count, only maximal
ones kept, and of these the rarest.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.backends.protocol.protocol import Backend
from explorer.core.arrays import ArrayValue
from explorer.core.jobs import CancelToken
from explorer.resources import resource_text
from explorer.text.segments import LETTER, MARK, class_of, inside_words
from explorer.text.tokens.tokenizer import Encoded, TextTokenizer

# Only of tokens that never occur, which no span contains: far below log(1 / 10^12), which is -28.
_UNSEEN_LOG_PROBABILITY = -10_000.0


@dataclass(frozen=True)
class TokenSpan:
    """A span of a text in tokens.

    Attributes
    ----------
    start
        Its first token.
    end
        One past its last token.
    count
        Its occurrences in the corpus.
    rarity
        The sum of the logarithms of its tokens' probabilities; lower is rarer.
    """

    start: int
    end: int
    count: int
    rarity: float = 0.0


def word_starts(text: str, encoded: Encoded, tokenizer: TextTokenizer, rule: str) -> NDArray[np.bool_]:
    """Tell where spans may begin; one may end before such a token.

    rule: "olmotrace" (by the vocabulary's spelling), "unicode" (by the words of the text) or "off" (everywhere).
    """
    if rule == "off":
        return np.ones(len(encoded.ids), dtype=np.bool_)
    # By the token alone, as OLMoTrace does, whatever is before it in the text.
    if rule == "olmotrace":
        return tokenizer.begins_word(encoded.ids)
    # Of two tokens that share a character, the second one begins inside of it.
    shared = np.concatenate([[False], encoded.starts[1:] < encoded.ends[:-1]])
    starts: NDArray[np.bool_] = ~inside_words(text)[encoded.starts] & ~shared[: len(encoded.ids)]
    return starts


def _in_word(char: str) -> bool:
    return LETTER <= class_of(char) <= MARK


def delimiter_mask(ids: NDArray[np.int64], tokenizer: TextTokenizer, delimiters: tuple[str, ...]) -> NDArray[np.bool_]:
    """Tell which tokens are exactly one of the delimiters."""
    # Compared as bytes: a token need not be a whole number of characters.
    wanted = {delimiter.encode("utf-8") for delimiter in delimiters}
    return np.array([tokenizer.token_bytes(token) in wanted for token in ids.tolist()], dtype=np.bool_)


@functools.cache
def _abbreviations() -> frozenset[str]:
    """English abbreviations that are written with a full stop, without the last one, in lower case."""
    return frozenset(resource_text("spans/abbreviations.txt").split())


def without_abbreviations(text: str, encoded: Encoded, delimiter: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Take the full stops that do not end a sentence off the delimiters.

    They follow an initial ("John N. Mitchell"), follow a common abbreviation ("e.g."), or are between two characters of
    one word or number ("3.14", "numpy.sum").
    """
    # The caller's array stays as it is.
    kept = delimiter.copy()
    for i in np.flatnonzero(delimiter).tolist():
        at = int(encoded.ends[i]) - 1
        if text[at : at + 1] == "." and not _ends_sentence(text, at):
            kept[i] = False
    return kept


def _ends_sentence(text: str, at: int) -> bool:
    # 20 characters are more than any abbreviation has. An opening bracket or quote is not part of the word.
    before = text[max(0, at - 20) : at]
    word = before.split()[-1].lstrip("([\"'“‘") if before and not before[-1].isspace() and before.split() else ""
    following = text[at + 1 : at + 2]
    # "3.14", "numpy.sum", "e.g.,": no sentence ends where the word continues.
    if word and following and (following.isalnum() or following in ",;:)"):
        return False
    # At the beginning, after a space and at the end of the text, it is a delimiter.
    if not word or not following:
        return True
    # The last part of "J.R" is one letter, so this full stop belongs to initials.
    initial = len(word.rpartition(".")[2]) == 1 and word[-1].isalpha() and word[-1].isupper()
    return not (initial or word.lower() in _abbreviations())


@dataclass(frozen=True, eq=False)
class SpanRequest(ArrayValue):
    """What is known of a text, and which of its spans are wanted.

    ids: The text's tokens, int64 of shape (tokens,).
    longest: For each token, the longest match from there, int64 of the same shape.
    may_begin: Whether a span may begin at each token, bool of the same shape.
    delimiter: Whether each token is a delimiter, which may only end a span, bool of the same shape.
    min_length: The least tokens of a span.
    max_count: The most occurrences of a span.
    """

    ids: NDArray[np.int64]
    longest: NDArray[np.int64]
    may_begin: NDArray[np.bool_]
    delimiter: NDArray[np.bool_]
    min_length: int
    max_count: int


def maximal_spans(index: Backend, request: SpanRequest, cancel: CancelToken | None = None) -> list[TokenSpan]:
    """Find the spans that no other contains.

    request: The text's tokens and matches, and the bounds of its spans.
    Returns: The spans with their counts, by start.
    """
    starts, ends = _candidates(request)
    # One request for all spans, whose number grows with the text.
    counts = index.counts.count_many(request.ids, starts, ends, cancel)
    kept = counts <= request.max_count
    return [TokenSpan(*span) for span in np.stack([starts, ends, counts], axis=1)[kept].tolist()]


def _candidates(request: SpanRequest) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Longest match at each beginning of a word, cut at a delimiter and shortened to a word's end.

    Returns starts and ends, both ascending. A match inside another is left out, whatever the counts: a part occurs at
    least as often as the whole, so if the whole occurs too often, so does the part.
    """
    longest, may_begin, delimiter = request.longest, request.may_begin, request.delimiter
    n = len(longest)
    places = np.arange(n + 1, dtype=np.int64)
    # One past the next delimiter from each position, n if there is none.
    cuts = np.where(np.append(delimiter, True), np.minimum(places + 1, n), n)
    next_cut = np.minimum.accumulate(cuts[::-1])[::-1]
    # The last place at or before each position at which a word begins; the end of the text counts as one.
    last_boundary = np.maximum.accumulate(np.where(np.append(may_begin, True), places, 0))
    starts = np.flatnonzero(may_begin)
    # A match that ends inside a word ends with the word before it instead.
    ends = last_boundary[np.minimum(starts + longest[starts], next_cut[starts])]
    long_enough = ends - starts >= max(1, request.min_length)
    starts, ends = starts[long_enough], ends[long_enough]
    # The largest end of all earlier candidates. Starts ascend, so a candidate that ends no later is inside one of
    # these.
    furthest = np.maximum.accumulate(np.concatenate([[0], ends]))[:-1]
    maximal = ends > furthest
    return starts[maximal], ends[maximal]


def keep_rarest(index: Backend, ids: NDArray[np.int64], spans: list[TokenSpan], density: float) -> list[TokenSpan]:
    """Keep the rarest spans.

    density: Spans to keep, as a share of the tokens, above 0 to 1.
    Returns: The ceil(density × tokens) spans of lowest unigram probability, in the order of the text.

    Notes
    -----
    As in J. Liu et al., "OLMoTrace", 2025.
    """
    return kept_spans(with_rarity(index, ids, spans), len(ids), density, lambda span: span.rarity)


def with_rarity(index: Backend, ids: NDArray[np.int64], spans: Sequence[TokenSpan]) -> list[TokenSpan]:
    """Give spans their rarity.

    Returns: The same spans with the sums of their tokens' `unigram_logs`.
    """
    if not spans:
        return []
    # A running sum with a 0 in front: the sum over a span is one subtraction.
    logs = np.concatenate([[0.0], np.cumsum(unigram_logs(index, ids))])
    return [TokenSpan(span.start, span.end, span.count, float(logs[span.end] - logs[span.start])) for span in spans]


def kept_spans(
    spans: Sequence[TokenSpan], tokens: int, density: float, key: Callable[[TokenSpan], float]
) -> list[TokenSpan]:
    """Keep some spans of a text.

    spans: The spans, in the order of the text.
    density: Spans to keep, as a share of the tokens, above 0.
    Returns: The first ceil(density × tokens) by the key, in the order of the text.

    Examples
    --------
    >>> [span.count for span in kept_spans([TokenSpan(0, 2, 7), TokenSpan(1, 4, 5)], 4, 0.25, lambda span: span.count)]
    [5]
    """
    # Stable: of spans with one value, the first of the text are kept.
    return sorted(sorted(spans, key=key)[: math.ceil(density * tokens)], key=lambda span: span.start)


def unigram_logs(index: Backend, ids: NDArray[np.int64]) -> NDArray[np.float64]:
    """Compute the logarithm of each token's probability in the corpus.

    Returns: log(count / tokens of the corpus) of each token, float64; -10,000 for one that never occurs.
    """
    # Each distinct token is counted once, as an n-gram [i, i + 1) of the distinct ids.
    distinct, where = np.unique(ids, return_inverse=True)
    places = np.arange(len(distinct), dtype=np.int64)
    counts = index.counts.count_many(distinct, places, places + 1)
    # Separators are not tokens of the text, and one is counted per document.
    total = max(1, index.token_count - index.document_count)
    # The maximum only keeps `log` from a warning about 0, whose result is not used.
    logs = np.where(counts > 0, np.log(np.maximum(counts, 1) / total), _UNSEEN_LOG_PROBABILITY)
    return np.asarray(logs[where], dtype=np.float64)
