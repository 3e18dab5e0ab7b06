"""Which metadata fields exported lines have. No Qt."""

from __future__ import annotations

from collections.abc import Sequence

from explorer.corpus import Corpus

_MOST = 10
"""Fields that are exported without being asked for: more would hide the lines between them."""


class ExportedFields:
    """All fields of the documents, or only those that are columns on the screen."""

    def __init__(self) -> None:
        # None: nobody has chosen yet.
        self._all: bool | None = None

    def choose(self, all_fields: bool) -> None:
        """Export all fields, or those on the screen."""
        self._all = all_fields

    def names(self, corpus: Corpus) -> tuple[str, ...]:
        """The fields of an index; the path, which exported lines have in any case, is not one of them."""
        return tuple(name for name in corpus.metadata_fields if name != "path")

    def has_all(self, corpus: Corpus) -> bool:
        """Whether all fields are exported: as it was chosen, and otherwise if there are few."""
        return len(self.names(corpus)) <= _MOST if self._all is None else self._all

    def of(self, corpus: Corpus, shown: Sequence[str]) -> tuple[str, ...]:
        """Give the fields that are exported.

        shown: The fields that are columns on the screen; they come first.
        """
        return tuple(dict.fromkeys((*shown, *(self.names(corpus) if self.has_all(corpus) else ()))))
