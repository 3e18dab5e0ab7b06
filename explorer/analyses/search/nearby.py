"""The other clauses of an AND, in the lines of its node: their positions, and context wide enough to reach them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from explorer.analyses.search.concordance import MOST_TOKENS_A_CHARACTER, ConcordanceLine
from explorer.analyses.search.find import QueryResult
from explorer.analyses.search.needle import Needle, spots_of_many
from explorer.analyses.search.window import Window
from explorer.backends.places import HitPlace
from explorer.backends.protocol.protocol import Backend
from explorer.text.tokens.decode import trim

_TOGETHER = 1 << 22
"""Tokens that are read at once, if the context of a single line has no more."""


@dataclass(frozen=True)
class Nearby:
    """What to mark around each hit.

    clauses: The other clauses, in the query's order.
    distance: The most tokens between hit and mark.
    """

    clauses: tuple[Needle, ...]
    distance: int


@dataclass(frozen=True)
class Mark:
    """A place of another clause in a context.

    clause: The number of the clause, from 0.
    end: One past the last.
    """

    clause: int
    start: int
    end: int


@dataclass(frozen=True)
class MarkedLine:
    """A line with the places of the other clauses."""

    line: ConcordanceLine
    left: tuple[Mark, ...] = ()
    right: tuple[Mark, ...] = ()


def others_of(found: QueryResult, distance: int) -> Nearby | None:
    """Choose what to mark in the lines of a query: the phrases of its other clauses.

    distance: The most tokens between a hit and a mark.
    Returns: What to look for; None if the query has only one clause.
    """
    # The phrases after NOT are not clauses: they do not occur near a hit.
    others = [clause for number, clause in enumerate(found.clauses) if number != found.node]
    return Nearby(tuple(Needle.of(clause.parts) for clause in others), distance) if others else None


def marked_line(index: Backend, line: ConcordanceLine, nearby: Nearby, width: int, characters: bool) -> MarkedLine:
    """Mark one line, as `marked_lines` does several.

    width: Tokens or characters of context on each side.
    """
    return marked_lines(index, [line], nearby, width, characters)[0]


def marked_lines(
    index: Backend, lines: Sequence[ConcordanceLine], nearby: Nearby, width: int, characters: bool
) -> list[MarkedLine]:
    """Mark every place of the other clauses in some lines, whose contexts reach the nearest place of each.

    lines: Lines of the node; their contexts are read again.
    nearby: What to look for: at most `distance` tokens between the two beginnings, as in the query.
    width: Tokens or characters of context on each side; more if a clause is farther away.
    characters: Whether `width` counts characters.

    Notes
    -----
    Cost: one request per clause for twice the distance around each line, and one for what is shown.
    """
    # Tokens enough for that many characters in any vocabulary; `_cut` leaves out the rest.
    tokens_wide = width * MOST_TOKENS_A_CHARACTER if characters else width
    # Of very wide contexts, fewer at once: they may be whole documents.
    step = max(1, _TOGETHER // (2 * max(nearby.distance, tokens_wide) + 1))
    parts = (lines[first : first + step] for first in range(0, len(lines), step))
    marked = [line for part in parts for line in _marked_part(index, part, nearby, tokens_wide)]
    return [_cut(line, width) for line in marked] if characters else marked


def _marked_part(index: Backend, lines: Sequence[ConcordanceLine], nearby: Nearby, width: int) -> Iterator[MarkedLine]:
    """Some lines, marked together, with `width` tokens of context or more."""
    nodes = [HitPlace(line.document, line.offset, line.length, line.begin, line.rest) for line in lines]
    by_clause = [_around(index, nodes, needle, nearby.distance) for needle in nearby.clauses]
    # Rows and columns exchanged: found[line][clause] has the places of a clause around a line.
    found = [[places[number] for places in by_clause] for number in range(len(nodes))]
    reaches = [_reach(places, node, width) for places, node in zip(found, nodes, strict=True)]
    documents = np.array([node.document for node in nodes], dtype=np.int64)
    firsts, lasts = np.array(reaches, dtype=np.int64).reshape(-1, 2).T
    windows = map(partial(Window, index), firsts.tolist(), index.documents.windows(documents, firsts, lasts))
    rows = zip(lines, nodes, found, windows, lasts.tolist(), strict=True)
    return (_marked(*row) for row in rows)


def _marked(
    line: ConcordanceLine, node: HitPlace, found: Sequence[Sequence[HitPlace]], window: Window, last: int
) -> MarkedLine:
    """A line with what was found around it; window: its document's tokens up to `last`."""
    cut_left, cut_right = window.characters_of(node)
    # The window reaches the nearest place of each clause. A place farther away is marked only if all of it is inside.
    text = window.text
    marks = [
        Mark(clause, *trim(text, *window.characters_of(place)))
        for clause, places in enumerate(found)
        for place in places
        if window.first <= place.offset and place.offset + place.length <= last
    ]
    # A place that has a character in common with the match is in neither context, so it gets no mark. Marks on the
    # right count from the end of the match, where that context begins.
    left = tuple(mark for mark in marks if mark.end <= cut_left)
    right = tuple(Mark(m.clause, m.start - cut_right, m.end - cut_right) for m in marks if m.start >= cut_right)
    made = replace(line, left=text[:cut_left], match=text[cut_left:cut_right], right=text[cut_right:])
    return MarkedLine(made, left, right)


