"""One length of the n-gram profile of a token, as a record."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from explorer.analyses.ngram_profile.compute import NgramProfile


@dataclass(frozen=True)
class ProfileRecord:
    """The contexts of one length before a token.

    Attributes
    ----------
    n
        The length of the n-gram: n - 1 tokens of context, and the token.
    count
        Occurrences of the context.
    agreeing_count
        Those that the token follows.
    share
        Their share, 0 to 1.
    plateau
        Whether n is one of at least five lengths in a row with one count.
    """

    n: int
    count: int
    agreeing_count: int
    share: float
    plateau: bool


@dataclass(frozen=True)
class ProfileFacts:
    """What `ngram-profile` states about its token.

    Attributes
    ----------
    position
        The place of the token in the text, from 0.
    token
        Its id.
    text
        The token as text, with a space as ␣ and a line feed as ⏎.
    """

    position: int
    token: int
    text: str


def profile_records(found: NgramProfile) -> Iterator[ProfileRecord]:
    """One record per length, ascending."""
    columns = (found.n, found.count, found.agreeing, found.share, found.plateau)
    for row in zip(*(column.tolist() for column in columns), strict=True):
        yield ProfileRecord(*row)
