"""A pattern as a deterministic automaton over the bytes of UTF-8, made as far as it is walked.

Characters fall into classes that the pattern cannot tell apart. A state is a set of places in the pattern, the kind
of the character before it (for borders), and the bytes of a character that is not complete yet. A match is
established as soon as one certainly begins at the start, whatever follows: that is all that counting needs.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from explorer.errors import QueryError
from explorer.patterns.charset import IDEOGRAPH, OTHER, WORD, CharSet, block_kind, kind_of
from explorer.patterns.syntax import Border, Chars, Choice, Node, Repeat, Sequence
from explorer.words import tr

DEAD = -1
MATCH = -2
KINDS = (OTHER, WORD, IDEOGRAPH)
MOST_STATES = 20_000
MOST_PLACES = 20_000
_STRAY = 0xFFFD


def holds(condition: str | None, before: int, after: int) -> bool:
    """Whether a condition of `Border` holds between characters of these kinds; None always does."""
    if condition is None:
        return True
    if condition == "start":
        return before != WORD or after == IDEOGRAPH
    if condition == "end":
        return after != WORD or before == IDEOGRAPH
    border = IDEOGRAPH in (before, after) or (before == WORD) != (after == WORD)
    return border == (condition == "border")


@dataclass
class _Graph:
    """Places of a pattern; `jumps[p]`: (place, condition or None); `steps[p]`: (set, place)."""

    jumps: list[list[tuple[int, str | None]]] = field(default_factory=list)
    steps: list[list[tuple[CharSet, int]]] = field(default_factory=list)

    def place(self) -> int:
        if len(self.jumps) >= MOST_PLACES:
            raise QueryError(tr("This pattern is too long. Shorten it, or repeat less."))
        self.jumps.append([])
        self.steps.append([])
        return len(self.jumps) - 1

    def add(self, node: Node, start: int) -> int:
        """Lay out a node from `start`; returns the place after it."""
        match node:
            case Chars(chars):
                end = self.place()
                self.steps[start].append((chars, end))
                return end
            case Border(condition):
                end = self.place()
                self.jumps[start].append((end, condition))
                return end
            case Sequence(parts):
                for part in parts:
                    start = self.add(part, start)
                return start
            case Choice(parts):
                end = self.place()
                for part in parts:
                    first = self.place()
                    self.jumps[start].append((first, None))
                    self.jumps[self.add(part, first)].append((end, None))
                return end
            case Repeat(part, least, most):
                return self._repeat(part, least, most, start)

    def _repeat(self, part: Node, least: int, most: int | None, start: int) -> int:
        for _ in range(least):
            start = self.add(part, start)
        end = self.place()
        self.jumps[start].append((end, None))
        if most is None:
            loop = self.place()
            self.jumps[start].append((loop, None))
            last = self.add(part, loop)
            self.jumps[last] += [(loop, None), (end, None)]
            return end
        for _ in range(most - least):
            start = self.add(part, start)
            self.jumps[start].append((end, None))
        return end


Symbol = tuple[int, int]
"""What a pattern can tell of a character: a bit for each of its sets that has it, and its kind."""


@dataclass(frozen=True)
class _Pending:
    """The bytes so far of a character that is not complete.

    count: how many there are, each of which is a stray byte if no more come that fit. left: how many are missing.
    next_bytes: range that the next one must lie in. block: the characters that they may become, or, where the pattern
    cannot tell these apart, None and their `symbol`: so that thousands of beginnings are one state.
    """

    count: int
    left: int
    next_bytes: tuple[int, int]
    block: tuple[int, int] | None
    symbol: Symbol | None


_State = tuple[frozenset[int], int, _Pending | None]  # places, kind of the character before, incomplete character


class Automaton:
    """Deterministic automaton of a pattern.

    table: int32[states, 256], the state after each byte, DEAD or MATCH; a row is right after `fill`.
    starts: state in which a match begins after a character of each kind (DEAD where none can).
    at_end: for each state, whether the end of the document establishes a match.
    """

    def __init__(self, node: Node) -> None:
        self._graph = _Graph()
        first = self._graph.place()
        self._accept = self._graph.add(node, first)
        self._sets = list(dict.fromkeys(chars for steps in self._graph.steps for chars, _ in steps))
        self._bordered = any(c is not None for jumps in self._graph.jumps for _, c in jumps)
        self._symbols: dict[int, Symbol] = {}
        self._moves: dict[tuple[frozenset[int], int, int, int], tuple[bool, frozenset[int]]] = {}
        self._minds: dict[frozenset[int], bool] = {}
        self._numbers: dict[_State, int] = {}
        self._states: list[_State] = []
        self.table: NDArray[np.int32] = np.full((16, 256), DEAD, dtype=np.int32)
        self.filled = bytearray()
        self.at_end = bytearray()
        self._ascii = [self._symbol(code) for code in range(0x80)]
        self._leads = {
            lead: self._incomplete(
                1, _left(lead), (lead & 0x3F >> _left(lead)) << 6 * _left(lead), _SECOND.get(lead, _ANY_BYTE)
            )
            for lead in range(0xC2, 0xF5)
        }
        begin = frozenset([first])
        if any(self._accepts(begin, before, after) for before in KINDS for after in KINDS):
            raise QueryError(
                tr("This pattern matches the empty text, which occurs everywhere. Make it match something.")
            )
        self.starts = np.array([self._number(begin, kind, None) for kind in KINDS], dtype=np.int32)

    # --- places --------------------------------------------------------------------------------

    def _closure(self, places: frozenset[int], before: int, after: int) -> frozenset[int]:
        found = set(places)
        waiting = list(places)
        while waiting:
            for place, condition in self._graph.jumps[waiting.pop()]:
                if place not in found and holds(condition, before, after):
                    found.add(place)
                    waiting.append(place)
        return frozenset(found)

    def _accepts(self, places: frozenset[int], before: int, after: int) -> bool:
        return self._accept in self._closure(places, before, after)

    def _minds_before(self, places: frozenset[int]) -> bool:
        """Whether the kind of the character before these places makes a difference."""
        known = self._minds.get(places)
        if known is None:
            closures = {after: {self._closure(places, before, after) for before in KINDS} for after in KINDS}
            known = self._minds[places] = self._bordered and any(len(found) > 1 for found in closures.values())
        return known

    def _move(self, places: frozenset[int], before: int, symbol: Symbol) -> tuple[bool, frozenset[int]]:
        """Whether a match ends before a character of this class and kind, and the places after it."""
        mask, after = symbol
        key = (places, before, mask, after)
        known = self._moves.get(key)
        if known is None:
            closed = self._closure(places, before, after)
            steps = (step for place in closed for step in self._graph.steps[place])
            reached = frozenset(place for chars, place in steps if mask >> self._sets.index(chars) & 1)
            known = self._moves[key] = (self._accepts(places, before, after), reached)
        return known

    def _symbol(self, code: int) -> Symbol:
        known = self._symbols.get(code)
        if known is None:
            mask = sum(1 << i for i, chars in enumerate(self._sets) if code in chars)
            known = self._symbols[code] = (mask, kind_of(code) if self._bordered else OTHER)
        return known

    def _block_symbol(self, first: int, last: int) -> Symbol | None:
        """The symbol of all characters of a block; None where they differ."""
        masks = [chars.covers(first, last) for chars in self._sets]
        kind = block_kind(first, last) if self._bordered else OTHER
        if kind is None or None in masks:
            return None
        return sum(1 << i for i, covered in enumerate(masks) if covered), kind

    # --- states --------------------------------------------------------------------------------

    def _number(self, places: frozenset[int], before: int, pending: _Pending | None) -> int:
        state = (places, before if self._minds_before(places) else OTHER, pending)
        number = self._numbers.get(state)
        if number is None:
            number = self._numbers[state] = len(self._states)
            if number >= MOST_STATES:
                raise QueryError(tr("This pattern is too complex. Use fewer repeats and alternatives."))
            self._states.append(state)
            self.filled.append(0)
            self.at_end.append(self._ends(state))
            if number >= len(self.table):
                self.table = np.concatenate([self.table, np.full_like(self.table, DEAD)])
        return number

    def _strays(self, places: frozenset[int], before: int, count: int) -> tuple[bool, frozenset[int], int]:
        """After stray bytes: whether a match has ended before one of them, places, and the kind before."""
        for _ in range(count):
            ended, places = self._move(places, before, self._symbol(_STRAY))
            if ended:
                return True, places, before
            before = self._symbol(_STRAY)[1]
        return False, places, before

    def _ends(self, state: _State) -> bool:
        places, before, pending = state
        ended, places, before = self._strays(places, before, pending.count if pending else 0)
        return ended or self._accepts(places, before, OTHER)

    def fill(self, number: int) -> None:
        """Compute a state's row."""
        places, before, pending = self._states[number]
        row = self._row(places, before) if pending is None else self._pending_row(places, before, pending)
        self.table[number] = row
        self.filled[number] = 1

    def _row(self, places: frozenset[int], before: int) -> NDArray[np.int32]:
        row = np.empty(256, dtype=np.int32)
        after = {symbol: self._feed(places, before, symbol) for symbol in set(self._ascii)}
        row[:0x80] = [after[symbol] for symbol in self._ascii]
        row[0x80:] = self._feed(places, before, self._symbol(_STRAY))
        waiting = {pending: self._wait(places, before, pending) for pending in set(self._leads.values())}
        row[list(self._leads)] = [waiting[pending] for pending in self._leads.values()]
        return row

    def _pending_row(self, places: frozenset[int], before: int, pending: _Pending) -> NDArray[np.int32]:
        ended, stray_places, stray_before = self._strays(places, before, pending.count)
        if ended or not stray_places:
            row = np.full(256, MATCH if ended else DEAD, dtype=np.int32)
        else:
            row = self._row(stray_places, stray_before)
        low, high = pending.next_bytes
        row[low : high + 1] = [self._continue(places, before, pending, byte) for byte in range(low, high + 1)]
        return row

    def _continue(self, places: frozenset[int], before: int, pending: _Pending, byte: int) -> int:
        if pending.block is None:
            assert pending.symbol is not None
            if pending.left == 1:
                return self._feed(places, before, pending.symbol)
            further = replace(pending, count=pending.count + 1, left=pending.left - 1, next_bytes=_ANY_BYTE)
            return self._wait(places, before, further)
        if pending.left == 1:
            return self._feed(places, before, self._symbol(pending.block[0] | byte & 0x3F))
        first = pending.block[0] & ~(0x40**pending.left - 1) | (byte & 0x3F) << 6 * (pending.left - 1)
        return self._wait(places, before, self._incomplete(pending.count + 1, pending.left - 1, first, _ANY_BYTE))

    def _incomplete(self, count: int, left: int, first: int, next_bytes: tuple[int, int]) -> _Pending:
        """Some bytes of a character, of which `left` are missing; `first`: with zeros in their place."""
        low = first | (next_bytes[0] & 0x3F) << 6 * (left - 1)
        high = first | (next_bytes[1] & 0x3F) << 6 * (left - 1) | 0x40 ** (left - 1) - 1
        symbol = self._block_symbol(low, high)
        return _Pending(count, left, next_bytes, (first, high) if symbol is None else None, symbol)

    def _wait(self, places: frozenset[int], before: int, pending: _Pending) -> int:
        """The state inside a character, unless nothing can come of it."""
        if self._is_hopeless(places, before, pending):
            return DEAD
        return self._number(places, before, pending)

    def _is_hopeless(self, places: frozenset[int], before: int, pending: _Pending) -> bool:
        stray_ended, stray_places, _ = self._strays(places, before, 1)
        if stray_ended or stray_places or any(self._accepts(places, before, kind) for kind in KINDS):
            return False
        if pending.symbol is not None:
            return not self._move(places, before, pending.symbol)[1]
        assert pending.block is not None
        closed = frozenset().union(*(self._closure(places, before, kind) for kind in KINDS))
        return not any(chars.covers(*pending.block) is not False for p in closed for chars, _ in self._graph.steps[p])

    def _feed(self, places: frozenset[int], before: int, symbol: Symbol) -> int:
        ended, reached = self._move(places, before, symbol)
        if ended:
            return MATCH
        if not reached:
            return DEAD
        if all(self._accepts(reached, symbol[1], after) for after in KINDS):
            return MATCH
        return self._number(reached, symbol[1], None)


_ANY_BYTE = (0x80, 0xBF)
_SECOND = {0xE0: (0xA0, 0xBF), 0xED: (0x80, 0x9F), 0xF0: (0x90, 0xBF), 0xF4: (0x80, 0x8F)}
"""Leading bytes after which not every byte may follow: the others would be overlong, or no characters."""


def _left(lead: int) -> int:
    return 1 if lead < 0xE0 else 2 if lead < 0xF0 else 3
