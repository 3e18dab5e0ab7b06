"""N-grams of which each occurrence counts once, although some are parts of others."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from explorer.backends.protocol.protocol import Matches


def distinct_parts(parts: Sequence[Matches]) -> tuple[Matches, ...]:
    """Leave out n-grams that extend, or equal, another: their places are the other's already."""
    return _without(parts, lambda ids, other: ids[: len(other)] == other)


def distinct_phrases(parts: Sequence[Matches]) -> tuple[Matches, ...]:
    """Leave out n-grams that contain another: to a reader, one occurrence, whichever way it is written.

    In a byte index " word" contains "word".
    """

    def contains(ids: Sequence[int], other: Sequence[int]) -> bool:
        return any(ids[i : i + len(other)] == other for i in range(len(ids) - len(other) + 1))

    return _without(parts, contains)


def _without(parts: Sequence[Matches], covered: Callable[[Sequence[int], Sequence[int]], bool]) -> tuple[Matches, ...]:
    kept: list[Matches] = []
    # The shortest first: only a shorter or equal one can cover another. Quadratic, for a few variants of a word.
    for part in sorted(parts, key=lambda p: p.length):
        if not any(covered(part.ids, other.ids) for other in kept):
            kept.append(part)
    # In the order in which they were given, which is that of hit numbers.
    return tuple(sorted(kept, key=parts.index))


def occurs_in(text: list[int], ngram: list[int], begins: int) -> bool:
    """Tell whether an n-gram begins early in a text.

    begins: The last token at which it may begin.

    Examples
    --------
    >>> occurs_in([1, 2, 3], [2, 3], 1), occurs_in([1, 2, 3], [2, 3], 0)
    (True, False)
    """
    return any(text[at : at + len(ngram)] == ngram for at in range(begins + 1))
