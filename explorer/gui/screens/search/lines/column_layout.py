"""The columns of the lines: which are shown, in which order and how wide. No Qt."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

NUMBER, LEFT, MATCH, RIGHT, DOCUMENT, POSITION = "number", "left", "match", "right", "document", "position"
FIXED = (NUMBER, LEFT, MATCH, RIGHT, DOCUMENT, POSITION)
"""The columns before those of the metadata fields; their place in here is their number in the table."""
CONTEXTS = (LEFT, RIGHT)
_FIELD = "field:"
_LEAST = 2.0
_MOST = 200.0
"""Widths that a session may have, in sizes of the text."""
_LEAST_CONTEXT = 18.0
_LEAST_MATCH, _LEAST_WORD = 4.0, 6.0


def field_key(name: str) -> str:
    """The key of a metadata field's column, which is also its key as a level of an order."""
    return _FIELD + name


def field_name(key: str) -> str:
    """The metadata field of a column; "" for the others."""
    return key.removeprefix(_FIELD) if key.startswith(_FIELD) else ""


@dataclass(frozen=True)
class ColumnLayout:
    """The columns as they were chosen.

    fields: Metadata fields that are columns, in the order in which they were chosen.
    hidden: Columns of `FIXED` that are not shown.
    order: Columns from left to right; those that are not named follow.
    widths: Widths in sizes of the text, of the columns that have been resized.
    """

    fields: tuple[str, ...] = ()
    hidden: tuple[str, ...] = (POSITION,)
    order: tuple[str, ...] = ()
    widths: tuple[tuple[str, float], ...] = ()

    @property
    def keys(self) -> tuple[str, ...]:
        """All columns, as they are numbered in the table."""
        return (*FIXED, *map(field_key, self.fields))

    @property
    def ordered(self) -> tuple[str, ...]:
        """All columns from left to right."""
        known = self.keys
        placed = tuple(key for key in self.order if key in known)
        return (*placed, *(key for key in known if key not in placed))

    @property
    def shown(self) -> tuple[str, ...]:
        """The columns that are wanted, from left to right."""
        return tuple(key for key in self.ordered if key not in self.hidden)

    def showing(self, key: str, shown: bool) -> ColumnLayout:
        """The layout with a column, or without it. The match is always shown."""
        name = field_name(key)
        if name:
            others = tuple(field for field in self.fields if field != name)
            return replace(self, fields=(*others, name) if shown else others)
        # Without its match, a line would not be a line of the query.
        if key not in FIXED or key == MATCH:
            return self
        others = tuple(hidden for hidden in self.hidden if hidden != key)
        return replace(self, hidden=others if shown else (*others, key))

    def moved(self, key: str, to: int) -> ColumnLayout:
        """The layout with a column at another place.

        to: Its place among all columns, from 0.
        """
        others = [other for other in self.ordered if other != key]
        if key not in self.keys:
            return self
        others.insert(max(0, to), key)
        return replace(self, order=tuple(others))

    def stepped(self, key: str, by: int) -> ColumnLayout:
        """The layout with a column past its neighbor.

        by: 1: past the shown column on its right; -1: past the one on its left.
        Returns: The layout; unchanged at the edges of the table.
        """
        shown = self.shown
        if key not in shown or not 0 <= shown.index(key) + by < len(shown):
            return self
        return self.moved(key, self.ordered.index(shown[shown.index(key) + by]))

    def resized(self, widths: Mapping[str, float]) -> ColumnLayout:
        """The layout with the widths of some columns, in sizes of the text."""
        # In sizes of the text: a window in larger text keeps its proportions.
        kept = dict(self.widths) | {key: min(max(_LEAST, width), _MOST) for key, width in widths.items()}
        return replace(self, widths=tuple(kept.items()))

    def fitted(self, key: str) -> ColumnLayout:
        """The layout with a column whose width follows from its content again."""
        return replace(self, widths=tuple(each for each in self.widths if each[0] != key))

    def within(self, fields: Sequence[str]) -> ColumnLayout:
        """The layout without fields that the index does not have."""
        return replace(self, fields=tuple(field for field in self.fields if field in fields))

    def as_json(self) -> dict[str, Any]:
        """The layout for a session."""
        return {
            "fields": list(self.fields),
            "hidden": list(self.hidden),
            "order": list(self.order),
            "widths": dict(self.widths),
        }


def read_layout(found: Any) -> ColumnLayout | None:
    """Read a layout from a session; None if there is none. What is not valid in it is left out."""
    if not isinstance(found, dict):
        return None
    hidden = (key for key in _texts(found.get("hidden")) if key in FIXED and key != MATCH)
    widths = found.get("widths")
    valid = {
        key: float(width)
        for key, width in (widths.items() if isinstance(widths, dict) else ())
        if isinstance(key, str) and isinstance(width, int | float) and _LEAST <= width <= _MOST
    }
    made = ColumnLayout(_texts(found.get("fields")), tuple(hidden), _texts(found.get("order")))
    return made.resized(valid)


def _texts(found: Any) -> tuple[str, ...]:
    """The texts of a list, each once."""
    texts: Iterable[str] = (each for each in found if isinstance(each, str)) if isinstance(found, list) else ()
    return tuple(dict.fromkeys(texts))


@dataclass(frozen=True)
class Room:
    """The room that columns share: its width and the size of the text, in pixels."""

    width: int
    em: float


def share_out(room: Room, layout: ColumnLayout, natural: Mapping[str, int]) -> dict[str, int]:
    """Distribute the width of the table.

    Columns that were resized keep their width, others get what their content needs, and the contexts share the rest. If
    it is too little for them, columns are left out, metadata first.

    Returns: The widths in pixels of the columns that have room, from left to right.
    """
    chosen = dict(layout.widths)
    contexts = [key for key in layout.shown if key in CONTEXTS]
    sizes = {
        key: round(chosen[key] * room.em) if key in chosen else natural.get(key, 0)
        for key in layout.shown
        if key not in CONTEXTS
    }
    least = round(_LEAST_CONTEXT * room.em) * len(contexts)
    # A match of many words leaves room for its contexts, which its row is about.
    # However narrow it was dragged, its first letters are seen.
    least_match = min(natural.get(MATCH, 0), round(_LEAST_MATCH * room.em))
    sizes[MATCH] = max(min(sizes[MATCH], room.width // 3), least_match)
    for key in _expendable(layout):
        if sum(sizes.values()) + least <= room.width:
            break
        del sizes[key]
    # If nothing else can go, contexts are narrow; the table scrolls only where not even a word has room.
    rest = max(round(_LEAST_WORD * room.em) * len(contexts), room.width - sum(sizes.values()))
    # As shares, not as widths: contexts take what the window has, however wide it is.
    shares = {key: chosen.get(key, 0.0) for key in contexts}
    if not all(shares.values()):
        shares = dict.fromkeys(contexts, 1.0)
    total = sum(shares.values())
    for key in contexts[:-1]:
        sizes[key] = round(rest * shares[key] / total)
    if contexts:
        sizes[contexts[-1]] = rest - sum(sizes[key] for key in contexts[:-1])
    else:
        sizes[MATCH] += max(0, room.width - sum(sizes.values()))
    return {key: sizes[key] for key in layout.shown if key in sizes}


def _expendable(layout: ColumnLayout) -> list[str]:
    """The columns that may be left out, the least important first: the last field, then position and document."""
    fields = [key for key in layout.shown if field_name(key)][::-1]
    return [*fields, *(key for key in (POSITION, DOCUMENT) if key in layout.shown)]
