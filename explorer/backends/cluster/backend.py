"""The folders of a cluster as one index."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from explorer.backends.cluster.directory import Group
from explorer.backends.cluster.left_out import left_out_of
from explorer.backends.cluster.partial import PartialCluster
from explorer.backends.merged.backend import MergedBackend
from explorer.backends.protocol.locations import Holding, Subtracted
from explorer.backends.protocol.protocol import Backend, Numbers
from explorer.core.jobs import CancelToken
from explorer.i18n import tr


@dataclass(frozen=True)
class Members:
    """What a cluster's index consists of.

    groups: Its folders, in the order of their documents.
    holdings: Looks which workers have each folder now.
    partial: Knows what was left out of answers; None if nothing ever is.
    """

    groups: tuple[Group, ...]
    open: Callable[[Sequence[Group], CancelToken | None], list[Backend]]
    holdings: Callable[[Sequence[Group]], tuple[Holding, ...]]
    partial: PartialCluster | None


class ClusterBackend(MergedBackend):
    """The folders of a cluster as one index.

    name, reopening: As those of `MergedBackend`.
    cancel: Stops the work of workers that leave documents out.
    """

    def __init__(
        self,
        members: Members,
        name: str,
        reopening: tuple[Callable[..., Any], tuple[Any, ...]],
        cancel: CancelToken | None = None,
    ) -> None:
        super().__init__(members.open(members.groups, cancel), name, reopening)
        self._members = members
        # The index that this one is a part of, with which the connection would end.
        self._less: ClusterBackend | None = None
        self.subtracted = Subtracted()
        # Documents of folders that are missing would be in answers when these come back.
        whole = all(group.workers for group in members.groups)
        own = tr("A cluster cannot be sorted or listed.")
        lost = tr("A part of the cluster is missing, so nothing can be subtracted from it.")
        self.capabilities = replace(self.capabilities, subtraction=whole, why_not=own if whole else f"{own} {lost}")

    @property
    def fingerprint(self) -> str:
        """32 hexadecimal digits, of the contents of all folders in their order, whichever workers they are on."""
        known = [fingerprint for group in self._members.groups for fingerprint in group.fingerprints]
        less = [group.left_out.key for group in self._members.groups]
        return hashlib.sha256("\n".join([*known, *(less if any(less) else ())]).encode()).hexdigest()[:32]

    @property
    def missing(self) -> tuple[str, ...]:
        """The folders that were left out of answers."""
        return () if self._members.partial is None else self._members.partial.left_out

    @property
    def groups(self) -> tuple[Group, ...]:
        """Its folders, in the order of their documents."""
        return self._members.groups

    def holdings(self) -> tuple[Holding, ...]:
        """Its folders, and the workers that have each now."""
        return self._members.holdings(self._members.groups)

    # --- fewer documents -----------------------------------------------------------------------

    def without(self, documents: Sequence[int], cancel: CancelToken | None = None) -> ClusterBackend:
        """Leave documents out, and every other of the same tokens."""
        if not len(documents):
            return self
        self.capabilities.require("subtraction")
        every = sorted({copy for number in documents for copy in self.documents.like(number)})
        return self.leaving(self._by_group(np.array(every, dtype=np.int64)), (_reopened_without, every), cancel)

    def within(self, documents: Numbers, cancel: CancelToken | None = None) -> ClusterBackend:
        """Leave out all documents but some, which keep their numbers."""
        self.capabilities.require("subtraction")
        others = np.setdiff1d(np.arange(self.document_slots, dtype=np.int64), documents)
        return self.leaving(self._by_group(others), (_reopened_within, documents.tobytes()), cancel)

    def _by_group(self, documents: Numbers) -> list[Numbers]:
        owned = dict(self.parts.by_owner(documents))
        none = np.empty(0, dtype=np.int64)
        return [documents[owned.get(n, none)] - first for n, first in enumerate(self.parts.firsts.tolist())]

    def leaving(
        self,
        numbers: Sequence[Numbers],
        again: tuple[Callable[..., Any], Any] | None = None,
        cancel: CancelToken | None = None,
    ) -> ClusterBackend:
        """Leave out just some documents.

        numbers: For each group of folders, the numbers in it of the documents, int64.
        again: How another process does the same to this index when it has opened it: a function, and its last argument.
            None if opening it does that.
        Returns: The index without them and without those that are left out already.
        """
        groups = tuple(
            replace(group, left_out=left_out_of(np.concatenate([group.left_out.numbers, more])))
            for group, more in zip(self._members.groups, numbers, strict=True)
        )
        reopening = self._reopening if again is None else (again[0], (*self._reopening, again[1]))
        less = ClusterBackend(replace(self._members, groups=groups), self.name, reopening, cancel)
        less.sources, less.told, less.subtracted, less._less = self.sources, self.told, self.subtracted, self
        return less


def _reopened_without(
    opened: Callable[..., ClusterBackend], arguments: tuple[Any, ...], documents: Sequence[int]
) -> ClusterBackend:
    """Open a cluster, and leave documents out."""
    return opened(*arguments).without(documents)


def _reopened_within(
    opened: Callable[..., ClusterBackend], arguments: tuple[Any, ...], documents: bytes
) -> ClusterBackend:
    """Open a cluster, and choose documents of it."""
    return opened(*arguments).within(np.frombuffer(documents, dtype=np.int64))
