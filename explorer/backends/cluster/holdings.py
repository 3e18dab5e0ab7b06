"""Which folders of a cluster are where now, one by one."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from explorer.backends.cluster.directory import Directory, Group
from explorer.backends.protocol.locations import Holding


def holdings_of(groups: Sequence[Group], directory: Directory, there: Collection[str]) -> tuple[Holding, ...]:
    """List the folders of a cluster with the workers that have them.

    groups: The folders that belong to the index, in the order of their documents.

    Examples
    --------
    >>> from explorer.backends.cluster.directory import Sizes
    >>> group = Group(("5f", "60"), ("part-1", "part-2"), (), (Sizes(9, 2, 1), Sizes(7, 1, 1)))
    >>> now = Directory((Group(("5f",), ("part-1",), ("tcp://n1:1", "tcp://n2:1"), (Sizes(9, 2, 1),)),))
    >>> [(found.folder, found.machines) for found in holdings_of([group], now, {"tcp://n2:1"})]
    [('part-1', ('tcp://n2:1',)), ('part-2', ())]
    """
    return tuple(
        Holding(
            name,
            fingerprint,
            size.shards,
            size.tokens,
            size.documents,
            tuple(sorted(worker for worker in directory.workers_of([fingerprint]) if worker in there)),
        )
        for group in groups
        for fingerprint, name, size in zip(group.fingerprints, group.names, group.sizes, strict=True)
    )
