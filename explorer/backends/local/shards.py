"""The local backend: any number of shards and folders on this machine that answer as one.

Documents are numbered across all shards, in the order in which the folders were given. The answers of an index from
which documents are subtracted (see `explorer.backends.local.subtracting.subtract`) are those of its shards without
these documents. Which shards are stored backwards, and what is subtracted, is known in this room and below it only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from explorer.backends.local.counting import ShardCounts
from explorer.backends.local.hits import ShardHits
from explorer.backends.local.lists.lists import ShardLists
from explorer.backends.local.reading import ShardDocuments
from explorer.backends.local.shard_set import ShardSet
from explorer.backends.local.subtracting.without import within, without
from explorer.backends.protocol.locations import Holding, Subtracted
from explorer.backends.protocol.protocol import Capabilities, LocalFacts, LocalPart, Numbers
from explorer.backends.request import IndexRequest
from explorer.core.jobs import CancelToken
from explorer.errors import QueryError, TokenizerError
from explorer.i18n import mark
from explorer.index.key_samples import index_fingerprint
from explorer.index.manifest import Manifest
from explorer.index.shard import MappedShard
from explorer.text.tokens.tokenizer import TextTokenizer

Opening = tuple[Callable[..., "ShardBackend"], tuple[Any, ...]]
"""A function that opens an index, which pickle finds by its name, and its arguments."""


class ShardBackend:
    """Opened shards with their tokenizer; made by `explorer.backends.local.open.open_folders`.

    Its parts answer the questions of `explorer.backends.protocol.protocol.Backend`, which describes them.
    """

    def __init__(
        self,
        shards: ShardSet,
        tokenizer: TextTokenizer | None,
        folders: Sequence[Path],
        manifests: Sequence[Manifest | None],
        opening: Opening | None = None,
        unusable: TokenizerError | None = None,
    ) -> None:
        self._set = shards
        self._opening = opening
        # Why there is no tokenizer, where one was remembered.
        self._unusable = unusable
        self._tokenizer = tokenizer
        self.local = _local_facts(shards, folders, manifests)
        # Now: a relative folder means another one after the process changed its own.
        self.sources = tuple(str(folder.resolve()) for folder in folders)
        # A bound method would keep the index, and with it the mapped files, alive until the next garbage collection.
        self._required = partial(_required, tokenizer, _name(self.local), unusable)
        self.counts = ShardCounts(shards)
        self.documents = ShardDocuments(shards, manifests)
        self.lists = ShardLists(shards)
        # Hits ask counts and documents, never the other way round.
        self.hits = ShardHits(shards, self.counts, self.documents, self._required)
        self.separator = shards.separator

    # --- facts ---------------------------------------------------------------------------------

    @property
    def shards(self) -> tuple[MappedShard, ...]:
        """The shards of all folders, for whoever checks files; subtracted ones are not among them."""
        return self._set.shards

    @property
    def key(self) -> tuple[object, ...] | None:
        """What was opened, and how: equal for the same; None if it was not opened from folders."""
        return None if self._opening is None else tuple(map(_part_of_key, _flat(self._opening)))

    @property
    def capabilities(self) -> Capabilities:
        """All there are."""
        return Capabilities()

    @property
    def name(self) -> str:
        """What to call the index: the name that its manifest gives, or its folders' names."""
        return _name(self.local)

    @property
    def fingerprint(self) -> str:
        """32 hexadecimal digits. Cost: reading some blocks of every shard."""
        # What is restored follows from what is subtracted, unless documents were chosen.
        subtraction = self._set.subtraction
        chosen = subtraction.restored if any(shard in subtraction.minus for shard in self.shards) else ()
        return index_fingerprint((*self._set.shards, *subtraction.minus, *chosen))

    @property
    def remark(self) -> str:
        """Documents that were to be subtracted and are not here; "" if there are none."""
        return self.subtracted.remark

    @property
    def subtracted(self) -> Subtracted:
        """How many documents there were to subtract when it was opened."""
        return self._set.subtraction.asked

    @property
    def missing(self) -> tuple[str, ...]:
        """Nothing: a folder that cannot be read is an error."""
        return ()

    @property
    def token_count(self) -> int:
        """Number of tokens, including separators, without those of the subtracted documents."""
        return self._set.token_count

    @property
    def document_count(self) -> int:
        """Documents of all folders; subtracted ones keep their numbers but are never shown."""
        return self.document_slots - len(self._set.subtraction.left_out)

    @property
    def document_slots(self) -> int:
        """One more than the largest document number, subtracted documents included."""
        return self._set.document_slots

    @property
    def has_tokenizer(self) -> bool:
        """Whether text can be put in and read out."""
        return self._tokenizer is not None

    @property
    def tokenizer(self) -> TextTokenizer:
        """The tokenizer; raises TokenizerError where none is known."""
        return self._required()

    def check_storage(self) -> None:
        """Raise DamagedIndexError if a file has changed or vanished since it was opened."""
        # Also the subtracted ones: a count is wrong if any of them changed.
        for shard in self._set.every:
            shard.check_files(at_once=True)

    def holdings(self) -> tuple[Holding, ...]:
        """None: all is on this machine."""
        return ()

    def without(self, documents: Sequence[int], cancel: CancelToken | None = None) -> ShardBackend:
        """The same index without these documents, and without every other of the same tokens."""
        # All copies: an index without a document must not hold its text under another number.
        every = sorted({copy for number in documents for copy in self.documents.like(number)})
        if not every:
            return self
        less = without(self._set, every, cancel)
        # A pickle has the numbers, not the temporary shard.
        opening = (_reopen_without, (*self._opening, tuple(every))) if self._opening else None
        return ShardBackend(less, self._tokenizer, self.local.folders, self.local.manifests, opening, self._unusable)

    def within(self, documents: Numbers, cancel: CancelToken | None = None) -> ShardBackend:
        """The same index with no other documents than these, which keep their numbers."""
        chosen = within(self._set, documents, cancel)
        if chosen is self._set:
            return self
        opening = (_reopen_within, (*self._opening, documents.tobytes())) if self._opening else None
        return ShardBackend(chosen, self._tokenizer, self.local.folders, self.local.manifests, opening, self._unusable)

    def __reduce__(self) -> Opening:
        # Files are mapped again, so processes on one machine share their memory.
        if self._opening is None:
            raise QueryError(
                mark("{name} cannot be sent to another process: it was not opened from a folder."),
                reason="cannot-be-pickled",
                name=self.name,
            )
        return self._opening


