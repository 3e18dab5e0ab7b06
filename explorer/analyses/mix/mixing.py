"""The corpus mixed with a neural model: P = λ P_corpus + (1 - λ) P_neural, with λ tuned on the first half of a text.

There are two λ, as in the infini-gram paper (Liu et al. 2024, section 5): one where the corpus knows one next token
only (sparse), one elsewhere; a single λ is computed, too. A unit is a token, or what is between two boundaries that
different tokenizers share (`explorer.analyses.mix.aligning`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.analyses.mix.aligning import Aligned, align
from explorer.analyses.model.fallback import weighed
from explorer.analyses.model.levels import places_in
from explorer.analyses.model.method import Method
from explorer.analyses.model.scoring import Vocabulary
from explorer.analyses.model.transforms import levels_under
from explorer.backends.protocol.protocol import Backend, Numbers
from explorer.core.arrays import ArrayValue
from explorer.core.jobs import CancelToken, Progress, Report, no_report
from explorer.errors import QueryError
from explorer.i18n import mark
from explorer.neural.records import ScoredText

Logs = NDArray[np.float64]
"""Natural logarithms of probabilities; minus infinity for 0."""
GRID = np.arange(1_000) / 1_000
"""The λ that are tried: 0, 0.001, … 0.999. Not 1, where each token that the corpus lacks has a probability of 0."""
_CURVE = np.concatenate([[0.0, 0.001, 0.002, 0.005], np.arange(1, 100) / 100, [0.995, 0.999, 1.0]])


@dataclass(frozen=True, eq=False)
class MixUnits(ArrayValue):
    """What both models give the units of some texts, in order.

    Attributes
    ----------
    texts
        The number of each unit's text, int64.
    starts, ends
        The characters of each unit in its text, int64.
    bytes
        Its bytes in UTF-8, int64.
    tokens, neural_tokens
        Tokens of the index and of the neural model in it, int64.
    neural, corpus
        Natural log probabilities under both, float64.
    lengths
        Tokens of the longest context that the corpus has for its first token, int64: effective n is one more.
    followed
        How often a token follows that context, int64.
    sparse
        Whether the same token always does, for all tokens of the unit.
    same_tokens
        Whether each unit is one token of both; otherwise there are bits per character, and no perplexity.
    """

    texts: Numbers
    starts: Numbers
    ends: Numbers
    bytes: Numbers
    tokens: Numbers
    neural_tokens: Numbers
    neural: Logs
    corpus: Logs
    lengths: Numbers
    followed: Numbers
    sparse: NDArray[np.bool_]
    same_tokens: bool

    def __len__(self) -> int:
        return len(self.texts)

    def part(self, first: int, last: int) -> MixUnits:
        """The units first to last - 1."""
        arrays: dict[str, Any] = {
            name: value[first:last] for name, value in vars(self).items() if isinstance(value, np.ndarray)
        }
        return replace(self, **arrays)


@dataclass(frozen=True)
class MixTotal:
    """Sums over some units under one model.

    Attributes
    ----------
    units
        The units: tokens, or stretches between boundaries that two tokenizers share.
    characters
        Their characters.
    bytes
        The same in UTF-8.
    zeros
        MixUnits with a probability of 0.
    surprise
        -Σ ln P over the others.
    per_token
        Whether the units are tokens.
    """

    units: int
    characters: int
    bytes: int
    zeros: int
    surprise: float
    per_token: bool

    @property
    def perplexity(self) -> float | None:
        """exp(-Σ ln P / tokens); None where a probability is 0, without tokens, and where units are not tokens."""
        return None if self.zeros or not self.per_token else _exp(self.surprise, self.units)

    @property
    def perplexity_of_rest(self) -> float | None:
        """The same of the tokens with a probability above 0."""
        return _exp(self.surprise, self.units - self.zeros) if self.per_token else None

    @property
    def bits_per_character(self) -> float | None:
        """-Σ log2 P / characters; None where a probability is 0, and without characters."""
        return None if self.zeros or not self.characters else self.surprise / math.log(2) / self.characters

    @property
    def bits_per_byte(self) -> float | None:
        """-Σ log2 P / bytes; None as for characters."""
        return None if self.zeros or not self.bytes else self.surprise / math.log(2) / self.bytes


def _exp(surprise: float, units: int) -> float | None:
    # Beyond what a float holds only for probabilities that no program gives; infinity is not a perplexity either.
    return math.exp(surprise / units) if units and surprise / units < 700 else None


@dataclass(frozen=True)
class MixPart:
    """The models on a part of the units.

    Attributes
    ----------
    name
        "first" (where λ was tuned), "second" (where it was not) or "all".
    neural, corpus
        Each model alone.
    single
        The mixture with one λ.
    hybrid
        The mixture with two.
    """

    name: str
    neural: MixTotal
    corpus: MixTotal
    single: MixTotal
    hybrid: MixTotal

    @property
    def improvement(self) -> float | None:
        """(PPL_neural - PPL_hybrid) / (PPL_neural - 1): the share of the way to a perfect prediction; None where a
        perplexity is missing, or the neural model's is 1."""
        before, after = self.neural.perplexity, self.hybrid.perplexity
        return None if before is None or after is None or before <= 1 else (before - after) / (before - 1)


