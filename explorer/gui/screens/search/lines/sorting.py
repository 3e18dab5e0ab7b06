"""How lines are sorted, as it is chosen: an order with a name, or up to three levels. No Qt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from explorer.analyses.search.arrange import (
    MAX_ARRANGED,
    MAX_SORTED,
    MOST_LEVELS,
    POSITIONS,
    LineSettings,
    SortLevel,
    parse_sort,
)
from explorer.gui.screens.search.lines.column_layout import DOCUMENT, LEFT, MATCH, NUMBER, RIGHT, field_name
from explorer.gui.style.direction import isolated
from explorer.i18n import mark, tr

CUSTOM = ""
"""The preset of levels."""
PRESETS = (
    (mark("Right context"), "right"),
    (mark("Left context"), "left"),
    (mark("Match"), "M,1R"),
    (mark("Document"), "document"),
    (mark("Random order"), "random"),
    (mark("Index order"), "index"),
    (mark("Custom levels"), CUSTOM),
)
_BY_READING = {"right": mark("Following context"), "left": mark("Preceding context")}
_WITHOUT_WORDS = ("document", "random", "index")
"""Orders for which no words need to be read."""
_ONE_WAY = ("random", "index")
"""Orders that cannot be reversed."""
_BY_HEADER = {NUMBER: "index", LEFT: "left", MATCH: "M,1R", RIGHT: "right", DOCUMENT: "document"}
_OTHER_SIDE = {"left": "right", "right": "left"}


@dataclass(frozen=True)
class SortOrder:
    """An order as it was chosen.

    preset: One of `PRESETS`, or "field:" and the name of a metadata field.
    levels: What a custom sort goes by, first level first; the key "" leaves a level out.
    descending: Whether the preset is reversed; levels have directions of their own.
    """

    preset: str = "right"
    levels: tuple[SortLevel, ...] = (SortLevel("1L"), *[SortLevel("")] * (MOST_LEVELS - 1))
    descending: bool = False

    def available(self, words: bool) -> SortOrder:
        """This order, or that of the index if it needs words around hits and the index has none."""
        return self if words or not needs_words(self.preset) else replace(self, preset="index", descending=False)

    def by(self, preset: str) -> SortOrder:
        """The order after this preset was chosen: the same one again is reversed."""
        # Levels have a direction each; the order of the index and a random one have none.
        again = preset == self.preset and preset not in (*_ONE_WAY, CUSTOM)
        return replace(self, preset=preset, descending=again and not self.descending)

    def with_level(self, number: int, key: str, descending: bool) -> SortOrder:
        """The same order with another level.

        key: The key of `SortLevel`; "" leaves the level out.
        """
        before, after = self.levels[:number], self.levels[number + 1 :]
        return replace(self, levels=(*before, SortLevel(key, descending), *after))

    def within(self, fields: Sequence[str]) -> SortOrder:
        """The same order without levels by fields that are not among these."""
        known = {key for key, _ in level_choices(fields, False)}
        # Emptied and not removed: the other levels keep their places.
        kept = tuple(level if level.key in known else replace(level, key="") for level in self.levels)
        # Another index may lack the field.
        if field_name(self.preset) and self.preset not in known:
            return SortOrder(levels=kept)
        return replace(self, levels=kept)

    @property
    def settings(self) -> LineSettings:
        """The order for `arrange`."""
        if self.preset == CUSTOM:
            return LineSettings(sort=tuple(level for level in self.levels if level.key))
        if field_name(self.preset):
            # Not parsed: a name may contain a comma.
            return LineSettings(sort=(SortLevel(self.preset, self.descending),))
        # All levels together: the first one alone would leave ties in the other direction.
        found = parse_sort(self.preset)
        return replace(found, sort=tuple(replace(level, descending=self.descending) for level in found.sort))


def preset_hint(preset: str) -> str:
    """What an order goes by, in short; "" if its name is enough."""
    hints = {
        "right": "1R 2R 3R",
        "left": "1L 2L 3L",
        "M,1R": tr("as written"),
        "document": tr("then position"),
        "index": tr("fastest"),
    }
    return hints.get(preset, "")


def needs_words(preset: str) -> bool:
    """Whether a preset reads words around hits."""
    return preset not in _WITHOUT_WORDS and not field_name(preset)


def header_preset(key: str, right_to_left: bool) -> str:
    """Give the order for which the header of a column is clicked.

    right_to_left: Whether lines run right to left: there the column on the left has what follows.
    Returns: The preset; "" if lines cannot be sorted by the column.
    """
    if field_name(key):
        return key
    preset = _BY_HEADER.get(key, "")
    return _OTHER_SIDE.get(preset, preset) if right_to_left else preset


def sorted_column(order: SortOrder, right_to_left: bool) -> tuple[str, bool]:
    """Find the column whose header shows the order.

    right_to_left: Whether lines run right to left.
    Returns: The key of the column, "" for none, and whether the order is reversed.
    """
    # Levels are shown at the column of the first one, which decides most.
    preset, descending = order.preset, order.descending
    if preset == CUSTOM:
        levels = order.settings.sort
        if not levels:
            return "", False
        key, descending = levels[0].key, levels[0].descending
        preset = {"M": "M,1R"}.get(key, {"L": "left", "R": "right"}.get(key[-1:], key) if key in POSITIONS else key)
    # A random order belongs to no column.
    if preset == "random":
        return "", False
    if field_name(preset):
        return preset, descending
    # The reverse of what a click on a header asks for.
    keys = {preset: key for key, preset in _BY_HEADER.items()}
    side = _OTHER_SIDE.get(preset, preset) if right_to_left else preset
    return keys.get(side, ""), descending


def header_tip(key: str, why_no_words: str) -> str:
    """Tell what a click on the header of a column does, or why it does nothing.

    why_no_words: Why the index cannot sort by words; "" if it can.
    """
    preset = header_preset(key, False)
    if not preset:
        return tr("Lines cannot be sorted by their position.")
    if preset == "index":
        return tr("Click for the order of the index, which is the fastest.")
    if needs_words(preset) and why_no_words:
        return why_no_words
    if preset == "right":
        return tr("Click to sort, again to reverse. More than {limit:,} lines stay in index order.", limit=MAX_SORTED)
    return tr(
        "Click to sort, again to reverse. Of more than {most:,} lines, a random sample is sorted.", most=MAX_ARRANGED
    )


def order_label(order: SortOrder, right_to_left: bool) -> str:
    """Name an order on its button: the places of the words, or its name.

    right_to_left: Whether lines run right to left.
    Returns: Such as "Right context", or "1R · 2L" for levels that were chosen one by one.
    """
    levels = order.settings.sort
    if not levels or order.preset != CUSTOM:
        return preset_name(order.preset, right_to_left)
    keys = [level.key for level in levels]
    if right_to_left and all(key in POSITIONS for key in keys):
        numbers, sides = " · ".join(key[:-1] for key in keys), {key[-1] for key in keys}
        if sides == {"R"}:
            return tr("Following {numbers}", numbers=numbers)
        if sides == {"L"}:
            return tr("Preceding {numbers}", numbers=numbers)
    return " · ".join(_short_name(key, right_to_left) for key in keys)


def _short_name(key: str, right_to_left: bool) -> str:
    if field_name(key):
        return isolated(field_name(key))
    if key == "document":
        return tr("Document")
    if key == "M":
        return tr("Match")
    return place_name(key, right_to_left) if right_to_left else key


def preset_name(preset: str, right_to_left: bool) -> str:
    """Name a preset.

    right_to_left: Whether lines run right to left: there "right" is before the match, so sides are named by reading
        order.
    """
    if field_name(preset):
        return isolated(field_name(preset))
    names = {spec: text for text, spec in PRESETS}
    return tr(_BY_READING.get(preset, names[preset]) if right_to_left else names[preset])


def level_choices(fields: Sequence[str], right_to_left: bool) -> tuple[tuple[str, str], ...]:
    """What a level can sort by.

    right_to_left: Whether lines run right to left.
    Returns: Keys of `SortLevel`, each with its name; "" first, for no level.
    """
    places = ((position, place_name(position, right_to_left)) for position in POSITIONS)
    return ("", "—"), *places, ("document", tr("document")), *((f"field:{name}", name) for name in fields)


def place_name(position: str, right_to_left: bool = False) -> str:
    """Name a word's place.

    position: "1L" to "5R", or "M" for the match.
    right_to_left: Whether lines run right to left: then "before" and "after" take the place of "left" and "right".
    Returns: The name, such as "2nd word left".
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
