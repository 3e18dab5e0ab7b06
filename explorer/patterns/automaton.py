"""A pattern as a deterministic automaton over the bytes of UTF-8, made as far as it is walked.

Characters fall into classes that the pattern cannot tell apart. A state is a set of places in the pattern, the kind
of the character before it (for borders), and the bytes of a character that is not complete yet.

`Automaton` stops as soon as a match certainly begins at the start, whatever follows: that is all that counting needs.
`LongestAutomaton` goes on and tells where matches end, which highlights need.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from explorer.errors import QueryError
from explorer.patterns.charset import IDEOGRAPH, OTHER, WORD, CharSet, block_kind, kind_of
from explorer.patterns.syntax import Border, Chars, Choice, Node, Repeat, Sequence
from explorer.words import tr

DEAD = -1
MATCH = -2
UNKNOWN = -(2**31)
END = 256
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
    """Places of a pattern; `jumps[p]`: (place, condition or None); `steps[p]`: (number of a set, place)."""

    jumps: list[list[tuple[int, str | None]]] = field(default_factory=list)
    steps: list[list[tuple[int, int]]] = field(default_factory=list)
    sets: dict[CharSet, int] = field(default_factory=dict)

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
                self.steps[start].append((self.sets.setdefault(chars, len(self.sets)), end))
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

    _width = 256
    _unfilled = DEAD

    def __init__(self, node: Node) -> None:
        self._graph = _Graph()
        first = self._graph.place()
        self._accept = self._graph.add(node, first)
        self._sets = list(self._graph.sets)
        self._bordered = any(c is not None for jumps in self._graph.jumps for _, c in jumps)
        self._symbols: dict[int, Symbol] = {}
        self._moves: dict[tuple[frozenset[int], int, int, int], tuple[bool, frozenset[int]]] = {}
        self._minds: dict[frozenset[int], bool] = {}
        self._numbers: dict[_State, int] = {}
        self._states: list[_State] = []
        self.table: NDArray[np.int32] = np.full((16, self._width), self._unfilled, dtype=np.int32)
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
            reached = frozenset(place for number, place in steps if mask >> number & 1)
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
            self.at_end.append(self._last_end(state) is not None)
            if number >= len(self.table):
                self.table = np.concatenate([self.table, np.full_like(self.table, self._unfilled)])
        return number

    def _is_certain(self, places: frozenset[int], before: int) -> bool:
        """Whether a match ends here, whatever follows."""
        return all(self._accepts(places, before, after) for after in KINDS)

    def _strays(self, places: frozenset[int], before: int, count: int) -> tuple[int | None, frozenset[int], int]:
        """After stray bytes: how many of them ago a match has ended (None: none has), places, and the kind before."""
        back = None
        for left in range(count, 0, -1):
            ended, places = self._move(places, before, self._symbol(_STRAY))
            before = self._symbol(_STRAY)[1]
            if ended:
                back = left
        return 0 if self._is_certain(places, before) else back, places, before

    def _last_end(self, state: _State) -> int | None:
        """How many bytes ago a match has ended if this is the end of the document; None: none has."""
        places, before, pending = state
        back, places, before = self._strays(places, before, pending.count if pending else 0)
        return 0 if self._accepts(places, before, OTHER) else back

    def fill(self, number: int) -> None:
        """Compute a state's row."""
        self.table[number] = self._row_of(*self._states[number])
        self.filled[number] = 1

    def _row_of(self, places: frozenset[int], before: int, pending: _Pending | None) -> NDArray[np.int32]:
        return self._row(places, before) if pending is None else self._pending_row(places, before, pending)

    def _row(self, places: frozenset[int], before: int) -> NDArray[np.int32]:
        row = np.empty(256, dtype=np.int32)
        after = {symbol: self._feed(places, before, symbol, 1) for symbol in set(self._ascii)}
        row[:0x80] = [after[symbol] for symbol in self._ascii]
        row[0x80:] = self._feed(places, before, self._symbol(_STRAY), 1)
        waiting = {pending: self._wait(places, before, pending) for pending in set(self._leads.values())}
        row[list(self._leads)] = [waiting[pending] for pending in self._leads.values()]
        return row

    def _pending_row(self, places: frozenset[int], before: int, pending: _Pending) -> NDArray[np.int32]:
        row = self._row_after_strays(*self._strays(places, before, pending.count))
        low, high = pending.next_bytes
        row[low : high + 1] = [self._continue(places, before, pending, byte) for byte in range(low, high + 1)]
        return row

    def _row_after_strays(self, back: int | None, places: frozenset[int], before: int) -> NDArray[np.int32]:
        if back is not None or not places:
            return np.full(256, DEAD if back is None else MATCH, dtype=np.int32)
        return self._row(places, before)

    def _continue(self, places: frozenset[int], before: int, pending: _Pending, byte: int) -> int:
        if pending.block is None:
            assert pending.symbol is not None
            if pending.left == 1:
                return self._feed(places, before, pending.symbol, pending.count + 1)
            further = replace(pending, count=pending.count + 1, left=pending.left - 1, next_bytes=_ANY_BYTE)
            return self._wait(places, before, further)
        if pending.left == 1:
            symbol = self._symbol(pending.block[0] | byte & 0x3F)
            return self._feed(places, before, symbol, pending.count + 1)
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
            return self._entry(None, DEAD)
        return self._entry(None, self._number(places, before, pending))

    def _is_hopeless(self, places: frozenset[int], before: int, pending: _Pending) -> bool:
        accepts = {self._accepts(places, before, kind) for kind in KINDS}
        if len(accepts) > 1 or self._strays(places, before, 1)[1]:
            return False
        if pending.symbol is not None:
            return not self._move(places, before, pending.symbol)[1]
        assert pending.block is not None
        closed = frozenset().union(*(self._closure(places, before, kind) for kind in KINDS))
        return not any(
            self._sets[i].covers(*pending.block) is not False for p in closed for i, _ in self._graph.steps[p]
        )

    def _feed(self, places: frozenset[int], before: int, symbol: Symbol, size: int) -> int:
        """The entry after a character of this class and kind, and of `size` bytes."""
        ended, reached = self._move(places, before, symbol)
        back = 0 if self._is_certain(reached, symbol[1]) else size if ended else None
        return self._entry(
            back, self._number(reached, symbol[1], None) if self._goes_on(reached, symbol[1], back) else DEAD
        )

    def _goes_on(self, places: frozenset[int], before: int, back: int | None) -> bool:
        """Whether what follows can make a difference, after a match that has ended `back` bytes ago."""
        return bool(places) and back is None

    def _entry(self, back: int | None, state: int) -> int:
        """What the table holds for: a match has ended `back` bytes ago, and this is the state now."""
        return state if back is None else MATCH


