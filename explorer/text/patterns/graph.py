"""A pattern's tree laid out as places with steps between them, and what its sets can tell about characters."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from itertools import groupby

from explorer.errors import QueryError
from explorer.i18n import mark
from explorer.text.patterns.charset import CharSet
from explorer.text.patterns.kinds import CONDITIONS, KINDS, OTHER, of_kinds
from explorer.text.patterns.syntax import Border, Chars, Choice, Node, Repeat, Sequence, Web

# Repeats are written out, so that a short expression can have very many places.
MOST_PLACES = 20_000
_MOST_KEPT = 500_000

Places = frozenset[int]
Fan = tuple[bool, dict[int, Places]]
"""Whether a match ends here; where a character of each set leads."""
Symbol = tuple[int, int]
"""What a pattern can tell about a character: a bit for each of its sets that has it, and its kind."""


class Graph:
    """Places of a pattern; a match begins in `first` and ends in `accept`.

    jumps: For each place, places reached without a character: (place, condition or None).
    steps: For each place, places reached by a character: (number of a set, place).
    alike: For each kind of character, the first one that no condition of the pattern tells from it.
    kinds: The kinds that it tells apart: those of `alike`, once each.
    node: The tree of the pattern.
    Raises `QueryError` if the pattern has more than `MOST_PLACES` places.
    """

    def __init__(self, node: Node) -> None:
        self.jumps: list[list[tuple[int, str | None]]] = []
        self.steps: list[list[tuple[int, int]]] = []
        self._numbers: dict[CharSet, int] = {}
        self._fans: dict[tuple[Places, int, int], Fan] = {}
        self._kept = 0
        self.first = self._place()
        self.accept = self._add(node, self.first)
        # In the order of their numbers, which are the bits of a `Symbol`.
        self.sets = tuple(self._numbers)
        self.alike = _alike({condition for jumps in self.jumps for _, condition in jumps if condition is not None})
        self.kinds = tuple(dict.fromkeys(self.alike))

    def _place(self) -> int:
        if len(self.jumps) >= MOST_PLACES:
            raise QueryError(mark("This pattern is too long."), reason="pattern-too-long")
        self.jumps.append([])
        self.steps.append([])
        return len(self.jumps) - 1

    def _add(self, node: Node, start: int) -> int:
        """Lay out a node from `start`; returns the place after it."""
        match node:
            case Chars(chars):
                end = self._place()
                self.steps[start].append((self._numbers.setdefault(chars, len(self._numbers)), end))
                return end
            case Border(condition):
                end = self._place()
                self.jumps[start].append((end, condition))
                return end
            case Sequence(parts):
                for part in parts:
                    start = self._add(part, start)
                return start
            case Choice(parts):
                end = self._place()
                for part in parts:
                    first = self._place()
                    self.jumps[start].append((first, None))
                    self.jumps[self._add(part, first)].append((end, None))
                return end
            case Repeat(part, least, most):
                return self._repeat(part, least, most, start)
            case Web(size, steps):
                return self._web(size, steps, start)

    def _web(self, size: int, steps: Iterable[tuple[int, Chars, int]], start: int) -> int:
        # A place of its own at the beginning: other parts may begin at `start`.
        places = [self._place() for _ in range(size)]
        self.jumps[start].append((places[0], None))
        for place, node, end in steps:
            number = self._numbers.setdefault(node.chars, len(self._numbers))
            self.steps[places[place]].append((number, places[end]))
        return places[-1]

    def _repeat(self, part: Node, least: int, most: int | None, start: int) -> int:
        # Written out `least` times; what may follow is optional or a loop.
        for _ in range(least):
            start = self._add(part, start)
        end = self._place()
        self.jumps[start].append((end, None))
        if most is None:
            # A place of its own: other parts may begin at `start`, and the loop must not return to them.
            loop = self._place()
            self.jumps[start].append((loop, None))
            last = self._add(part, loop)
            self.jumps[last] += [(loop, None), (end, None)]
            return end
        for _ in range(most - least):
            start = self._add(part, start)
            self.jumps[start].append((end, None))
        return end

    def fan(self, places: Places, before: int, after: int) -> Fan:
        """Tell what the next character can do.

        places: The places reached so far.
        Returns: Whether a match ends here, and the places after a character of each set, by the set's number.
        """
        # Kinds that make no difference have one entry.
        key = (places, self.alike[before], self.alike[after])
        known = self._fans.get(key)
        if known is None:
            # A few are asked for repeatedly while a row is computed; all would take too much memory.
            if self._kept >= _MOST_KEPT:
                self._fans.clear()
                self._kept = 0
            reached = self._reach(*key)
            known = self._fans[key] = self._fan_of(reached)
            self._kept += len(places) + len(reached)
        return known

    def _reach(self, places: Places, before: int, after: int) -> set[int]:
        """All places that are reached without a character."""
        found = set(places)
        waiting = list(places)
        while waiting:
            for place, condition in self.jumps[waiting.pop()]:
                if place not in found and (condition is None or CONDITIONS[condition](before, after)):
                    found.add(place)
                    waiting.append(place)
        return found

    def _fan_of(self, reached: set[int]) -> Fan:
        targets: dict[int, set[int]] = {}
        for place in reached:
            for number, target in self.steps[place]:
                targets.setdefault(number, set()).add(target)
        return self.accept in reached, {number: frozenset(found) for number, found in targets.items()}

    def accepts(self, places: Places, before: int, after: int) -> bool:
        """Tell whether a match ends here.

        places: The places reached so far.
        after: The kind of the next character.
        """
        return self.fan(places, before, after)[0]

    def minds_before(self, places: Places) -> bool:
        """Whether the kind of the character before these places makes a difference."""
        fans = ([self.fan(places, before, after) for before in self.kinds] for after in self.kinds)
        # Compared for each kind of the next character: a border depends on both.
        return any(fan != found[0] for found in fans for fan in found)

    def next_sets(self, places: Places) -> int:
        """The sets, a bit for each, of which a character can lead on from these places, whatever its kind."""
        kinds = [(before, after) for before in self.kinds for after in self.kinds]
        numbers = {number for before, after in kinds for number in self.fan(places, before, after)[1]}
        return sum(1 << number for number in numbers)

    def move(self, places: Places, before: int, symbol: Symbol) -> tuple[bool, Places]:
        """Read a character.

        places: The places reached so far.
        symbol: The sets that contain the character, and its kind.
        Returns: Whether a match ends before it, and the places after it.
        """
        mask, after = symbol
        ended, targets = self.fan(places, before, after)
        reached = [found for number, found in targets.items() if mask >> number & 1]
        # As a rule one set has the character, and its places are used as they are.
        return ended, reached[0] if len(reached) == 1 else frozenset().union(*reached)


def _alike(conditions: Iterable[str]) -> tuple[int, ...]:
    """For each kind of character, the first one that none of these conditions tells from it."""
    told = [CONDITIONS[condition] for condition in sorted(conditions)]
    marks = [tuple(holds(kind, other) for holds in told for other in KINDS) for kind in KINDS]
    marks = [
        (*mark, *(holds(other, kind) for holds in told for other in KINDS))
        for mark, kind in zip(marks, KINDS, strict=True)
    ]
    return tuple(marks.index(mark) for mark in marks)


class Alphabet:
    """All characters, divided into ranges within which a pattern makes no difference.

    sets: The pattern's sets of characters.
    """

    def __init__(self, sets: tuple[CharSet, ...], alike: tuple[int, ...]) -> None:
        self._size = len(sets)
        self._kinds = tuple(kind for kind in dict.fromkeys(alike) if kind != OTHER)
        kinds = [of_kinds(tuple(kind for kind in KINDS if alike[kind] == each)) for each in self._kinds]
        edges = sorted(edge for i, chars in enumerate((*sets, *kinds)) for edge in _edges(i, chars.ranges))
        self._starts, self._masks = [0], [0]
        for start, toggled in groupby(edges, key=lambda edge: edge[0]):
            mask = self._masks[-1]
            for _, number in toggled:
                # An edge begins or ends a range of the set, so its bit changes.
                mask ^= 1 << number
            self._starts.append(start)
            self._masks.append(mask)

    def symbol(self, code: int) -> Symbol:
        """What the pattern can tell about a character."""
        return self._symbol(self._range_of(code))

    def common_symbol(self, first: int, last: int) -> Symbol | None:
        """Give the symbol of a range of characters.

        Returns: The symbol of all of them; None if they differ.
        """
        number = self._range_of(first)
        return self._symbol(number) if number == self._range_of(last) else None

    def any_in(self, first: int, last: int, sets: int) -> bool:
        """Tell whether a range of characters touches some sets."""
        # From the range of the first to that of the last character, both included.
        return any(mask & sets for mask in self._masks[self._range_of(first) : self._range_of(last) + 1])

    def _range_of(self, code: int) -> int:
        return bisect_right(self._starts, code) - 1

    def _symbol(self, number: int) -> Symbol:
        mask = self._masks[number]
        # The sets of the kinds are distinct, so at most one of their bits is set.
        bit = (mask >> self._size).bit_length()
        return mask & (1 << self._size) - 1, self._kinds[bit - 1] if bit else OTHER


def _edges(number: int, ranges: Iterable[tuple[int, int]]) -> Iterable[tuple[int, int]]:
    for first, last in ranges:
        yield first, number
        # One past the last: ranges of characters include both ends, those of masks are half-open.
        yield last + 1, number
