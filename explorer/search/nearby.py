"""The other clauses of an AND, in the lines of its node: their positions, and context wide enough to reach them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from explorer.backends.places import HitPlace
from explorer.backends.protocol import Backend
from explorer.documents.reading import tokens_of
from explorer.search.concordance import MOST_TOKENS_A_CHARACTER, ConcordanceLine
from explorer.search.find import QueryResult
from explorer.search.needle import Needle, spots
from explorer.search.window import Window
from explorer.tokens.decode import trim


@dataclass(frozen=True)
class Nearby:
    """What to mark around each hit.

    Attributes
    ----------
    clauses
        The other clauses, in the query's order.
    distance
        The most tokens between hit and mark.
    """

    clauses: tuple[Needle, ...]
    distance: int


@dataclass(frozen=True)
class Mark:
    """A place of another clause in a context.

    Attributes
    ----------
    clause
        The number of the clause, from 0.
    start
        The first character.
    end
        One past the last.
    """

    clause: int
    start: int
    end: int


@dataclass(frozen=True)
class MarkedLine:
    """A line with the places of the other clauses.

    Attributes
    ----------
    line
        The line.
    left
        The marks in its left context.
    right
        The marks in its right context.
    """

    line: ConcordanceLine
    left: tuple[Mark, ...] = ()
    right: tuple[Mark, ...] = ()


def others_of(found: QueryResult, distance: int) -> Nearby | None:
    """Choose what to mark in the lines of a query: the phrases of its other clauses.

    Parameters
    ----------
    found
        The query's hits.
    distance
        The most tokens between a hit and a mark.

    Returns
    -------
    Nearby | None
        What to look for; None if the query has only one clause.
    """
    others = [clause for number, clause in enumerate(found.clauses) if number != found.node]
    return Nearby(tuple(Needle.of(clause.parts) for clause in others), distance) if others else None


def marked_line(index: Backend, line: ConcordanceLine, nearby: Nearby, width: int, characters: bool) -> MarkedLine:
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
    node = HitPlace(line.document, line.offset, line.length, line.begin, line.rest)
    found = [_around(index, node, needle, nearby.distance) for needle in nearby.clauses]
    first, last = _reach(found, node, tokens_wide)
    window = Window(index, first, tokens_of(index, line.document, first, last))
    cut_left, cut_right = window.characters_of(node)
    text = window.text
    marks = [
        Mark(clause, *trim(text, *window.characters_of(place)))
        for clause, places in enumerate(found)
        for place in places
        if first <= place.offset and place.offset + place.length <= last
    ]
    left = tuple(mark for mark in marks if mark.end <= cut_left)
    right = tuple(Mark(m.clause, m.start - cut_right, m.end - cut_right) for m in marks if m.start >= cut_right)
    made = replace(line, left=text[:cut_left], match=text[cut_left:cut_right], right=text[cut_right:])
    marked = MarkedLine(made, left, right)
    return _cut(marked, width) if characters else marked


def _around(index: Backend, node: HitPlace, needle: Needle, distance: int) -> list[HitPlace]:
    """The places that begin near enough, without those that overlap the match.

    Two texts can share a token without overlapping; that shows when their characters are known.
    """
    found = spots(index, node.document, needle, node.offset - distance, node.offset + distance + 1)
    shared = 1 if needle.patterns else 0
    before, after = node.offset + shared, node.offset + node.length - shared
    kept = (found.offsets + found.lengths <= before) | (found.offsets >= after)
    return [place for place in found[kept].places(node.document) if place != node]


def _reach(found: Sequence[Sequence[HitPlace]], node: HitPlace, width: int) -> tuple[int, int]:
    """The tokens to show: `width` on both sides, or as far as the nearest place of each clause."""
    first, last = max(0, node.offset - width), node.offset + node.length + width
    for places in found:
        nearest = min(places, key=lambda place: _gap(place, node), default=None)
        if nearest is not None:
            first, last = min(first, nearest.offset), max(last, nearest.offset + nearest.length)
    return first, last


def _gap(place: HitPlace, node: HitPlace) -> int:
    """Tokens between a place and the match."""
    if place.offset < node.offset:
        return node.offset - place.offset - place.length
    return place.offset - node.offset - node.length


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