def _around(index: Backend, nodes: Sequence[HitPlace], needle: Needle, distance: int) -> list[list[HitPlace]]:
    """For each hit, the places that begin near enough, without those that overlap it.

    Two texts can share a token without overlapping; that shows when their characters are known.
    """
    documents = np.array([node.document for node in nodes], dtype=np.int64)
    offsets = np.array([node.offset for node in nodes], dtype=np.int64)
    # Patterns begin and end within tokens: one that begins in the last token of the match may still begin after it.
    # N-grams with a token in common always overlap.
    shared = 1 if needle.patterns else 0
    kept: list[list[HitPlace]] = []
    # The 1: places that begin exactly `distance` tokens after the hit count, and the bound is half-open.
    every = spots_of_many(index, needle, documents, offsets - distance, offsets + distance + 1)
    for node, found in zip(nodes, every, strict=True):
        before, after = node.offset + shared, node.offset + node.length - shared
        apart = (found.offsets + found.lengths <= before) | (found.offsets >= after)
        # By the rule above, a hit of one token is apart from itself; the clause may be the same as the node.
        kept.append([place for place in found[apart].places(node.document) if place != node])
    return kept


def _reach(found: Sequence[Sequence[HitPlace]], node: HitPlace, width: int) -> tuple[int, int]:
    """The tokens to show: `width` on both sides, or as far as the nearest place of each clause."""
    first, last = max(0, node.offset - width), node.offset + node.length + width
    for places in found:
        # Of two places at the same distance, the one on the left: places ascend.
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
    # before: the first character of the left context that stays; after: one past the last of the right context.
    before, after = len(line.left) - width, width
    for clause in clauses:
        # -1: the mark is on the left; 1: it is on the right. The distance is in characters here, unlike in `_reach`, so
        # another place may be the nearest.
        gaps = [(len(line.left) - mark.end, -1, mark) for mark in marked.left if mark.clause == clause]
        gaps += [(mark.start, 1, mark) for mark in marked.right if mark.clause == clause]
        _, side, mark = min(gaps, key=lambda gap: gap[0])
        before, after = (min(before, mark.start), after) if side < 0 else (before, max(after, mark.end))
    before = max(0, before)
    left = tuple(Mark(m.clause, m.start - before, m.end - before) for m in marked.left if m.start >= before)
    right = tuple(mark for mark in marked.right if mark.end <= after)
    return MarkedLine(replace(line, left=line.left[before:], right=line.right[:after]), left, right)
