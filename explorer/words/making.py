"""Making a word index: an ordinary index folder in the cache, whose tokens are words."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
import time
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from explorer.building.lock import folder_lock
from explorer.building.steps.tables import sort_table
from explorer.core.jobs import CancelToken, Progress, Report
from explorer.errors import BuildError, DamagedIndexError
from explorer.i18n import mark
from explorer.index.manifest import Manifest
from explorer.index.shard import MappedShard
from explorer.index.writer import MAX_SHARD_TOKENS
from explorer.text.tokens.tokenizer import TextTokenizer
from explorer.version import VERSION
from explorer.words.cutting import PLACE_TYPES, SEPARATOR, ShardCutter, place_width
from explorer.words.rule import WordRule
from explorer.words.vocabulary import number_forms

VOCABULARY_NAME = "words.vocab"
_CHUNK = 1 << 20
# Measured: the pass takes about half as long as the sort.
_CUTTING = 0.35
_WHOLE = 8 << 20
"""Bytes up to which all of a file is read when it is checked."""
_NEW = 60
"""Seconds in which a folder is not taken for one that was left."""
_BLOCKS = 64
_BLOCK = 4096


@dataclass(frozen=True)
class WordSource:
    """What a word index is made of.

    shards: The shards of the index, subtracted ones not among them.
    metadata_fields: The number of documents with each metadata field; None if unknown.
    """

    shards: Sequence[MappedShard]
    tokenizer: TextTokenizer
    rule: WordRule
    name: str
    metadata_fields: dict[str, int] | None


def make_word_index(source: WordSource, folder: Path, report: Report, cancel: CancelToken, again: bool = False) -> None:
    """Make a word index under its name; if another process was faster, its folder is kept.

    folder: Where it goes; must not exist.
    cancel: Stops the work; nothing is left of it then.
    again: Whether the words were listed by an older version of the rule, which the progress states.
    Raises `BuildError` if it cannot be written, or a shard has too many words.
    Raises `DamagedIndexError` if the documents of the index are not where its offsets point.

    Notes
    -----
    Memory: the distinct spellings, and what the sort of the largest shard takes, about ten bytes per word.
    """
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        # A name of its own: two processes may make the same index at the same time.
        partial = Path(tempfile.mkdtemp(prefix=f"{folder.name}.", suffix=".part", dir=folder.parent))
        try:
            # As long as this process lives, no other takes it for one that was left.
            with folder_lock(partial):
                _remove_left(folder)
                stage = "Listing words again by the new rule" if again else "Cutting words"
                _write(source, partial, stage, report, cancel)
                _move(partial, folder)
        # Also for Ctrl-C: nobody else knows this folder.
        finally:
            shutil.rmtree(partial, ignore_errors=True)
    except OSError as error:
        raise BuildError(
            mark("The index of words {path} cannot be written: {cause}."),
            reason="cache-unwritable",
            path=folder,
            cause=error.strerror or error,
        ) from error


def _remove_left(folder: Path) -> None:
    """Remove what killed processes left of the same index."""
    for old in folder.parent.glob(f"{folder.name}.*.part"):
        # A new one may be that of another thread, which has not locked it yet.
        if time.time() - old.stat().st_mtime < _NEW:
            continue
        with folder_lock(old) as free:
            if free:
                shutil.rmtree(old, ignore_errors=True)


def _move(partial: Path, folder: Path) -> None:
    try:
        partial.rename(folder)
    except OSError:
        # Another process made the same one meanwhile, as whole as this.
        if not folder.is_dir():
            raise


def _write(source: WordSource, folder: Path, stage: str, report: Report, cancel: CancelToken) -> None:
    total = sum(shard.token_count for shard in source.shards)
    cutter = ShardCutter(source.tokenizer, source.rule)
    before = 0
    for number, shard in enumerate(source.shards):

        def cut_so_far(done: int, before: int = before) -> None:
            report(Progress(stage, before + done, total, "tokens", 0, _CUTTING))

        cutter.write(shard, folder, number, cut_so_far, cancel)
        before += shard.token_count
    vocabulary, words = number_forms(*cutter.spellings(), source.rule, cancel)
    # Its table of hashes is not needed for the sort, which takes most memory.
    del cutter
    cancel.check()
    vocabulary.write(folder / VOCABULARY_NAME)
    # The last entry is for separators, whose number is the largest of all.
    ids = np.append(words, SEPARATOR)
    counts = [_number_words(folder, number, shard, ids, cancel) for number, shard in enumerate(source.shards)]
    _sort(folder, counts, report, cancel)
    _describe(source, folder, sum(counts))


def _sort(folder: Path, counts: Sequence[int], report: Report, cancel: CancelToken) -> None:
    before, total = 0, sum(counts)
    for number, count in enumerate(counts):

        def sorted_so_far(done: int, before: int = before) -> None:
            report(Progress("Sorting words", before + done, total, "words", _CUTTING, 1 - _CUTTING))

        sort_table(folder, number, 4, count, sorted_so_far, cancel)
        before += count


def _number_words(folder: Path, number: int, shard: MappedShard, ids: NDArray[np.int64], cancel: CancelToken) -> int:
    """Write the words of a shard with their ids, without those that the rule drops; how many there are."""
    place_type = PLACE_TYPES[place_width(shard.token_count)]
    raw, kept_places = folder / f"spellings.{number}", folder / f"kept.{number}"
    count = documents = 0
    with (
        open(raw, "rb") as spellings, open(folder / f"places.{number}", "rb") as places,
        open(folder / f"tokenized.{number}", "wb") as tokenized, open(kept_places, "wb") as kept,
        open(folder / f"offset.{number}", "wb") as offset,
    ):  # fmt: skip
        while data := spellings.read(4 * _CHUNK):
            cancel.check()
            words = ids[np.minimum(np.frombuffer(data, dtype="<u4"), len(ids) - 1)]
            where = np.frombuffer(places.read(len(words) * place_type.itemsize), dtype=place_type)
            # Separators have the largest number of all, so they are kept.
            is_kept = words >= 0
            if not is_kept.all():
                words, where = words[is_kept], where[is_kept]
            begins = np.flatnonzero(words == SEPARATOR)
            offset.write((4 * (count + begins)).astype("<u8").tobytes())
            tokenized.write(words.astype("<u4").tobytes())
            kept.write(where.tobytes())
            count += len(words)
            documents += len(begins)
    raw.unlink()
    kept_places.replace(folder / f"places.{number}")
    # A separator in the middle of a document would give its words to another one.
    if documents != shard.document_count:
        raise DamagedIndexError(
            mark("{path} has {found:,} documents, but {separators:,} separators are in the text."),
            reason="documents-differ",
            path=shard.files.offset,
            found=shard.document_count,
            separators=documents,
        )
    if count > MAX_SHARD_TOKENS:
        raise BuildError(
            mark("A shard has {count:,} words, and at most {most:,} can be sorted."),
            reason="too-many-words",
            count=count,
            most=MAX_SHARD_TOKENS,
        )
    return count


def _describe(source: WordSource, folder: Path, count: int) -> None:
    files = {path.name: path.stat().st_size for path in sorted(folder.iterdir())}
    Manifest(
        token_width=4,
        token_count=count,
        document_count=sum(shard.document_count for shard in source.shards),
        shard_count=len(source.shards),
        tokenizer="words",
        tokenizer_sha256="",
        name=source.name,
        parameters={"rule": source.rule.key, "checksums": {name: checksum(folder / name) for name in files}},
        program=f"Corpus Explorer {VERSION}",
        files=files,
        metadata_fields=source.metadata_fields,
    ).write(folder)


def checksum(path: Path) -> str:
    """Compute a checksum of a file: of all of it up to 8 MiB, otherwise of its size and 64 blocks spread over it.

    Notes
    -----
    Blocks find a file that was replaced or cut short, and most that are damaged; `explorer.verify` reads every byte.
    """
    size = path.stat().st_size
    with open(path, "rb") as file:
        if size <= _WHOLE:
            return f"{size}-{zlib.crc32(file.read()):08x}"
        digest = hashlib.sha256()
        for start in _starts(size):
            file.seek(start)
            digest.update(file.read(_BLOCK))
    return f"{size}-{digest.hexdigest()[:32]}"


def _starts(size: int) -> Iterator[int]:
    return iter(np.linspace(0, size - _BLOCK, _BLOCKS).astype(np.int64).tolist())


def remove_word_index(folder: Path) -> None:
    """Remove a damaged word index, whose files may still be mapped by others."""
    # Renamed first: the name is free at once, and nobody opens half of a folder.
    away = folder.with_name(f"{folder.name}.{os.getpid()}.old")
    folder.replace(away)
    shutil.rmtree(away, ignore_errors=True)
