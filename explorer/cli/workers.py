"""workers: which folders the workers of a cluster have, as a table, and as a file that opens as an index."""

from __future__ import annotations

import argparse
from pathlib import Path

from explorer.backends.cluster.directory import Directory
from explorer.backends.cluster.manifest import write_manifest
from explorer.backends.cluster.opening import asked_cluster
from explorer.backends.request import IndexRequest
from explorer.cli.codes import FINE
from explorer.cli.common import add_allow_remote
from explorer.cli.parser import Parser
from explorer.cli.rules import Rule
from explorer.cli.terminal import put

_HEADER = ("folder", "shards", "tokens", "copies", "worker")
RULES: dict[str, tuple[Rule, ...]] = {"workers": ()}


def define_workers(parser: Parser) -> None:
    """Define the command."""
    parser.argument("cluster", "CLUSTER", "scheduler of a cluster, such as tcp://localhost:8786")
    parser.add_argument(
        "--manifest",
        metavar="FILE",
        help="write the folders to FILE, whose name ends in .cluster.json; it opens as an INDEX that misses none",
    )
    add_allow_remote(parser)


def run_workers(args: argparse.Namespace) -> int:
    """Print the table, and write the file.

    Parameters
    ----------
    args
        The parsed command line.

    Returns
    -------
    int
        The exit code.

    Raises
    ------
    CorpusError
        If the cluster cannot be asked.
    OSError
        If the file cannot be written.
    """
    request = IndexRequest((args.cluster,), allow_remote=args.allow_remote, insecure=args.insecure)
    cluster = asked_cluster(args.cluster, request)
    try:
        directory = cluster.directory
    finally:
        cluster.close()
    for line in _table(directory):
        put(line)
    if args.manifest:
        write_manifest(Path(args.manifest), args.cluster, directory)
    return FINE


def _table(directory: Directory) -> list[str]:
    """A row per folder and worker: a folder that is on several has several rows."""
    rows = [
        (name, f"{size.shards:,}", f"{size.tokens:,}", f"{len(group.workers):,}", worker)
        for group in directory.groups
        for name, size in zip(group.names, group.sizes, strict=True)
        for worker in group.workers
    ]
    widths = [max(len(row[column]) for row in (*rows, _HEADER)) for column in range(4)]
    lines = [
        f"{name:<{widths[0]}}  {'  '.join(f'{cell:>{width}}' for cell, width in zip(cells, widths[1:], strict=True))}"
        f"  {worker}"
        for name, *cells, worker in (_HEADER, *sorted(rows))
    ]
    return [*lines, directory.remark]
