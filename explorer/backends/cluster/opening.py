"""Opening a cluster as one index."""

from __future__ import annotations

import importlib.util
import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import urlsplit

from explorer.backends.asked.asker import Asker
from explorer.backends.asked.backend import AskedBackend, Reopening, facts_from, tokenizer_from
from explorer.backends.asked.facts import Facts
from explorer.backends.cluster.asking import Cluster
from explorer.backends.cluster.backend import ClusterBackend, Members
from explorer.backends.cluster.connection import Connection
from explorer.backends.cluster.directory import ClusterError, Group
from explorer.backends.cluster.manifest import SUFFIX, check_complete, placed, read_manifest
from explorer.backends.cluster.partial import PartialCluster, facts_of_missing
from explorer.backends.cluster.subtracting import pair_documents
from explorer.backends.merged.backend import check_alike
from explorer.backends.protocol.protocol import Backend
from explorer.backends.request import IndexRequest
from explorer.core.jobs import CancelToken, Report, no_report
from explorer.http.consent import check_reading
from explorer.http.wire.address import read_address
from explorer.i18n import mark
from explorer.text.tokens.tokenizer import TextTokenizer
from explorer.version import install_command

OpenOther = Callable[[IndexRequest, Report, CancelToken | None], Backend]


class Asks(Protocol):
    """Whoever asks the workers: see `explorer.backends.cluster.asking.Cluster.ask`."""

    def ask(self, group: Group, name: str, arguments: list[Any], cancel: CancelToken | None) -> Any:
        """Ask a question about a group of folders."""


@dataclass(frozen=True)
class Sender:
    """Sends questions about a group of folders: see `explorer.backends.asked.asker.Send`."""

    cluster: Asks
    group: Group

    def __call__(self, name: str, arguments: list[Any], cancel: CancelToken | None) -> Any:
        """Send a question."""
        return self.cluster.ask(self.group, name, arguments, cancel)


def lists_folders(source: str) -> bool:
    """Whether a source is a file that lists the folders of a cluster, not the address of its scheduler."""
    return source.lower().endswith(SUFFIX)


def open_cluster(
    request: IndexRequest, report: Report, cancel: CancelToken | None, open_other: OpenOther
) -> ClusterBackend:
    """Open all folders of a cluster as one index.

    request: The address of a scheduler, such as "tcp://localhost:8786", or a manifest (see
        `explorer.backends.cluster.manifest`).
    report: Called with the documents that were looked up to be subtracted; workers open their folders in a moment.
    open_other: Opens the index that is subtracted, which may be of any kind; another process finds it by its name.
    Raises `ClusterError` if the cluster cannot be asked, its workers do not fit together, a folder of the manifest is
        missing, or the connection would not be encrypted.
    Raises `RemoteError` if the scheduler is on another machine, and this was not allowed.
    """
    (source,) = request.sources
    # Before anything is asked: it can be refused for what it is.
    minus = None
    if request.minus:
        minus = open_other(replace(request, sources=request.minus, minus=(), partial=False), report, cancel)
    manifest = read_manifest(Path(source)) if lists_folders(source) else None
    # Another process may have another folder.
    absolute = source if manifest is None else str(Path(source).absolute())
    request = replace(request, sources=(absolute,), minus=() if minus is None else minus.sources)
    cluster = asked_cluster(source if manifest is None else manifest.address, request)
    try:
        if manifest is None:
            # Nobody knows what such a worker has: the index would be smaller without a sign of it.
            cluster.check_silent()
        groups = cluster.directory.groups if manifest is None else placed(manifest, cluster.directory)
        whole = _whole(cluster, groups, (open_cluster, (request, no_report, None, open_other)), request, cancel)
        # The connection ends with the index, which those that are made of it keep.
        weakref.finalize(whole, cluster.close)
        whole.sources = request.sources
        # Without a manifest, nobody knows what else there should be: a person sees what is there.
        whole.told = cluster.directory.remark if manifest is None else ""
        return whole if minus is None else _less(cluster, whole, minus, report, cancel)
    except BaseException:
        cluster.close()
        raise


def _less(
    cluster: Cluster, whole: ClusterBackend, minus: Backend, report: Report, cancel: CancelToken | None
) -> ClusterBackend:
    whole.capabilities.require("subtraction")
    check_alike((whole, minus))
    left_out, subtracted = pair_documents(whole.groups, cluster.ask, minus, report, cancel)
    less = whole.leaving(left_out, cancel=cancel)
    less.subtracted = replace(subtracted, sources=minus.sources)
    less.told = " ".join(filter(None, (whole.told, subtracted.remark)))
    return less


