"""A pattern's tree laid out as places with steps between them, and what its sets can tell about characters."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from itertools import groupby

from explorer.errors import QueryError
from explorer.i18n import mark
from explorer.patterns.charset import IDEOGRAPH, OTHER, WORD, CharSet, of_kind
from explorer.patterns.syntax import Border, Chars, Choice, Node, Repeat, Sequence

KINDS = (OTHER, WORD, IDEOGRAPH)
# Repeats are written out, so that a short expression can have very many places.
MOST_PLACES = 20_000
_MOST_KEPT = 500_000

Places = frozenset[int]
Fan = tuple[bool, dict[int, Places]]
"""Whether a match ends here; where a character of each set leads."""
Symbol = tuple[int, int]
"""What a pattern can tell about a character: a bit for each of its sets that has it, and its kind."""


def holds(condition: str, before: int, after: int) -> bool:
    """Tell whether a condition of `Border` holds between two characters.

    Parameters
    ----------
    condition
        "start" or "end" of a word, "border" of a word, or anything else for no border.
    before
        The kind of the character before: OTHER, WORD or IDEOGRAPH.
    after
        The kind of the character after.

    Returns
    -------
    bool
        Whether it holds.
    """
    if condition == "start":
        return before != WORD or after == IDEOGRAPH
    if condition == "end":
        return after != WORD or before == IDEOGRAPH
    border = IDEOGRAPH in (before, after) or (before == WORD) != (after == WORD)
    return border == (condition == "border")


class Graph:
    """Places of a pattern; a match begins in `first` and ends in `accept`.

    Attributes
    ----------
    jumps
        For each place, places reached without a character: (place, condition or None).
    steps
        For each place, places reached by a character: (number of a set, place).
    bordered
        Whether there are conditions.

    Parameters
    ----------
    node
        The tree of the pattern.

    Raises
    ------
    QueryError
        If the pattern has more than `MOST_PLACES` places.
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
        self.bordered = any(condition is not None for jumps in self.jumps for _, condition in jumps)

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

        Parameters
        ----------
        places
            The places reached so far.
        before
            The kind of the character before.
        after
            The kind of the next character.

        Returns
        -------
        Fan
            Whether a match ends here, and the places after a character of each set, by the set's number.
        """
        # Without borders, kinds make no difference, and there is one entry instead of nine.
        key = (places, before, after) if self.bordered else (places, OTHER, OTHER)
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
                if place not in found and (condition is None or holds(condition, before, after)):
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

        Parameters
        ----------
        places
            The places reached so far.
        before
            The kind of the character before.
        after
            The kind of the next character.

        Returns
        -------
        bool
            Whether one ends.
        """
        return self.fan(places, before, after)[0]

    def minds_before(self, places: Places) -> bool:
        """Whether the kind of the character before these places makes a difference."""
        if not self.bordered:
            return False
        fans = ([self.fan(places, before, after) for before in KINDS] for after in KINDS)
        # Compared for each kind of the next character: a border depends on both.
        return any(fan != found[0] for found in fans for fan in found)

    def next_sets(self, places: Places) -> int:
        """The sets, a bit for each, of which a character can lead on from these places, whatever its kind."""
        kinds = [(before, after) for before in KINDS for after in KINDS] if self.bordered else [(OTHER, OTHER)]
        numbers = {number for before, after in kinds for number in self.fan(places, before, after)[1]}
        return sum(1 << number for number in numbers)

    def move(self, places: Places, before: int, symbol: Symbol) -> tuple[bool, Places]:
        """Read a character.

        Parameters
        ----------
        places
            The places reached so far.
        before
            The kind of the character before.
        symbol
            The sets that contain the character, and its kind.

        Returns
        -------
        tuple[bool, Places]
            Whether a match ends before it, and the places after it.
        """
        mask, after = symbol
        ended, targets = self.fan(places, before, after)
        reached = [found for number, found in targets.items() if mask >> number & 1]
        # As a rule one set has the character, and its places are used as they are.
        return ended, reached[0] if len(reached) == 1 else frozenset().union(*reached)


class Alphabet:
    """All characters, divided into ranges within which a pattern makes no difference.

    Parameters
    ----------
    sets
        The pattern's sets of characters.
    bordered
        Whether it makes a difference what kind of character comes next.
    """

    def __init__(self, sets: tuple[CharSet, ...], bordered: bool) -> None:
        kinds = (of_kind(WORD), of_kind(IDEOGRAPH)) if bordered else ()
        self._size = len(sets)
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

        Parameters
        ----------
        first
            The first code point.
        last
            The last code point.

        Returns
        -------
        Symbol | None
            The symbol of all of them; None if they differ.
        """
        number = self._range_of(first)
        return self._symbol(number) if number == self._range_of(last) else None

    def any_in(self, first: int, last: int, sets: int) -> bool:
        """Tell whether a range of characters touches some sets.

        Parameters
        ----------
        first
            The first code point.
        last
            The last code point.
        sets
            The sets, a bit for each number.

        Returns
        -------
        bool
            Whether one of the characters is in one of the sets.
        """
        # From the range of the first to that of the last character, both included.
        return any(mask & sets for mask in self._masks[self._range_of(first) : self._range_of(last) + 1])

    def _range_of(self, code: int) -> int:
        return bisect_right(self._starts, code) - 1

    def _symbol(self, number: int) -> Symbol:
        mask = self._masks[number]
        # The sets of the two kinds are distinct: with a bit for each, what is left is WORD, IDEOGRAPH or OTHER.
        return mask & (1 << self._size) - 1, mask >> self._size


def _edges(number: int, ranges: Iterable[tuple[int, int]]) -> Iterable[tuple[int, int]]:
    for first, last in ranges:
        yield first, number
        # One past the last: ranges of characters include both ends, those of masks are half-open.
        yield last + 1, number
