"""The seam to storage: what the program asks of an index, and nothing else of it.

Search, trace, agreement and export know a `Backend` only. They name documents by their number and tokens by their
offset in a document; ranks, shards, reversed texts and subtracted documents are known behind the seam only. Every
question takes many items, so that a backend on another machine answers a page of lines, or a text, in a request or two.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from explorer.backends.protocol.count_questions import CountQuestions
from explorer.backends.protocol.document_questions import DocumentQuestions
from explorer.backends.protocol.hit_questions import HitQuestions, Occurrences
from explorer.backends.protocol.list_questions import ListQuestions
from explorer.backends.protocol.list_values import (
    GrowthRule,
    NgramGrowth,
    NgramList,
    NgramRows,
    NgramRule,
    RepeatPiece,
    RepeatProfile,
    Runs,
)
from explorer.backends.protocol.locations import Holding, LocalFacts, LocalPart, Subtracted
from explorer.backends.protocol.values import (
    Capabilities,
    Cut,
    FieldNames,
    Followed,
    HintArrays,
    HintRule,
    Ids,
    Level,
    Matches,
    NextTokens,
    Numbers,
    Part,
    TextMatches,
)
from explorer.core.jobs import CancelToken
from explorer.text.tokens.tokenizer import TextTokenizer

__all__ = [
    "Backend",
    "Capabilities",
    "CountQuestions",
    "Cut",
    "DocumentQuestions",
    "FieldNames",
    "Followed",
    "GrowthRule",
    "HintArrays",
    "HintRule",
    "HitQuestions",
    "Holding",
    "Ids",
    "Level",
    "ListQuestions",
    "LocalFacts",
    "LocalPart",
    "Matches",
    "NextTokens",
    "NgramGrowth",
    "NgramList",
    "NgramRows",
    "NgramRule",
    "Numbers",
    "Occurrences",
    "Part",
    "RepeatPiece",
    "RepeatProfile",
    "Runs",
    "Subtracted",
    "TextMatches",
]


class Backend(Protocol):
    """An open index, wherever and however it is stored.

    Documents have the numbers 0 to `document_slots` - 1; a number without a document is never in an answer. All answers
    are of one moment: the type of an answer states whether it is exact. Every method may be called from any thread, and
    raises `CorpusError`: a method without the capability that it needs raises `CapabilityError`, and one with a
    `cancel` that was set raises `Cancelled`. Arrays of numbers are int64.

    The questions are grouped by topic: `counts`, `hits`, `documents` and `lists`.
    """

    @property
    def counts(self) -> CountQuestions:
        """How often n-grams occur, and what follows them."""

    @property
    def hits(self) -> HitQuestions:
        """Where n-grams and texts occur, and what is around them."""

    @property
    def documents(self) -> DocumentQuestions:
        """Documents by their number."""

    @property
    def lists(self) -> ListQuestions:
        """All n-grams at once."""

    @property
    def name(self) -> str:
        """What to call the index."""

    @property
    def fingerprint(self) -> str:
        """Equal for equal contents, whatever their place."""

    @property
    def sources(self) -> tuple[str, ...]:
        """Where the index is, from anywhere on this machine: absolute folders or addresses, in the order given."""

    @property
    def remark(self) -> str:
        """A remark about what was opened, for the user who opened it; "" for none."""

    @property
    def subtracted(self) -> Subtracted:
        """What was to be subtracted when the index was opened here; nothing is known of what a server subtracts."""

    @property
    def missing(self) -> tuple[str, ...]:
        """Parts of the index that were left out of any answer so far: counts are lower bounds then. Usually none."""

    @property
    def capabilities(self) -> Capabilities:
        """What can be asked."""

    @property
    def local(self) -> LocalFacts | None:
        """Folders and files that can be watched and checked; None for an index that is not in files on this machine."""

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

    def holdings(self) -> tuple[Holding, ...]:
        """List the folders of an index on several machines, and which machines have each now.

        Returns
        -------
        tuple of Holding
            The folders; () for an index that is in one place, or of which nothing is known.

        Notes
        -----
        Cost: a message per machine; up to two seconds if one of them hangs.
        """

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

    def within(self, documents: Numbers, cancel: CancelToken | None = None) -> Backend:
        """Leave out all documents but some.

        Parameters
        ----------
        documents
            Numbers of documents, ascending, at least one.
        cancel
            Stops the work.

        Returns
        -------
        Backend
            The same index with only them; they keep their numbers.

        Raises
        ------
        QueryError
            If both these and the others are too large.
        CapabilityError
            If `capabilities.subtraction` is False.

        Notes
        -----
        Cost: for local indexes, reading these documents or the others and sorting their tokens.
        """