def _whole(
    cluster: Cluster, groups: Sequence[Group], reopening: Reopening, request: IndexRequest, cancel: CancelToken | None
) -> ClusterBackend:
    (source,) = request.sources
    name = Path(source).name[: -len(SUFFIX)] if lists_folders(source) else urlsplit(source).netloc
    # A part of nothing is not an answer.
    if not request.partial or not any(group.workers for group in groups):
        check_complete(groups)
    partial = PartialCluster(cluster) if request.partial else None
    for group in groups:
        if partial is not None and not group.workers:
            cluster.is_missing(group)
            partial.leave_out(group)

    def parts(asked: Sequence[Group], stop: CancelToken | None) -> list[Backend]:
        return _parts(cluster, asked, partial or cluster, request, stop)

    return ClusterBackend(Members(tuple(groups), parts, cluster.holdings, partial), name, reopening, cancel)


def _parts(
    cluster: Cluster, groups: Sequence[Group], asks: Asks, request: IndexRequest, cancel: CancelToken | None
) -> list[Backend]:
    """A backend per group, in order; those that are missing are described by the manifest."""
    there: dict[int, AskedBackend] = {}
    facts: list[Facts] = []
    for number, group in enumerate(groups):
        if group.workers:
            asker = Asker(Sender(asks, group), cluster.address)
            facts.append(facts_from(asker, cancel))
            chosen = tokenizer_from(asker, facts[-1], request.tokenizer, request.check_fit, cancel)
            there[number] = _part(asker, facts[-1], chosen, group)
    first = there[min(there)]
    known = first.tokenizer if first.has_tokenizer else None
    for number, group in enumerate(groups):
        if not group.workers:
            asker = Asker(Sender(asks, group), cluster.address)
            there[number] = _part(asker, facts_of_missing(group, facts[0]), known, group)
    return [there[number] for number in range(len(groups))]


def _check_address(address: str, allow_remote: bool, insecure: bool) -> None:
    parts = urlsplit(address)
    found = read_address(f"http://{parts.netloc}")
    if found is None or parts.port is None or parts.path:
        raise ClusterError(
            mark('"{address}" is not the address of a cluster, such as tls://node1:8786.'),
            reason="bad-cluster-address",
            address=address,
        )
    if found.is_local:
        return
    if parts.scheme == "tcp" and not insecure:
        raise ClusterError(
            mark("{address} is another machine, and tcp:// is neither encrypted nor protected. Nothing was sent."),
            reason="cluster-not-encrypted",
            address=address,
        )
    check_reading(found.name, lambda host: allow_remote)


def connected(address: str, allow_remote: bool, insecure: bool = False) -> Connection:
    """Connect to a scheduler.

    address: Its address, such as "tcp://localhost:8786".
    allow_remote: Whether it may be on another machine.
    insecure: Whether it may be there without encryption, so that anybody who reaches it can run programs on its
        workers.
    Raises `ClusterError` if there is no such scheduler, or the connection would not be encrypted.
    Raises `RemoteError` if the scheduler is on another machine, and this was not allowed.
    """
    _check_address(address, allow_remote, insecure)
    if importlib.util.find_spec("distributed") is None:
        raise ClusterError(
            mark("Clusters need the package distributed, which is not installed."),
            reason="no-distributed",
            command=install_command("cluster"),
        )
    try:
        return Connection(address)
    except (OSError, RuntimeError, ValueError, TypeError) as error:
        raise ClusterError(
            mark("The scheduler at {address} does not answer: {cause}."),
            reason="no-scheduler",
            address=address,
            cause=" ".join(str(error).split())[:200],
        ) from error


def asked_cluster(address: str, request: IndexRequest) -> Cluster:
    """Connect to a scheduler, and ask its workers what they have.

    request: What is allowed: see `IndexRequest`.
    Raises `ClusterError` as from `connected`, or if the workers do not fit together.
    """
    connection = connected(address, request.allow_remote, request.insecure)
    try:
        return Cluster(connection, waits=not request.partial)
    except BaseException:
        connection.close()
        raise


def _part(asker: Asker, facts: Facts, chosen: TextTokenizer | None, group: Group) -> AskedBackend:
    return AskedBackend(asker, facts, chosen, f"{asker.host}#{','.join(group.names)}", (_unsendable, ()))


def _unsendable() -> AskedBackend:
    raise ClusterError(mark("A part of a cluster cannot be sent to another process."), reason="part-of-cluster")
