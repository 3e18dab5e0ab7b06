"""A cluster on this machine for one build: processes that end with it."""

from __future__ import annotations

import importlib.util
import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from explorer.backends.cluster.connection import Connection
from explorer.backends.cluster.directory import ClusterError
from explorer.i18n import mark
from explorer.version import install_command

LOCAL = "local:"
"""Before the number of workers, in place of the address of a scheduler."""
_MOST = 256


def local_workers(cluster: str) -> int:
    """Read how many workers there should be.

    Raises `ClusterError` if it is not a number of workers.

    Examples
    --------
    >>> local_workers("local:4")
    4
    """
    number = cluster.removeprefix(LOCAL)
    if not (number.isascii() and number.isdecimal() and 1 <= int(number) <= _MOST):
        raise ClusterError(
            mark('"{cluster}" does not name a number of workers from 1 to {most}, such as local:4.'),
            reason="bad-cluster-address",
            cluster=cluster,
            most=_MOST,
        )
    return int(number)


@contextmanager
def local_cluster(workers: int) -> Iterator[Connection]:
    """Start workers on this machine, and end them with the block.

    workers: How many; they share the cores.
    Yields: To their scheduler. Nobody else can connect to it: whoever could might run any program as this user, and
        other users of the machine reach its ports. So the connections are encrypted with a key that exists in memory
        only.
    Raises `ClusterError` if a package is not installed.
    """
    for package in ("distributed", "cryptography"):
        if importlib.util.find_spec(package) is None:
            raise ClusterError(
                mark("Clusters need the package {package}, which is not installed."),
                reason="no-distributed",
                package=package,
                command=install_command("cluster"),
            )
    import dask
    import distributed
    from distributed.security import Security

    logging.getLogger("distributed").setLevel(logging.CRITICAL + 1)
    # They have no types.
    make: Any = distributed.SpecCluster
    certificates: Any = Security
    security = certificates.temporary()
    here = {"host": "127.0.0.1", "dashboard": False, "security": security}
    scheduler = {"cls": distributed.Scheduler, "options": {**here, "dashboard_address": "127.0.0.1:0"}}
    # Memory is planned by the build: Dask would end a worker whose files are mapped.
    worker = {"cls": distributed.Nanny, "options": {**here, "memory_limit": 0, "nthreads": 1}}
    specs = dict.fromkeys(range(workers), worker)
    with (
        dask.config.set(_settings(workers)),
        make(specs, scheduler=scheduler, security=security, silence_logs=50) as cluster,
    ):
        connection = Connection(str(cluster.scheduler_address), security)
        try:
            yield connection
        finally:
            connection.close()


def _settings(workers: int) -> dict[str, Any]:
    before = "distributed.nanny.pre-spawn-environ"
    return {
        # A worker that was killed comes back, and is not given up.
        "distributed.deploy.lost-worker-timeout": "1 hour",
        f"{before}.RAYON_NUM_THREADS": max(1, (os.cpu_count() or 1) // workers),
        f"{before}.DASK_LOGGING__DISTRIBUTED": "critical",
    }
