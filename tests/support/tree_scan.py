"""A slow scan for expressions of which several forms are equal: their trees are tried at every character."""

from __future__ import annotations

from functools import lru_cache

from explorer.text.patterns.kinds import CONDITIONS, OTHER, kind_of
from explorer.text.patterns.pattern import Pattern
from explorer.text.patterns.syntax import Border, Chars, Choice, Node, Repeat, Sequence, Web


def tree_spans(text: str, pattern: Pattern) -> list[tuple[int, int]]:
    """First character, and the one past the last, of the longest match at each place; no match is empty."""
    node, matcher = _tree(pattern), _Matcher(text)
    longest = [(start, max(matcher.ends(node, {start}), default=start)) for start in range(len(text))]
    return [(start, end) for start, end in longest if end > start]


@lru_cache(maxsize=1000)
def _tree(pattern: Pattern) -> Node:
    return pattern.node()


class _Matcher:
    """Where the parts of a tree end in a text."""

    def __init__(self, text: str) -> None:
        self._codes = [*map(ord, text)]
        # Nothing before and after a text is as a character of no word.
        self._kinds = [OTHER, *map(kind_of, self._codes), OTHER]

    def ends(self, node: Node, starts: set[int]) -> set[int]:
        """Every place at which a part can end that begins at one of some places."""
        match node:
            case Chars(chars):
                return {at + 1 for at in starts if at < len(self._codes) and self._codes[at] in chars}
            case Border(condition):
                return {at for at in starts if CONDITIONS[condition](*self._kinds[at : at + 2])}
            case Sequence(parts):
                for part in parts:
                    starts = self.ends(part, starts) if starts else starts
                return starts
            case Choice(parts):
                return {end for part in parts for end in self.ends(part, starts)}
            case Repeat(part, least, most):
                return self._repeated(part, least, most, starts)
            case Web(size, steps):
                return self._through(size, steps, starts)

    def _repeated(self, part: Node, least: int, most: int | None, starts: set[int]) -> set[int]:
        for _ in range(least):
            starts = self.ends(part, starts)
        found, last, times = set(starts), starts, least
        while last and (most is None or times < most):
            last = self.ends(part, last) - found
            found |= last
            times += 1
        return found

    def _through(self, size: int, steps: tuple[tuple[int, Chars, int], ...], starts: set[int]) -> set[int]:
        found = {(0, at) for at in starts}
        waiting = list(found)
        while waiting:
            place, at = waiting.pop()
            after = {(end, stop) for start, chars, end in steps if start == place for stop in self.ends(chars, {at})}
            waiting += after - found
            found |= after
        return {at for place, at in found if place == size - 1}
