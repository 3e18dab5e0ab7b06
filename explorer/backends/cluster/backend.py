"""The folders of a cluster as one index."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import Any

from explorer.backends.cluster.directory import Group
from explorer.backends.cluster.partial import PartialCluster
from explorer.backends.merged.backend import MergedBackend
from explorer.backends.protocol import Backend


class ClusterBackend(MergedBackend):
    """The folders of a cluster as one index.

    Parameters
    ----------
    backends, name, reopening
        As those of `MergedBackend`.
    groups
        The folders of each backend.
    partial
        Knows what was left out of answers; None if nothing ever is.
    """

    def __init__(
        self,
        backends: Sequence[Backend],
        name: str,
        reopening: tuple[Callable[..., Any], tuple[Any, ...]],
        groups: Sequence[Group],
        partial: PartialCluster | None,
    ) -> None:
        super().__init__(backends, name, reopening)
        self._folders = [fingerprint for group in groups for fingerprint in group.fingerprints]
        self._partial = partial

    @property
    def fingerprint(self) -> str:
        """32 hexadecimal digits, of the contents of all folders in their order, whichever workers they are on."""
        return hashlib.sha256("\n".join(self._folders).encode()).hexdigest()[:32]

    @property
    def missing(self) -> tuple[str, ...]:
        """The folders that were left out of answers."""
        return () if self._partial is None else self._partial.left_out
