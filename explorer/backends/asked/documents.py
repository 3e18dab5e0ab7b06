"""Documents of an index on another machine."""

from __future__ import annotations

from typing import Any

import numpy as np

from explorer.backends.asked.asker import Asker, as_numbers
from explorer.backends.protocol.values import FieldNames, Numbers
from explorer.core.jobs import CancelToken


class AskedDocuments:
    """The questions of `explorer.backends.protocol.protocol.DocumentQuestions`, which describes them; one request each.

    asker: asks the index. slots: one more than its largest document number.
    """

    def __init__(self, asker: Asker, slots: int) -> None:
        self._asker = asker
        self._slots = slots
        # Asked for once. Not cached properties: until Python 3.12, the lock of one makes all objects of a class wait.
        self._numbers: Numbers | None = None
        self._sizes: Numbers | None = None
        self._field_names: FieldNames | None = None

    def numbers(self) -> Numbers:
        """The numbers of all documents; asked for once."""
        if self._numbers is None:
            self._numbers = self._asker.ask("numbers")
        return self._numbers

    def sizes(self) -> Numbers:
        """Tokens of the document of each number; asked for once."""
        if self._sizes is None:
            self._sizes = self._asker.many("sizes", self._slots)
        return self._sizes

    def check(self, number: int) -> None:
        """Raise QueryError for a number without a document."""
        self.lengths(np.array([number], dtype=np.int64))

    def lengths(self, documents: Numbers) -> Numbers:
        """Tokens of these documents."""
        found: Numbers = self._asker.many("lengths", len(documents), as_numbers(documents))
        return found

    def windows(self, documents: Numbers, firsts: Numbers, lasts: Numbers) -> list[Numbers]:
        """Some tokens of each of some documents."""
        asked = (as_numbers(documents), as_numbers(firsts), as_numbers(lasts))
        found: list[Numbers] = self._asker.many("windows", len(documents), *asked)
        return found

    def tokens_at(self, documents: Numbers, offsets: Numbers) -> Numbers:
        """One token of each of some documents."""
        found: Numbers = self._asker.many("tokens_at", len(documents), as_numbers(documents), as_numbers(offsets))
        return found

    def metadata(self, documents: Numbers) -> list[dict[str, Any]]:
        """The metadata of these documents."""
        found: list[dict[str, Any]] = self._asker.many("metadata", len(documents), as_numbers(documents))
        return found

    def field_names(self) -> FieldNames:
        """Which metadata fields documents have; asked for once."""
        if self._field_names is None:
            self._field_names = self._asker.ask("field_names")
        return self._field_names

    def has_field(self, name: str, cancel: CancelToken | None = None) -> bool:
        """Whether any document has a metadata field."""
        return bool(self._asker.ask("has_field", name, cancel=cancel))

    def like(self, number: int) -> list[int]:
        """A document and every other of the same tokens."""
        found: list[int] = self._asker.ask("like", number)
        return found
