"""Merging indexes: one folder from several of the same tokenizer, without tokenizing again.

All documents: the files of the shards are copied under new numbers, and nothing is sorted. Some documents: their tokens
are written to new shards, which are sorted.
"""

from __future__ import annotations

import logging
import os
import shutil
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import reduce
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.backends.documents.field_names import count_fields
from explorer.backends.local.open import load_tokenizer, open_folders
from explorer.backends.local.shards import ShardBackend
from explorer.backends.request import IndexRequest, TokenizerChoice
from explorer.building.adding import added_up
from explorer.building.known import known_files, known_skipped
from explorer.building.lock import build_lock
from explorer.building.moment import now, write_report
from explorer.building.place import WORK_NAMES, begin_folder, check_target, move_in_place, not_written, try_to_move
from explorer.building.request import BuildRequest, named_folder, partial_folder, remove_partial, shard_limit
from explorer.building.state import BuildState
from explorer.building.steps.tables import sort_shards
from explorer.core.files.paths import is_file, sync, sync_path
from explorer.core.jobs import CancelToken, Progress, Report, no_report
from explorer.errors import BuildError, TokenizerError
from explorer.i18n import mark
from explorer.index.layout import TOKENIZER_NAME, ShardFiles
from explorer.index.manifest import Manifest
from explorer.index.shard import MappedShard
from explorer.index.writer import ShardState, ShardWriter
from explorer.text.special_tokens import AS_TOKENS
from explorer.text.tokens.tokenizer import TextTokenizer
from explorer.version import VERSION

# As in `adding`: rooms above the seam name what they get.
__all__ = ["Keep", "Manifest", "MergeRequest", "merge_folders"]

Keep = Callable[[ShardBackend, Report, CancelToken], NDArray[np.bool_]]
"""Chooses documents of the opened indexes: one bool per document, in the order of their numbers."""
_LOG = logging.getLogger("explorer.building")
_CHUNK = 1 << 24
_COPYING = 0.5
"""The share of the time before the sort, where there is one."""


@dataclass(frozen=True)
class MergeRequest:
    """What to merge.

    folders: The folders of the indexes, at least one.
    out: The folder of the new index.
    keep: Chooses the documents; None for all.
    chosen_by: The conditions of `keep`, for `index.json`.
    tokenizer: The tokenizer of folders that contain none; None if all do.
    memory: Bytes that the sort may use; 0 for no limit.
    name: What to call the index; "" for the name of its folder.
    """

    folders: tuple[Path, ...]
    out: Path
    keep: Keep | None = None
    chosen_by: tuple[str, ...] = ()
    tokenizer: TokenizerChoice = None
    memory: float = 0
    name: str = ""


def merge_folders(request: MergeRequest, report: Report = no_report, cancel: CancelToken | None = None) -> Manifest:
    """Merge indexes into a new folder.

    Raises `TokenizerError` if the indexes have different tokenizers, or tokens of different widths.
    Raises `BuildError` if the folder cannot be written, or no document is left.
    Raises `Cancelled` if it was cancelled; nothing is left then.
    """
    cancel = cancel or CancelToken()
    placed = BuildRequest(request.folders, request.out, memory=request.memory, name=request.name)
    placed.check()
    out = named_folder(request.out)
    opened = open_folders(IndexRequest(tuple(map(str, request.folders)), request.tokenizer), report, cancel)
    tokenizer = _common_tokenizer(request, opened)
    kept = _kept(request, opened, report, cancel)
    partial = partial_folder(request.out)
    with build_lock(partial) as free:
        if not free:
            raise BuildError(
                mark("Another build into {path} is under way."), reason="build-under-way", path=request.out
            )
        try:
            check_target(placed, out)
            begin_folder(partial)
            try:
                try_to_move(partial, out)
                merge = _Merge(request, opened, tokenizer, kept, partial)
                manifest = merge.run(shard_limit(placed), report, cancel)
            except BaseException:
                _discard(partial)
                raise
            move_in_place(partial, out)
        except OSError as error:
            raise not_written(error, request.out) from error
    return manifest


def _discard(partial: Path) -> None:
    try:
        remove_partial(partial)
    except OSError as fault:
        _LOG.warning("%s could not be cleaned up: %s", partial, fault)


def _kept(request: MergeRequest, opened: ShardBackend, report: Report, cancel: CancelToken) -> NDArray[np.bool_] | None:
    """The documents to keep; None for all, which can be copied as they are stored."""
    # Documents are stored in one direction per index.
    if request.keep is None:
        directions = {shard.reversed_text for shard in opened.shards}
        return None if len(directions) == 1 else np.ones(opened.document_slots, dtype=np.bool_)
    kept = request.keep(opened, report, cancel)
    if not kept.any():
        raise BuildError(
            mark("None of the {count:,} documents meets the condition, so there is nothing to merge."),
            reason="no-document-left",
            count=opened.document_count,
        )
    return kept


