"""What an index was made of while the program runs: some documents of another index, or its words.

Such an index has a fingerprint and a folder of its own, which nobody could find again. Files therefore state the index
that it was made of, and how.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from explorer.backends.protocol.protocol import Backend

_NAME = "_made_of"


@dataclass(frozen=True, eq=False)
class MadeOf:
    """The index that another one was made of, and how, as names and values."""

    index: Backend
    how: tuple[tuple[str, str], ...]

    def __reduce__(self) -> tuple[Callable[..., MadeOf], tuple[object, ...]]:
        # An index that is opened again in another process does not know what it was made of.
        return _again, (self.index, self.how, made_of(self.index))


def made_of(index: Backend) -> MadeOf | None:
    """What an index was made of; None for an index that was opened as it is."""
    found = getattr(index, _NAME, None)
    return found if isinstance(found, MadeOf) else None


def note_made_of(index: Backend, made: MadeOf | None) -> None:
    """Remember what an index was made of, for as long as it lives."""
    # Some are made of all documents, and are the same object then.
    if made is not None and made.index is not index:
        setattr(index, _NAME, made)


def _again(index: Backend, how: tuple[tuple[str, str], ...], before: MadeOf | None) -> MadeOf:
    """What a pickle held, and what that was made of."""
    note_made_of(index, before)
    return MadeOf(index, how)
