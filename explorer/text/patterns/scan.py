"""Where matches begin and end in a text: for highlights, and for what is before and after an occurrence."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

import _fastsa
from explorer.core.arrays import ArrayValue
from explorer.core.categories import LAST
from explorer.core.jobs import CancelToken
from explorer.errors import Cancelled
from explorer.text.patterns.automaton import LongestAutomaton
from explorer.text.patterns.kinds import kinds
from explorer.text.patterns.pattern import Pattern, any_of


@dataclass(frozen=True, eq=False)
class Spans(ArrayValue):
    """Matches in bytes of a text, the longest from each start.

    Where an end equals its start, nothing has matched yet: more data may show a match here, or that there is none.

    starts: The first byte of each match, int64, ascending.
    ends: One past the last byte of each match, int64.
    open: Whether the data ends before the longest match is certain, bool.
    """

    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    open: NDArray[np.bool_]


class Scanner:
    """Finds matches of any of some patterns in bytes of text; several threads may use one.

    Raises `QueryError` if a pattern cannot be looked for.

    Examples
    --------
    >>> Scanner((Pattern("c.t", "regex"),)).scan(b"the cat cut it").starts.tolist()
    [4, 8]
    """

    def __init__(self, patterns: tuple[Pattern, ...]) -> None:
        """Raises QueryError for a pattern that cannot be looked for."""
        self._automaton = LongestAutomaton(any_of(patterns))
        # The table of kinds takes about 0.2 s once; most patterns have no borders.
        # Start states differ only where the character before makes a difference.
        self._kinds = kinds() if len(set(self._automaton.starts.tolist())) > 1 else np.zeros(LAST + 1, dtype=np.int8)

    def scan(
        self,
        data: bytes | NDArray[np.uint8],
        first: int = 0,
        last: int | None = None,
        *,
        whole: bool = True,
        cancel: CancelToken | None = None,
    ) -> Spans:
        """Find the matches that begin in a part of some bytes.

        data: UTF-8. A byte that is not part of a character counts as U+FFFD.
        first: The first byte at which a match may begin. Bytes before it only tell what precedes; a character that
            begins before it is passed over. The beginning of the data is that of the text.
        last: One past the last byte at which a match may begin; None for all.
        whole: Whether the data's end is that of the text. Otherwise matches that depend on what follows are open.
        Returns: The matches in order, the longest from each start.
        Raises `QueryError` if the pattern is too complex; this may show while it is used.
        Raises `Cancelled` if `cancel` was set.

        Notes
        -----
        Costs a step per byte and open match; the automaton is computed as far as the data need it.
        """
        end = len(data) if last is None else last
        flag = None if cancel is None else cancel.flag
        try:
            found = _fastsa.scan_matches(data, self._automaton, self._kinds, first, end, whole, flag)
        except _fastsa.Stopped as error:
            raise Cancelled from error
        return Spans(*found)

    def longest(self, data: bytes | NDArray[np.uint8], at: int, *, whole: bool) -> tuple[int, bool] | None:
        """Find the end of the longest match that begins at a byte.

        whole: Whether the data's end is that of the text.
        Returns: One past the match's last byte, and whether it is open; None if no match begins there.
        Raises `QueryError` if the pattern is too complex.
        """
        # A part of one byte: only a match that begins there is looked for, and followed to its end.
        spans = self.scan(data, at, min(at + 1, len(data)), whole=whole)
        return (int(spans.ends[0]), bool(spans.open[0])) if len(spans.starts) else None


# A scanner keeps the automaton as far as it is computed, which the next page of lines needs again.
@lru_cache(maxsize=32)
def scanner(patterns: tuple[Pattern, ...]) -> Scanner:
    """The scanner of some patterns; used again for the same ones."""
    return Scanner(patterns)