def _common_tokenizer(request: MergeRequest, opened: ShardBackend) -> TextTokenizer | None:
    """The one tokenizer of all indexes; None for a single index whose tokenizer is unknown."""
    known = [_tokenizer_of(folder, opened) for folder in request.folders]
    given = None if request.tokenizer is None else load_tokenizer(request.tokenizer)
    tokenizers = [own or given for own in known]
    first = tokenizers[0]
    for folder, tokenizer in zip(request.folders, tokenizers, strict=True):
        if tokenizer is None and len(tokenizers) > 1:
            raise TokenizerError(
                mark("{path} has no tokenizer.json, so it is unknown whether its tokenizer is that of the others."),
                reason="tokenizer-unknown",
                option="tokenizer",
                path=folder,
            )
        if first is not None and tokenizer is not None and not _same(first, tokenizer):
            raise TokenizerError(
                mark("{path} and {other} have different tokenizers, so they cannot be merged."),
                reason="tokenizers-differ",
                path=request.folders[0],
                other=folder,
            )
    return first


def _tokenizer_of(folder: Path, opened: ShardBackend) -> TextTokenizer | None:
    """A folder's own tokenizer; None if it is unknown."""
    if is_file(folder / TOKENIZER_NAME):
        found = TextTokenizer.from_file(folder / TOKENIZER_NAME)
        manifest = opened.local.manifests[opened.local.folders.index(folder)]
        found.name = manifest.tokenizer if manifest and manifest.tokenizer else found.name
        return found
    return TextTokenizer.raw_bytes() if opened.local.token_width == 1 else None


def _same(one: TextTokenizer, other: TextTokenizer) -> bool:
    if one.fingerprint == other.fingerprint:
        return True
    # The same tokenizer may be written in another way, such as with other spaces.
    if one.backend is None or other.backend is None:
        return False
    return bool(one.backend.to_str() == other.backend.to_str())


