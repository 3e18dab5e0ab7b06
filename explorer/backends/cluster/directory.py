"""Which folder is on which workers: asked of the workers, never assumed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from explorer.backends.cluster.left_out import NOTHING, LeftOut
from explorer.errors import CorpusError, UnavailableError
from explorer.i18n import counted, mark, tr
from explorer.version import version_of


class ClusterError(CorpusError):
    """A cluster cannot be asked, or its workers do not fit together."""


class LostPartError(ClusterError, UnavailableError):
    """A part of a cluster does not answer now."""


@dataclass(frozen=True)
class Sizes:
    """How large a folder is.

    tokens: Its tokens, separators included.
    """

    tokens: int
    documents: int
    shards: int


@dataclass(frozen=True)
class Group:
    """Folders that are on the same workers, which are asked as one index.

    fingerprints: Of the folders, in the order of their documents.
    workers: Addresses of the workers that have all of them; none if a folder is missing.
    sizes: How large each folder is.
    left_out: Documents of the group that are in no answer.
    """

    fingerprints: tuple[str, ...]
    names: tuple[str, ...]
    workers: tuple[str, ...]
    sizes: tuple[Sizes, ...] = ()
    left_out: LeftOut = NOTHING

    def __getitem__(self, number: int) -> Group:
        """One of the folders, on the same workers."""
        return Group((self.fingerprints[number],), (self.names[number],), self.workers, (self.sizes[number],))


@dataclass(frozen=True)
class Directory:
    """What a cluster has.

    groups: Its folders, each in one group, ordered by fingerprint. Documents are numbered in this order, so their
        numbers depend on which folders are on the same workers.
    """

    groups: tuple[Group, ...]

    @property
    def remark(self) -> str:
        """How many folders and workers there are: one that is off is not known, and the index is smaller."""
        workers = {worker for group in self.groups for worker in group.workers}
        folders = counted("folder", sum(len(group.fingerprints) for group in self.groups))
        return tr(
            "The cluster has {folders} on {workers} now.", folders=folders, workers=counted("worker", len(workers))
        )

    def workers_of(self, fingerprints: Sequence[str]) -> tuple[str, ...]:
        """The workers that have all of some folders now."""
        wanted = set(fingerprints)
        found: dict[str, set[str]] = {}
        for group in self.groups:
            for worker in group.workers:
                found.setdefault(worker, set()).update(group.fingerprints)
        return tuple(worker for worker, has in found.items() if wanted <= has)


def directory_of(described: Mapping[str, Mapping[str, Any]]) -> Directory:
    """Make the directory of a cluster.

    described: By the address of each worker, what `explorer.backends.cluster.host.describe` lists.
    Raises `ClusterError` if a worker has another version of the program or a folder that cannot be opened, tokenizers
        differ, or no worker has a folder.

    Examples
    --------
    >>> has = {"version": version_of("corpus-explorer"), "unreadable": []}
    >>> folder = {"fingerprint": "5f", "name": "part-1", "tokenizer": "bytes", "separator": 255}
    >>> folder |= {"tokens": 9, "documents": 2, "shards": 1}
    >>> (found,) = directory_of({"tcp://node1:4000": {**has, "folders": [folder]}}).groups
    >>> found.names, found.workers, found.sizes
    (('part-1',), ('tcp://node1:4000',), (Sizes(tokens=9, documents=2, shards=1),))
    """
    _check_workers(described)
    folders: dict[str, tuple[Mapping[str, Any], list[str]]] = {}
    for worker, has in described.items():
        for folder in has["folders"]:
            folders.setdefault(folder["fingerprint"], (folder, []))[1].append(worker)
    if not folders:
        raise ClusterError(mark("None of {n:,} workers has an index folder."), reason="no-shards", n=len(described))
    alike: dict[tuple[str, ...], list[str]] = {}
    for fingerprint in sorted(folders):
        alike.setdefault(tuple(sorted(folders[fingerprint][1])), []).append(fingerprint)
    groups = [
        Group(
            tuple(mine),
            tuple(str(folders[each][0]["name"]) for each in mine),
            workers,
            tuple(_sizes(folders[each][0]) for each in mine),
        )
        for workers, mine in alike.items()
    ]
    groups.sort(key=lambda group: group.fingerprints)
    _check_tokenizers(described)
    return Directory(tuple(groups))


def _sizes(folder: Mapping[str, Any]) -> Sizes:
    return Sizes(int(folder["tokens"]), int(folder["documents"]), int(folder["shards"]))


def shown_names(names: Sequence[str]) -> str:
    """Name some folders in a sentence, at most five.

    Examples
    --------
    >>> shown_names(["a", "b"])
    'a, b'
    """
    return ", ".join(names[:5]) + (" …" if len(names) > 5 else "")


def _check_workers(described: Mapping[str, Mapping[str, Any]]) -> None:
    own = version_of("corpus-explorer")
    for worker, has in described.items():
        if has["version"] != own:
            raise ClusterError(
                mark("{worker} has version {other} of this program, and this is {own}."),
                reason="worker-version",
                worker=worker,
                other=str(has["version"]),
                own=own,
            )
        if has["unreadable"]:
            raise ClusterError(
                mark("{worker} has an index that cannot be opened: {cause}"),
                reason="worker-damaged",
                worker=worker,
                cause=str(has["unreadable"][0]),
            )


def _check_tokenizers(described: Mapping[str, Mapping[str, Any]]) -> None:
    known = [(worker, folder) for worker, has in described.items() for folder in has["folders"]]
    first_worker, first = known[0]
    for worker, folder in known:
        if (folder["tokenizer"], folder["separator"]) != (first["tokenizer"], first["separator"]):
            raise ClusterError(
                mark("{folder} on {worker} has another tokenizer than {first} on {first_worker}."),
                reason="worker-tokenizer",
                folder=folder["name"],
                worker=worker,
                first=first["name"],
                first_worker=first_worker,
            )
