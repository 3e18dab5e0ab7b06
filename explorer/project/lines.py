"""Lines that a user keeps, with marks, notes and deletions: values, and the arithmetic of sets of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from explorer.backends.places import HitPlace

Extra = tuple[tuple[str, str], ...]
"""Keys of a project file that this version does not know, each with the JSON text of its value."""


@dataclass(frozen=True)
class KeptLine:
    """One line: where its match is, and what the user did with it.

    place: The match in its index.
    note: A note; "" for none.
    deleted: Whether it was removed from the lines.
    extra: Keys of the project file that this version does not know.
    """

    place: HitPlace
    marked: bool = False
    note: str = ""
    deleted: bool = False
    extra: Extra = ()

    @property
    def touched(self) -> bool:
        """Whether the user did anything with it."""
        # Unknown keys may be what a newer version does with lines.
        return self.marked or bool(self.note) or self.deleted or bool(self.extra)


class KeptLines:
    """Lines by their place, in the order in which they were added. A value: every change makes a new one.

    lines: The lines; of two at one place, the last one counts.

    Examples
    --------
    >>> from explorer.backends.places import HitPlace
    >>> one = KeptLines([KeptLine(HitPlace(0, 3, 1)), KeptLine(HitPlace(2, 0, 1))])
    >>> len(one.with_mark([HitPlace(2, 0, 1)]).marked)
    1
    """

    def __init__(self, lines: Iterable[KeptLine] = ()) -> None:
        # Read-only, since several values may share a line, and earlier ones are needed to undo.
        self._by_place: Mapping[HitPlace, KeptLine] = MappingProxyType({line.place: line for line in lines})

    def __len__(self) -> int:
        return len(self._by_place)

    def __iter__(self) -> Iterator[KeptLine]:
        return iter(self._by_place.values())

    def __contains__(self, place: object) -> bool:
        return place in self._by_place

    def __eq__(self, other: object) -> bool:
        # The order counts: it is that of the rows of a project file.
        return isinstance(other, KeptLines) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return f"KeptLines({list(self)!r})"

    def at(self, place: HitPlace) -> KeptLine:
        """The line at a place; one that nothing was done with if there is none."""
        return self._by_place.get(place) or KeptLine(place)

    @property
    def listed(self) -> tuple[KeptLine, ...]:
        """The lines that were not deleted."""
        return tuple(line for line in self if not line.deleted)

    @property
    def deleted(self) -> tuple[KeptLine, ...]:
        """The lines that were deleted."""
        return tuple(line for line in self if line.deleted)

    @property
    def marked(self) -> tuple[KeptLine, ...]:
        """The marked lines that were not deleted."""
        return tuple(line for line in self if line.marked and not line.deleted)

    @property
    def noted(self) -> tuple[KeptLine, ...]:
        """The lines with a note that were not deleted."""
        return tuple(line for line in self if line.note and not line.deleted)

    @property
    def touched(self) -> KeptLines:
        """The lines that the user did something with."""
        return KeptLines(line for line in self if line.touched)

    def with_mark(self, places: Iterable[HitPlace], marked: bool = True) -> KeptLines:
        """Mark lines, or remove their marks.

        places: The lines; those that are not among these are added.
        """
        return self._changed(places, lambda line: replace(line, marked=marked))

    def with_note(self, places: Iterable[HitPlace], note: str) -> KeptLines:
        """Write a note on lines, in place of any other.

        places: The lines; those that are not among these are added.
        note: The note; "" removes it.
        """
        return self._changed(places, lambda line: replace(line, note=note))

    def without(self, places: Iterable[HitPlace]) -> KeptLines:
        """Delete lines. They stay among these as deleted ones, with their marks and notes."""
        return self._changed(places, lambda line: replace(line, deleted=True))

    def restored(self, places: Iterable[HitPlace]) -> KeptLines:
        """Bring deleted lines back."""
        return self._changed(places, lambda line: replace(line, deleted=False))

    def union(self, other: KeptLines) -> KeptLines:
        """The lines of both; of a line in both, the marks and notes of either.

        Returns: First these, then those that only the other has. A line is deleted only if it is listed in neither.
        """
        # A dictionary keeps the order in which keys were added, so rows of a file stay where they are.
        added = (line for line in other if line.place not in self)
        return KeptLines((*(self._joined(line, other) for line in self), *added))

    def intersection(self, other: KeptLines) -> KeptLines:
        """The lines that are listed in both, with the marks and notes of either."""
        places = {line.place for line in other.listed}
        return KeptLines(self._joined(line, other) for line in self.listed if line.place in places)

    def difference(self, other: KeptLines) -> KeptLines:
        """The listed lines that the other does not list."""
        places = {line.place for line in other.listed}
        return KeptLines(line for line in self.listed if line.place not in places)

    def _joined(self, line: KeptLine, other: KeptLines) -> KeptLine:
        if line.place not in other:
            return line
        second = other.at(line.place)
        # Both notes, but not twice the same: sets are often joined with one that they were made from.
        notes = dict.fromkeys(note for note in (line.note, second.note) if note)
        both = line.deleted and second.deleted
        return replace(line, marked=line.marked or second.marked, note="\n".join(notes), deleted=both)

    def _changed(self, places: Iterable[HitPlace], change: Callable[[KeptLine], KeptLine]) -> KeptLines:
        # One copy for all lines: a set may have a hundred thousand of them.
        by_place = dict(self._by_place)
        for place in places:
            by_place[place] = change(by_place.get(place) or KeptLine(place))
        return KeptLines(by_place.values())
