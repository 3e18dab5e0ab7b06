"""The local backend: any number of shards and folders on this machine that answer as one.

Documents are numbered across all shards, in the order in which the folders were given. The answers of an index from
which documents are subtracted (see `explorer.backends.subtract`) are those of its shards without these documents. Which
shards are stored backwards, and what is subtracted, is known in this room and below it only.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.backends import words
from explorer.backends.counting import ShardCounts, ShardMatches
from explorer.backends.cuts import Cutter
from explorer.backends.followed import Follower
from explorer.backends.ngrams import distinct_parts
from explorer.backends.occurrences import NgramOccurrences, some_places
from explorer.backends.places import Located, Places
from explorer.backends.protocol import (
    Capabilities,
    Cut,
    FieldNames,
    Followed,
    Ids,
    LocalFacts,
    LocalPart,
    Matches,
    NextTokens,
    Numbers,
    Occurrences,
    Part,
    TextMatches,
)
from explorer.backends.reading import ShardDocuments
from explorer.backends.shard_set import ShardSet
from explorer.backends.text import ShardTextMatches, TextFinder
from explorer.backends.text_places import TextOccurrences
from explorer.backends.without import without
from explorer.errors import TokenizerError
from explorer.i18n import mark
from explorer.index.key_samples import index_fingerprint
from explorer.index.manifest import Manifest
from explorer.index.shard import MappedShard
from explorer.jobs import CancelToken
from explorer.patterns.pattern import Pattern
from explorer.tokens.tokenizer import TextTokenizer


class ShardBackend:
    """Opened shards with their tokenizer; made by `explorer.backends.open.open_folders`.

    It answers the questions of `explorer.backends.protocol.Backend`, which describes them, by handing each to the part
    that knows the answer: counts, hits, or documents.
    """

    def __init__(
        self,
        shards: ShardSet,
        tokenizer: TextTokenizer | None,
        folders: Sequence[Path],
        manifests: Sequence[Manifest | None],
    ) -> None:
        self._set = shards
        self._tokenizer = tokenizer
        self._counts = ShardCounts(shards)
        self._documents = ShardDocuments(shards, manifests)
        self._follower = Follower(shards, self._counts)
        self._text_finder = TextFinder(shards)
        # For `count`: an attribute of an attribute would cost a tenth of it.
        self._searcher, self._guard, self._are_sums = self._counts.searcher, self._counts.guard, self._counts.are_sums
        self.local = _local_facts(shards, folders, manifests)
        self.separator = shards.separator

    # --- facts ---------------------------------------------------------------------------------

    @property
    def shards(self) -> tuple[MappedShard, ...]:
        """The shards of all folders, for whoever checks files; subtracted ones are not among them."""
        return self._set.shards

    @property
    def capabilities(self) -> Capabilities:
        """All there are."""
        return Capabilities()

    @property
    def name(self) -> str:
        """What to call the index: the name that its manifest gives, or its folders' names."""
        pairs = zip(self.local.folders, self.local.manifests, strict=True)
        return " + ".join(manifest.name if manifest and manifest.name else folder.name for folder, manifest in pairs)

    @property
    def fingerprint(self) -> str:
        """32 hexadecimal digits. Cost: reading some blocks of every shard."""
        return index_fingerprint((*self._set.shards, *self._set.subtraction.minus))

    @property
    def sources(self) -> tuple[str, ...]:
        """The folders as they were given."""
        return tuple(map(str, self.local.folders))

    @property
    def remark(self) -> str:
        """Documents that were to be subtracted and are not here; "" if there are none."""
        return self._set.subtraction.remark

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
        if self._tokenizer is None:
            raise TokenizerError(
                mark(
                    "No tokenizer is known for {name}, so text cannot be searched for or shown. Open it with "
                    "the tokenizer.json that it was built with."
                ),
                reason="tokenizer-unknown",
                name=self.name,
            )
        return self._tokenizer

    def check_storage(self) -> None:
        """Raise DamagedIndexError if a file has changed or vanished since it was opened."""
        for shard in self._set.every:
            shard.check_files(at_once=True)

    # --- counts --------------------------------------------------------------------------------

    def check_ids(self, ids: Ids, allow_empty: bool = False) -> Numbers:
        """The ids as an array; raises QueryError for what cannot be ids of this index."""
        return self._counts.check_ids(ids, allow_empty)

    def count(self, ids: Ids) -> int:
        """Occurrences of an n-gram; the empty one counts tokens. The fastest way to a count, about 2 µs."""
        if self._are_sums:
            with self._guard:
                return self._searcher.count(ids)
        return self._counts.count(ids)

    def continuation(self, context: Ids, token: int) -> tuple[int, int]:
        """Occurrences of the context, and of it with the token after it."""
        return self._counts.continuation(context, token)

    def backed_off(self, context: Ids, token: int) -> tuple[int, int, int]:
        """Length of the longest suffix of the context that occurs, its count, and its count with the token."""
        return self._counts.backed_off(context, token)

    def longest_suffix(self, context: Ids) -> int:
        """Length of the longest suffix of the context that occurs."""
        return self._counts.longest_suffix(context)

    def next_tokens(
        self, context: Ids, backoff: bool = False, limit: int | None = None, cancel: CancelToken | None = None
    ) -> NextTokens:
        """Tokens after a context, or after its longest suffix that occurs; from `limit` occurrences, an estimate."""
        return self._counts.next_tokens(context, backoff, limit, cancel)

    def count_many(self, ids: Numbers, starts: Numbers, ends: Numbers, cancel: CancelToken | None = None) -> Numbers:
        """Counts of the n-grams ids[starts[i]:ends[i]] of one text; an empty one counts every token."""
        return self._counts.count_many(ids, starts, ends, cancel)

    def longest_matches(self, ids: Ids, cancel: CancelToken | None = None) -> Numbers:
        """For each start in a text: length of the longest n-gram from there that occurs."""
        return self._counts.longest_matches(ids, cancel)

    def followed(
        self, ids: Ids, orders: Sequence[int | None], longest: Numbers | None = None, cancel: CancelToken | None = None
    ) -> tuple[Followed, ...]:
        """What each token of a text follows, for several models of it."""
        return self._follower.followed(ids, orders, longest, cancel)

    # --- occurrences ---------------------------------------------------------------------------

    def find(self, ids: Ids) -> ShardMatches:
        """An n-gram's occurrences as rank ranges; the empty one occurs at every token."""
        return self._counts.find(ids)

    def find_text(self, *patterns: Pattern, cancel: CancelToken | None = None) -> ShardTextMatches:
        """Occurrences of any of some patterns as rank ranges."""
        return self._text_finder.find(self.tokenizer, patterns, cancel)

    def occurrences(self, parts: Sequence[Part]) -> Occurrences:
        """The hits of n-grams, or of one value of text patterns; an n-gram that extends another adds none.

        Parameters
        ----------
        parts
            N-grams, or one value of text patterns.

        Returns
        -------
        Occurrences
            The hits, numbered; an n-gram that extends another adds none.

        Raises
        ------
        ValueError
            If there are several values of text patterns: `find_text` takes several patterns.
        """
        patterns = [part for part in parts if isinstance(part, TextMatches)]
        if patterns and len(parts) > 1:
            raise ValueError("several text patterns are one: see `find_text`")
        if patterns:
            return TextOccurrences(self._set, self._documents, self.tokenizer, self._own_text(patterns[0]))
        ngrams = distinct_parts([part for part in parts if isinstance(part, Matches)])
        return NgramOccurrences(self._set, [self._own(ngram) for ngram in ngrams])

    def _own(self, ngram: Matches) -> ShardMatches:
        """The n-gram with its rank ranges; one that another backend found is looked up here."""
        return ngram if isinstance(ngram, ShardMatches) else self.find(ngram.ids)

    def _own_text(self, matches: TextMatches) -> ShardTextMatches:
        return matches if isinstance(matches, ShardTextMatches) else self.find_text(*matches.patterns)

    def some_places(
        self, ids: Numbers, starts: Numbers, ends: Numbers, most: int, seed: int, cancel: CancelToken | None = None
    ) -> tuple[Numbers, Places]:
        """At most `most` places of each n-gram ids[starts[i]:ends[i]] of a text, drawn with the seed."""
        return some_places(self._set, (ids, starts, ends), most, seed, cancel)

    def near(
        self, places: Places, ngrams: Sequence[Sequence[int]], distance: int, cancel: CancelToken | None = None
    ) -> NDArray[np.bool_]:
        """Which places have one of the n-grams within `distance` tokens (between beginnings) in their document."""
        result = np.zeros(len(places), dtype=np.bool_)
        for shard, chosen, documents in self._set.by_shard(places.documents):
            result[chosen] = shard.near(documents, places.offsets[chosen], ngrams, distance, cancel)
        return result

    def word_ranks(self, located: Located, number: int, cancel: CancelToken | None = None) -> Numbers:
        """Rank, among these measured hits, of the word `number` places right of the match (negative: left; 0: it)."""
        return words.word_ranks(self._set, self.tokenizer, located, number, cancel)

    def surroundings(self, located: Located, width: int, cancel: CancelToken | None = None) -> NDArray[np.uint64]:
        """A hash of each measured hit with `width` tokens on both sides: equal for lines that read alike."""
        return words.surroundings(self._set, located, width, cancel)

    def cuts(self, matches: TextMatches, cancel: CancelToken | None = None) -> tuple[Cut, ...]:
        """How occurrences of one literal text were split into tokens, most frequent first."""
        return Cutter(self._set, self._counts, self.tokenizer).cuts(self._own_text(matches), cancel)

    # --- documents -----------------------------------------------------------------------------

    def document_numbers(self) -> Numbers:
        """The numbers of all documents that are not subtracted, ascending."""
        return self._documents.numbers()

    def document_sizes(self) -> Numbers:
        """Tokens of the document of each number, its separator included; 0 for a subtracted one."""
        return self._documents.sizes()

    def check_document(self, number: int) -> None:
        """Raise QueryError for a number without a document."""
        self._set.shard_of(number)

    def document_lengths(self, documents: Numbers) -> Numbers:
        """Tokens of these documents, separators not counted."""
        return self._documents.lengths(documents)

    def windows(self, documents: Numbers, firsts: Numbers, lasts: Numbers) -> list[Numbers]:
        """Tokens [first, last) of each of these documents in reading order; what is outside is cut off."""
        return self._documents.windows(documents, firsts, lasts)

    def tokens_at(self, documents: Numbers, offsets: Numbers) -> Numbers:
        """One token of each of these documents; the separator where a document has no such token."""
        return self._documents.tokens_at(documents, offsets)

    def metadata(self, documents: Numbers) -> list[dict[str, Any]]:
        """The metadata lines of these documents; {} where there is none."""
        return self._documents.metadata(documents)

    def field_names(self) -> FieldNames:
        """Which metadata fields documents have."""
        return self._documents.field_names()

    def has_field(self, name: str, cancel: CancelToken | None = None) -> bool:
        """Whether any document has a metadata field; reads all metadata where names are not complete."""
        return self._documents.has_field(name, cancel)

    def documents_like(self, number: int) -> list[int]:
        """A document and every other of the same tokens."""
        return self._documents.like(number)

    def without(self, documents: Sequence[int], cancel: CancelToken | None = None) -> ShardBackend:
        """The same index without these documents, and without every other of the same tokens."""
        every = sorted({copy for number in documents for copy in self.documents_like(number)})
        if not every:
            return self
        less = without(self._set, every, cancel)
        return ShardBackend(less, self._tokenizer, self.local.folders, self.local.manifests)


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
        to_subtract=shards.subtraction.documents,
        not_found=shards.subtraction.unmatched,
    )