@dataclass(frozen=True)
class CurvePoint:
    """The mixture with one λ.

    Attributes
    ----------
    weight
        λ, the part of the corpus: 0 to 1.
    first, second
        The sums over both halves.
    """

    weight: float
    first: MixTotal
    second: MixTotal


@dataclass(frozen=True)
class Weights:
    """The tuned λ, each one of 0, 0.001, … 0.999.

    Attributes
    ----------
    sparse
        Where the corpus knows one next token only; that of `single` if no such unit is in the first half.
    other
        Elsewhere; that of `single` if no such unit is in the first half.
    single
        If there is only one.
    """

    sparse: float
    other: float
    single: float

    def of(self, sparse: NDArray[np.bool_]) -> NDArray[np.float64]:
        """The λ of units that are sparse or not, float64."""
        return np.where(sparse, self.sparse, self.other)


@dataclass(frozen=True, eq=False)
class Mixture(ArrayValue):
    """A corpus mixed with a neural model.

    Attributes
    ----------
    units
        The units.
    half
        The first unit of the second half.
    weights
        The λ that were tuned on the first half.
    hybrid
        Natural log probability of each unit in the mixture with two λ, float64.
    parts
        The first half, the second, and all.
    curve
        The mixture with one λ, by λ: 0 to 1, the tuned one among them.
    """

    units: MixUnits
    half: int
    weights: Weights
    hybrid: Logs
    parts: tuple[MixPart, MixPart, MixPart]
    curve: tuple[CurvePoint, ...]


def observe(
    index: Backend,
    method: Method,
    texts: Sequence[ScoredText],
    vocabulary: Vocabulary,
    leave_one_out: bool = False,
    report: Report = no_report,
    cancel: CancelToken | None = None,
) -> MixUnits:
    """Compute what the corpus gives the units of texts that a neural model scored.

    vocabulary: The tokens that there may be.
    leave_one_out: Whether the texts are in the index, and their own occurrences do not count.
    Raises `QueryError` if the method gives scores, or fewer than two units are scored by both models.

    Notes
    -----
    Cost: that of `explorer.analyses.model.scoring.score_texts`.
    """
    if not method.normalised:
        raise QueryError(
            mark("The method {name} gives scores. Only probabilities can be mixed."), reason="scores", name=method.name
        )
    aligned = [align(index.tokenizer, text) for text in texts]
    if sum(map(len, aligned)) < 2:
        raise QueryError(
            mark("There are {count} tokens that both models score. λ needs two halves."),
            reason="nothing-to-mix",
            count=sum(map(len, aligned)),
        )
    seen = _Seen(index, method, aligned, vocabulary, leave_one_out, report, cancel)
    return seen.units()


class _Seen:
    """What the corpus gives each token of the texts, from the second on, and then each unit."""

    def __init__(
        self,
        index: Backend,
        method: Method,
        aligned: Sequence[Aligned],
        vocabulary: Vocabulary,
        leave_one_out: bool,
        report: Report,
        cancel: CancelToken | None,
    ) -> None:
        self._aligned = aligned
        # Tokens after the last unit are not asked about: a file may score the beginning of a text only.
        used = [text.ids[: int(text.lasts[-1]) if len(text) else 0] for text in aligned]
        places = places_in(used, [1] * len(used))
        # Of each token, by its place among all texts' tokens: its log probability, longest level and followers.
        size = len(places.ids)
        self._logs, self._sparse = np.zeros(size), np.zeros(size, dtype=np.bool_)
        self._lengths, self._followed = np.zeros((2, size), dtype=np.int64)
        self._begins = np.cumsum([0, *map(len, used)])
        done = 0
        for levels in levels_under(index, places, replace(method.reach, leave_one_out=leave_one_out), cancel):
            here = places.tokens[done : done + len(levels)]
            possible = replace(levels, known=np.ones_like(levels.known)) if vocabulary.every else levels
            longest, found = levels.longest(), weighed(method, possible, vocabulary.size)
            with np.errstate(divide="ignore"):
                self._logs[here] = np.log(found.shares)
            self._lengths[here], self._followed[here] = longest.lengths[:, 0], longest.followed[:, 0]
            # A context that the method does not use does not make it certain.
            self._sparse[here] = (longest.distinct[:, 0] == 1) & (found.lengths == longest.lengths[:, 0])
            done += len(levels)
            report(Progress("Scoring", done, len(places), "tokens"))

    def units(self) -> MixUnits:
        """The units of all texts."""
        aligned = self._aligned
        firsts, lasts = (
            np.concatenate([getattr(text, name) + begin for text, begin in zip(aligned, self._begins, strict=False)])
            for name in ("firsts", "lasts")
        )
        joined = {
            name: np.concatenate([getattr(text, name) for text in aligned])
            for name in ("starts", "ends", "bytes", "neural", "neural_tokens")
        }
        bounds = np.stack([firsts, lasts], axis=1).ravel()
        return MixUnits(
            texts=np.repeat(np.arange(len(aligned)), [len(text) for text in aligned]),
            tokens=lasts - firsts,
            corpus=np.add.reduceat(np.append(self._logs, 0.0), bounds)[::2],
            lengths=self._lengths[firsts],
            followed=self._followed[firsts],
            sparse=np.logical_and.reduceat(np.append(self._sparse, True), bounds)[::2],
            same_tokens=all(text.same for text in aligned if len(text)),
            **joined,
        )


