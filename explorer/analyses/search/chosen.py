"""Hits that are known by their places: lines that were kept, and lines that are left out of others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from explorer.analyses.metadata.fields import FieldColumns
from explorer.analyses.search.arrange import LineSettings, arrange
from explorer.analyses.search.concordance import Concordance
from explorer.analyses.search.hits import Hits
from explorer.backends.places import HitPlace, Located
from explorer.backends.protocol.protocol import Backend, Part
from explorer.core.jobs import CancelToken, Report, no_report
from explorer.errors import QueryError
from explorer.i18n import mark

_UNKNOWN = -1
"""The number of a hit that is not known yet."""


def located(places: Sequence[HitPlace]) -> Located:
    """Gather places in one value.

    Returns: The same places in the same order.
    """
    table = np.array([(p.document, p.offset, p.length, p.begin, p.rest) for p in places], dtype=np.int64)
    documents, offsets, lengths, begins, rests = table.reshape(-1, 5).T
    return Located(documents, offsets, lengths, begins, rests, np.zeros(len(places), dtype=np.int64))


def kept_lines(
    index: Backend,
    places: Sequence[HitPlace],
    view: LineSettings | None = None,
    parts: Sequence[Part] = (),
    columns: FieldColumns | None = None,
    report: Report = no_report,
    cancel: CancelToken | None = None,
) -> Concordance:
    """Make exactly these places into lines, without searching for them.

    view: Filters, sample, order and merging; None for the order of `places`.
    parts: What was searched for, to mark it in documents; () if that is not known.
    columns: The known metadata of the documents.
    Raises `QueryError` if a place is not in the index.

    Examples
    --------
    >>> from explorer.backends.places import HitPlace
    >>> [line.match for line in kept_lines(corpus.index, [HitPlace(2, 1, 1)]).lines(0, 1)]
    [' dog']
    """
    found = located(places)
    # Places may come from a file, so they are checked before anything is read at them.
    check_places(index, found)
    hits = Hits(index, parts, _Placed(found))
    arranged = arrange(hits, None, view or LineSettings(), columns or FieldColumns(index), report, cancel)
    return Concordance(hits, arranged)


def check_places(index: Backend, places: Located) -> None:
    """Check that places are in an index.

    Raises `QueryError` for the first one that is not; its number is the field `number`, from 0.
    """
    sizes = index.documents.sizes()
    there = (places.documents >= 0) & (places.documents < len(sizes))
    # A size includes the separator, and is 0 for a number without a document. Differences, because sums of numbers
    # from a file could overflow.
    room = np.where(there, sizes[np.where(there, places.documents, 0)] - 1, -1) - places.offsets
    there &= (places.offsets >= 0) & (places.lengths > 0) & (places.lengths <= room)
    there &= (places.begins >= 0) & (places.rests >= 0)
    if not there.all():
        number = int(np.argmin(there))
        raise QueryError(
            mark("Line {line:,} is not in this index: it has no such document, or a shorter one."),
            reason="place-not-in-index",
            line=number + 1,
            number=number,
        )


def without_places(
    lines: Concordance,
    places: Sequence[HitPlace],
    hints: Sequence[int] = (),
    cancel: CancelToken | None = None,
) -> Concordance:
    """Leave out lines by their places. The order of the others stays.

    places: The places to leave out; those without a line do no harm.
    hints: For each place, the number of its hit where it is known, -1 elsewhere; () if none is known.

    Notes
    -----
    With right hints, the cost is that of looking up these places. Otherwise the lines are looked up until all places
    are found, and so are all lines if one of them is not among these.
    """
    if not places:
        return lines
    hits = lines.hits
    numbers = lines.arranged.numbers
    if numbers is None:
        # Every hit is a line. `hits` hides none then: see `arrange`.
        numbers = np.arange(hits.total, dtype=np.int64)
    gone = numbers_of(hits, places, hints, numbers, cancel)
    kept = ~np.isin(numbers, gone[gone != _UNKNOWN])
    repeats = lines.arranged.repeats
    arranged = replace(lines.arranged, numbers=numbers[kept], repeats=None if repeats is None else repeats[kept])
    return Concordance(hits, arranged)


def numbers_of(
    hits: Hits,
    places: Sequence[HitPlace],
    hints: Sequence[int] = (),
    among: NDArray[np.int64] | None = None,
    cancel: CancelToken | None = None,
) -> NDArray[np.int64]:
    """Find the numbers of the hits at some places.

    places: The places. Only where a match begins counts: two hits of one query never begin at one place.
    among: Numbers of hits that are looked at, int64; None for all.
    Returns: One number per place, int64; -1 where no hit begins.
    """
    found = np.full(len(places), _UNKNOWN, dtype=np.int64)
    # Hints of another number belong to other places; then all are looked up.
    guesses = np.array(hints, dtype=np.int64) if len(hints) == len(places) else found.copy()
    likely = np.flatnonzero((guesses >= 0) & (guesses < hits.total))
    # A number from another run, or from another index, is of another place.
    for row, begin in zip(likely.tolist(), _begins(hits.locate(guesses[likely])), strict=True):
        if begin == _begin(places[row]):
            found[row] = guesses[row]
    rows = {_begin(places[row]): row for row in np.flatnonzero(found == _UNKNOWN).tolist()}
    if not rows:
        return found
    wanted = np.unique(np.array([begin[0] for begin in rows], dtype=np.int64))
    for numbers, part in hits.chunks(among, cancel):
        # Most hits are in other documents, which numpy tells faster than a dictionary.
        near = np.flatnonzero(np.isin(part.documents, wanted))
        for number, begin in zip(numbers[near].tolist(), _begins(part[near]), strict=True):
            # Taken out, so that the search ends with the last place and not with the last hit.
            if (found_row := rows.pop(begin, None)) is not None:
                found[found_row] = number
        if not rows:
            break
    return found


def _begin(place: HitPlace) -> tuple[int, int, int]:
    return place.document, place.offset, place.begin


def _begins(places: Located) -> list[tuple[int, int, int]]:
    """Where each hit begins: document, token, and byte in the token."""
    return list(zip(places.documents.tolist(), places.offsets.tolist(), places.begins.tolist(), strict=True))


class _Placed:
    """Answers `explorer.backends.protocol.protocol.Occurrences` from places."""

    def __init__(self, places: Located) -> None:
        self._places = places
        self.total = self.count = len(places)
        # Whatever was kept was shown once.
        self.sieved = False

    def locate(self, numbers: NDArray[np.int64]) -> Located:
        """Where some hits are."""
        return self._places[numbers]

    def shown(self, located: Located) -> NDArray[np.bool_]:
        """Which of some hits count: all of them."""
        return np.ones(len(located), dtype=np.bool_)

    def measured(self, located: Located, cancel: CancelToken | None = None) -> Located:
        """Find the ends of some hits, which were kept with them."""
        return located
