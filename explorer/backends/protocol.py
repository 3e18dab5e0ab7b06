"""The seam to storage: what the program asks of an index, and nothing else of it.

Search, trace, agreement and export know a `Backend` only. They name documents by their number and tokens by their
offset in a document; ranks, shards, reversed texts and subtracted documents are known behind the seam only. Every
question takes many items, so that a backend on another machine answers a page of lines, or a text, in a request or two.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from explorer.backends.places import Located, Places
from explorer.backends.values import (
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
    Part,
    TextMatches,
)
from explorer.jobs import CancelToken
from explorer.patterns.pattern import Pattern
from explorer.tokens.tokenizer import TextTokenizer

__all__ = [
    "Backend",
    "Capabilities",
    "Cut",
    "FieldNames",
    "Followed",
    "Ids",
    "LocalFacts",
    "LocalPart",
    "Matches",
    "NextTokens",
    "Numbers",
    "Occurrences",
    "Part",
    "TextMatches",
]


class Occurrences(Protocol):
    """The hits of n-grams or of a text pattern, numbered from 0 in an order that the backend chooses.

    The numbers of one value stay the same as long as the index is open.
    """

    @property
    def total(self) -> int:
        """Number of numbers."""

    @property
    def count(self) -> int:
        """Hits that are shown: at most `total`."""

    @property
    def sieved(self) -> bool:
        """Whether some numbers may be of hits that are never shown, so that `shown` must be asked."""

    def locate(self, numbers: Numbers) -> Located:
        """Where some hits are.

        Parameters
        ----------
        numbers
            int64 array of numbers below `total`, in any order.

        Returns
        -------
        Located
            One entry per number; hits of a text pattern without their ends: see `measured`.
        """

    def shown(self, located: Located) -> NDArray[np.bool_]:
        """Which of some hits count: one entry per hit."""

    def measured(self, located: Located, cancel: CancelToken | None = None) -> Located:
        """Find the ends of some hits.

        Parameters
        ----------
        located
            Hits as `locate` gives them.
        cancel
            Stops the work.

        Returns
        -------
        Located
            The same hits with their ends.

        Notes
        -----
        Costs nothing for n-grams. A text pattern's hits are read, about ten microseconds each for an expression.
        """


class Backend(Protocol):
    """An open index, wherever and however it is stored.

    Documents have the numbers 0 to `document_slots` - 1; a number without a document is never in an answer. All answers
    are of one moment: the type of an answer states whether it is exact. Every method may be called from any thread, and
    raises `CorpusError`: a method without the capability that it needs raises `CapabilityError`, and one with a
    `cancel` that was set raises `Cancelled`. Arrays of numbers are int64.
    """

    # --- facts ---------------------------------------------------------------------------------

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
        """A remark about what was opened, for the user who opened it; "" for none."""

    @property
    def capabilities(self) -> Capabilities:
        """What can be asked."""

    @property
    def local(self) -> LocalFacts | None:
        """Its folders and files; None for an index that is not in folders on this machine."""

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

    def check_storage(self) -> None:
        """Raise CorpusError if what holds the index has changed or vanished since it was opened."""

    # --- counts --------------------------------------------------------------------------------

    def check_ids(self, ids: Ids, allow_empty: bool = False) -> Numbers:
        """Check token ids.

        Parameters
        ----------
        ids
            The ids, in reading order.
        allow_empty
            Whether there may be none.

        Returns
        -------
        Numbers
            The ids as an array.

        Raises
        ------
        QueryError
            If they are not whole numbers, or not ids of this index.
        """

    def count(self, ids: Ids) -> int:
        """Occurrences of an n-gram; the empty one counts tokens. Cost: the least of all ways to one count."""

    def continuation(self, context: Ids, token: int) -> tuple[int, int]:
        """Count a context and a token after it.

        Parameters
        ----------
        context
            Token ids; may be empty.
        token
            The id of the token.

        Returns
        -------
        tuple[int, int]
            Occurrences of the context, and of it with the token after it.

        Raises
        ------
        QueryError
            If an id is not one of this index.
        """

    def backed_off(self, context: Ids, token: int) -> tuple[int, int, int]:
        """Count the longest suffix of a context that occurs, and a token after it.

        Parameters
        ----------
        context
            Token ids; may be empty.
        token
            The id of the token.

        Returns
        -------
        tuple[int, int, int]
            Tokens of the suffix, its occurrences, and its occurrences with the token after it.

        Raises
        ------
        QueryError
            If an id is not one of this index.
        """

    def longest_suffix(self, context: Ids) -> int:
        """Length of the longest suffix of the context that occurs."""

    def next_tokens(
        self, context: Ids, backoff: bool = False, limit: int | None = None, cancel: CancelToken | None = None
    ) -> NextTokens:
        """Count the tokens that follow a context.

        Parameters
        ----------
        context
            Token ids; may be empty.
        backoff
            Whether to take the longest suffix of the context that occurs.
        limit
            Occurrences to look at, at most, 1 or more; None for an exact answer.
        cancel
            Stops the count.

        Returns
        -------
        NextTokens
            The tokens, most frequent first, with their counts.

        Raises
        ------
        CapabilityError
            Without a limit, if `capabilities.next_tokens` is False.

        Notes
        -----
        Cost: grows with the number of distinct tokens, or with the limit.
        """

    def count_many(self, ids: Numbers, starts: Numbers, ends: Numbers, cancel: CancelToken | None = None) -> Numbers:
        """Count many n-grams of one text.

        Parameters
        ----------
        ids
            Checked ids of the text.
        starts
            The first token of each n-gram.
        ends
            One past the last token of each; 0 ≤ start ≤ end ≤ len(ids), and n-gram i is ids[starts[i]:ends[i]].
        cancel
            Stops the count.

        Returns
        -------
        numpy.ndarray
            One count per n-gram. An empty n-gram counts every token.

        Notes
        -----
        Cost: one search per n-gram. Consecutive n-grams with one start and growing ends cost no more than the longest.
        """

    def longest_matches(self, ids: Ids, cancel: CancelToken | None = None) -> Numbers:
        """Find the longest n-gram from each token of a text on that occurs.

        Parameters
        ----------
        ids
            Token ids of the text; may be empty.
        cancel
            Stops the search.

        Returns
        -------
        Numbers
            Its length in tokens; 0 for a token that does not occur.

        Notes
        -----
        The cost grows with the text's length, also where matches are long.
        """

    def followed(
        self, ids: Ids, orders: Sequence[int | None], longest: Numbers | None = None, cancel: CancelToken | None = None
    ) -> tuple[Followed, ...]:
        """Find out what each token of a text follows, for several models of it.

        Parameters
        ----------
        ids
            Token ids of the text.
        orders
            One entry per model: most tokens of an n-gram, its last one included (5: up to 4 tokens of context); None
            for the longest context that occurs.
        longest
            The longest matches of this text, if they are known.
        cancel
            Stops the work.

        Returns
        -------
        tuple[Followed, ...]
            One answer per order, with one entry per token.

        Notes
        -----
        Cost: a few searches per token and order.
        """

    # --- occurrences ---------------------------------------------------------------------------

    def find(self, ids: Ids) -> Matches:
        """An n-gram's occurrences; the empty one occurs at every token."""

    def find_text(self, *patterns: Pattern, cancel: CancelToken | None = None) -> TextMatches:
        """Find the occurrences of any of some patterns.

        Parameters
        ----------
        patterns
            The patterns, at least one.
        cancel
            Stops the search.

        Returns
        -------
        TextMatches
            The patterns with their count, and what is needed to find them again.

        Raises
        ------
        QueryError
            For a pattern that is too broad or cannot be understood.
        CapabilityError
            If `capabilities.text_patterns` is False.

        Notes
        -----
        A few milliseconds, which grow with the vocabulary and hardly with the index; once per tokenizer a second.
        """

    def occurrences(self, parts: Sequence[Part]) -> Occurrences:
        """The hits of n-grams, or of one value of text patterns; an n-gram that extends another adds none."""

    def some_places(
        self, ids: Numbers, starts: Numbers, ends: Numbers, most: int, seed: int, cancel: CancelToken | None = None
    ) -> tuple[Numbers, Places]:
        """Draw some places of each of many n-grams of one text, which must not contain separators.

        Parameters
        ----------
        ids
            Checked ids of the text.
        starts
            The first token of each n-gram, as in `count_many`.
        ends
            One past the last token of each, as in `count_many`.
        most
            Places per n-gram.
        seed
            Decides which ones are drawn if an n-gram occurs more often.
        cancel
            Stops the work.

        Returns
        -------
        tuple[Numbers, Places]
            The numbers i, ascending, one per place; and the places.

        Notes
        -----
        Cost: one search per n-gram, and a look-up per place.
        """

    def near(
        self, places: Places, ngrams: Sequence[Sequence[int]], distance: int, cancel: CancelToken | None = None
    ) -> NDArray[np.bool_]:
        """Tell which places have one of some n-grams nearby, in their document.

        Parameters
        ----------
        places
            The places.
        ngrams
            The n-grams.
        distance
            The most tokens between both beginnings, in either direction.
        cancel
            Stops the search.

        Returns
        -------
        NDArray[np.bool_]
            One bool per place.

        Notes
        -----
        The cost grows with places × distance × n-grams, since the text around each place is read.
        """

    def word_ranks(self, located: Located, number: int, cancel: CancelToken | None = None) -> Numbers:
        """Rank hits by a word next to them.

        Parameters
        ----------
        located
            Measured hits: see `Occurrences.measured`.
        number
            The word: 1 is the first right of the match, -1 the first left of it, 0 the match itself.
        cancel
            Stops the work.

        Returns
        -------
        numpy.ndarray
            One rank per hit, from 0, equal for equal words. Words compare by their first 32 bytes, letters A to Z as a
            to z; a hit without such a word comes first.

        Raises
        ------
        CapabilityError
            If `capabilities.sorting` is False.
        """

    def surroundings(self, located: Located, width: int, cancel: CancelToken | None = None) -> NDArray[np.uint64]:
        """Hash the tokens around hits: lines that read alike have equal hashes.

        Parameters
        ----------
        located
            Measured hits: see `Occurrences.measured`.
        width
            Tokens on both sides.
        cancel
            Stops the work.

        Returns
        -------
        NDArray[np.uint64]
            One hash per hit.

        Raises
        ------
        CapabilityError
            If `capabilities.sorting` is False.
        """

    def cuts(self, matches: TextMatches, cancel: CancelToken | None = None) -> tuple[Cut, ...]:
        """Find out how occurrences of one literal text were split into tokens.

        Parameters
        ----------
        matches
            The occurrences.
        cancel
            Stops the search.

        Returns
        -------
        tuple[Cut, ...]
            The ways, most frequent first.

        Notes
        -----
        One read per n-gram in which the text occurs.
        """

    # --- documents -----------------------------------------------------------------------------

    def document_numbers(self) -> Numbers:
        """The numbers of all documents, ascending."""

    def document_sizes(self) -> Numbers:
        """Tokens of the document of each number, its separator included; 0 for a number without a document.

        Returns
        -------
        numpy.ndarray
            `document_slots` entries, whose sum is `token_count`.
        """

    def check_document(self, number: int) -> None:
        """Raise QueryError for a number without a document."""

    def document_lengths(self, documents: Numbers) -> Numbers:
        """Tokens of these documents, separators not counted; raises QueryError for a number without a document."""

    def windows(self, documents: Numbers, firsts: Numbers, lasts: Numbers) -> list[Numbers]:
        """Read some tokens of each of some documents, in reading order; what is outside a document is cut off.

        Parameters
        ----------
        documents
            Numbers of documents, which may repeat.
        firsts
            The first token of each window; may be negative, or beyond the document's end.
        lasts
            One past the last token of each window; likewise.

        Returns
        -------
        list of numpy.ndarray
            One array per window; empty where nothing is left.

        Raises
        ------
        QueryError
            For a number without a document.
        """

    def tokens_at(self, documents: Numbers, offsets: Numbers) -> Numbers:
        """Read one token of each of some documents.

        Parameters
        ----------
        documents
            Numbers of documents, which may repeat.
        offsets
            The token's offset in each.

        Returns
        -------
        Numbers
            Token ids; the separator where a document has no such token.
        """

    def metadata(self, documents: Numbers) -> list[dict[str, Any]]:
        """The metadata lines of these documents; {} where there is none."""

    def field_names(self) -> FieldNames:
        """Which metadata fields documents have.

        Cost: reading, once, some documents of each part of the index that does not list its fields.
        """

    def has_field(self, name: str, cancel: CancelToken | None = None) -> bool:
        """Tell whether any document has a metadata field.

        Parameters
        ----------
        name
            The name of the field.
        cancel
            Stops the search.

        Returns
        -------
        bool
            Whether one has it.

        Notes
        -----
        Reads all metadata if the names are not complete.
        """

    def documents_like(self, number: int) -> list[int]:
        """A document and every other of the same tokens, ascending."""

    def without(self, documents: Sequence[int], cancel: CancelToken | None = None) -> Backend:
        """Leave out documents, and every other of the same tokens.

        Parameters
        ----------
        documents
            Numbers of documents.
        cancel
            Stops the work.

        Returns
        -------
        Backend
            The same index without them.

        Raises
        ------
        QueryError
            If the documents are too large to be left out.
        CapabilityError
            If `capabilities.subtraction` is False.

        Notes
        -----
        Cost: for local indexes, reading the documents and sorting their tokens.
        """
