"""workers: which folders an index on several machines has, who has each now, and a file that opens as an index."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from explorer.backends.cluster.manifest import write_manifest
from explorer.backends.cluster.opening import asked_cluster, lists_folders
from explorer.backends.protocol.locations import Holding
from explorer.backends.registry import BACKENDS
from explorer.backends.request import IndexRequest
from explorer.cli.options.common import add_remote_argument, own_token
from explorer.cli.options.rules import Rule
from explorer.cli.output.codes import FINE, FOUND
from explorer.cli.output.envelope import FORMAT_RULES, Answer, add_format_arguments, put_answer
from explorer.cli.output.shapes import Shape
from explorer.cli.output.terminal import put, remark
from explorer.cli.parser import Parser, UsageError
from explorer.i18n import counted


@dataclass(frozen=True)
class WorkersFacts:
    """How complete an index on several machines is.

    Attributes
    ----------
    machine_count
        Machines that have any folder now.
    missing_count
        Folders that no machine has now.
    """

    machine_count: int
    missing_count: int


WORKERS = Shape("workers", Holding, WorkersFacts)
SHAPES = {"workers": (WORKERS,)}
RULES: dict[str, tuple[Rule, ...]] = {"workers": FORMAT_RULES}
_HEADER = ("folder", "shards", "tokens", "copies", "machine")


def define_workers(parser: Parser) -> None:
    """Define the command."""
    parser.argument(
        "cluster",
        "CLUSTER",
        "scheduler of a cluster, such as tcp://localhost:8786, a file of --manifest, or address#NAME of a server",
    )
    parser.add_argument(
        "--manifest",
        metavar="FILE",
        help="write the folders to FILE, whose name ends in .cluster.json; it opens as an INDEX that misses none",
    )
    add_remote_argument(parser)
    add_format_arguments(parser)


def run_workers(args: argparse.Namespace) -> int:
    """Print the table, and write the file.

    Returns: The exit code: `FOUND` if a folder is missing.
    Raises `UsageError` if a file is to be written of something else than a scheduler.
    Raises `CorpusError` if the cluster cannot be asked, or the index is not on several machines.
    Raises `OSError` if the file cannot be written.
    """
    if args.manifest and lists_folders(args.cluster):
        raise UsageError("--manifest needs the address of a scheduler, not a list that was written before.")
    kind = BACKENDS.claiming(args.cluster)
    # The command tells what is missing; without a list of folders, a worker that does not tell what it has is an error.
    # A server has opened the index itself.
    request = IndexRequest(
        (args.cluster,),
        allow_remote=args.allow_remote,
        insecure=args.insecure,
        partial=kind is not None and "partial" in kind.takes,
        token=own_token(args),
    )
    if args.manifest:
        _write(args, request)
    found = BACKENDS.open(request).holdings()
    if not found:
        raise UsageError(f"{args.cluster} is in one place: it has no folders on several machines.")
    machines = {machine for folder in found for machine in folder.machines}
    missing = [folder for folder in found if not folder.machines]
    facts = WorkersFacts(len(machines), len(missing))
    put_answer(Answer(WORKERS, found, facts=facts), args, lambda _: _print(found, len(machines)))
    if missing:
        remark(f"{counted('folder', len(missing))} of {len(found):,} missing: no machine has the rows without one now")
    return FOUND if missing else FINE


def _write(args: argparse.Namespace, request: IndexRequest) -> None:
    cluster = asked_cluster(args.cluster, request)
    try:
        cluster.check_silent()
        write_manifest(Path(args.manifest), args.cluster, cluster.directory)
    finally:
        cluster.close()


def _print(found: Sequence[Holding], machines: int) -> None:
    """A row per folder and machine: a folder that is on several has several rows."""
    rows = [
        (each.folder, f"{each.shard_count:,}", f"{each.token_count:,}", f"{len(each.machines):,}", machine)
        for each in found
        for machine in each.machines or ("missing",)
    ]
    widths = [max(len(row[column]) for row in (*rows, _HEADER)) for column in range(4)]
    for name, *cells, machine in (_HEADER, *sorted(rows)):
        right = "  ".join(f"{cell:>{width}}" for cell, width in zip(cells, widths[1:], strict=True))
        put(f"{name:<{widths[0]}}  {right}  {machine}")
    there = sum(bool(each.machines) for each in found)
    put(f"{there:,} of {counted('folder', len(found))} on {counted('machine', machines)} now.")
