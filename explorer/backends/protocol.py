"""The seam to storage: what the program asks of an index, and nothing else of it.

Search, trace, agreement and export know a `Backend` only. They name documents by their number and tokens by their
offset in a document; ranks, shards, reversed texts and subtracted documents are known behind the seam only. Every
question takes many items, so that a backend on another machine answers a page of lines, or a text, in a request or two.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from explorer.backends.places import Located, Places
from explorer.jobs import CancelToken
from explorer.patterns.pattern import Pattern
from explorer.tokens.tokenizer import TextTokenizer

Ids = Sequence[int] | NDArray[Any]
"""Token ids, in reading order."""
Numbers = NDArray[np.int64]


@dataclass(frozen=True)
class Capabilities:
    """What a backend can do. A screen asks before it offers something, and shows `why_not` where it cannot.

    Attributes
    ----------
    next_tokens
        Exact next tokens and their counts; without it only an estimate from a `limit` of occurrences.
    text_patterns
        Occurrences of a text or of a regular expression, whatever the tokenizer did.
    sorting
        Words around hits, to sort and to merge lines by.
    metadata
        Metadata of documents.
    documents
        Any document by its number, and any part of it.
    sizes
        Tokens of every document, for dispersion and rates.
    subtraction
        The same index without some of its documents.
    local_files
        Files on this machine that can be watched and checked.
    why_not
        One sentence about what is missing; empty if nothing is.
    """

    next_tokens: bool = True
    text_patterns: bool = True
    sorting: bool = True
    metadata: bool = True
    documents: bool = True
    sizes: bool = True
    subtraction: bool = True
    local_files: bool = True
    why_not: str = ""


@dataclass(frozen=True)
class Matches:
    """An n-gram and the number of its occurrences; a backend may add what it needs to find them again."""

    ids: tuple[int, ...]
    count: int

    @property
    def length(self) -> int:
        """Tokens of the n-gram."""
        return len(self.ids)


@dataclass(frozen=True)
class TextMatches:
    """Text patterns and the number of places at which any of them occurs."""

    patterns: tuple[Pattern, ...]
    count: int


Part = Matches | TextMatches
"""What can have occurrences: an n-gram, or some text patterns."""


@dataclass(frozen=True, eq=False)
class NextTokens:
    """Tokens that follow a context, most frequent first, then by id, with their counts.

    The separator is the end of a document. `exact` is False for an estimate from `sample_size` occurrences.
    """

    tokens: Numbers
    counts: Numbers
    context_count: int
    context_length: int
    exact: bool = True
    sample_size: int = 0


@dataclass(frozen=True, eq=False)
class Followed:
    """How often the context of each token of a text occurs, and how often the token follows it.

    starts: first token of each context, which ends before the token. sparse: whether the same token follows every
    occurrence of the context.
    """

    starts: Numbers
    context: Numbers
    continuation: Numbers
    sparse: NDArray[np.bool_]


@dataclass(frozen=True)
class FieldNames:
    """Names of metadata fields; complete: whether no document has any other."""

    names: tuple[str, ...]
    complete: bool


@dataclass(frozen=True)
class Cut:
    """One way in which the tokenizer split occurrences of a text.

    tokens: those that hold an occurrence. begin: bytes of the first one before it.
    """

    tokens: tuple[int, ...]
    begin: int
    count: int


class Occurrences(Protocol):
    """The hits of n-grams or of a text pattern, numbered from 0 in an order that the backend chooses.

    `total` is the number of numbers; `count` is less the hits that are never shown, and `sieved` tells whether there
    are such hits. The numbers of one value stay the same as long as the index is open.
    """

    @property
    def total(self) -> int:
        """Numbers of hits."""

    @property
    def count(self) -> int:
        """Hits."""

    @property
    def sieved(self) -> bool:
        """Whether some numbers are of hits that are never shown."""

    def locate(self, numbers: Numbers) -> Located:
        """Where these hits are; of a text pattern without their ends."""

    def shown(self, located: Located) -> NDArray[np.bool_]:
        """Which of the hits count."""

    def measured(self, located: Located, cancel: CancelToken | None = None) -> Located:
        """The same hits with their ends."""


class Backend(Protocol):
    """An open index, wherever and however it is stored.

    Documents have the numbers 0 to `document_slots` - 1; a number without a document is never in an answer. All answers
    are of one moment: what is not exact says so in its type. Every method raises `CorpusError`; a method without the
    capability it needs raises `CapabilityError`.
    """

    @property
    def name(self) -> str:
        """What to call the index."""

    @property
    def fingerprint(self) -> str:
        """Equal for equal contents, whatever their place."""

    @property
    def sources(self) -> tuple[str, ...]:
        """Where the index is: folders or addresses, in the order in which they were given."""

    @property
    def remark(self) -> str:
        """A remark about what was opened, for the person who opened it; "" for none."""

    @property
    def capabilities(self) -> Capabilities:
        """What can be asked."""

    @property
    def token_count(self) -> int:
        """Tokens, including a separator for each document."""

    @property
    def document_count(self) -> int:
        """Documents."""

    @property
    def document_slots(self) -> int:
        """One more than the largest document number."""

    @property
    def separator(self) -> int:
        """The token before each document; ids are 0 to this one."""

    @property
    def has_tokenizer(self) -> bool:
        """Whether text can be put in and read out."""

    @property
    def tokenizer(self) -> TextTokenizer:
        """The tokenizer; raises TokenizerError where none is known."""

    # --- counts --------------------------------------------------------------------------------

    def check_ids(self, ids: Ids, allow_empty: bool = False) -> Numbers:
        """The ids as an array; raises QueryError for what cannot be ids of this index."""

    def count(self, ids: Ids) -> int:
        """Occurrences of an n-gram; the empty one counts tokens."""

    def continuation(self, context: Ids, token: int) -> tuple[int, int]:
        """Occurrences of the context, and of it with the token after it."""

    def backed_off(self, context: Ids, token: int) -> tuple[int, int, int]:
        """Length of the longest suffix of the context that occurs, its count, and its count with the token."""

    def longest_suffix(self, context: Ids) -> int:
        """Length of the longest suffix of the context that occurs."""

    def next_tokens(
        self, context: Ids, backoff: bool = False, limit: int | None = None, cancel: CancelToken | None = None
    ) -> NextTokens:
        """Tokens after a context, or after its longest suffix that occurs; from `limit` occurrences, an estimate."""

    def count_many(self, ids: Numbers, starts: Numbers, ends: Numbers, cancel: CancelToken | None = None) -> Numbers:
        """Counts of the n-grams ids[starts[i]:ends[i]] of one text; an empty one counts every token."""

    def longest_matches(self, ids: Ids, cancel: CancelToken | None = None) -> Numbers:
        """For each start in a text: length of the longest n-gram from there that occurs."""

    def followed(
        self, ids: Ids, orders: Sequence[int | None], longest: Numbers | None = None, cancel: CancelToken | None = None
    ) -> tuple[Followed, ...]:
        """What each token of a text follows, for several models of it.

        order: tokens of an n-gram with its continuation; None for the longest context that occurs.
        """

    # --- occurrences ---------------------------------------------------------------------------

    def find(self, ids: Ids) -> Matches:
        """An n-gram's occurrences; the empty one occurs at every token."""

    def find_text(self, *patterns: Pattern, cancel: CancelToken | None = None) -> TextMatches:
        """Occurrences of any of some patterns; raises QueryError for one that is too broad or means nothing."""

    def occurrences(self, parts: Sequence[Part]) -> Occurrences:
        """The hits of n-grams, or of one value of text patterns; an n-gram that extends another adds none."""

    def some_places(
        self, ids: Numbers, starts: Numbers, ends: Numbers, most: int, seed: int, cancel: CancelToken | None = None
    ) -> tuple[Numbers, Places]:
        """At most so many places of each n-gram ids[starts[i]:ends[i]] of a text, drawn with the seed.

        Returns the numbers i, ascending, and the places.
        """

    def near(
        self, places: Places, ngrams: Sequence[Sequence[int]], distance: int, cancel: CancelToken | None = None
    ) -> NDArray[np.bool_]:
        """Which places have one of the n-grams within `distance` tokens (between beginnings) in their document."""

    def word_ranks(self, located: Located, number: int, cancel: CancelToken | None = None) -> Numbers:
        """Rank, among these measured hits, of the word `number` places right of the match (negative: left; 0: it)."""

    def surroundings(self, located: Located, width: int, cancel: CancelToken | None = None) -> NDArray[np.uint64]:
        """A hash of each measured hit with `width` tokens on both sides: equal for lines that read alike."""

    def cuts(self, matches: TextMatches, cancel: CancelToken | None = None) -> tuple[Cut, ...]:
        """How occurrences of one literal text were split into tokens, most frequent first."""

    # --- documents -----------------------------------------------------------------------------

    def document_numbers(self) -> Numbers:
        """The numbers of all documents, ascending."""

    def document_sizes(self) -> Numbers:
        """Tokens of the document of each number, its separator included; 0 for a number without a document."""

    def check_document(self, number: int) -> None:
        """Raise QueryError for a number without a document."""

    def document_lengths(self, documents: Numbers) -> Numbers:
        """Tokens of these documents, separators not counted."""

    def windows(self, documents: Numbers, firsts: Numbers, lasts: Numbers) -> list[Numbers]:
        """Tokens [first, last) of each of these documents in reading order; what lies outside is cut off."""

    def tokens_at(self, documents: Numbers, offsets: Numbers) -> Numbers:
        """One token of each of these documents; the separator where a document has no such token."""

    def metadata(self, documents: Numbers) -> list[dict[str, Any]]:
        """The metadata lines of these documents; {} where there is none."""

    def field_names(self) -> FieldNames:
        """Which metadata fields documents have."""

    def has_field(self, name: str, cancel: CancelToken | None = None) -> bool:
        """Whether any document has a metadata field; reads all metadata where names are not complete."""

    def documents_like(self, number: int) -> list[int]:
        """A document and every other of the same tokens."""

    def without(self, documents: Sequence[int], cancel: CancelToken | None = None) -> Backend:
        """The same index without these documents, and without every other of the same tokens."""
