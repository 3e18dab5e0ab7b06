"""Documents of a compressed index, by their number."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from explorer.backends.fm.parts import FmParts, as_bytes
from explorer.backends.metadata import flat_metadata
from explorer.backends.protocol.protocol import FieldNames, Numbers
from explorer.core.jobs import CancelToken
from explorer.index.manifest import Manifest

_LOOKED_AT = 20
"""Documents whose fields are listed, unless each `index.json` lists them."""
_TOGETHER = 1 << 16
"""Documents whose sizes are read at once."""


class FmDocuments:
    """Answers `explorer.backends.protocol.protocol.DocumentQuestions`.

    manifests: What the `index.json` of each folder states; None for a folder without one.
    """

    def __init__(self, parts: FmParts, manifests: Sequence[Manifest | None]) -> None:
        self._parts, self._manifests = parts, tuple(manifests)

    def numbers(self) -> Numbers:
        """The numbers of all documents, ascending."""
        return np.arange(self._parts.document_count, dtype=np.int64)

    def sizes(self) -> Numbers:
        """Tokens of every document, its separator included."""
        every = self.numbers()
        pieces = [self.lengths(every[at : at + _TOGETHER]) for at in range(0, len(every), _TOGETHER)]
        return np.concatenate([np.empty(0, dtype=np.int64), *pieces]) + 1

    def check(self, number: int) -> None:
        """Raise QueryError for a number without a document."""
        self._parts.check_documents(np.array([number], dtype=np.int64))

    def lengths(self, documents: Numbers) -> Numbers:
        """Tokens of these documents, separators not counted."""
        found = np.empty(len(documents), dtype=np.int64)
        for part, chosen, local in self._parts.by_part(documents):
            starts, ends = part.bounds(local)
            found[chosen] = ends - starts
        return found

    def windows(self, documents: Numbers, firsts: Numbers, lasts: Numbers) -> list[Numbers]:
        """Some tokens of each of some documents, cut off at its ends."""
        return [piece.astype(np.int64) for piece in self._parts.windows(documents, firsts, lasts)]

    def tokens_at(self, documents: Numbers, offsets: Numbers) -> Numbers:
        """One token of each; the separator where a document has no such token."""
        windows = self._parts.windows(documents, offsets, offsets + 1)
        # Before a document's beginning nothing is left of the window either.
        found = [int(window[0]) if len(window) else self._parts.separator for window in windows]
        return np.where(offsets < 0, self._parts.separator, np.array(found, dtype=np.int64))

    def metadata(self, documents: Numbers) -> list[dict[str, Any]]:
        """The metadata lines of these documents."""
        found: list[dict[str, Any]] = [{} for _ in documents]
        for part, chosen, local in self._parts.by_part(documents):
            # In the order in which they are stored, so that each block is read once.
            for which in np.argsort(local, kind="stable").tolist():
                found[int(chosen[which])] = part.metadata(int(local[which]))
        return found

    def field_names(self) -> FieldNames:
        """The fields that every `index.json` lists, or those of some documents."""
        listed = [manifest.metadata_fields if manifest else None for manifest in self._manifests]
        if all(isinstance(counts, dict) for counts in listed):
            return FieldNames(tuple(dict.fromkeys(name for counts in listed for name in counts or ())), complete=True)
        last = self._parts.document_count - 1
        some = np.unique(np.linspace(0, last, _LOOKED_AT).astype(np.int64))
        names = [name for record in self.metadata(some) for name in flat_metadata(record)]
        return FieldNames(tuple(dict.fromkeys(names)), complete=False)

    def has_field(self, name: str, cancel: CancelToken | None = None) -> bool:
        """Whether any document has a field; all metadata are searched for one that is not listed."""
        names = self.field_names()
        if name in names.names or names.complete:
            return name in names.names
        for part in self._parts.parts:
            for record in part.each_metadata():
                if cancel is not None:
                    cancel.check()
                if name in flat_metadata(record):
                    return True
        return False

    def like(self, number: int) -> list[int]:
        """A document and every other of the same tokens: it is searched for, from its separator on."""
        self.check(number)
        which = np.array([number], dtype=np.int64)
        size = self.lengths(which)
        text = self.windows(which, np.zeros_like(size), size)[0]
        query = as_bytes(np.append(self._parts.separator, text))
        firsts, lasts = self._parts.find_many(query, np.zeros_like(size), size + 1)
        found: list[int] = []
        for owner, (first, last) in enumerate(zip(firsts[:, 0].tolist(), lasts[:, 0].tolist(), strict=True)):
            rows = np.arange(first, last, dtype=np.int64)
            owners, lengths = np.full_like(rows, owner), np.full_like(rows, len(query))
            documents, _ = self._parts.locate(owners, rows, lengths)
            found += documents[self.lengths(documents) == size[0]].tolist()
        return sorted(found)
