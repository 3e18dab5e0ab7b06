"""What a user makes of items: leaked, or not a leak. Kept beside what was measured, never mixed into it. No Qt."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import astuple, dataclass, fields
from pathlib import Path
from typing import Any

from explorer.corpus import Corpus
from explorer.gui.screens.curation.contamination.items.judging import ItemColumns
from explorer.i18n import mark

LEAKED, NOT_A_LEAK = mark("leaked"), mark("not a leak")


@dataclass(frozen=True, order=True)
class ItemKey:
    """By what a mark finds its item again, also in a file that was moved.

    index: The name of the index, with its tokens and documents: a mark is about these texts.
    file: The name of the benchmark's file.
    """

    index: str
    file: str
    id: str
    digest: str


@dataclass(frozen=True)
class Marks:
    """The items that a user marked.

    leaked, cleared: Those that are leaked, and those that are not, whatever was measured.

    Examples
    --------
    >>> key = ItemKey("texts", "items.jsonl", "3", "af")
    >>> Marks().marked(key, True).of(key), Marks().marked(key, True).marked(key, None).of(key)
    (True, None)
    """

    leaked: frozenset[ItemKey] = frozenset()
    cleared: frozenset[ItemKey] = frozenset()

    def of(self, key: ItemKey) -> bool | None:
        """Whether an item is leaked; None if it has no mark."""
        return True if key in self.leaked else False if key in self.cleared else None

    def marked(self, key: ItemKey, leaked: bool | None) -> Marks:
        """Mark an item.

        leaked: Whether it is leaked; None to take its mark back.
        """
        one = {key}
        return Marks(
            self.leaked | one if leaked is True else self.leaked - one,
            self.cleared | one if leaked is False else self.cleared - one,
        )

    def rows(self, index: str, file: str, items: ItemColumns) -> dict[int, bool]:
        """Find the items of a benchmark that are marked.

        Returns: Their numbers, with whether each is leaked.
        """
        mine = {
            (key.id, key.digest): leaked
            for keys, leaked in ((self.leaked, True), (self.cleared, False))
            for key in keys
            if (key.index, key.file) == (index, file)
        }
        # Without marks, ten thousand items are not looked at.
        return {number: mine[pair] for number, pair in enumerate(items.keys) if pair in mine} if mine else {}

    def as_session(self) -> list[list[Any]]:
        """The marks as JSON values."""
        pairs = [(key, True) for key in self.leaked] + [(key, False) for key in self.cleared]
        return [[*astuple(key), leaked] for key, leaked in sorted(pairs)]


def marks_of(values: object) -> Marks:
    """Read the marks of a session; rows that are not marks are left out."""
    pairs = list(_pairs(values if isinstance(values, list) else []))
    return Marks(*(frozenset(key for key, leaked in pairs if leaked is wanted) for wanted in (True, False)))


def _pairs(rows: Iterable[object]) -> Iterator[tuple[ItemKey, bool]]:
    parts = len(fields(ItemKey))
    for row in rows:
        if isinstance(row, list) and [type(value) for value in row] == [str] * parts + [bool]:
            yield ItemKey(*row[:parts]), row[parts]


def index_key(corpus: Corpus) -> str:
    """What marks call an index: its folder may be another one on another machine."""
    return f"{corpus.index.name} {corpus.token_count} {corpus.document_count}"


def file_key(file: str) -> str:
    """What marks call a benchmark."""
    return Path(file).name
