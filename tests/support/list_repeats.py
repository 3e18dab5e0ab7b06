"""Repeated passages of documents in lists, by looking at every one."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from explorer.backends.protocol.list_values import LONGEST_SHARED, RepeatPiece, RepeatProfile, RepeatSpans, Runs
from explorer.backends.protocol.values import Numbers

Passage = tuple[int, ...]
Place = tuple[int, int]


def passages(documents: Sequence[Sequence[int]], least: int) -> dict[Passage, list[Place]]:
    """Every passage of `least` tokens or more that occurs twice and cannot be made longer, and its places."""
    found: dict[Passage, list[Place]] = {}
    for length in range(least, max(map(len, documents), default=0) + 1):
        here: dict[Passage, list[Place]] = {}
        for number, document in enumerate(documents):
            for at in range(len(document) - length + 1):
                here.setdefault(tuple(document[at : at + length]), []).append((number, at))
        for passage, places in here.items():
            before = {_token(documents[number], at - 1) or (number, at) for number, at in places}
            after = {_token(documents[number], at + length) or (number, at) for number, at in places}
            if len(places) > 1 and len(before) > 1 and len(after) > 1:
                found[passage] = places
    return found


def _token(document: Sequence[int], at: int) -> Passage | None:
    return (document[at],) if 0 <= at < len(document) else None


def overlap(places: Sequence[Place], length: int) -> bool:
    """Whether two of some places, which are in order, have a token in common."""
    return any(a[0] == b[0] and b[1] - a[1] < length for a, b in pairwise(places))


def runs(documents: Sequence[Sequence[int]], least: int) -> set[tuple[int, int, int, int]]:
    """Stretches of at least `least` tokens and a period, that repeat themselves: document, start, end, period."""
    found = set()
    for number, document in enumerate(documents):
        for period in range(1, len(document) // 2 + 1):
            same = [a == b for a, b in zip(document, document[period:], strict=False)]
            start = 0
            for at, equal in enumerate([*same, False]):
                if not equal:
                    if at - start >= max(least, period + 1):
                        found.add((number, start, at + period, period))
                    start = at + 1
    return found


def repeated(documents: Sequence[Sequence[int]], numbers: Numbers, least: int) -> RepeatPiece:
    """All of them as one piece."""
    found = passages(documents, least)
    rows = [
        (len(passage), len(places), overlap(places, len(passage)), int(numbers[places[0][0]]), places[0][1])
        for passage, places in found.items()
    ]
    lengths, counts, overlapping, homes, offsets = np.array(rows, np.int64).reshape(-1, 5).T
    # Of a stretch with period p, the periods 2p, 3p … are not its own.
    stretches = runs(documents, least)
    own = sorted(
        (int(numbers[run[0]]), *run[1:])
        for run in stretches
        if not any(
            run[0] == other[0] and other[1] <= run[1] and run[2] <= other[2] and other[3] < run[3]
            for other in stretches
        )
    )
    places = np.array(own, np.int64).reshape(-1, 4).T
    return RepeatPiece(lengths, counts, overlapping.astype(bool), homes, offsets, Runs(*places))


def _shared(one: Sequence[int], other: Sequence[int]) -> int:
    return next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def profiled(
    documents: Sequence[Sequence[int]], numbers: Numbers, least: int, preferred: NDArray[np.bool_] | None = None
) -> RepeatProfile:
    """The profile, by comparing every place with every other; `numbers` are 0, 1, … here."""
    firsts = np.cumsum([1, *(len(document) + 1 for document in documents)])
    order = sorted(numbers.tolist(), key=lambda number: preferred is not None and not preferred[number])
    places = [(number, at) for number in order for at in range(len(documents[number]))]
    spectrum = np.zeros((2, LONGEST_SHARED + 1), np.int64)
    found: tuple[dict[int, tuple[int, int]], ...] = ({}, {})
    for here, (number, at) in enumerate(places):
        lengths = [_shared(documents[number][at:], documents[other][from_:]) for other, from_ in places]
        lengths[here] = 0
        for row, some in enumerate((lengths, lengths[:here])):
            longest = max(some, default=0)
            spectrum[row, longest] += 1
            if longest >= least:
                other, from_ = places[some.index(longest)]
                found[row][int(firsts[number]) + at] = longest, int(firsts[other]) + from_
    return RepeatProfile(firsts, _longest(found[0]), _longest(found[1]), least, spectrum)


def _longest(found: dict[int, tuple[int, int]]) -> RepeatSpans:
    """Spans of which none lies within the one from the place before."""
    rows = [
        (place, place + length, other)
        for place, (length, other) in sorted(found.items())
        if place - 1 not in found or found[place - 1][0] - 1 < length
    ]
    return RepeatSpans(*np.array(rows, np.int64).reshape(-1, 3).T.copy())
