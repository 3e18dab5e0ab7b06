"""The methods of a language model as the Model screen offers them, with their settings. No Qt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from explorer.i18n import mark, tr
from explorer.model.levels import Reach
from explorer.model.making import METHODS, WEIGHTS

IN_FRONT = ("levels", "backoff", "weighted", "learned")
"""Methods that are one click away; the others are in a menu."""
OTHERS = ("infgram", "ngram", "witten-bell", "discount", "laplace", "infinigram-backoff")
TITLES: Mapping[str, str] = {
    "levels": mark("Blend levels"),
    "backoff": mark("Back-off"),
    "weighted": mark("Weighted"),
    "learned": mark("Learned trust"),
    "infgram": mark("∞-gram"),
    "ngram": mark("N-gram"),
    "witten-bell": mark("Witten–Bell"),
    "discount": mark("Absolute discounting"),
    "laplace": mark("Add alpha"),
    "infinigram-backoff": mark("Infinigram's back-off"),
}
SHOWN: Mapping[str, tuple[str, ...]] = {
    "levels": ("levels", "decay"),
    "backoff": ("alpha",),
    "weighted": ("weight", "alpha"),
    "ngram": ("n",),
    "discount": ("discount",),
    "laplace": ("alpha",),
    "infinigram-backoff": ("factor", "alpha"),
}
"""The settings that have a field in the window; the others keep their defaults."""


@dataclass(frozen=True)
class Setting:
    """A field for a setting.

    title: Its label, not yet translated.
    decimals: Decimals of a number; 0 for a whole one.
    choices: What can be chosen, in place of a range.
    nothing: What the smallest number means, not yet translated; "" if it means itself.
    """

    title: str
    low: float = 0.0
    high: float = 1.0
    decimals: int = 0
    choices: tuple[str, ...] = ()
    nothing: str = ""

    def takes(self, value: object) -> bool:
        """Whether the field can show a value."""
        if self.choices:
            return value in self.choices
        if value is None:
            return bool(self.nothing)
        number = isinstance(value, int | float) and not isinstance(value, bool) and self.low <= value <= self.high
        return number and (bool(self.decimals) or isinstance(value, int))


SETTINGS: Mapping[str, Setting] = {
    "levels": Setting(mark("Levels"), 0, 100, nothing=mark("all")),
    "decay": Setting(mark("Decay"), 0, 1, 3),
    "n": Setting(mark("n"), 1, 100),
    "alpha": Setting(mark("Alpha"), 0, 1000, 3),
    "factor": Setting(mark("Factor"), 0, 1, 3),
    "discount": Setting(mark("Discount"), 0, 1, 3),
    "weight": Setting(mark("Weight"), choices=WEIGHTS),
}


@dataclass(frozen=True)
class Chosen:
    """A method and its settings.

    name: One of `METHODS` of `explorer.model.making`.
    settings: Settings that differ from the method's defaults: pairs of name and value, by name.
    """

    name: str = "levels"
    settings: tuple[tuple[str, Any], ...] = ()

    def value(self, setting: str) -> Any:
        """The value of a setting: the one that was chosen, or the method's default."""
        usual = {each.name: each.default for each in fields(METHODS[self.name])}
        return dict(self.settings).get(setting, usual[setting])

    def having(self, setting: str, value: Any) -> Chosen:
        """The same method with another value; a default one is not kept, so that equal methods are equal."""
        others = {name: kept for name, kept in self.settings if name != setting}
        if value != replace(self, settings=()).value(setting):
            others[setting] = value
        return replace(self, settings=tuple(sorted(others.items())))

    @property
    def normalised(self) -> bool:
        """Whether it gives probabilities, not scores."""
        found: bool = METHODS[self.name].normalised
        return found

    @property
    def learns(self) -> bool:
        """Whether it is learned from the corpus."""
        return self.name == "learned"

    @property
    def reach(self) -> Reach:
        """The levels that it weighs."""
        if self.learns:
            return Reach(self.value("context"), empty=True)
        found: Reach = METHODS[self.name](**dict(self.settings)).reach
        return found

    @property
    def title(self) -> str:
        """Its name in tables and plots."""
        if self.name == "levels":
            levels = self.value("levels")
            return tr("k = all") if levels is None else tr("k = {levels:,}", levels=levels)
        if self.name == "ngram":
            return tr("{n:,}-gram", n=self.value("n"))
        return tr(TITLES[self.name])

    @property
    def how(self) -> str:
        """How it predicts, as the beginning of a sentence."""
        if self.name == "levels":
            levels = self.value("levels")
            if levels is None:
                return tr("Blending all levels")
            return (
                tr("From the longest level alone") if levels == 1 else tr("Blending {levels:,} levels", levels=levels)
            )
        return tr(_HOW[self.name], n=self.value("n")) if self.name == "ngram" else tr(_HOW[self.name])


_HOW: Mapping[str, str] = {
    "backoff": mark("By stupid back-off"),
    "weighted": mark("Weighting contexts by their length"),
    "learned": mark("By learned trust"),
    "infgram": mark("As an ∞-gram"),
    "ngram": mark("As an n-gram model with n = {n:,}"),
    "witten-bell": mark("By Witten–Bell smoothing"),
    "discount": mark("By absolute discounting"),
    "laplace": mark("With alpha added to each count"),
    "infinigram-backoff": mark("By Infinigram's back-off"),
}

_USUAL: Mapping[str, tuple[tuple[str, Any], ...]] = {"levels": (("levels", None),)}
"""Settings with which the window begins, where they are not the library's defaults."""


def usual(name: str) -> Chosen:
    """A method with the settings that the window begins with."""
    return Chosen(name, _USUAL.get(name, ()))


def compared(chosen: Chosen) -> tuple[Chosen, ...]:
    """The methods that are compared: levels, learned trust, and the chosen one where it is another.

    chosen: The chosen method. The levels have its decay, if it blends levels.
    """
    # Levels of another decay than the chosen one would be another curve.
    base = chosen if chosen.name == "levels" else usual("levels")
    ladder = [base.having("levels", levels) for levels in (1, 2, 3, 5, None)]
    if chosen.name == "levels" and chosen not in ladder:
        ladder.append(chosen)
        ladder.sort(key=lambda each: each.value("levels") or float("inf"))
    learned = usual("learned")
    # At the end, so that the curve of the levels stays where it is.
    others = [] if chosen in (*ladder, learned) else [chosen]
    return (*ladder, learned, *others)


def restored_method(method: Chosen, values: Mapping[str, Any], known: Sequence[str]) -> Chosen:
    """Take the method of a session, with those of its settings that a field could show."""
    name, settings = values.get("method"), values.get("settings")
    if not isinstance(name, str) or name not in known:
        return method
    # Without settings, as in sessions of a version that had none, the usual ones.
    made = Chosen(name) if isinstance(settings, dict) else usual(name)
    # A session may be of another version, or edited: a field must be able to show what is restored.
    for setting, value in settings.items() if isinstance(settings, dict) else ():
        about = SETTINGS.get(setting)
        if setting in SHOWN.get(name, ()) and about is not None and about.takes(value):
            made = made.having(setting, value)
    return made
