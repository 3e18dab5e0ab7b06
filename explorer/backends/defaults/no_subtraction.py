"""Indexes on other machines of which no documents can be left out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from explorer.backends.protocol.locations import Holding, Subtracted
from explorer.backends.protocol.values import Capabilities, Numbers
from explorer.core.jobs import CancelToken


class NoSubtraction:
    """The two questions of `explorer.backends.protocol.protocol.Backend` about fewer documents."""

    capabilities: Capabilities
    subtracted = Subtracted()

    @property
    def missing(self) -> tuple[str, ...]:
        """Nothing is left out of answers, unless a backend tells otherwise."""
        return ()

    def holdings(self) -> tuple[Holding, ...]:
        """Nothing is known of machines, unless a backend tells otherwise."""
        return ()

    def without(self, documents: Sequence[int], cancel: CancelToken | None = None) -> Self:
        """Refused with CapabilityError, unless nothing is left out."""
        if len(documents):
            self.capabilities.require("subtraction")
        return self

    def within(self, documents: Numbers, cancel: CancelToken | None = None) -> Self:
        """Refused with CapabilityError."""
        self.capabilities.require("subtraction")
        return self
