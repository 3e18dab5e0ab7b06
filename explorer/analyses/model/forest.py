"""λ by token from a Random Forest, as in appendix D.2 of the infini-gram paper, by the package scikit-learn.

The paper gives the forest the lengths of the suffixes that occur and their counts. What it learns is not told there:
here it is the corpus's part in each token's probability, under the two λ of the mixture.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.analyses.mix.aligning import align
from explorer.analyses.mix.mixing import Mixture, MixUnits, mixed
from explorer.analyses.model.instance import InstanceMixture, Shares, mixed_by, quarters_of
from explorer.analyses.model.levels import Places, Reach, levels_of
from explorer.backends.protocol.protocol import Backend, Numbers
from explorer.core.jobs import CancelToken
from explorer.errors import QueryError
from explorer.i18n import mark
from explorer.neural.records import ScoredText
from explorer.version import install_command

SUFFIXES = 16
"""Lengths of context whose counts the forest sees."""
LEAVES = (4, 16, 64, 256)
"""Least units in a leaf of a tree; the first half decides for one of these."""
_TREES, _MOST, _LEAST = 300, 1 - 1e-6, 1e-6


def mix_by_forest(
    index: Backend,
    found: Mixture,
    texts: Sequence[ScoredText],
    leave_one_out: bool = False,
    cancel: CancelToken | None = None,
) -> InstanceMixture:
    """Learn the λ of tokens by a Random Forest on the first half, and mix.

    leave_one_out: Whether the texts are in the index, and their own occurrences do not count.
    Raises `QueryError` if scikit-learn is not installed.

    Notes
    -----
    The size of leaves is the one under which each quarter of the text, every second unit of the first half, is most
    probable after learning from the other quarter. The trees are drawn with a fixed seed. Cost: nine forests of 300
    trees, a few seconds for thousands of tokens.
    """
    # Before the searches, which take longer than to find out that the package is missing.
    make = _forests()
    units, half = found.units, found.half
    facts = np.column_stack([_counts(index, texts, leave_one_out, cancel), units.lengths, units.sparse])
    wanted = _parts(units, np.clip(found.weights.of(units.sparse), _LEAST, _MOST))
    # A unit that both models find impossible tells nothing.
    known = np.flatnonzero(~np.isnan(wanted[:half]))

    def weights(leaf: int, learn: Numbers, judge: Numbers) -> Shares:
        if cancel is not None:
            cancel.check()
        forest = make(n_estimators=_TREES, min_samples_leaf=leaf, max_features=1 / 3, random_state=0)
        forest.fit(facts[learn], wanted[learn])
        # A λ of 1 would make what the corpus lacks impossible.
        return np.clip(np.asarray(forest.predict(facts[judge]), dtype=np.float64), _LEAST, _MOST)

    def log_probability(leaf: int) -> float:
        total = 0.0
        for learn, judge in quarters_of(known):
            logs = mixed(units.corpus[judge], units.neural[judge], weights(leaf, learn, judge))
            total += float(logs.sum())
        return total

    if len(known) < 2:
        raise QueryError(
            mark("The first half has {count} tokens that a forest can learn from. It needs two."),
            reason="nothing-to-learn-from-half",
            count=len(known),
        )
    leaf = max(LEAVES, key=log_probability)
    return mixed_by(found, weights(leaf, known, np.arange(len(units))), "forest", leaf_size=leaf)


def _forests() -> Any:
    """The class of scikit-learn."""
    try:
        # Here: it takes seconds to import, and no other command needs it.
        from sklearn.ensemble import RandomForestRegressor
    except ImportError as error:
        raise QueryError(
            mark("A forest needs the package scikit-learn, which is not installed: {command}"),
            reason="no-scikit-learn",
            command=install_command("forest"),
        ) from error
    return RandomForestRegressor


def _parts(units: MixUnits, weights: Shares) -> Shares:
    """The corpus's part in the probability of each unit; nan where both models give 0."""
    with np.errstate(invalid="ignore"):
        parts: Shares = np.exp(np.log(weights) + units.corpus - mixed(units.corpus, units.neural, weights))
    return parts


def _counts(
    index: Backend, texts: Sequence[ScoredText], leave_one_out: bool, cancel: CancelToken | None
) -> NDArray[np.float64]:
    """How often a token follows each suffix of the context of each unit, as log2 of one more: [units, suffixes]."""
    aligned = [align(index.tokenizer, text) for text in texts]
    begins = np.cumsum([0, *(len(text.ids) for text in aligned)])
    places = Places(
        np.concatenate([text.ids for text in aligned]),
        np.concatenate([text.firsts + begin for text, begin in zip(aligned, begins, strict=False)]),
        np.repeat(begins[:-1], [len(text) for text in aligned]),
    )
    # Counts differ by factors, as lengths do by steps.
    made = np.zeros((len(places), SUFFIXES))
    done = 0
    for levels in levels_of(index, places, Reach(SUFFIXES, selective=False, leave_one_out=leave_one_out), cancel):
        row, column = np.nonzero(levels.exists)
        made[done + row, levels.lengths[row, column] - 1] = np.log2(1 + levels.followed[row, column])
        done += len(levels)
    return made
