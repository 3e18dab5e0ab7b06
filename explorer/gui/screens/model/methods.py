"""The methods of a language model as the Model screen offers them. No Qt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from explorer.analyses.model.making import METHODS
from explorer.analyses.model.method import Formula
from explorer.analyses.model.methods import LevelCounts, NGram
from explorer.derive.question import settings_of
from explorer.i18n import mark, tr

IN_FRONT = ("levels", "backoff", "weighted", "learned")
"""Methods that are one click away; the others are in a menu."""
OTHERS = ("infgram", "ngram", "witten-bell", "discount", "laplace", "infinigram-backoff")
_LEFT_OUT = ("context", "floor", "base", "threshold", "every_length")
"""Settings that have no field in the window: they keep their defaults."""
_HOW: Mapping[str, str] = {
    "backoff": mark("By stupid back-off"),
    "weighted": mark("Weighting contexts by their length"),
    "learned": mark("By learned trust"),
    "infgram": mark("As an ∞-gram"),
    "witten-bell": mark("By Witten–Bell smoothing"),
    "discount": mark("By absolute discounting"),
    "laplace": mark("With alpha added to each count"),
    "infinigram-backoff": mark("By Infinigram's back-off"),
}


def shown_settings(name: str) -> tuple[str, ...]:
    """The settings of a method that have a field in the window."""
    return tuple(each for each in settings_of(METHODS[name]) if each not in _LEFT_OUT)


def title_of(method: Formula) -> str:
    """The name of a method in tables and plots."""
    if isinstance(method, LevelCounts):
        return tr("k = all") if method.levels is None else tr("k = {levels:,}", levels=method.levels)
    return tr("{n:,}-gram", n=method.n) if isinstance(method, NGram) else tr(method.title)


def how_of(method: Formula) -> str:
    """How a method predicts, as the beginning of a sentence."""
    if isinstance(method, NGram):
        return tr("As an n-gram model with n = {n:,}", n=method.n)
    if not isinstance(method, LevelCounts):
        return tr(_HOW[method.name])
    if method.levels is None:
        return tr("Blending all levels")
    if method.levels == 1:
        return tr("From the longest level alone")
    return tr("Blending {levels:,} levels", levels=method.levels)


def usual(name: str) -> Formula:
    """A method with the settings that the window begins with: those of the library, but for all levels."""
    return LevelCounts(levels=None) if name == LevelCounts.name else METHODS[name]()


def compared(chosen: Formula) -> tuple[Formula, ...]:
    """The methods that are compared: levels, learned trust, and the chosen one where it is another."""
    # Levels of another decay than the chosen one would be another curve.
    base = chosen if isinstance(chosen, LevelCounts) else LevelCounts()
    ladder = [replace(base, levels=levels) for levels in (1, 2, 3, 5, None)]
    if isinstance(chosen, LevelCounts) and chosen not in ladder:
        ladder.append(chosen)
        ladder.sort(key=lambda each: each.levels or float("inf"))
    learned = usual("learned")
    # At the end, so that the curve of the levels stays where it is.
    others = [] if chosen in (*ladder, learned) else [chosen]
    return (*ladder, learned, *others)


def session_of_method(method: Formula) -> dict[str, Any]:
    """A method and its settings that differ from their defaults, as JSON values."""
    return {"method": method.name, "settings": {each.name: each.kind.saved(value) for each, value in method.changed()}}


def restored_method(method: Formula, values: Mapping[str, Any], known: Sequence[str]) -> Formula:
    """Take the method of a session, with those of its settings that a field could show."""
    name, settings = values.get("method"), values.get("settings")
    if not isinstance(name, str) or name not in known:
        return method
    if not isinstance(settings, dict):
        # Sessions of a version that had no settings.
        return usual(name)
    return METHODS[name]().restored({each: settings[each] for each in shown_settings(name) if each in settings})
