"""A neural model's probabilities beside the ∞-gram: its histogram, and the ∞-gram's agreement in each part.

This is the paper's Figure 4. The model's tokens come with the characters that they represent, so that its
tokenizer may be another one: an ∞-gram token belongs to the model's token that contains its first character, not
counting spaces before a word, since some tokenizers give them to the word and others do not.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.agreement.figure import Bin
from explorer.agreement.proportions import wilson_interval
from explorer.agreement.tokens import agreement
from explorer.backends.protocol import Backend
from explorer.errors import QueryError, SourceError
from explorer.i18n import mark, tr
from explorer.jobs import CancelToken, Progress, Report, no_report
from explorer.texts.text_input import open_input
from explorer.tokens.tokenizer import Encoded

# Tenths, as in the paper's Figure 4.
BUCKETS = 10


@dataclass(frozen=True)
class NeuralText:
    """One text with a language model's tokens.

    Attributes
    ----------
    text
        The text.
    starts
        The first character of each token.
    ends
        One past the last character of each token.
    probabilities
        The probability that the model gave each token, 0 to 1.
    """

    text: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    probabilities: tuple[float, ...]


@dataclass(frozen=True)
class NeuralFigure:
    """The ∞-gram's agreement by the probabilities of a language model.

    Attributes
    ----------
    bins
        Ten bins: bin k has the probabilities of k/10 to (k+1)/10, and `effective_n` is k.
    tokens
        The number of tokens in them.
    without
        The number of the model's tokens in which no token of the index begins.
    """

    bins: tuple[Bin, ...]
    tokens: int
    without: int


def read_neural(source: Path | str) -> tuple[NeuralText, ...]:
    """Read texts with the probabilities of a language model.

    Parameters
    ----------
    source
        A file of JSON Lines, or "-" for standard input: {"text", "tokens": [{"start", "end", "probability" or
        "logprob"}, …]}.

    Returns
    -------
    tuple[NeuralText, ...]
        The texts.

    Raises
    ------
    SourceError
        If it cannot be read; the message names the line and the reason.
    """
    # The field is given, since every line needs the list of tokens beside it.
    opened = open_input(source, "jsonl", "text")
    texts = []
    for line in opened.texts:
        try:
            # One path for both kinds of errors: each is reported with the file and the line.
            if line.problem:
                raise ValueError(line.problem)
            texts.append(_text(line.fields))
        except ValueError as error:
            raise SourceError(
                mark("{path}, line {line}: {cause}"),
                reason="bad-probabilities",
                path=line.source,
                line=line.line,
                cause=error,
            ) from error
    if not texts:
        raise SourceError(mark("{path} has no texts."), reason="no-texts", path=opened.source)
    return tuple(texts)


def _text(value: dict[str, Any]) -> NeuralText:
    text, tokens = value.get("text"), value.get("tokens")
    if not isinstance(text, str) or not isinstance(tokens, list):
        raise ValueError(tr('a line needs "text" and a list "tokens".'))
    rows = [_token(number, token, text) for number, token in enumerate(tokens, start=1)]
    for number in range(1, len(rows)):
        # Tokens may leave characters out, but must not overlap: a token of the index belongs to one of them only.
        if rows[number][0] < rows[number - 1][1]:
            raise ValueError(tr("token {number} begins before token {before} ends.", number=number + 1, before=number))
    starts, ends, probabilities = zip(*rows, strict=True) if rows else ((), (), ())
    return NeuralText(text, starts, ends, probabilities)


def _token(number: int, token: Any, text: str) -> tuple[int, int, float]:
    if not isinstance(token, dict):
        raise ValueError(tr("token {number} is not an object.", number=number))
    start, end = token.get("start"), token.get("end")
    # `type`, since JSON's true is an int to `isinstance`.
    if type(start) is not int or type(end) is not int or not 0 <= start <= end <= len(text):
        raise ValueError(
            tr(
                "token {number} has no range of characters within the text (0 to {count:,}).",
                number=number,
                count=len(text),
            )
        )
    value = token.get("probability")
    if value is None and isinstance(token.get("logprob"), (int, float)):
        # Cut to where exp is 0 or above 1 all the same: no float holds every integer.
        value = math.exp(min(max(token["logprob"], -1e4), 1.0))
    # NaN fails the comparison and is refused, too.
    if not isinstance(value, (int, float)) or isinstance(value, bool) or not 0 <= value <= 1:
        raise ValueError(tr("token {number} has no probability from 0 to 1.", number=number))
    return start, end, float(value)


def _without_blanks(text: str, encoded: Encoded) -> NDArray[np.int64]:
    """The first character of each token that is not white space; if all are, the first one."""
    begins = encoded.starts.copy()
    for i, (start, end) in enumerate(zip(encoded.starts.tolist(), encoded.ends.tolist(), strict=True)):
        # Some tokenizers give the space before a word to the word, others to a token of its own.
        inner = text[start:end].lstrip()
        begins[i] = end - len(inner) if inner else start
    return begins


def neural_figure(
    index: Backend, texts: Sequence[NeuralText], report: Report = no_report, cancel: CancelToken | None = None
) -> NeuralFigure:
    """Group tokens of a language model by their probability, and compute the ∞-gram's agreement in each tenth.

    Parameters
    ----------
    index
        The index.
    texts
        Texts with the model's probabilities.
    report
        Called with the texts that are done.
    cancel
        Stops the work.

    Returns
    -------
    NeuralFigure
        Ten bins. A token of the model agrees if all tokens of the index in it do.

    Raises
    ------
    QueryError
        If there is no token with a probability.
    Cancelled
        If it was cancelled.
    """
    if not any(text.probabilities for text in texts):
        raise QueryError(mark("The file has no token with a probability."), reason="no-probabilities")
    cancel = cancel or CancelToken()
    tokens, agreeing = np.zeros(BUCKETS, dtype=np.int64), np.zeros(BUCKETS, dtype=np.int64)
    without = 0
    for number, text in enumerate(texts):
        cancel.check()
        report(Progress("Agreement", number, len(texts), "texts"))
        encoded = index.tokenizer.encode_with_offsets(text.text)
        begins = _without_blanks(text.text, encoded)
        agrees = agreement(index, encoded.ids, cancel=cancel).agrees
        for start, end, value in zip(text.starts, text.ends, text.probabilities, strict=True):
            # `begins` ascends, so the tokens that begin in [start, end) are a range.
            first, last = np.searchsorted(begins, [start, end], side="left")
            # No token of the index begins here, since the model splits more finely. Its token is counted as one without
            # a partner.
            if last <= first:
                without += 1
                continue
            # A probability of exactly 1 belongs to the last bin.
            bucket = min(BUCKETS - 1, int(value * BUCKETS))
            tokens[bucket] += 1
            agreeing[bucket] += bool(agrees[first:last].all())
    bins = tuple(
        # Empty bins are kept: ten bars are compared, and nan is not a share of 0.
        Bin(k, n, a, a / n if n else math.nan, *wilson_interval(a, n))
        for k, (n, a) in enumerate(zip(tokens.tolist(), agreeing.tolist(), strict=True))
    )
    return NeuralFigure(bins, int(tokens.sum()), without)