@dataclass(frozen=True)
class _Merge:
    """The writing of a merged index; `kept` is None if all files are copied."""

    request: MergeRequest
    opened: ShardBackend
    tokenizer: TextTokenizer | None
    kept: NDArray[np.bool_] | None
    partial: Path

    def run(self, limit: int, report: Report, cancel: CancelToken) -> Manifest:
        started = time.monotonic()
        self._write_tokenizer()
        if self.kept is None:
            fields = self._copy(report, cancel)
            tokens, documents, shards = self.opened.token_count, self.opened.document_count, len(self.opened.shards)
        else:
            states = self._sorted(limit, report, cancel)
            fields = count_fields(self.partial, cancel)
            tokens = sum(state.token_count for state in states)
            documents, shards = sum(state.document_count for state in states), len(states)
        seconds = round(time.monotonic() - started, 2)
        # Of a choice of documents, it is unknown whose files are all there.
        files = [each for folder in self.request.folders for each in known_files(folder)] if self.kept is None else []
        skipped = [each for folder in self.request.folders for each in known_skipped(folder)] if files else []
        write_report(self.partial, seconds, (), files, skipped=skipped)
        sizes = {
            path.name: path.stat().st_size for path in sorted(self.partial.iterdir()) if path.name not in WORK_NAMES
        }
        manifest = replace(
            self._described(seconds),
            token_count=tokens,
            document_count=documents,
            shard_count=shards,
            files=sizes,
            metadata_fields=fields,
        )
        manifest.write(self.partial)
        return manifest

    def _described(self, seconds: float) -> Manifest:
        """The manifest without its figures."""
        names = tuple(str(folder.resolve()) for folder in self.request.folders)
        # Where these differ, opening them together was refused.
        first = self.opened.local.manifests[0]
        return Manifest(
            token_width=self.opened.local.token_width,
            token_count=0,
            document_count=0,
            shard_count=0,
            tokenizer=self.tokenizer.name if self.tokenizer else "",
            tokenizer_sha256=self._fingerprint(),
            special_tokens=first.special_tokens if first is not None else AS_TOKENS,
            reversed_text=self.kept is None and self.opened.shards[0].reversed_text,
            name=self.request.name,
            sources=names,
            parameters={"merged": list(names), "where": list(self.request.chosen_by)},
            created=now(),
            seconds=seconds,
            program=f"corpus-explorer {VERSION}",
        )

    def _fingerprint(self) -> str:
        return self.tokenizer.fingerprint if self.tokenizer else ""

    def _write_tokenizer(self) -> None:
        """The tokenizer's file: that of the first folder, or the one that was given."""
        if self.tokenizer is None or self.tokenizer.backend is None:
            return
        first, target = self.request.folders[0] / TOKENIZER_NAME, self.partial / TOKENIZER_NAME
        if is_file(first):
            shutil.copyfile(first, target)
            return
        chosen = self.request.tokenizer
        path = Path(chosen) if isinstance(chosen, str | os.PathLike) else None
        if path is None:
            target.write_text(self.tokenizer.backend.to_str(), encoding="utf-8", newline="")
        else:
            # The unchanged bytes, so that its fingerprint stays.
            shutil.copyfile(path if is_file(path) else path / TOKENIZER_NAME, target)

    def _copy(self, report: Report, cancel: CancelToken) -> dict[str, int] | None:
        """Copy the files of all shards; returns the documents per metadata field."""
        pairs = [
            (path, self.partial / f"{part}.{number}")
            for number, shard in enumerate(self.opened.shards)
            for part, path in _parts(shard.files)
        ]
        total = sum(path.stat().st_size for path, _ in pairs)
        done = 0
        for path, target in pairs:
            for size in _copied(path, target):
                cancel.check()
                done += size
                report(Progress("Copying", done, total, "bytes"))
        # Copied files are what was checked when they were opened, or the work stops here.
        self.opened.check_storage()
        manifests = self.opened.local.manifests
        if any(manifest is None or manifest.metadata_fields is None for manifest in manifests):
            return count_fields(self.partial, cancel)
        listed: list[Any] = [manifest.metadata_fields for manifest in manifests if manifest is not None]
        counts: dict[str, int] | None = reduce(added_up, listed)
        return counts

    def _sorted(self, limit: int, report: Report, cancel: CancelToken) -> tuple[ShardState, ...]:
        """Write the chosen documents to new shards, and sort them."""

        def of_the_whole(progress: Progress) -> None:
            before = 0.0 if progress.stage == "Copying" else _COPYING
            report(replace(progress, before=before, share=_COPYING))

        shards = tuple(self._written(limit, of_the_whole, cancel))
        state = BuildState({}, self.opened.local.token_width, "", self._fingerprint(), 0, {}, shards, complete=True)
        sort_shards(self.partial, state, of_the_whole, cancel)
        return shards

    def _written(self, limit: int, report: Report, cancel: CancelToken) -> Iterator[ShardState]:
        number = 0
        writer = self._writer(number)
        try:
            for shard, document in self._chosen(report, cancel):
                ids = shard.reading(document)
                if writer.document_count and writer.token_count + len(ids) + 1 > limit:
                    yield self._ended(writer)
                    number += 1
                    writer = self._writer(number)
                writer.add_record(shard.metadata.of(document), ids)
            yield self._ended(writer)
        finally:
            writer.close()

    def _ended(self, writer: ShardWriter) -> ShardState:
        """A shard that the drive holds."""
        state = writer.finish()
        for name in state.files:
            sync_path(self.partial / name)
        return state

    def _writer(self, number: int) -> ShardWriter:
        return ShardWriter(self.partial, number, self.opened.local.token_width)

    def _chosen(self, report: Report, cancel: CancelToken) -> Iterator[tuple[MappedShard, int]]:
        assert self.kept is not None
        total, done, first = int(self.kept.sum()), 0, 0
        for shard in self.opened.shards:
            for document in np.flatnonzero(self.kept[first : first + shard.document_count]).tolist():
                if done % 256 == 0:
                    cancel.check()
                    report(Progress("Copying", done, total, "documents"))
                yield shard, document
                done += 1
            first += shard.document_count


def _parts(files: ShardFiles) -> Iterator[tuple[str, Path]]:
    """The files of a shard, each with the name of its part."""
    for part in ("tokenized", "table", "offset", "metadata", "metaoff", "unigram"):
        path = getattr(files, part)
        # Lines of metadata are of no use without their offsets.
        if path is not None and (part not in ("metadata", "metaoff") or None not in (files.metadata, files.metaoff)):
            yield part, path


def _copied(source: Path, target: Path) -> Iterator[int]:
    """Copy a file in pieces, and wait until the drive holds it; yields the bytes of each piece."""
    with open(source, "rb") as read, open(target, "wb") as write:
        while piece := read.read(_CHUNK):
            write.write(piece)
            yield len(piece)
        sync(write)
