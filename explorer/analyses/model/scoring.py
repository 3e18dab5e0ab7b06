"""Scores of texts: the probability of each token, and the perplexity of all of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from explorer.analyses.agreement.prompt import divide
from explorer.analyses.model.fallback import UNIFORM, UNIGRAM, weighed
from explorer.analyses.model.levels import places_in
from explorer.analyses.model.method import Method, Shares
from explorer.analyses.model.transforms import levels_under
from explorer.backends.protocol.protocol import Backend, Numbers
from explorer.core.arrays import ArrayValue
from explorer.core.files.encoding import replace_surrogates
from explorer.core.jobs import CancelToken, Progress, Report, no_report
from explorer.text.tokens.tokenizer import TextTokenizer


@dataclass(frozen=True, eq=False)
class Scorable(ArrayValue):
    """A text as it is scored.

    ids: Ids of its prompt and of its text, int64.
    starts: The first character of each token in the text, int64; below 0 in the prompt.
    first: The first token that is scored.
    characters: Characters of the tokens that are scored.
    bytes: The same in UTF-8.
    """

    ids: Numbers
    starts: Numbers
    first: int
    characters: int
    bytes: int


def scorable(
    tokenizer: TextTokenizer, text: str, lead: str = "", prompt_tokens: int = 0, max_tokens: int = 0
) -> Scorable:
    """Tokenize a text that is to be scored.

    lead: What comes before it and is not scored; "" for nothing.
    prompt_tokens: How many of the text's own tokens, from its first, are context only.
    max_tokens: Tokens of the text that are used; 0 for all.
    Returns: The text. Without a prompt its first token is not scored: nothing comes before it.

    Examples
    --------
    >>> found = scorable(TextTokenizer.raw_bytes(), "né")
    >>> found.first, found.characters, found.bytes
    (1, 1, 2)
    """
    parts = divide(tokenizer, text, lead, prompt_tokens, max_tokens)
    before, after = parts.context.encoded, parts.scored
    # Offsets of the context count from the first character of the lead, those of the text from its own.
    starts = np.concatenate([before.starts - len(lead), after.starts])
    first = max(len(before.ids), min(1, len(starts)))
    begin = int(starts[first]) if first < len(starts) else 0
    end = int(after.ends[-1]) if first < len(starts) else 0
    scored = replace_surrogates(text)[begin:end]
    return Scorable(parts.ids, starts, first, len(scored), len(scored.encode()))


@dataclass(frozen=True)
class Vocabulary:
    """The tokens that share what a method leaves to those that do not follow.

    size: How many there are, 1 or more.
    every: Whether these are all tokens of the tokenizer; otherwise those that the index has.
    """

    size: int
    every: bool = False


@dataclass(frozen=True, eq=False)
class TextScores(ArrayValue):
    """What a method gives each token of a text that is scored.

    first: The first token that is scored, from 0.
    shares: Probability of each token, or its score where the method is not normalized: float64, from 0 to 1.
    lengths: Tokens of the longest context that the method used, int64.
    known: Whether the index has the token at all, bool.
    bytes: The same in UTF-8.
    floor: What a share of 0 counts as; None: it is 0.
    hits: Tokens that were the most probable ones; None if that was not asked.
    matched: The transform under which the context of each token was looked up, "" for as it is; () without transforms.
    fallbacks: Where no part of the context counts, what the probability comes from: a place in
        `explorer.analyses.model.fallback.FALLBACKS`, int8; 0 where a part of it counts.
    """

    first: int
    shares: Shares
    lengths: Numbers
    known: NDArray[np.bool_]
    characters: int
    bytes: int
    floor: float | None
    hits: int | None = None
    matched: tuple[str, ...] = ()
    fallbacks: NDArray[np.int8] = field(default_factory=lambda: np.zeros(0, dtype=np.int8))

    def __len__(self) -> int:
        return len(self.shares)

    @cached_property
    def total(self) -> Total:
        """The sums over the tokens."""
        return total_of([self])


@dataclass(frozen=True)
class Total:
    """Sums over the tokens of some texts.

    Attributes
    ----------
    tokens
        Tokens that are scored.
    characters
        Their characters.
    bytes
        The same in UTF-8.
    zeros
        Tokens with a probability of 0.
    unknown
        Those of them that the index does not have at all.
    surprise
        -Σ ln P over the other tokens.
    floor
        What a probability of 0 counts as; None: it is 0.
    hits
        Tokens that were the most probable ones; None if that was not asked.
    unigram, uniform
        Tokens that no part of their context predicts: the probability is how often the token occurs, or that of a
        uniform distribution.
    """

    tokens: int
    characters: int
    bytes: int
    zeros: int
    unknown: int
    surprise: float
    floor: float | None
    hits: int | None = None
    unigram: int = 0
    uniform: int = 0

    @property
    def accuracy(self) -> float | None:
        """Share of the tokens that were the most probable ones, 0 to 1; None without tokens, or if it was not asked."""
        return None if self.hits is None or not self.tokens else self.hits / self.tokens

    @property
    def all_surprise(self) -> float | None:
        """-Σ ln P over all tokens; None where one has a probability of 0 and no floor."""
        if not self.zeros:
            return self.surprise
        return None if self.floor is None else self.surprise - self.zeros * math.log(self.floor)

    @property
    def perplexity(self) -> float | None:
        """exp(-Σ ln P / tokens): one over the geometric mean; None without tokens, or where it is infinite."""
        return _perplexity(self.all_surprise, self.tokens)

    @property
    def perplexity_of_rest(self) -> float | None:
        """The same of the tokens with a probability above 0."""
        return _perplexity(self.surprise, self.tokens - self.zeros)

    @property
    def bits_per_character(self) -> float | None:
        """-Σ log2 P / characters; None without characters, or where it is infinite."""
        return _bits(self.all_surprise, self.characters)

    @property
    def bits_per_byte(self) -> float | None:
        """-Σ log2 P / bytes; None without bytes, or where it is infinite."""
        return _bits(self.all_surprise, self.bytes)


def _perplexity(surprise: float | None, tokens: int) -> float | None:
    if surprise is None or not tokens:
        return None
    try:
        return math.exp(surprise / tokens)
    except OverflowError:
        # A floor of 1e-320 is allowed; its exponential is not a float any more.
        return None


def _bits(surprise: float | None, units: int) -> float | None:
    return None if surprise is None or not units else surprise / math.log(2) / units


def total_of(texts: Sequence[TextScores]) -> Total:
    """Add up the tokens of some texts."""
    return Total(
        tokens=sum(map(len, texts)),
        characters=sum(text.characters for text in texts),
        bytes=sum(text.bytes for text in texts),
        zeros=sum(int(np.count_nonzero(text.shares == 0)) for text in texts),
        unknown=sum(int(np.count_nonzero(~text.known)) for text in texts),
        surprise=sum(-float(np.log(text.shares[text.shares > 0]).sum()) for text in texts),
        floor=texts[0].floor,
        hits=None if texts[0].hits is None else sum(text.hits or 0 for text in texts),
        unigram=sum(int(np.count_nonzero(text.fallbacks == UNIGRAM)) for text in texts),
        uniform=sum(int(np.count_nonzero(text.fallbacks == UNIFORM)) for text in texts),
    )


def kinds_of(index: Backend) -> int:
    """Count the distinct tokens of an index, separators not counted; 1 for an empty index."""
    none = np.zeros(1, dtype=np.int64)
    return max(1, int(index.counts.followers(none[:0], none, none)[1][0]))


def score_texts(
    index: Backend,
    method: Method,
    texts: Sequence[Scorable],
    vocabulary: Vocabulary,
    leave_one_out: bool = False,
    report: Report = no_report,
    cancel: CancelToken | None = None,
) -> list[TextScores]:
    """Score the tokens of texts, each from the tokens of its text before it.

    leave_one_out: Whether each text is in the index, and its own occurrences do not count.

    Notes
    -----
    Cost: that of `explorer.analyses.model.levels.levels_of`; texts are scored together, so a thousand short ones cost
    no more than a long one.
    """
    places = places_in([text.ids for text in texts], [text.first for text in texts])
    reach = replace(method.reach, leave_one_out=leave_one_out)
    names, matched = ("", *reach.transforms), list[str]()
    shares, lengths = np.zeros(len(places)), np.zeros(len(places), dtype=np.int64)
    known, fallbacks = np.zeros(len(places), dtype=np.bool_), np.zeros(len(places), dtype=np.int8)
    done = 0
    for levels in levels_under(index, places, reach, cancel):
        here = slice(done, done + len(levels))
        known[here] = levels.known
        possible = replace(levels, known=np.ones_like(levels.known)) if vocabulary.every else levels
        shares[here], lengths[here], fallbacks[here] = weighed(method, possible, vocabulary.size)
        matched += [] if levels.matched is None else [names[form] for form in levels.matched.tolist()]
        done += len(levels)
        report(Progress("Scoring", done, len(places), "tokens"))
    ends = np.cumsum([len(text.ids) - text.first for text in texts]).tolist()
    parts = [slice(end - len(text.ids) + text.first, end) for text, end in zip(texts, ends, strict=True)]
    return [
        TextScores(
            text.first,
            shares[part],
            lengths[part],
            known[part],
            text.characters,
            text.bytes,
            method.floor,
            matched=tuple(matched[part]),
            fallbacks=fallbacks[part],
        )
        for text, part in zip(texts, parts, strict=True)
    ]