def mix(units: MixUnits, cancel: CancelToken | None = None) -> Mixture:
    """Tune λ on the first half of the units, and mix.

    Returns: The tuned λ, the sums over both halves, and the curve.

    Notes
    -----
    Each λ is the best of `GRID` on the first half. The log probability is concave in λ, so it is found by bisection.
    """
    half = len(units) // 2
    weights = _tune(units.part(0, half))
    hybrid = mixed(units.corpus, units.neural, weights.of(units.sparse))
    single = mixed(units.corpus, units.neural, weights.single)
    halves = {"first": slice(0, half), "second": slice(half, None), "all": slice(None)}

    def part(name: str) -> MixPart:
        logs = units.neural, units.corpus, single, hybrid
        return MixPart(name, *(total_of(units, each, halves[name]) for each in logs))

    curve = []
    for weight in np.union1d(_CURVE, [weights.single]).tolist():
        if cancel is not None:
            cancel.check()
        logs = mixed(units.corpus, units.neural, weight)
        curve.append(CurvePoint(weight, *(total_of(units, logs, halves[name]) for name in ("first", "second"))))
    return Mixture(units, half, weights, hybrid, (part("first"), part("second"), part("all")), tuple(curve))


def mixed(corpus: Logs, neural: Logs, weight: float | NDArray[np.float64]) -> Logs:
    """Mix probabilities.

    corpus, neural: Natural log probabilities, float64.
    weight: λ, the part of the corpus: one for all or one per entry, 0 to 1.
    Returns: ln(λ P_corpus + (1 - λ) P_neural); with λ = 0 and λ = 1 exactly one of both.

    Examples
    --------
    >>> mixed(np.log([0.5]), np.log([0.1]), 0.25).round(4).tolist() == np.log([0.2]).round(4).tolist()
    True
    """
    with np.errstate(divide="ignore"):
        logs: Logs = np.logaddexp(np.log(weight) + corpus, np.log1p(-np.asarray(weight, dtype=np.float64)) + neural)
    return logs


def total_of(units: MixUnits, logs: Logs, which: slice | NDArray[np.bool_] = slice(None)) -> MixTotal:
    """Add up log probabilities of units."""
    values = logs[which]
    zero = np.isneginf(values)
    return MixTotal(
        units=len(values),
        characters=int((units.ends[which] - units.starts[which]).sum()),
        bytes=int(units.bytes[which].sum()),
        zeros=int(np.count_nonzero(zero)),
        surprise=-float(values[~zero].sum()),
        per_token=units.same_tokens,
    )


def _tune(units: MixUnits) -> Weights:
    single = best_weight(units.corpus, units.neural) or 0.0
    sparse, other = (best_weight(units.corpus[part], units.neural[part]) for part in (units.sparse, ~units.sparse))
    return Weights(single if sparse is None else sparse, single if other is None else other, single)


def best_weight(corpus: Logs, neural: Logs) -> float | None:
    """Find the λ of `GRID` under which units are most probable.

    Returns: The λ; the smallest of equal ones. None if there is no unit, or none that either model finds possible.
    """
    possible = ~(np.isneginf(corpus) & np.isneginf(neural))
    corpus, neural = corpus[possible], neural[possible]
    if not len(corpus):
        return None

    def log_probability(place: int) -> float:
        return float(mixed(corpus, neural, float(GRID[place])).sum())

    low, high = 0, len(GRID) - 1
    # Concave: the best place is the first one from which the next one does not improve.
    while low < high:
        middle = (low + high) // 2
        if log_probability(middle + 1) > log_probability(middle):
            low = middle + 1
        else:
            high = middle
    return float(GRID[low])
