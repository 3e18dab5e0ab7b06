"""Methods by name, with their settings; learned trust is learned here."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Literal

from explorer.arrays import ArrayValue
from explorer.backends.protocol import Backend, Numbers
from explorer.errors import QueryError
from explorer.i18n import mark
from explorer.jobs import CancelToken, Progress, Report, no_report
from explorer.model.levels import Places, Reach, levels_of, places_in
from explorer.model.method import Method
from explorer.model.methods import (
    Backoff,
    Discount,
    InfGram,
    InfinigramBackoff,
    Laplace,
    LevelCounts,
    NGram,
    Weight,
    Weighted,
    WittenBell,
)
from explorer.model.trust import Learned, learn
from explorer.model.tuning import sample

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
_KINDS: tuple[type[Any], ...] = (
    LevelCounts, InfGram, NGram, Weighted, Backoff, InfinigramBackoff, Laplace, WittenBell, Discount, Learned,
)  # fmt: skip
METHODS: dict[str, type[Any]] = {kind.name: kind for kind in _KINDS} | {"counts": LevelCounts}
"""The class of each method."""
DEFAULT_METHOD: MethodName = "learned"
"""The method where none is named, but for generated text: a smoothed one, so that no floor decides the number."""

MOST_CONTEXT = 1_000
WEIGHTS: tuple[Weight, ...] = ("linear", "quadratic", "exponential", "sigmoid")


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
    return tuple(each.name for each in fields(METHODS[name]) if each.name != "trust")


def make_method(
    index: Backend,
    name: str,
    settings: Mapping[str, Any],
    kinds: int,
    tuning: Tuning | None = None,
    report: Report = no_report,
    cancel: CancelToken | None = None,
) -> Tuned:
    """Make a method of its name and settings.

    settings: Fields of the method's class; what is left out has its default.
    kinds: Distinct tokens that there may be.
    tuning: What to learn from; None for the corpus itself, each token as if it were not there. Only "learned" learns.
    Raises `QueryError` for an unknown name, a setting that the method does not take, or a value outside of its range.
    """
    if name not in METHODS:
        raise QueryError(
            mark("There is no method {name}. Methods: {known}."),
            reason="unknown-method",
            name=name,
            known=", ".join(METHODS),
        )
    for setting in settings:
        if setting not in settings_of(name):
            raise QueryError(
                mark("The method {name} has no setting {setting}. It has: {known}."),
                reason="unknown-setting",
                name=name,
                setting=setting,
                known=", ".join(settings_of(name)),
            )
    for setting, value in settings.items():
        _check(setting, value)
    _check_powers(settings)
    if METHODS[name] is not Learned:
        made: Method = METHODS[name](**settings)
        return Tuned(made)
    return _learned(index, settings, kinds, tuning, report, cancel)


def _learned(
    index: Backend,
    settings: Mapping[str, Any],
    kinds: int,
    tuning: Tuning | None,
    report: Report,
    cancel: CancelToken | None,
) -> Tuned:
    context = settings.get("context", Learned.context)
    places = sample(index, context, cancel=cancel) if tuning is None else _places(tuning)
    if not len(places):
        raise QueryError(mark("There is no token to learn from."), reason="nothing-to-learn-from", option="tune")
    read = []
    done = 0
    for levels in levels_of(index, places, Reach(context, empty=True, leave_one_out=tuning is None), cancel):
        read.append(levels)
        done += len(levels)
        report(Progress("Learning", done, len(places), "tokens"))
    name = "corpus" if tuning is None else tuning.name
    return Tuned(Learned(learn(read, kinds, cancel), **settings), name, len(places))


def _places(tuning: Tuning) -> Places:
    return places_in(tuning.texts, [min(1, len(text)) for text in tuning.texts])


_RANGES: dict[str, tuple[float, float]] = {
    "context": (1, MOST_CONTEXT),
    "n": (1, MOST_CONTEXT),
    "levels": (1, math.inf),
    "threshold": (1, math.inf),
    "decay": (0, 1),
    "discount": (0, 1),
    "factor": (0, 1),
    "floor": (0, 1),
    "alpha": (0, 1e6),
    "base": (1e-3, 1e3),
}
_WHOLE = ("context", "n", "levels", "threshold")


def _check(name: str, value: Any) -> None:
    """Raise QueryError for a value that has no meaning."""
    if name == "weight":
        if value not in WEIGHTS:
            raise _bad(name, value, ", ".join(WEIGHTS))
        return
    if name == "every_length" or (value is None and name in ("levels", "floor")):
        return
    low, high = _RANGES[name]
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
    if not is_number or not low <= value <= high or (name in _WHOLE and int(value) != value):
        whole = "a whole number " if name in _WHOLE else ""
        raise _bad(name, value, f"{whole}from {low:g}" + (f" to {high:g}" if math.isfinite(high) else ""))
    if name == "floor" and not value:
        raise _bad(name, value, "above 0")


def _check_powers(settings: Mapping[str, Any]) -> None:
    """Refuse weights that are not numbers any more: base^context."""
    base, context = settings.get("base", Weighted.base), settings.get("context", Weighted.context)
    if settings.get("weight") == "exponential" and abs(context * math.log10(base)) > 280:
        raise QueryError(
            mark("{base} to the power of {context} is too large or too small for a number."),
            reason="weight-too-large",
            base=base,
            context=context,
        )


def _bad(name: str, value: Any, expected: str) -> QueryError:
    return QueryError(
        mark("{name} must be {expected}, not {value}."),
        reason="bad-setting",
        name=name,
        expected=expected,
        value=str(value),
    )
