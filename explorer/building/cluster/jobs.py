"""What workers are asked to do, and where their work is kept: values that travel, never arrays.

In the folder of a build, `pieces` holds a folder for each piece of the sources and a record of each shard that is done.
Their names are made of everything that their content depends on. So work that is found is never done again, whoever did
it: not after a worker or the head was killed, nor with other workers.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from explorer.building.request import PIECES, BuildRequest
from explorer.building.sources.side_metadata import Side
from explorer.building.sources.source import SourceFile
from explorer.building.state import BuildState
from explorer.http.wire.hub import absolute_source
from explorer.version import VERSION

__all__ = ["PIECES", "PieceJob", "ShardJob", "Slice", "piece_jobs"]

_PIECES = 64
"""How many pieces there are, so that no worker waits long for the last one."""
_LEAST, _MOST = 1 << 20, 512 << 20
"""Bytes of a piece: smaller ones cost more than they save, and of larger ones too much is lost with a worker."""


@dataclass(frozen=True)
class PieceJob:
    """Tokenize some files.

    partial: The folder of the build.
    files: Consecutive files of the sources.
    tokenizer_sha256: Of the tokenizer in the folder; "" for bytes.
    side: The metadata of its files from a table, by their names.
    """

    partial: Path
    name: str
    files: tuple[SourceFile, ...]
    request: BuildRequest
    token_width: int
    tokenizer_sha256: str
    side: Side

    @property
    def size(self) -> int:
        """Bytes of its files."""
        return sum(file.size for file in self.files)


@dataclass(frozen=True)
class Slice:
    """Consecutive documents of a piece.

    first, end: The first document, and one more than the last.
    """

    piece: str
    first: int
    end: int


@dataclass(frozen=True)
class ShardJob:
    """Put a shard together, and sort it.

    partial: The folder of the build.
    token_count: Its tokens, separators included.
    format: What is made of it: see `BuildRequest.format`.
    keep_text: Whether a compressed index also stores its text.
    """

    partial: Path
    number: int
    slices: tuple[Slice, ...]
    token_count: int
    token_width: int
    format: str
    keep_text: bool

    @property
    def name(self) -> str:
        """What its record is called."""
        value = asdict(self)
        del value["partial"]
        return _named(value)


def piece_jobs(
    request: BuildRequest, state: BuildState, files: Sequence[SourceFile], partial: Path, side: Side | None = None
) -> list[PieceJob]:
    """Divide the sources.

    side: The metadata of files from a table, by their names; None without a table.
    Returns: The pieces, in order. They do not depend on how many workers there are. Their paths are absolute: workers
        have other current folders.
    """
    # The tokenizer is in the folder, and the table of metadata was read here, where all files are known.
    asked = replace(request, given=None, resume=False, metadata="")
    settings = {name: value for name, value in request.parameters.items() if name not in ("shards", "memory")}
    jobs = []
    for group in _groups([replace(file, path=absolute_source(file.path)) for file in files]):
        facts = [[str(file.path), file.name, file.size, file.changed] for file in group]
        own = {file.name: side[file.name] for file in group if side and file.name in side}
        name = _named([VERSION, settings, state.token_width, state.tokenizer_sha256, facts, own])
        jobs.append(PieceJob(partial.absolute(), name, group, asked, state.token_width, state.tokenizer_sha256, own))
    return jobs


def _groups(files: Sequence[SourceFile]) -> Iterator[tuple[SourceFile, ...]]:
    most = min(_MOST, max(_LEAST, sum(file.size for file in files) // _PIECES))
    group: list[SourceFile] = []
    size = 0
    for file in files:
        if group and size + file.size > most:
            yield tuple(group)
            group, size = [], 0
        group.append(file)
        size += file.size
    if group:
        yield tuple(group)


def _named(value: object) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode("utf-8")).hexdigest()[:16]
