"""What other tabs hand over to be cut. No Qt."""

from __future__ import annotations

from dataclasses import dataclass

from explorer.backends.ranges import Ranges


@dataclass(frozen=True, eq=False)
class Handed:
    """What another tab hands over to be cut.

    asked: How it was found, as names and values.
    on: Whether it is cut.
    length: Of copies, the tokens of the shortest one; 0 for what is not copies.
    """

    title: str
    ranges: Ranges
    asked: tuple[tuple[str, str], ...] = ()
    on: bool = True
    length: int = 0
