"""Tokens and tables of an index, made by the workers of a cluster."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from explorer.backends.cluster.connection import Connection
from explorer.backends.cluster.opening import connected
from explorer.building.cluster.crew import Crew
from explorer.building.cluster.dealing import Dealt, NamedPiece, deal, problems_of
from explorer.building.cluster.jobs import PieceJob, ShardJob, piece_jobs
from explorer.building.cluster.local import LOCAL, local_cluster, local_workers
from explorer.building.cluster.pieces import read_piece
from explorer.building.cluster.shards import ShardDone
from explorer.building.request import BuildRequest, shard_limit
from explorer.building.sources.file_source import DocumentSource, FileSource
from explorer.building.state import BuildState
from explorer.building.steps.tokenize import ShardRule, begin_tokens, check_not_empty
from explorer.core.jobs import CancelToken, Progress, Report
from explorer.errors import BuildError
from explorer.i18n import mark

_LOG = logging.getLogger("explorer.building")


@contextmanager
def cluster_of(request: BuildRequest) -> Iterator[OnCluster]:
    """Connect to the cluster of a build, or start one on this machine.

    request: The build, with the address of a scheduler, or "local:N".
    Yields: What makes the tokens and tables of the build.
    Raises `ClusterError` if there is no such cluster, or the connection would not be encrypted.
    Raises `RemoteError` if it is on another machine, and this was not allowed.
    """
    if request.cluster.startswith(LOCAL):
        with local_cluster(local_workers(request.cluster)) as connection:
            yield OnCluster(connection)
        return
    connection = connected(request.cluster, request.allow_remote, request.insecure)
    try:
        yield OnCluster(connection)
    finally:
        connection.close()


@dataclass(frozen=True)
class OnCluster:
    """Makes tokens and tables: see `explorer.building.run.Make`.

    connection: To the scheduler of the workers.
    """

    connection: Connection

    def __call__(
        self,
        request: BuildRequest,
        source: DocumentSource,
        partial: Path,
        state: BuildState | None,
        report: Report,
        cancel: CancelToken,
    ) -> BuildState:
        """Make them; what workers have done before is found again.

        Raises `ClusterError` if workers cannot do it.
        Raises `SourceError` if a source cannot be read.
        Raises `OSError` if the folder cannot be written.
        """
        files, partial = _shared(source), partial.absolute()
        begun = time.monotonic()
        if state is None:
            state, _ = begin_tokens(request, source, partial, report, cancel)
            # The pieces are found again by their names, and need the tokenizer.
            state.write(partial)
        # Shards that were begun in one process are made of pieces now.
        state = replace(state, shards=(), ends=(), tables={}, problems=(), complete=False)
        crew = Crew(self.connection, partial)
        pieces = _tokenized(crew, piece_jobs(request, state, files.files, partial, files.options.side), report, cancel)
        dealt = deal(pieces, ShardRule(request.shards, shard_limit(request), source.total), files.state)
        problems = problems_of([named.piece for named in pieces], files)
        done = _sorted(crew, _shard_jobs(request, replace(state, problems=problems), dealt, partial), report, cancel)
        state = replace(
            state,
            shards=tuple(each.state for each in done),
            ends=tuple(each.end for each in dealt),
            tables={name: written for each in done for name, written in each.tables.items()},
            problems=problems,
            complete=True,
            seconds=state.seconds + time.monotonic() - begun,
        )
        state.write(partial)
        if crew.again:
            _LOG.warning("%d jobs were done again, since their workers were lost.", crew.again)
        return state


def _shared(source: DocumentSource) -> FileSource:
    """The files of a build, which workers can read."""
    if not isinstance(source, FileSource) or any(file.is_pipe for file in source.files):
        raise BuildError(
            mark("A cluster builds from files only: workers cannot read a pipe, or records in memory."),
            reason="not-for-clusters",
            option="cluster",
        )
    return source


def _tokenized(crew: Crew, jobs: list[PieceJob], report: Report, cancel: CancelToken) -> list[NamedPiece]:
    total = sum(job.size for job in jobs)
    sizes = [0] * len(jobs)

    def done(number: int, _: object) -> None:
        sizes[number] = jobs[number].size
        report(Progress("Tokenizing", sum(sizes), total, "bytes"))

    report(Progress("Tokenizing", 0, total, "bytes"))
    crew.run(jobs, done, cancel)
    return [
        NamedPiece(job.name, len(job.files), job.size, read_piece(job.partial, job.name, job.token_width))
        for job in jobs
    ]


def _shard_jobs(request: BuildRequest, state: BuildState, dealt: list[Dealt], partial: Path) -> list[ShardJob]:
    tokens = sum(each.token_count for each in dealt)
    check_not_empty(request, tokens, sum(each.document_count for each in dealt), dealt[-1].end, state.problems)
    return [
        ShardJob(partial, number, each.slices, each.token_count, state.token_width, request.format, request.keep_text)
        for number, each in enumerate(dealt)
    ]


def _sorted(crew: Crew, jobs: list[ShardJob], report: Report, cancel: CancelToken) -> list[ShardDone]:
    total = sum(job.token_count for job in jobs)
    found: dict[int, ShardDone] = {}

    def done(number: int, result: ShardDone) -> None:
        found[number] = result
        report(Progress("Sorting", sum(jobs[each].token_count for each in found), total, "tokens"))

    crew.run(jobs, done, cancel)
    return [found[number] for number in range(len(jobs))]
