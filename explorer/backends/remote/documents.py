"""Documents that were met as the places of hits, from an index of infini-gram's protocol."""

from __future__ import annotations

from typing import Any

import numpy as np

from explorer.backends.metadata import flat_metadata
from explorer.backends.protocol.protocol import Capabilities, FieldNames, Numbers
from explorer.backends.remote.numbering import Numbering
from explorer.backends.remote.views import Views
from explorer.core.jobs import CancelToken
from explorer.errors import CapabilityError

_LOOKED_AT = 50
"""Documents whose fields are listed."""


class RemoteDocuments:
    """Answers `explorer.backends.protocol.protocol.DocumentQuestions` for documents with a number.

    separator: The token before each.
    capabilities: What is missing, and why.
    """

    def __init__(self, views: Views, numbering: Numbering, separator: int, capabilities: Capabilities) -> None:
        self._views, self._numbering, self._separator = views, numbering, separator
        self._capabilities = capabilities

    def numbers(self) -> Numbers:
        """Not answered: only documents with a hit have a number."""
        raise self._missing("documents")

    def sizes(self) -> Numbers:
        """Not answered."""
        raise self._missing("sizes")

    def check(self, number: int) -> None:
        """Raise QueryError for a number that no document was given."""
        self._views.check(number)

    def lengths(self, documents: Numbers) -> Numbers:
        """Tokens of these documents, as far as the service gives them."""
        return np.array([len(view.tokens) for view in self._views.of(documents)], dtype=np.int64)

    def windows(self, documents: Numbers, firsts: Numbers, lasts: Numbers) -> list[Numbers]:
        """Some tokens of each of some documents, cut off at its ends."""
        rows = zip(self._views.of(documents), firsts.tolist(), lasts.tolist(), strict=True)
        return [view.tokens[max(0, first) : max(0, first, last)] for view, first, last in rows]

    def tokens_at(self, documents: Numbers, offsets: Numbers) -> Numbers:
        """One token of each; the separator where a document has no such token."""
        rows = zip(self._views.of(documents), offsets.tolist(), strict=True)
        found = [int(view.tokens[at]) if 0 <= at < len(view.tokens) else self._separator for view, at in rows]
        return np.array(found, dtype=np.int64)

    def metadata(self, documents: Numbers) -> list[dict[str, Any]]:
        """The metadata lines of these documents."""
        return [dict(view.metadata) for view in self._views.of(documents)]

    def field_names(self) -> FieldNames:
        """The fields of the first documents that were met."""
        some = np.arange(min(len(self._numbering), _LOOKED_AT), dtype=np.int64)
        names = [name for record in self.metadata(some) for name in flat_metadata(record)]
        return FieldNames(tuple(dict.fromkeys(names)), complete=False)

    def has_field(self, name: str, cancel: CancelToken | None = None) -> bool:
        """Whether one of them has a field; which others there are cannot be known, so any name may be."""
        return True

    def like(self, number: int) -> list[int]:
        """Only itself: copies cannot be looked for."""
        self.check(number)
        return [number]

    def _missing(self, capability: str) -> CapabilityError:
        return CapabilityError(self._capabilities.missing(capability), capability=capability)
