"""Text that a model writes, token by token, each with where it comes from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from explorer.analyses.model.distribution import Distribution, own_distribution
from explorer.analyses.model.method import Method
from explorer.analyses.model.methods import InfGram
from explorer.analyses.model.sampling import Draw, draw
from explorer.backends.protocol.protocol import Backend, Level, Numbers
from explorer.core.jobs import CancelToken, Progress, Report, no_report


@dataclass(frozen=True)
class Used:
    """A level that gave a token its probability.

    Attributes
    ----------
    n
        Tokens of its context.
    m
        How often a token follows the context.
    count
        How often this one does.
    """

    n: int
    m: int
    count: int


@dataclass(frozen=True)
class Written:
    """A token that was written.

    Attributes
    ----------
    token
        Its id.
    share
        Its probability before temperature, top-k and top-p.
    levels
        What was weighed, the longest context first.
    transform
        The transform under which the context was looked up; "" for the context as it is.
    form
        The longest context under that transform; () for the context as it is.
    """

    token: int
    share: float
    levels: tuple[Used, ...]
    transform: str = ""
    form: tuple[int, ...] = ()


@dataclass(frozen=True)
class Writing:
    """How a text is written.

    draw: How each token is drawn.
    seed: Seed of all chance: the same seed gives the same text.
    most_verbatim: Most tokens in a row that occur in the corpus as they are, those at the end of the prompt included; 0
        for any number. The text ends where every token would make the row longer.
    stop_at_ends: Whether to end where a document of the corpus ends, by the share of the longest context's occurrences
        that are the last tokens of a document, and where the method knows no next token. Otherwise the next token is
        drawn by how often each occurs.
    """

    draw: Draw = field(default_factory=Draw)
    most: int = 200
    seed: int = 0
    most_verbatim: int = 0
    stop_at_ends: bool = True


def write(
    index: Backend,
    method: Method,
    prompt: Numbers,
    kinds: int,
    vocabulary: Numbers,
    how: Writing,
    report: Report = no_report,
    cancel: CancelToken | None = None,
) -> Iterator[Written]:
    """Write a text.

    prompt: Checked ids, int64; may be empty.
    kinds: Distinct tokens that there may be.
    vocabulary: Their ids, int64, ascending.
    Yields: The next token. There are fewer than `how.most` if nothing can follow, or if a document ends.

    Notes
    -----
    Cost: that of one distribution per token.
    """
    random = np.random.default_rng(how.seed)
    next_of = _Next(index, method, kinds, vocabulary, how.most_verbatim, cancel)
    # One array for all contexts, filled as the text grows.
    text = np.concatenate([prompt, np.zeros(how.most, dtype=np.int64)])
    for end in range(len(prompt), len(text)):
        if cancel is not None:
            cancel.check()
        found, possible = next_of.after(text[:end])
        # Drawn in any case, so that the setting does not shift what is drawn for the tokens.
        chance = random.random()
        is_known = found.total > 0
        if how.stop_at_ends and (not is_known or chance < found.end):
            return
        if not is_known:
            # From how often tokens occur at all, which not every method knows.
            found = next_of.alone(possible)
        if not _has_any(found, possible):
            return
        token, share = draw(found, how.draw, random, possible)
        text[end] = token
        yield Written(token, share, tuple(_used(level, token) for level in found.levels), found.transform, _form(found))
        report(Progress("Writing", end + 1 - len(prompt), how.most, "tokens"))


class _Next:
    """The distribution of the next token, and the tokens that may come: not those that make a verbatim run too long."""

    def __init__(
        self, index: Backend, method: Method, kinds: int, vocabulary: Numbers, most: int, cancel: CancelToken | None
    ) -> None:
        self._index, self._method, self._kinds = index, method, kinds
        self._vocabulary, self._most, self._cancel = vocabulary, most, cancel

    def after(self, text: Numbers) -> tuple[Distribution, Numbers]:
        """The distribution after prompt and text; its total is 0 if the method knows nothing of them."""
        found, most = self._by(self._method, text), self._most
        if not most or len(text) < most:
            return found, self._vocabulary
        # Of prompt and text together: a reader sees one run, wherever the prompt ends.
        copied = self._index.counts.next_tokens(text[len(text) - most :], cancel=self._cancel).tokens
        possible = np.setdiff1d(self._vocabulary, copied)
        if not found.total:
            return found, possible
        # From ever shorter contexts, until one is followed by a token that is not a copy; in the end from none.
        for length in range(most - 1, 0, -1):
            if _has_any(allowed := _only(found, possible), possible):
                return allowed, possible
            found = self._by(self._method, text[len(text) - length :])
        allowed = _only(found, possible)
        return (allowed if _has_any(allowed, possible) else self.alone(possible)), possible

    def alone(self, possible: Numbers) -> Distribution:
        """How often each token that may come occurs at all."""
        return _only(self._by(InfGram(), self._vocabulary[:0]), possible)

    def _by(self, method: Method, text: Numbers) -> Distribution:
        return own_distribution(self._index, method, text, self._kinds, self._cancel)


def _only(found: Distribution, possible: Numbers) -> Distribution:
    """The distribution without the other tokens that it lists; the rest of them gets nothing where it is drawn."""
    kept = np.isin(found.tokens, possible)
    return replace(found, tokens=found.tokens[kept], shares=found.shares[kept])


def _has_any(found: Distribution, possible: Numbers) -> bool:
    """Whether any token can be drawn."""
    return bool(found.shares.sum() > 0) or bool(found.other > 0 and len(np.setdiff1d(possible, found.tokens)))


def _form(found: Distribution) -> tuple[int, ...]:
    """The longest context that was weighed, if it is not the text's own."""
    if not found.transform or not found.levels:
        return ()
    return tuple(found.form[len(found.form) - found.levels[0].length :].tolist())


def _used(level: Level, token: int) -> Used:
    at = int(level.tokens.searchsorted(token))
    is_there = at < len(level.tokens) and level.tokens[at] == token
    return Used(level.length, level.followed, int(level.counts[at]) if is_there else 0)


@dataclass(frozen=True)
class LevelFigures:
    """A level over all tokens that were written.

    Attributes
    ----------
    level
        Its number, from 0 for the longest contexts.
    token_count
        Tokens that had such a level.
    n_median
        Median of the tokens of its context.
    n_mean
        Their mean.
    n_deviation
        Their standard deviation.
    m_median
        Median of how often a token follows the context.
    m_mean
        Its mean.
    m_deviation
        Its standard deviation.
    """

    level: int
    token_count: int
    n_median: float
    n_mean: float
    n_deviation: float
    m_median: float
    m_mean: float
    m_deviation: float


def level_figures(tokens: list[Written]) -> tuple[LevelFigures, ...]:
    """Summarize the levels that gave a text its tokens.

    Returns: One entry per level that any token had.
    """
    most = max((len(token.levels) for token in tokens), default=0)
    return tuple(
        _figures(number, [t.levels[number] for t in tokens if len(t.levels) > number]) for number in range(most)
    )


def _figures(number: int, used: list[Used]) -> LevelFigures:
    values = []
    for column in ([each.n for each in used], [each.m for each in used]):
        values += [float(np.median(column)), float(np.mean(column)), float(np.std(column))]
    return LevelFigures(number, len(used), *values)


def longest_verbatim(index: Backend, written: Numbers, cancel: CancelToken | None = None) -> int:
    """Find the longest run of written tokens that occurs in the corpus as it is.

    written: The tokens without their prompt, int64.
    Returns: Its tokens; 0 for an empty text.
    """
    return int(index.counts.longest_matches(written, cancel).max(initial=0))
