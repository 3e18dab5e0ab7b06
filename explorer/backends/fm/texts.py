"""Where text patterns occur: a walk of their automaton over the bytes that follow each other in the index."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.backends.fm.parts import FmParts
from explorer.backends.protocol.protocol import TextMatches
from explorer.core.arrays import ArrayValue
from explorer.core.jobs import CancelToken
from explorer.errors import QueryError
from explorer.i18n import mark
from explorer.index.fm.part import SEPARATOR, MappedPart
from explorer.text.patterns.automaton import DEAD, MATCH, Automaton
from explorer.text.patterns.kinds import KINDS
from explorer.text.patterns.pattern import Pattern, any_of
from explorer.text.patterns.vocabulary import CHARACTER, last_kind

MOST_STEPS = 1 << 18
"""The most n-grams that a walk in a part looks at: some two seconds."""
_READS_PER_LOOK_UP = 8
"""Occurrences before which bytes are read in the time in which all bytes before an n-gram are looked up."""

Numbers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Found(ArrayValue):
    """N-grams that hold a match, as int64 arrays of one length; no occurrence is in two of them.

    lengths: Bytes from the beginning of the match to the rows' places.
    """

    owners: Numbers
    firsts: Numbers
    lasts: Numbers
    lengths: Numbers


@dataclass(frozen=True)
class FmTextMatches(TextMatches):
    """Occurrences of patterns, and the n-grams that hold them."""

    found: Found | None = None


def find_text(parts: FmParts, patterns: tuple[Pattern, ...], cancel: CancelToken | None = None) -> FmTextMatches:
    """Find all occurrences of a pattern, or of any of several.

    Raises `QueryError` if a pattern is not understood, or is too broad.

    Notes
    -----
    The cost grows with the different texts that match, and hardly with the corpus.
    """
    automaton = Automaton(any_of(patterns))
    rows = [row for number, part in enumerate(parts.parts) for row in _Walk(number, part, automaton, cancel).rows()]
    table = np.array(rows, dtype=np.int64).reshape(-1, 4)
    found = Found(*(np.ascontiguousarray(column) for column in table.T))
    return FmTextMatches(patterns, int((found.lasts - found.firsts).sum()), found)


_Row = tuple[int, int, int, int]
"""The number of a part, the first row, the one past the last, and the bytes from the beginning of the match."""


@dataclass(frozen=True)
class _Hold:
    """An n-gram that holds a match if a character of some kinds is before it, a bit for each; or whatever is."""

    text: bytes
    first: int
    last: int
    kinds: int


class _Walk:
    """One pattern in one part."""

    def __init__(self, number: int, part: MappedPart, automaton: Automaton, cancel: CancelToken | None) -> None:
        self._number, self._part, self._automaton, self._cancel = number, part, automaton, cancel
        self._flag = cancel.flag if cancel else None
        self._steps = 0
        self._count = 0

    def rows(self) -> list[_Row]:
        """All n-grams that hold a match."""
        states = self._automaton.starts.tolist()
        found: list[_Row] = []
        # Kinds of characters that make no difference have one state.
        for state in dict.fromkeys(state for state in states if state != DEAD):
            kinds = sum(1 << kind for kind, other in enumerate(states) if other == state)
            every = kinds == (1 << len(KINDS)) - 1
            for hold in self._from(state, kinds):
                found += [self._row(hold)] if every else self._after(hold)
        return found

    def _row(self, hold: _Hold, before: int = 0) -> _Row:
        return self._number, hold.first, hold.last, len(hold.text) - before

    def _from(self, state: int, kinds: int) -> list[_Hold]:
        """The n-grams with a match that begins in a state: all branches of one length at a time."""
        whole = self._part.size + 1
        texts, firsts, lasts, states = [b""], np.array([0]), np.array([whole]), [state]
        found: list[_Hold] = []
        while texts:
            rows = self._children(firsts, lasts)
            kept: list[tuple[bytes, int, int, int]] = []
            for parent, byte, first, last in rows.tolist():
                if not texts[parent] and 0x80 <= byte < 0xC0:
                    continue  # no character begins with it
                after = self._after_byte(states[parent], byte)
                if after == MATCH:
                    found.append(_Hold(texts[parent] + bytes([byte]), first, last, kinds))
                    self._count += last - first
                elif after != DEAD:
                    kept.append((texts[parent] + bytes([byte]), first, last, after))
            found += self._at_the_end(texts, firsts, lasts, states, kinds)
            texts, states = [text for text, *_ in kept], [after for *_, after in kept]
            firsts, lasts = (np.array([row[at] for row in kept], dtype=np.int64) for at in (1, 2))
        return found

    def _children(self, firsts: Numbers, lasts: Numbers) -> Numbers:
        self._steps += len(firsts)
        if self._steps > MOST_STEPS:
            raise QueryError(
                mark(
                    "This pattern is too broad: the search ended after {steps:,} different texts, with {count:,} "
                    "occurrences so far."
                ),
                reason="too-broad",
                steps=MOST_STEPS,
                count=self._count,
            )
        if self._cancel is not None:
            self._cancel.check()
        with self._part.guarded() as engine:
            return engine.children(firsts, lasts, self._flag)

    def _after_byte(self, state: int, byte: int) -> int:
        """The state after a byte; a document ends where the separator of the next one is."""
        automaton = self._automaton
        if byte == SEPARATOR:
            return MATCH if automaton.at_end[state] else DEAD
        if not automaton.filled[state]:
            automaton.fill(state)
        return int(automaton.table[state, byte])

    def _at_the_end(
        self, texts: Sequence[bytes], firsts: Numbers, lasts: Numbers, states: Sequence[int], kinds: int
    ) -> list[_Hold]:
        """Those n-grams at the very end of the text that match there: nothing follows them."""
        row = self._part.engine.last_row
        there = np.flatnonzero((firsts <= row) & (row < lasts)).tolist()
        return [_Hold(texts[i], row, row + 1, kinds) for i in there if texts[i] and self._automaton.at_end[states[i]]]

    # --- what is before ------------------------------------------------------------------------

    def _after(self, hold: _Hold) -> list[_Row]:
        """The occurrences of an n-gram that are after a character of the wanted kinds."""
        if hold.last - hold.first <= _READS_PER_LOOK_UP:
            return self._read(hold)
        found: list[_Row] = []
        waiting = [hold]
        while waiting:
            longer = waiting.pop()
            before = len(longer.text) - len(hold.text)
            if self._cancel is not None:
                self._cancel.check()
            for other in self._preceded(longer):
                data = other.text[: before + 1]
                # A byte of ASCII and a separator tell, and so do as many bytes as a character has.
                if data[0] < 0x80 or data[0] == SEPARATOR or len(data) >= CHARACTER:
                    if hold.kinds >> _kind_of(data) & 1:
                        found.append(self._row(other, len(data)))
                else:
                    waiting.append(other)
        return found

    def _preceded(self, hold: _Hold) -> list[_Hold]:
        """An n-gram with each byte that is before it somewhere."""
        present = np.flatnonzero(self._part.engine.counts()).tolist()
        pieces = b"".join(bytes([byte]) + hold.text for byte in present)
        size = len(hold.text) + 1
        starts = np.arange(len(present), dtype=np.int64) * size
        with self._part.guarded() as engine:
            firsts, lasts = engine.find_many(np.frombuffer(pieces, dtype=np.uint8), starts, starts + size, self._flag)
        rows = zip(present, firsts.tolist(), lasts.tolist(), strict=True)
        return [_Hold(bytes([byte]) + hold.text, first, last, hold.kinds) for byte, first, last in rows if first < last]

    def _read(self, hold: _Hold) -> list[_Row]:
        """The same by what is before each occurrence."""
        rows = np.arange(hold.first, hold.last, dtype=np.int64)
        with self._part.guarded() as engine:
            begins = engine.places(rows, self._flag) - len(hold.text)
        befores = self._part.read(np.maximum(begins - CHARACTER, 0), begins)
        length = len(hold.text)
        return [
            (self._number, row, row + 1, length)
            for row, before in zip(rows.tolist(), befores, strict=True)
            if hold.kinds >> _kind_of(before.tobytes()) & 1
        ]


def _kind_of(data: bytes) -> int:
    """The kind of the last character of some bytes; a document begins after a separator."""
    return last_kind(data.rpartition(b"\xff")[2])
