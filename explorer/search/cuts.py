"""How the tokenizer split the occurrences of a text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from explorer.backends.shards import Index
from explorer.backends.text import TextMatches
from explorer.backends.text_ranges import Finds
from explorer.index.shard import MappedShard
from explorer.jobs import CancelToken
from explorer.patterns.pattern import Pattern
from explorer.search.query import visible_text
from explorer.search.text_hits import text_size

_CONTINUING = bytes(range(0x80, 0xC0))
"""Bytes at which no character begins."""


@dataclass(frozen=True)
class Cut:
    """One way in which occurrences were split.

    tokens: those that hold an occurrence. begin: bytes of the first one before it. label: the tokens' text with a dot
    at each cut; tokens that are parts of one character are written together.
    """

    tokens: tuple[int, ...]
    begin: int
    label: str
    count: int


@dataclass(frozen=True)
class Cuts:
    """The most frequent cuts, and how many different ones there are."""

    cuts: tuple[Cut, ...]
    distinct: int


def cuts_of(index: Index, matches: TextMatches, most: int = 50, cancel: CancelToken | None = None) -> Cuts | None:
    """The cuts of a literal text's occurrences, most frequent first; None for expressions and for several patterns.

    Cost: one read per n-gram in which the text occurs.
    """
    if len(matches.patterns) > 1 or matches.patterns[0].match != "text":
        return None
    pattern = matches.patterns[0]
    counts: dict[tuple[tuple[int, ...], int], int] = {}
    adjusting = zip(index.adjusting, matches.adjusting, strict=True)
    signed = [(shard, found, 1) for shard, found in zip(index.shards, matches.shards, strict=True)]
    signed += [(shard, found, sign) for (shard, _), (found, sign) in adjusting]
    for shard, found, sign in signed:
        for cut, count in _cuts_in(index, shard, found, pattern, cancel):
            counts[cut] = counts.get(cut, 0) + sign * count
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    made = [Cut(tokens, begin, _label(index, tokens), count) for (tokens, begin), count in ordered[:most] if count > 0]
    if any(found.artificial for found in matches.shards):
        made = sorted((_without_artificial(index, cut) for cut in made), key=lambda cut: -cut.count)
    return Cuts(tuple(cut for cut in made if cut.count > 0), sum(count > 0 for _, count in ordered))


def _cuts_in(
    index: Index, shard: MappedShard, found: Finds, pattern: Pattern, cancel: CancelToken | None
) -> Iterator[tuple[tuple[tuple[int, ...], int], int]]:
    """The tokens, and the begin, of each n-gram in one shard, with its occurrences."""
    there = np.flatnonzero(found.lasts > found.firsts)
    positions = shard.positions(np.ascontiguousarray(found.firsts[there]))
    sizes = (found.lasts - found.firsts)[there].tolist()
    rows = zip(
        positions.tolist(), found.lengths[there].tolist(), found.skipped[there].tolist(), found.offsets[there].tolist(),
        sizes, strict=True,
    )  # fmt: skip
    for number, (position, length, skipped, begin, size) in enumerate(rows):
        if cancel is not None and number % 256 == 0:
            cancel.check()
        stored = shard.stored(position, position + length).tolist()
        tokens = (stored[::-1] if shard.reversed_text else stored)[skipped:]
        yield (_covering(index, tokens, begin, len(pattern.text)), begin), size


def _covering(index: Index, tokens: list[int], begin: int, characters: int) -> tuple[int, ...]:
    """The first of these tokens, as many as hold so many characters from byte `begin` on."""
    data = b"".join(index.tokenizer.token_bytes(token) for token in tokens if token != index.separator)
    left = begin + text_size(data, begin, characters)
    for number, token in enumerate(tokens):
        left -= len(index.tokenizer.token_bytes(token))
        if left <= 0:
            return tuple(tokens[: number + 1])
    return tuple(tokens)


def _without_artificial(index: Index, cut: Cut) -> Cut:
    """The cut without occurrences that begin in the space that the tokenizer puts before each text."""
    if cut.begin or not index.tokenizer.token_bytes(cut.tokens[0]).startswith(b" "):
        return cut
    return replace(cut, count=cut.count - index.find((index.separator, *cut.tokens)).count)


def _label(index: Index, tokens: tuple[int, ...]) -> str:
    """The tokens with a dot at each cut that is between characters; "…" for characters that are not whole."""
    pieces = [index.tokenizer.token_bytes(token) for token in tokens]
    whole = pieces[0].lstrip(_CONTINUING)
    parts = ["…"] if whole != pieces[0] else []
    waiting = b""
    for piece in (whole, *pieces[1:]):
        waiting += piece
        try:
            parts.append(visible_text(waiting.decode("utf-8")))
        except UnicodeDecodeError:
            continue
        waiting = b""
    if waiting:
        parts.append(visible_text(waiting.decode("utf-8", "ignore")) + "…")
    return "·".join(part for part in parts if part)
