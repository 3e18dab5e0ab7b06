"""Documents of an index folder elsewhere, by their number."""

from __future__ import annotations

from typing import Any

import numpy as np

from explorer.backends.bucket.shards import FarShards
from explorer.backends.metadata import flat_metadata
from explorer.backends.protocol.protocol import Capabilities, FieldNames, Numbers
from explorer.core.jobs import CancelToken
from explorer.errors import CapabilityError
from explorer.index.manifest import Manifest

_LOOKED_AT = 20
"""Documents whose fields are listed, unless `index.json` lists them."""


class FarDocuments:
    """Answers `explorer.backends.protocol.protocol.DocumentQuestions`.

    manifest: What `index.json` states; None for a folder of another program.
    capabilities: What is missing, and why.
    """

    def __init__(self, shards: FarShards, manifest: Manifest | None, capabilities: Capabilities) -> None:
        self._shards, self._manifest, self._capabilities = shards, manifest, capabilities

    def numbers(self) -> Numbers:
        """The numbers of all documents, ascending."""
        return np.arange(self._shards.document_count, dtype=np.int64)

    def sizes(self) -> Numbers:
        """Not answered: all offsets would be read."""
        raise CapabilityError(self._capabilities.missing("sizes"), capability="sizes")

    def check(self, number: int) -> None:
        """Raise QueryError for a number without a document."""
        self._shards.shard_of(number)

    def lengths(self, documents: Numbers) -> Numbers:
        """Tokens of these documents, separators not counted."""
        spans = self._shards.bounds(self._places(documents))
        return np.array([(end - start) // self._shards.token_width for start, end in spans], dtype=np.int64)

    def _places(self, documents: Numbers) -> list[tuple[int, int]]:
        return [self._shards.shard_of(number) for number in documents.tolist()]

    def windows(
        self, documents: Numbers, firsts: Numbers, lasts: Numbers, cancel: CancelToken | None = None
    ) -> list[Numbers]:
        """Some tokens of each of some documents, cut off at its ends."""
        places, width = self._places(documents), self._shards.token_width
        wanted = []
        rows = zip(places, self._shards.bounds(places, cancel), firsts.tolist(), lasts.tolist(), strict=True)
        for (shard, _), (start, end), first, last in rows:
            size = (end - start) // width
            low = min(max(first, 0), size)
            high = min(max(last, low), size)
            begin = end - high * width if self._shards.reversed_text else start + low * width
            wanted.append((shard, begin, (high - low) * width))
        found = map(self._shards.tokens, self._shards.texts(wanted, cancel))
        return [tokens[::-1] if self._shards.reversed_text else tokens for tokens in found]

    def tokens_at(self, documents: Numbers, offsets: Numbers) -> Numbers:
        """One token of each; the separator where a document has no such token."""
        windows = self.windows(documents, offsets, offsets + 1)
        found = [int(window[0]) if len(window) else self._shards.separator for window in windows]
        return np.array(found, dtype=np.int64)

    def metadata(self, documents: Numbers) -> list[dict[str, Any]]:
        """The metadata lines of these documents; {} where there is none."""
        return self._shards.metadata(self._places(documents))

    def field_names(self) -> FieldNames:
        """The fields that `index.json` lists, or those of some documents."""
        counts = self._manifest.metadata_fields if self._manifest else None
        if isinstance(counts, dict):
            return FieldNames(tuple(counts), complete=True)
        last = self._shards.document_count - 1
        some = np.unique(np.linspace(0, last, _LOOKED_AT).astype(np.int64))
        names = [name for record in self.metadata(some) for name in flat_metadata(record)]
        return FieldNames(tuple(dict.fromkeys(names)), complete=False)

    def has_field(self, name: str, cancel: CancelToken | None = None) -> bool:
        """Whether a document has a field; where not all are known, any name may be one."""
        names = self.field_names()
        return name in names.names or not names.complete

    def like(self, number: int) -> list[int]:
        """Only itself: copies are not looked for."""
        self.check(number)
        return [number]
