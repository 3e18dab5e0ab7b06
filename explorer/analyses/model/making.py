"""Methods by name, with their settings; learned trust is learned here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, cast

from explorer.analyses.model.levels import Places, levels_of, places_in
from explorer.analyses.model.method import Formula, Method
from explorer.analyses.model.methods import (
    Backoff,
    Discount,
    InfGram,
    InfinigramBackoff,
    Laplace,
    LevelCounts,
    NGram,
    Weighted,
    WittenBell,
)
from explorer.analyses.model.trust import Learned, Trained, learn
from explorer.analyses.model.tuning import sample
from explorer.backends.protocol.protocol import Backend, Numbers
from explorer.core.arrays import ArrayValue
from explorer.core.jobs import CancelToken, Progress, Report, no_report
from explorer.derive.question import settings_of as declared
from explorer.errors import QueryError
from explorer.i18n import mark

MethodName = Literal[
    "levels",
    "counts",
    "infgram",
    "ngram",
    "weighted",
    "backoff",
    "infinigram-backoff",
    "laplace",
    "witten-bell",
    "discount",
    "learned",
]
"""How contexts of different lengths are weighed."""
_KINDS: tuple[type[Formula], ...] = (
    LevelCounts, InfGram, NGram, Weighted, Backoff, InfinigramBackoff, Laplace, WittenBell, Discount, Learned,
)  # fmt: skip
METHODS: dict[str, type[Formula]] = {kind.name: kind for kind in _KINDS} | {"counts": LevelCounts}
"""The class of each method."""
DEFAULT_METHOD: MethodName = "learned"
"""The method where none is named, but for generated text: a smoothed one, so that no floor decides the number."""


@dataclass(frozen=True)
class Tuned:
    """A method that is ready to weigh levels.

    tuned_on: What it was learned from: "corpus", or the name that was given; None if it learns nothing.
    """

    method: Method
    tuned_on: str | None = None
    tuned_tokens: int = 0


@dataclass(frozen=True, eq=False)
class Tuning(ArrayValue):
    """A text to learn from in place of the corpus.

    texts: Ids of each text, int64.
    """

    name: str
    texts: Sequence[Numbers]


def settings_of(name: str) -> tuple[str, ...]:
    """List the settings that a method takes.

    Examples
    --------
    >>> settings_of("laplace")
    ('alpha', 'context', 'floor')
    """
    return tuple(declared(METHODS[name]))


def method_of(name: str, settings: Mapping[str, Any]) -> Formula:
    """A method of its name and settings; what is left out has its default.

    Raises `QueryError` for an unknown name, a setting that the method does not take, or an invalid value.
    """
    if name not in METHODS:
        raise QueryError(
            mark("There is no method {name}. Methods: {known}."),
            reason="unknown-method",
            name=name,
            known=", ".join(METHODS),
        )
    for setting in settings.keys() - settings_of(name):
        raise QueryError(
            mark("The method {name} has no setting {setting}. It has: {known}."),
            reason="unknown-setting",
            name=name,
            setting=setting,
            known=", ".join(settings_of(name)),
        )
    return METHODS[name].of(**settings)


def tuned(
    index: Backend,
    method: Formula,
    kinds: int,
    tuning: Tuning | None = None,
    report: Report = no_report,
    cancel: CancelToken | None = None,
) -> Tuned:
    """Make a method ready.

    kinds: Distinct tokens that there may be.
    tuning: What to learn from; None for the corpus itself, each token as if it were not there. Only "learned" learns.
    """
    if isinstance(method, Learned):
        return _learned(index, method, kinds, tuning, report, cancel)
    return Tuned(cast(Method, method))


def _learned(
    index: Backend,
    method: Learned,
    kinds: int,
    tuning: Tuning | None,
    report: Report,
    cancel: CancelToken | None,
) -> Tuned:
    places = sample(index, method.context, cancel=cancel) if tuning is None else _places(tuning)
    if not len(places):
        raise QueryError(mark("There is no token to learn from."), reason="nothing-to-learn-from", option="tune")
    read = []
    done = 0
    for levels in levels_of(index, places, replace(method.reach, leave_one_out=tuning is None), cancel):
        read.append(levels)
        done += len(levels)
        report(Progress("Learning", done, len(places), "tokens"))
    name = "corpus" if tuning is None else tuning.name
    return Tuned(Trained(**vars(method), trust=learn(read, kinds, cancel)), name, len(places))


def _places(tuning: Tuning) -> Places:
    return places_in(tuning.texts, [min(1, len(text)) for text in tuning.texts])