def _reopen_without(
    opened: Callable[..., ShardBackend], arguments: tuple[Any, ...], documents: Sequence[int]
) -> ShardBackend:
    """Open an index from which documents were left out."""
    return opened(*arguments).without(documents)


def _reopen_within(opened: Callable[..., ShardBackend], arguments: tuple[Any, ...], documents: bytes) -> ShardBackend:
    """Open an index, and choose documents of it."""
    return opened(*arguments).within(np.frombuffer(documents, dtype=np.int64))


def _flat(value: object) -> Iterator[object]:
    """The values of nested tuples."""
    if isinstance(value, tuple):
        for part in value:
            yield from _flat(part)
    else:
        yield value


def _part_of_key(value: object) -> object:
    return value.key if isinstance(value, IndexRequest) else value


def _local_facts(shards: ShardSet, folders: Sequence[Path], manifests: Sequence[Manifest | None]) -> LocalFacts:
    """What the folders are."""

    def files_of(shard: MappedShard) -> tuple[Path, ...]:
        return (shard.files.tokenized, shard.files.table, shard.files.offset)

    parts = [
        LocalPart(
            folder=shard.files.tokenized.parent,
            files=files_of(shard),
            documents=shard.document_count,
            pointer_width=shard.widths.pointer,
            backwards=shard.reversed_text,
        )
        for shard in shards.shards
    ]
    return LocalFacts(
        folders=tuple(folders),
        manifests=tuple(manifests),
        parts=tuple(parts),
        watched=tuple(path for shard in shards.every for path in files_of(shard)),
        token_width=shards.token_width,
    )


def _name(local: LocalFacts) -> str:
    """The names of all folders."""
    pairs = zip(local.folders, local.manifests, strict=True)
    return " + ".join(manifest.name if manifest and manifest.name else folder.name for folder, manifest in pairs)


def _required(tokenizer: TextTokenizer | None, name: str, unusable: TokenizerError | None) -> TextTokenizer:
    """The tokenizer of the index; raises TokenizerError if none is known."""
    if tokenizer is None:
        if unusable is not None:
            raise unusable
        raise TokenizerError(
            mark("No tokenizer is known for {name}, so text cannot be searched for or shown."),
            reason="tokenizer-unknown",
            name=name,
        )
    return tokenizer
