"""A pattern as a deterministic automaton over the bytes of UTF-8, made as far as it is walked.

Characters fall into classes that the pattern cannot tell apart. A state is a set of places in the pattern, the kind
of the character before it (for borders), and the bytes of a character that is not complete yet.

`Automaton` stops as soon as a match certainly begins at the start, whatever follows: that is all that counting needs.
`LongestAutomaton` continues, and tells where matches end, which highlights need.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from explorer.errors import QueryError
from explorer.i18n import mark
from explorer.text.patterns.graph import Alphabet, Graph, Places, Symbol
from explorer.text.patterns.kinds import OTHER
from explorer.text.patterns.syntax import Node

# States are numbered from 0, so negative entries are these. UNKNOWN is below every entry of `LongestAutomaton`, in
# which DEAD is multiplied by 8.
DEAD = -1
MATCH = -2
UNKNOWN = -(2**31)
END = 256
# A row of the table takes 1 kB, so this bounds it at 20 MB; the sets of places are bounded by their total size.
MOST_STATES = 20_000
MOST_HELD = 500_000
# The character that decoders put in the place of a byte that is part of none.
_STRAY = 0xFFFD


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


_State = tuple[Places, int, _Pending | None]  # places, kind of the character before, incomplete character


class _States(ABC):
    """The states of an automaton, numbered as they are met, and what follows from them."""

    def __init__(self, node: Node) -> None:
        self._graph = Graph(node)
        self._alphabet = Alphabet(self._graph.sets, self._graph.alike)
        self._stray = self._alphabet.symbol(_STRAY)
        # All results below are kept, since the same sets of places are met in many states.
        self._held: dict[Places, Places] = {}
        self._held_size = 0
        self._moves: dict[tuple[Places, int, Symbol], tuple[bool, Places, bool]] = {}
        self._minds: dict[Places, bool] = {}
        self._outlooks: dict[tuple[Places, int], tuple[bool, int]] = {}
        self._numbers: dict[_State, int] = {}
        self._states: list[_State] = []
        self._leads = {lead: self._lead(lead) for lead in range(0xC2, 0xF5)}
        self._groups = self._bytes_alike()
        # Checked for every pair of kinds: \b matches the empty text only between certain characters.
        begin, kinds = frozenset([self._graph.first]), self._graph.kinds
        if any(self._graph.accepts(begin, before, after) for before in kinds for after in kinds):
            raise QueryError(
                mark("This pattern matches the empty text, which occurs everywhere."),
                reason="pattern-matches-empty-text",
            )
        self.starts = np.array([self._number(begin, kind, None) for kind in self._graph.alike], dtype=np.int32)

    def _lead(self, lead: int) -> _Pending:
        # Bytes that are missing, by the first byte of UTF-8, whose lower bits are the highest of the character.
        left = 1 if lead < 0xE0 else 2 if lead < 0xF0 else 3
        return self._incomplete(1, left, (lead & 0x3F >> left) << 6 * left, _SECOND.get(lead, _ANY_BYTE))

    def _bytes_alike(self) -> list[NDArray[np.intp]]:
        """Bytes that make no difference to the pattern where a character begins."""
        groups: dict[Symbol | _Pending | None, list[int]] = {}
        for byte in range(256):
            # Bytes with the same symbol, leading bytes with the same future, and all stray bytes (None) are computed
            # once each.
            meaning = self._alphabet.symbol(byte) if byte < 0x80 else self._leads.get(byte)
            groups.setdefault(meaning, []).append(byte)
        return [np.array(group, dtype=np.intp) for group in groups.values()]

    # --- states --------------------------------------------------------------------------------

    def _number(self, places: Places, before: int, pending: _Pending | None) -> int:
        minds = self._minds.get(places)
        if minds is None:
            minds = self._minds[places] = self._graph.minds_before(places)
        # Where the character before makes no difference, states that differ only in it are one.
        state = (places, before if minds else OTHER, pending)
        number = self._numbers.get(state)
        if number is None:
            number = len(self._states)
            if number >= MOST_STATES:
                raise _too_complex()
            self._numbers[state] = number
            self._states.append(state)
            self._make_room(state)
        return number

    @abstractmethod
    def _make_room(self, state: _State) -> None:
        """Make room for one more state."""

    @abstractmethod
    def _entry(self, back: int | None, state: int) -> int:
        """What the table holds for: a match has ended `back` bytes ago (None: none has), and this is the state now."""

    @abstractmethod
    def _goes_on(self, places: Places, back: int | None) -> bool:
        """Whether what follows makes a difference, after a match that has ended `back` bytes ago."""

    def _move(self, places: Places, before: int, symbol: Symbol) -> tuple[bool, Places, bool]:
        """Whether a match ends before such a character; the places after it; whether one surely ends there."""
        key = (places, before, symbol)
        known = self._moves.get(key)
        if known is None:
            ended, reached = self._graph.move(places, before, symbol)
            # Certain: a match ends after this character, of whatever kind the next one is.
            certain = all(self._graph.accepts(reached, symbol[1], after) for after in self._graph.kinds)
            known = self._moves[key] = ended, self._hold(reached), certain
        return known

    def _hold(self, places: Places) -> Places:
        """The same set for equal ones; raises QueryError where all of them are too large."""
        # One object for equal sets: they are keys of several dictionaries, which find the same object without comparing
        # contents.
        held = self._held.setdefault(places, places)
        if held is places:
            self._held_size += len(places)
            if self._held_size > MOST_HELD:
                raise _too_complex()
        return held

    def _strays(self, places: Places, before: int, count: int) -> tuple[int | None, Places, int]:
        """After stray bytes: how many of them ago a match has ended (None: none has), places, and the kind before."""
        back = None
        # A character that is cut short is as many stray characters as it has bytes; `left` counts those from this one
        # on.
        for left in range(count, 0, -1):
            ended, places, certain = self._move(places, before, self._stray)
            before = self._stray[1]
            # A later end is a longer match, so it replaces an earlier one.
            back = left - 1 if certain else left if ended else back
        return back, places, before

    def _last_end(self, state: _State) -> int | None:
        """How many bytes ago a match has ended if this is the end of the document; None: none has."""
        places, before, pending = state
        back, places, before = self._strays(places, before, pending.count if pending else 0)
        # The end of a document is like a character of no word.
        return 0 if self._graph.accepts(places, before, OTHER) else back

    # --- bytes ---------------------------------------------------------------------------------

    def _begin(self, places: Places, before: int, byte: int) -> int:
        """The entry after a byte with which a character begins, or a stray one."""
        pending = self._leads.get(byte)
        if pending is not None:
            return self._wait(places, before, pending)
        return self._feed(places, before, self._alphabet.symbol(byte) if byte < 0x80 else self._stray, 1)

    def _continue(self, places: Places, before: int, pending: _Pending, byte: int) -> int:
        """The entry after one more byte of a character."""
        if pending.left > 1:
            return self._wait(places, before, self._further(pending, byte))
        symbol = pending.symbol
        if symbol is None:
            assert pending.block is not None
            symbol = self._alphabet.symbol(pending.block[0] | byte & 0x3F)
        return self._feed(places, before, symbol, pending.count + 1)

    def _further(self, pending: _Pending, byte: int) -> _Pending:
        if pending.block is None:
            return replace(pending, count=pending.count + 1, left=pending.left - 1, next_bytes=_ANY_BYTE)
        # The lower bits, which the bytes to come decide, are cleared; this byte gives the six highest of them.
        first = pending.block[0] & ~(0x40**pending.left - 1) | (byte & 0x3F) << 6 * (pending.left - 1)
        return self._incomplete(pending.count + 1, pending.left - 1, first, _ANY_BYTE)

    def _incomplete(self, count: int, left: int, first: int, next_bytes: tuple[int, int]) -> _Pending:
        """Some bytes of a character, of which `left` are missing; `first`: with zeros in their place."""
        # The range of characters that can still come of it: the bounds of the next byte, then all zeros and all ones.
        low = first | (next_bytes[0] & 0x3F) << 6 * (left - 1)
        high = first | (next_bytes[1] & 0x3F) << 6 * (left - 1) | 0x40 ** (left - 1) - 1
        symbol = self._alphabet.common_symbol(low, high)
        return _Pending(count, left, next_bytes, (first, high) if symbol is None else None, symbol)

    def _wait(self, places: Places, before: int, pending: _Pending) -> int:
        """The entry inside a character, dead where nothing can come of it."""
        # A dead end is found at the first byte that shows it, before the character is complete.
        hopeful, sets = self._outlook(places, before)
        if not hopeful:
            if pending.block is None:
                assert pending.symbol is not None
                hopeful = bool(pending.symbol[0] & sets)
            else:
                hopeful = self._alphabet.any_in(*pending.block, sets)
        return self._entry(None, self._number(places, before, pending) if hopeful else DEAD)

    def _outlook(self, places: Places, before: int) -> tuple[bool, int]:
        """Whether any next character makes a difference, stray bytes included; else the sets of those that do."""
        known = self._outlooks.get((places, before))
        if known is None:
            accepts = {self._graph.accepts(places, before, after) for after in self._graph.kinds}
            # If a match ends before some kinds of characters only, the next character decides, even without a step for
            # it.
            hopeful = len(accepts) > 1 or bool(self._move(places, before, self._stray)[1])
            known = self._outlooks[places, before] = hopeful, self._graph.next_sets(places)
        return known

    def _feed(self, places: Places, before: int, symbol: Symbol, size: int) -> int:
        """The entry after a character of this class and kind, and of `size` bytes."""
        ended, reached, certain = self._move(places, before, symbol)
        # `size` bytes ago: the match ended before this character, which showed it.
        back = 0 if certain else size if ended else None
        return self._entry(back, self._number(reached, symbol[1], None) if self._goes_on(reached, back) else DEAD)


class Automaton(_States):
    """Deterministic automaton of a pattern that stops as soon as a match is certain.

    table: int32 of shape (states, 256): the state after each byte, DEAD or MATCH. A row is valid after `fill`.
    starts: The state in which a match begins, after a character of each kind.
    at_end: For each state, whether the end of the document establishes a match.
    node: The tree of the pattern.
    Raises `QueryError` if the pattern is too long or too complex.
    """

    def __init__(self, node: Node) -> None:
        # Before the base class, which numbers the first states and makes room for them here. The table is doubled when
        # it is full.
        self.table: NDArray[np.int32] = np.full((16, 256), DEAD, dtype=np.int32)
        self.filled = bytearray()
        self.at_end = bytearray()
        super().__init__(node)

    def fill(self, number: int) -> None:
        """Compute the row of a state.

        Raises `QueryError` if the automaton has too many states.
        """
        places, before, pending = self._states[number]
        back, after, kind = self._strays(places, before, pending.count) if pending else (None, places, before)
        # After stray bytes that ended a match, every byte but those that complete the character establishes it.
        row = np.full(256, MATCH, dtype=np.int32) if back is not None else self._row(after, kind)
        if pending:
            low, high = pending.next_bytes
            row[low : high + 1] = [self._continue(places, before, pending, byte) for byte in range(low, high + 1)]
        self.table[number] = row
        self.filled[number] = 1

    def _row(self, places: Places, before: int) -> NDArray[np.int32]:
        row = np.full(256, DEAD, dtype=np.int32)
        if places:
            for group in self._groups:
                row[group] = self._begin(places, before, int(group[0]))
        return row

    def _make_room(self, state: _State) -> None:
        self.filled.append(0)
        self.at_end.append(self._last_end(state) is not None)
        if len(self._states) > len(self.table):
            self.table = np.concatenate([self.table, np.full_like(self.table, DEAD)])

    def _entry(self, back: int | None, state: int) -> int:
        return state if back is None else MATCH

    def _goes_on(self, places: Places, back: int | None) -> bool:
        return bool(places) and back is None


class LongestAutomaton(_States):
    """Automaton that continues after a match, and so knows the longest; several threads may use one.

    table: int32 of shape (states, 257); UNKNOWN until `fill`, else 8 * state + ended. state: the one after the byte, or
        DEAD. ended: 1 + the bytes, this one included, that follow the end of the longest match so far, if the byte
        tells it; otherwise 0. Column END: the same at the end of the document.
    starts: The state in which a match begins, after a character of each kind.
    node: The tree of the pattern.
    Raises `QueryError` if the pattern is too long or too complex.

    Notes
    -----
    An end that depends on the next character is told with that character's last byte, and a later one is never before
    an earlier one. Entries are computed when they are first needed, under a lock; a filled entry never changes, so it
    is read without one.
    """

    def __init__(self, node: Node) -> None:
        self.table: NDArray[np.int32] = np.full((16, END + 1), UNKNOWN, dtype=np.int32)
        self._lock = threading.Lock()
        super().__init__(node)
        self._alike = {byte: group for group in self._groups for byte in group.tolist()}

    def fill(self, number: int, column: int) -> None:
        """Compute an entry of the table, and those that are known with it.

        Raises `QueryError` if the automaton has too many states.
        """
        with self._lock:
            # Another thread may have computed it while this one waited for the lock.
            if self.table[number, column] == UNKNOWN:
                entry, columns = self._computed(self._states[number], column)
                self.table[number, columns] = entry

    def _computed(self, state: _State, column: int) -> tuple[int, int | slice | NDArray[np.intp]]:
        places, before, pending = state
        if column == END:
            return self._entry(self._last_end(state), DEAD), END
        if pending is None:
            return self._begin(places, before, column), self._alike[column]
        low, high = pending.next_bytes
        if low <= column <= high:
            # Without a block, all of these bytes lead to the same state.
            alike = slice(low, high + 1) if pending.block is None else column
            return self._continue(places, before, pending, column), alike
        back, places, before = self._strays(places, before, pending.count)
        entry = self._begin(places, before, column)
        # A match that ended among the stray bytes is the longest so far, unless one has ended after them.
        return (entry if back is None or entry & 7 else entry + back + 2), column

    def _make_room(self, state: _State) -> None:
        if len(self._states) > len(self.table):
            # A new array, and not a resized one: a scan that runs in another thread still reads the old one, whose
            # entries stay true.
            self.table = np.concatenate([self.table, np.full_like(self.table, UNKNOWN)])

    def _entry(self, back: int | None, state: int) -> int:
        # At most 4 bytes ago, so that the second part is below 8. DEAD gives a negative entry, of which & 7 and >> 3
        # still give both parts.
        return 8 * state + (0 if back is None else back + 1)

    def _goes_on(self, places: Places, back: int | None) -> bool:
        # After a sure match only a longer one matters, and this needs one more character.
        return bool(places) if back != 0 else bool(self._graph.next_sets(places))


def _too_complex() -> QueryError:
    return QueryError(mark("This pattern is too complex."), reason="pattern-too-complex")


_ANY_BYTE = (0x80, 0xBF)
_SECOND = {0xE0: (0xA0, 0xBF), 0xED: (0x80, 0x9F), 0xF0: (0x90, 0xBF), 0xF4: (0x80, 0x8F)}
"""Leading bytes after which not every byte may follow: the others would be overlong, or no characters."""
