"""The other clauses of an AND, in the lines of its node: their positions, and context wide enough to reach them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from explorer.corpus.index import Index
from explorer.corpus.text import trim
from explorer.search.concordance import MOST_TOKENS_A_CHARACTER, ConcordanceLine
from explorer.search.find import QueryResult
from explorer.search.in_document import occurrences

Patterns = tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Nearby:
    """What to mark around each hit: the n-grams of the other clauses, in the query's order, and the distance."""

    clauses: tuple[Patterns, ...]
    distance: int


@dataclass(frozen=True)
class Mark:
    """Characters [start, end) of a context, where the other clause number `clause` (from 0) occurs."""

    clause: int
    start: int
    end: int


@dataclass(frozen=True)
class MarkedLine:
    """A line with the places of the other clauses in its left and right context."""

    line: ConcordanceLine
    left: tuple[Mark, ...] = ()
    right: tuple[Mark, ...] = ()


def others_of(found: QueryResult, distance: int) -> Nearby | None:
    """What to mark in the lines of a query; None if it has only one clause."""
    others = [clause for number, clause in enumerate(found.clauses) if number != found.node]
    patterns = tuple(tuple(part.ids for part in clause.parts) for clause in others)
    return Nearby(patterns, distance) if patterns else None


def marked_line(index: Index, line: ConcordanceLine, nearby: Nearby, width: int, characters: bool) -> MarkedLine:
    """The line with every place of the other clauses; its contexts reach the nearest place of each.

    Parameters
    ----------
    index
        The index of the line.
    line
        A line of the node; its contexts are read again.
    nearby
        What to look for: at most `distance` tokens between the two beginnings, as in the query.
    width
        Tokens or characters of context on each side; more if a clause is farther away.
    characters
        Whether `width` counts characters.

    Returns
    -------
    MarkedLine
        The cost is one read of twice the distance, and decoding what is shown.
    """
    tokens_wide = width * MOST_TOKENS_A_CHARACTER if characters else width
    longest = max((len(ids) for patterns in nearby.clauses for ids in patterns), default=0)
    first = max(0, line.offset - max(tokens_wide, nearby.distance))
    last = line.offset + max(line.length + tokens_wide, nearby.distance + longest)
    tokens = index.document_tokens(line.document, first, last)
    start = line.offset - first
    found = [_around(tokens, patterns, start, line.length, nearby.distance) for patterns in nearby.clauses]
    low, high = _reach(found, start, start + line.length, tokens_wide)
    decoded = index.decode(tokens[low : min(high, len(tokens))])
    begin, end = (min(place, len(decoded.starts) - 1) for place in (start - low, start - low + line.length))
    text, cut_left, cut_right = decoded.text, int(decoded.starts[begin]), int(decoded.starts[end])
    marks = [
        Mark(clause, *trim(text, int(decoded.starts[at - low]), int(decoded.starts[min(at + n, high) - low])))
        for clause, places in enumerate(found)
        for at, n in places.tolist()
        if low <= at and at + n <= low + len(decoded.starts) - 1
    ]
    left = tuple(mark for mark in marks if mark.end <= cut_left)
    right = tuple(Mark(m.clause, m.start - cut_right, m.end - cut_right) for m in marks if m.start >= cut_right)
    made = replace(line, left=text[:cut_left], match=text[cut_left:cut_right], right=text[cut_right:])
    marked = MarkedLine(made, left, right)
    return _cut(marked, width) if characters else marked


def _around(
    tokens: NDArray[np.int64], patterns: Sequence[Sequence[int]], start: int, length: int, distance: int
) -> NDArray[np.int64]:
    """(place, length) of the n-grams that begin near enough and do not overlap the match."""
    places = occurrences(tokens, patterns)
    begins, ends = places[:, 0], places.sum(axis=1)
    near = (np.abs(begins - start) <= distance) & ((ends <= start) | (begins >= start + length))
    return np.asarray(places[near])


def _reach(found: Sequence[NDArray[np.int64]], start: int, end: int, width: int) -> tuple[int, int]:
    """The tokens to show: `width` on both sides, or as far as the nearest place of each clause."""
    low, high = max(0, start - width), end + width
    for places in found:
        if len(places):
            gaps = np.where(places[:, 0] < start, start - places.sum(axis=1), places[:, 0] - end)
            at, length = places[int(np.argmin(gaps))].tolist()
            low, high = min(low, at), max(high, at + length)
    return low, high


def _cut(marked: MarkedLine, width: int) -> MarkedLine:
    """Contexts of `width` characters, or as far as the nearest mark of each clause."""
    line = marked.line
    clauses = {mark.clause for mark in (*marked.left, *marked.right)}
    before, after = len(line.left) - width, width
    for clause in clauses:
        gaps = [(len(line.left) - mark.end, -1, mark) for mark in marked.left if mark.clause == clause]
        gaps += [(mark.start, 1, mark) for mark in marked.right if mark.clause == clause]
        _, side, mark = min(gaps, key=lambda gap: gap[0])
        before, after = (min(before, mark.start), after) if side < 0 else (before, max(after, mark.end))
    before = max(0, before)
    left = tuple(Mark(m.clause, m.start - before, m.end - before) for m in marked.left if m.start >= before)
    right = tuple(mark for mark in marked.right if mark.end <= after)
    return MarkedLine(replace(line, left=line.left[before:], right=line.right[:after]), left, right)
