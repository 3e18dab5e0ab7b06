"""A shard put together from pieces and sorted, by a worker."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from explorer.building.cluster.jobs import PIECES, ShardJob, Slice
from explorer.building.cluster.pieces import work_folder
from explorer.building.request import FM
from explorer.building.steps.compress import makers
from explorer.core.files.json_text import own_json_text
from explorer.core.files.paths import sync_folder, sync_path, write_whole
from explorer.core.jobs import CancelToken
from explorer.index.layout import separator
from explorer.index.shard_text import TOKEN_TYPES
from explorer.index.writer import STREAMS, ShardState, Written, unigram_lines, write_table, written_of

_CHUNK = 1 << 22


@dataclass(frozen=True)
class ShardDone:
    """The files of a shard, which are in the folder of the build.

    state: The tokens and metadata.
    tables: The files that were made of them.
    """

    state: ShardState
    tables: dict[str, Written]


def write_shard(job: ShardJob, cancel: CancelToken) -> ShardDone:
    """Put a shard together and sort it, unless that was done.

    Raises `OSError` if a piece cannot be read, or the folder cannot be written.
    """
    record = job.partial / PIECES / f"{job.name}.json"
    known = _known(record, job)
    if known is not None:
        return known
    with work_folder(record.with_suffix("")) as work:
        state = _Assembly(job, work, cancel).run()
        tables = _tables(job, work, cancel)
        done = ShardDone(state, tables)
        for name in (*state.files, *tables):
            sync_path(work / name)
        # Another worker at the same shard gives the same names to the same content.
        for name in (*state.files, *tables):
            (work / name).replace(job.partial / name)
        sync_folder(job.partial)
        # Written here, since both may write it at the same time.
        write_whole(work / record.name, own_json_text(asdict(done)))
        (work / record.name).replace(record)
        sync_folder(record.parent)
    return done


def _known(record: Path, job: ShardJob) -> ShardDone | None:
    """A shard that was done before, if all its files are as they were written."""
    try:
        value = json.loads(record.read_text(encoding="utf-8"))
        state = value["state"]
        found = ShardDone(
            ShardState(state["token_count"], state["document_count"], _files(state["files"])), _files(value["tables"])
        )
        files = {**found.state.files, **found.tables}
        sound = all(written_of(job.partial / Path(name).name) == written for name, written in files.items())
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
    return found if sound else None


def _files(value: dict[str, dict[str, int]]) -> dict[str, Written]:
    return {name: Written(**written) for name, written in value.items()}


def _tables(job: ShardJob, work: Path, cancel: CancelToken) -> dict[str, Written]:
    steps: NDArray[np.int64] = np.zeros(1, dtype=np.int64)
    if job.format == FM:
        return {name: make(cancel, steps) for name, make in makers(work, job.number, job.keep_text)}
    return {f"table.{job.number}": write_table(work, job.number, job.token_width, cancel, steps)}


class _Assembly:
    """The files of a shard while they grow, equal to those of `ShardWriter`."""

    def __init__(self, job: ShardJob, work: Path, cancel: CancelToken) -> None:
        self._job, self._work, self._cancel = job, work, cancel
        self._written = {name: Written() for name in STREAMS}
        self._counts: NDArray[np.int64] = np.zeros(256, dtype=np.int64)
        self._documents = 0

    def run(self) -> ShardState:
        """Copy all slices; returns what was written."""
        number, width = self._job.number, self._job.token_width
        files = {name: open(self._work / f"{name}.{number}", "wb") for name in STREAMS}  # noqa: SIM115 - closed below
        try:
            for part in self._job.slices:
                self._copy(part, files)
        finally:
            for file in files.values():
                file.close()
        lines = unigram_lines(self._counts, width, self._documents)
        unigram = self._work / f"unigram.{number}"
        unigram.write_text(lines, encoding="ascii", newline="")
        written = {f"{name}.{number}": known for name, known in self._written.items()}
        written[unigram.name] = Written().and_then(lines.encode("ascii"))
        return ShardState(self._written["tokenized"].size // width, self._documents, written)

    def _copy(self, part: Slice, files: Mapping[str, IO[bytes]]) -> None:
        place = self._job.partial / PIECES / part.piece
        for stream, offsets in (("tokenized", "offset"), ("metadata", "metaoff")):
            begins = np.fromfile(place / f"{offsets}.0", dtype="<u8")
            size = (place / f"{stream}.0").stat().st_size
            begin, end = (int(begins[at]) if at < len(begins) else size for at in (part.first, part.end))
            # Where each document begins in the shard: all begin as much later as the slice does.
            moved = begins[part.first : part.end] - np.uint64(begin) + np.uint64(self._written[stream].size)
            self._append(files, offsets, moved.tobytes())
            for data in _read(place / f"{stream}.0", begin, end):
                self._cancel.check()
                self._append(files, stream, data)
                if stream == "tokenized":
                    self._count(data)
        self._documents += part.end - part.first

    def _append(self, files: Mapping[str, IO[bytes]], name: str, data: bytes) -> None:
        files[name].write(data)
        self._written[name] = self._written[name].and_then(data)

    def _count(self, data: bytes) -> None:
        width = self._job.token_width
        kind: np.dtype[Any] = TOKEN_TYPES[width]
        ids = np.frombuffer(data, dtype=kind)
        counts = np.bincount(ids[ids != separator(width)].astype(np.int64), minlength=len(self._counts))
        self._counts = counts + np.pad(self._counts, (0, len(counts) - len(self._counts)))


def _read(path: Path, begin: int, end: int) -> Iterator[bytes]:
    """Part of a file, in chunks of whole tokens."""
    with open(path, "rb") as file:
        file.seek(begin)
        while begin < end:
            data = file.read(min(_CHUNK, end - begin))
            if not data:
                raise OSError(f"{path} is shorter than it was")
            begin += len(data)
            yield data
