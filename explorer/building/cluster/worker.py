"""What a worker does for a build: it is called by the head, a job at a time."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path
from typing import Any
from uuid import uuid4

from explorer.building.cluster.jobs import PIECES, PieceJob, ShardJob
from explorer.building.cluster.pieces import write_piece
from explorer.building.cluster.shards import ShardDone, write_shard
from explorer.core.jobs import CancelToken
from explorer.errors import BuildError
from explorer.i18n import mark
from explorer.version import version_of

SIGN = "head"
"""The file in the folder of pieces by which a worker sees that the folder is that of the head."""
_RUNNING: dict[str, CancelToken] = {}
"""The jobs that this process is at, by the build's sign. A build gives a worker one job at a time."""


async def join(partial: Path, sign: str) -> dict[str, Any]:
    """Look at the folder of a build.

    sign: What the head wrote there.
    Returns: `version` of this program; `sees`: whether the folder is that of the head; `cannot_write`: why nothing can
        be written there, or "".
    """
    return await asyncio.get_running_loop().run_in_executor(None, _look, partial, sign)


def _look(partial: Path, sign: str) -> dict[str, Any]:
    pieces = partial / PIECES
    found = {"version": version_of("corpus-explorer"), "sees": False, "cannot_write": ""}
    try:
        found["sees"] = (pieces / SIGN).read_text(encoding="ascii") == sign
    except (OSError, ValueError):
        return found
    probe = pieces / f"{SIGN}-{uuid4().hex[:8]}"
    try:
        probe.write_bytes(b"\0")
    except OSError as error:
        found["cannot_write"] = error.strerror or str(error)
    with suppress(OSError):
        probe.unlink()
    return found


async def do(sign: str, job: PieceJob | ShardJob) -> ShardDone | None:
    """Do a job.

    Returns: The files of a shard; None for a piece, which the head finds by its name.
    Raises `BuildError` if a file cannot be read or written here.
    """
    cancel = _RUNNING[sign] = CancelToken()
    return await asyncio.get_running_loop().run_in_executor(None, _done, job, cancel)


def _done(job: PieceJob | ShardJob, cancel: CancelToken) -> ShardDone | None:
    try:
        if isinstance(job, PieceJob):
            write_piece(job, cancel)
            return None
        return write_shard(job, cancel)
    except OSError as error:
        raise BuildError(
            mark("{path} cannot be read or written ({cause})."),
            reason="worker-cannot-write",
            path=error.filename or job.partial,
            cause=error.strerror or error,
        ) from error
    except MemoryError as error:
        raise BuildError(mark("The build ran out of memory."), reason="out-of-memory", option="memory") from error


async def stop(sign: str) -> None:
    """Stop the job of a build, if this process is at one."""
    token = _RUNNING.pop(sign, None)
    if token is not None:
        token.cancel()
