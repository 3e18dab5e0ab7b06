"""Opening a cluster as one index."""

from __future__ import annotations

import importlib.util
import weakref
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from explorer.backends.asked.asker import Asker
from explorer.backends.asked.backend import AskedBackend, facts_from, tokenizer_from
from explorer.backends.cluster.asking import Cluster
from explorer.backends.cluster.connection import Connection
from explorer.backends.cluster.directory import ClusterError, Group
from explorer.backends.cluster.manifest import SUFFIX, complete, read_manifest
from explorer.backends.merged.backend import MergedBackend
from explorer.backends.request import IndexRequest
from explorer.i18n import mark
from explorer.jobs import CancelToken, Report, no_report
from explorer.remote.consent import check_reading
from explorer.wire.address import read_address


@dataclass(frozen=True)
class Sender:
    """Sends questions about a group of folders: see `explorer.backends.asked.asker.Send`.

    Attributes
    ----------
    cluster
        Asks the workers.
    group
        The folders.
    """

    cluster: Cluster
    group: Group

    def __call__(self, name: str, arguments: list[Any], cancel: CancelToken | None) -> Any:
        """Send a question."""
        return self.cluster.ask(self.group, name, arguments, cancel)


def open_cluster(request: IndexRequest, report: Report, cancel: CancelToken | None) -> MergedBackend:
    """Open all folders of a cluster as one index.

    Parameters
    ----------
    request
        The address of a scheduler, such as "tcp://localhost:8786", or a manifest (see
        `explorer.backends.cluster.manifest`).
    report
        Not called: workers open their folders in a moment.
    cancel
        Stops the work.

    Returns
    -------
    MergedBackend
        The index.

    Raises
    ------
    ClusterError
        If the cluster cannot be asked, its workers do not fit together, a folder of the manifest is missing, or the
        connection would not be encrypted.
    RemoteError
        If the scheduler is on another machine, and this was not allowed.
    """
    (source,) = request.sources
    manifest = read_manifest(Path(source)) if source.lower().endswith(SUFFIX) else None
    address = source if manifest is None else manifest.address
    cluster = asked_cluster(address, request.allow_remote)
    try:
        groups = cluster.directory.groups if manifest is None else complete(manifest, cluster.directory)
        parts = [_part(cluster, group, address, request, cancel) for group in groups]
        name = urlsplit(address).netloc if manifest is None else Path(source).name[: -len(SUFFIX)]
        whole = MergedBackend(parts, name, (open_cluster, (request, no_report, None)))
    except BaseException:
        cluster.close()
        raise
    whole.sources = (source,) if manifest is None else (str(Path(source).absolute()),)
    # Without a manifest, nobody knows what else there should be: a person sees what is there.
    whole.told = cluster.directory.remark if manifest is None else ""
    # The connection ends with the index.
    weakref.finalize(whole, cluster.close)
    return whole


def _check_address(address: str, allow_remote: bool) -> None:
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
    if parts.scheme == "tcp":
        raise ClusterError(
            mark("{address} is another machine, and tcp:// is neither encrypted nor protected. Nothing was sent."),
            reason="cluster-not-encrypted",
            address=address,
        )
    check_reading(found.name, lambda host: allow_remote)


def connected(address: str, allow_remote: bool) -> Connection:
    """Connect to a scheduler.

    Parameters
    ----------
    address
        Its address, such as "tcp://localhost:8786".
    allow_remote
        Whether it may be on another machine.

    Returns
    -------
    Connection
        The connection.

    Raises
    ------
    ClusterError
        If there is no such scheduler, or the connection would not be encrypted.
    RemoteError
        If the scheduler is on another machine, and this was not allowed.
    """
    _check_address(address, allow_remote)
    if importlib.util.find_spec("distributed") is None:
        raise ClusterError(
            mark("Clusters need the package distributed, which is not installed."), reason="no-distributed"
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


def asked_cluster(address: str, allow_remote: bool) -> Cluster:
    """Connect to a scheduler, and ask its workers what they have.

    Parameters
    ----------
    address, allow_remote
        As for `connected`.

    Returns
    -------
    Cluster
        The workers.

    Raises
    ------
    ClusterError
        As from `connected`, or if the workers do not fit together.
    RemoteError
        As from `connected`.
    """
    connection = connected(address, allow_remote)
    try:
        return Cluster(connection)
    except BaseException:
        connection.close()
        raise


def _part(
    cluster: Cluster, group: Group, address: str, request: IndexRequest, cancel: CancelToken | None
) -> AskedBackend:
    asker = Asker(Sender(cluster, group), cluster.address)
    facts = facts_from(asker, cancel)
    chosen = tokenizer_from(asker, facts, request.tokenizer, request.check_fit, cancel)
    return AskedBackend(asker, facts, chosen, f"{address}#{','.join(group.names)}", (_unsendable, ()))


def _unsendable() -> AskedBackend:
    raise ClusterError(mark("A part of a cluster cannot be sent to another process."), reason="part-of-cluster")
