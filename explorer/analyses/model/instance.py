"""λ by token: how far to trust the corpus where it knows a context of this length, followed this often.

The infini-gram paper (appendix D.2) lets a Random Forest choose λ from the lengths of the suffixes and their counts.
Here the same facts choose a group, and each group has a λ of its own, learned by EM on the first half. A group that was
seen rarely stays near the λ of all sparse or all other tokens; how near is decided within the first half, too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from explorer.analyses.mix.mixing import Logs, MixTotal, Mixture, MixUnits, mixed, total_of
from explorer.backends.protocol.protocol import Numbers
from explorer.core.arrays import ArrayValue
from explorer.core.jobs import CancelToken

PRIORS = (4.0, 16.0, 64.0, 256.0, 1024.0)
"""Made-up units per group, with the λ that it would have without groups; the first half decides for one of these."""
_STEPS = 100
_MOST_LENGTH, _COUNTS = 15, 64
InstanceKind = Literal["learned", "forest"]
INSTANCE_KINDS: tuple[InstanceKind, ...] = get_args(InstanceKind)
Shares = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class InstanceMixture(ArrayValue):
    """A mixture with a λ by token.

    Attributes
    ----------
    weights
        The λ of each unit, float64.
    hybrid
        Natural log probability of each unit in this mixture, float64.
    kind
        "learned" by group of tokens, or by a "forest".
    prior
        Made-up units in each group with the λ that it would have without groups: 4, 16, 64, 256 or 1,024; None for a
        forest.
    groups
        Groups that the first half has; None for a forest.
    leaf_size
        Least units in a leaf of the forest's trees; None for groups.
    first, second, all
        The sums over the half where λ was learned, the other half, and both.
    """

    weights: Shares
    hybrid: Logs
    kind: InstanceKind
    prior: float | None
    groups: int | None
    leaf_size: int | None
    first: MixTotal
    second: MixTotal
    all: MixTotal


def mix_by_instance(found: Mixture, cancel: CancelToken | None = None) -> InstanceMixture:
    """Learn a λ for each group of tokens on the first half, and mix.

    Notes
    -----
    EM for the weights of a mixture of two, with a Beta prior whose mode is the λ without groups. The prior is the one
    under which each quarter of the text, every second unit of the first half, is most probable after learning from the
    other quarter.
    """
    units, half = found.units, found.half
    known = units.part(0, half)
    base, names = np.clip(found.weights.of(units.sparse), 1e-6, 1 - 1e-6), groups_of(units)
    every = np.arange(half)

    def fit(prior: float, learn: Numbers) -> Shares:
        return _learn(known, names[:half], base[:half], learn, prior, cancel)

    def log_probability(prior: float) -> float:
        total = 0.0
        for learn, judge in quarters_of(every):
            shares = _spread(fit(prior, learn), names[:half], base[:half])
            logs = mixed(known.corpus[judge], known.neural[judge], shares[judge])
            total += float(logs[~np.isneginf(logs)].sum())
        return total

    prior = max(PRIORS, key=log_probability)
    weights = _spread(fit(prior, every), names, base)
    return mixed_by(found, weights, "learned", prior=prior, groups=len(np.unique(names[:half])))


def mixed_by(
    found: Mixture,
    weights: Shares,
    kind: InstanceKind,
    prior: float | None = None,
    groups: int | None = None,
    leaf_size: int | None = None,
) -> InstanceMixture:
    """Mix with a λ for each unit.

    weights: The λ of each unit, float64.
    kind, prior, groups, leaf_size: How they were learned, as `InstanceMixture` has it.
    """
    units, half = found.units, found.half
    hybrid = mixed(units.corpus, units.neural, weights)
    totals = (total_of(units, hybrid, part) for part in (slice(0, half), slice(half, None), slice(None)))
    return InstanceMixture(weights, hybrid, kind, prior, groups, leaf_size, *totals)


def quarters_of(units: Numbers) -> tuple[tuple[Numbers, Numbers], ...]:
    """Divide units into two to learn from one and judge by the other, in both ways.

    Returns: Every second one from the first, the others; and the same the other way round.

    Examples
    --------
    >>> [(learn.tolist(), judge.tolist()) for learn, judge in quarters_of(np.arange(3))]
    [([0, 2], [1]), ([1], [0, 2])]
    """
    return (units[::2], units[1::2]), (units[1::2], units[::2])


def groups_of(units: MixUnits) -> Numbers:
    """Find the group of each unit.

    Returns: int64: length of the longest context (up to 15), ⌊log2⌋ of how often it is followed, and whether always by
        the same token.
    """
    counts = np.frexp(np.maximum(units.followed, 1))[1].astype(np.int64) - 1
    lengths = np.minimum(units.lengths, _MOST_LENGTH)
    found: Numbers = (counts * (_MOST_LENGTH + 1) + lengths) * 2 + units.sparse
    return found


def _learn(
    units: MixUnits, names: Numbers, base: Shares, learn: Numbers, prior: float, cancel: CancelToken | None
) -> Shares:
    """The λ of each group; nan for a group without units to learn from."""
    size = _COUNTS * (_MOST_LENGTH + 1) * 2
    possible = learn[~(np.isneginf(units.corpus[learn]) & np.isneginf(units.neural[learn]))]
    names, corpus, neural, base = names[possible], units.corpus[possible], units.neural[possible], base[possible]
    seen = np.bincount(names, minlength=size).astype(np.float64)
    # All units of a group are sparse, or none is: they have one λ without groups.
    parent = np.divide(np.bincount(names, base, size), seen, out=np.full(size, np.nan), where=seen > 0)
    weights = parent.copy()
    for _ in range(_STEPS):
        if cancel is not None:
            cancel.check()
        own = weights[names]
        # The corpus's part in each unit's probability.
        with np.errstate(divide="ignore"):
            taken = np.exp(np.log(own) + corpus - mixed(corpus, neural, own))
        weights = (np.bincount(names, taken, size) + prior * parent) / (seen + prior)
    found: Shares = weights
    return found


def _spread(weights: Shares, names: Numbers, base: Shares) -> Shares:
    """The λ of each unit: that of its group, or the one without groups where the group was not seen."""
    found: Shares = np.where(np.isnan(weights[names]), base, weights[names])
    return found
