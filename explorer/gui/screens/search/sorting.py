"""How lines are sorted, as it is chosen: an order with a name, or up to three levels. No Qt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from explorer.i18n import mark, tr
from explorer.search.arrange import MOST_LEVELS, POSITIONS, LineSettings, SortLevel, parse_sort

CUSTOM = ""
"""The preset of levels."""
PRESETS = (
    (mark("Right context"), "right"),
    (mark("Left context"), "left"),
    (mark("Match"), "M,1R"),
    (mark("Document"), "document"),
    (mark("Random order"), "random"),
    (mark("Index order (fastest)"), "index"),
    (mark("Custom sort …"), CUSTOM),
)
_BY_READING = {"right": mark("Following context"), "left": mark("Preceding context")}
_WITHOUT_WORDS = ("document", "random", "index")
"""Orders for which no words need to be read."""


@dataclass(frozen=True)
class SortOrder:
    """An order as it was chosen.

    Attributes
    ----------
    preset
        One of `PRESETS`.
    levels
        What a custom sort goes by, first level first; the key "" leaves a level out.
    """

    preset: str = "right"
    levels: tuple[SortLevel, ...] = (SortLevel("1L"), *[SortLevel("")] * (MOST_LEVELS - 1))

    def available(self, words: bool) -> SortOrder:
        """This order, or that of the index if it needs words around hits and the index has none."""
        return self if words or self.preset in _WITHOUT_WORDS else replace(self, preset="index")

    def with_level(self, number: int, key: str, descending: bool) -> SortOrder:
        """The same order with another level.

        Parameters
        ----------
        number
            The level, from 0.
        key
            The key of `SortLevel`; "" leaves the level out.
        descending
            Whether it is reversed.

        Returns
        -------
        SortOrder
            The order.
        """
        before, after = self.levels[:number], self.levels[number + 1 :]
        return replace(self, levels=(*before, SortLevel(key, descending), *after))

    def within(self, fields: Sequence[str]) -> SortOrder:
        """The same order without levels by fields that are not among these."""
        known = {key for key, _ in level_choices(fields, False)}
        # Emptied and not removed: the other levels keep their places.
        kept = (level if level.key in known else replace(level, key="") for level in self.levels)
        return replace(self, levels=tuple(kept))

    @property
    def settings(self) -> LineSettings:
        """The order for `arrange`."""
        if self.preset != CUSTOM:
            return parse_sort(self.preset)
        return LineSettings(sort=tuple(level for level in self.levels if level.key))


def needs_words(preset: str) -> bool:
    """Whether a preset reads words around hits."""
    return preset not in _WITHOUT_WORDS


def preset_name(preset: str, right_to_left: bool) -> str:
    """Name a preset.

    Parameters
    ----------
    preset
        One of `PRESETS`.
    right_to_left
        Whether lines run right to left: there "right" is before the match, so sides are named by reading order.

    Returns
    -------
    str
        The name.
    """
    names = {spec: text for text, spec in PRESETS}
    return tr(_BY_READING.get(preset, names[preset]) if right_to_left else names[preset])


def level_choices(fields: Sequence[str], right_to_left: bool) -> tuple[tuple[str, str], ...]:
    """What a level can sort by.

    Parameters
    ----------
    fields
        The metadata fields of the index.
    right_to_left
        Whether lines run right to left.

    Returns
    -------
    tuple[tuple[str, str], ...]
        Keys of `SortLevel`, each with its name; "" first, for no level.
    """
    places = ((position, place_name(position, right_to_left)) for position in POSITIONS)
    return ("", "—"), *places, ("document", tr("document")), *((f"field:{name}", name) for name in fields)


def place_name(position: str, right_to_left: bool = False) -> str:
    """Name a word's place.

    Parameters
    ----------
    position
        "1L" to "5R", or "M" for the match.
    right_to_left
        Whether lines run right to left: then "before" and "after" take the place of "left" and "right".

    Returns
    -------
    str
        The name, such as "2nd word left".
    """
    if position == "M":
        return tr("match")
    ordinals = {"1": tr("1st"), "2": tr("2nd"), "3": tr("3rd")}
    # No word is farther away than the 5th.
    number = ordinals.get(position[0]) or tr("{digit}th", digit=position[0])
    if right_to_left:
        return (
            tr("{number} word before", number=number)
            if position[1] == "L"
            else tr("{number} word after", number=number)
        )
    if position[1] == "L":
        return tr("{number} word left", number=number)
    return tr("{number} word right", number=number)