class LongestAutomaton(Automaton):
    """As `Automaton`, but goes on after a match; several threads may use one.

    table: int32[states, 257], UNKNOWN before `fill`, else 8 * state + ended. state: the one after the byte, or DEAD.
    ended: 1 + the bytes, this one included, that follow the end of the longest match so far, where the byte tells it; 0
    where it tells none. Column END: the same at the end of the document. An end that depends on the next character is
    told with that character's last byte, and a later one is never before an earlier one.
    """

    _width = END + 1
    _unfilled = UNKNOWN

    def __init__(self, node: Node) -> None:
        super().__init__(node)
        self._lock = threading.Lock()

    def fill(self, number: int) -> None:
        """Compute a state's row, unless it is known."""
        with self._lock:
            if not self.filled[number]:
                super().fill(number)

    def _row_of(self, places: frozenset[int], before: int, pending: _Pending | None) -> NDArray[np.int32]:
        end = self._entry(self._last_end((places, before, pending)), DEAD)
        return np.append(super()._row_of(places, before, pending), np.int32(end))

    def _row_after_strays(self, back: int | None, places: frozenset[int], before: int) -> NDArray[np.int32]:
        row = self._row(places, before)
        # A match that ended among the stray bytes is the longest so far, unless one has ended after them.
        return row if back is None else np.where(row & 7, row, row | back + 2)

    def _goes_on(self, places: frozenset[int], before: int, back: int | None) -> bool:
        if back != 0:
            return bool(places)
        closed = frozenset().union(*(self._closure(places, before, kind) for kind in KINDS))
        return any(self._graph.steps[place] for place in closed)

    def _entry(self, back: int | None, state: int) -> int:
        return 8 * state + (0 if back is None else back + 1)


_ANY_BYTE = (0x80, 0xBF)
_SECOND = {0xE0: (0xA0, 0xBF), 0xED: (0x80, 0x9F), 0xF0: (0x90, 0xBF), 0xF4: (0x80, 0x8F)}
"""Leading bytes after which not every byte may follow: the others would be overlong, or no characters."""


def _left(lead: int) -> int:
    return 1 if lead < 0xE0 else 2 if lead < 0xF0 else 3
