"""Where matches begin and end in a text: for highlights, and for what is before and after an occurrence."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

import _fastsa
from explorer.errors import Cancelled
from explorer.jobs import CancelToken
from explorer.patterns.automaton import LongestAutomaton
from explorer.patterns.charset import LAST, kinds
from explorer.patterns.pattern import Pattern, any_of


@dataclass(frozen=True)
class Spans:
    """Matches in bytes [starts[i], ends[i]), the longest from each start.

    open[i]: the data ends before the longest match is certain. Where ends[i] == starts[i], nothing has matched yet:
    more data may show a match here, or that there is none.
    """

    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    open: NDArray[np.bool_]


class Scanner:
    """Finds matches of any of some patterns in bytes of text; several threads may use one."""

    def __init__(self, patterns: tuple[Pattern, ...]) -> None:
        """Raises QueryError for a pattern that cannot be looked for."""
        self._automaton = LongestAutomaton(any_of(patterns))
        # The table of kinds takes some 0.2 s once; most patterns have no borders.
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
        """The matches that begin in [first, last), in order.

        Parameters
        ----------
        data : bytes
            UTF-8. A byte that is of no character counts as U+FFFD.
        first, last : int
            Bytes before `first` only tell what precedes. A character that begins before `first` is passed over, and
            the beginning of the data is that of the text.
        whole : bool
            Whether the data's end is that of the text. Else matches that depend on what follows are open.

        Raises
        ------
        QueryError
            The pattern is too complex; this may show while it is used.
        Cancelled
            `cancel` was set.
        """
        end = len(data) if last is None else last
        flag = None if cancel is None else cancel.flag
        try:
            found = _fastsa.scan_matches(data, self._automaton, self._kinds, first, end, whole, flag)
        except _fastsa.Stopped as error:
            raise Cancelled from error
        return Spans(*found)

    def longest(self, data: bytes | NDArray[np.uint8], at: int, *, whole: bool) -> tuple[int, bool] | None:
        """The end of the longest match that begins at a byte, and whether it is open; None: no match begins there."""
        spans = self.scan(data, at, min(at + 1, len(data)), whole=whole)
        return (int(spans.ends[0]), bool(spans.open[0])) if len(spans.starts) else None


@lru_cache(maxsize=32)
def scanner(patterns: tuple[Pattern, ...]) -> Scanner:
    """The scanner of some patterns; used again for the same ones."""
    return Scanner(patterns)
