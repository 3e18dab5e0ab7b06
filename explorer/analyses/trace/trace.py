"""The whole pipeline: text -> tokens -> spans -> documents -> a frozen `Trace`."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.analyses.overlap.self_match import SelfMatch
from explorer.analyses.trace.documents import TraceDocument
from explorer.analyses.trace.measures.coverage import Coverage
from explorer.analyses.trace.measures.longest_passage import LongestPassage
from explorer.analyses.trace.measures.measure import Unit
from explorer.analyses.trace.measures.novelty import Novelty
from explorer.analyses.trace.measures.registry import Measured
from explorer.analyses.trace.settings import TraceSettings
from explorer.core.arrays import ArrayValue
from explorer.i18n import counted
from explorer.text.reading import ReadingText


@dataclass(frozen=True)
class Span:
    """A part of a text that occurs in the corpus.

    Attributes
    ----------
    start
        Its first character; white space at either end is left out.
    end
        One past its last character.
    token_start
        Its first token, or its first word if the text was traced in words.
    token_end
        One past its last token or word.
    count
        Its occurrences.
    rarity
        The sum of the logarithms of the probabilities of its tokens or words; lower is rarer.
    documents
        Numbers of the documents that were looked up.
    level
        The relevance of the best of them in a word; "" without documents.
    reading_start
        Its first character in the reading text; None if the text was read as it is written.
    reading_end
        One past its last character there.
    read
        How its part of the text was read: "plain" (as it is written), "markdown", or "mixed" (lines of both).
    """

    start: int
    end: int
    token_start: int
    token_end: int
    count: int
    rarity: float
    documents: tuple[int, ...]
    level: str
    reading_start: int | None = None
    reading_end: int | None = None
    read: str = "plain"


@dataclass(frozen=True)
class MergedSpan:
    """A run of overlapping spans as it is drawn.

    Attributes
    ----------
    start
        Its first character.
    end
        One past its last character.
    spans
        The numbers of its spans.
    level
        The best relevance of them in a word.
    reading_start
        Its first character in the reading text; None if the text was read as it is written.
    reading_end
        One past its last character there.
    """

    start: int
    end: int
    spans: tuple[int, ...]
    level: str
    reading_start: int | None = None
    reading_end: int | None = None


@dataclass(frozen=True)
class TraceTimes:
    """How long a trace took, in seconds.

    Attributes
    ----------
    spans
        Finding the spans.
    documents
        Finding and ranking the documents.
    """

    spans: float
    documents: float


@dataclass(frozen=True, eq=False)
class Trace(ArrayValue):
    """A traced text.

    Attributes
    ----------
    text
        The text, as it was written.
    prompt
        What it answers; "" for nothing.
    settings
        How it was traced.
    token_count
        Tokens of the text.
    token_ids
        Their ids, int64 of shape (tokens,).
    token_starts
        The first character of each token, int64 of the same shape.
    token_ends
        One past the last character of each token, int64 of the same shape.
    spans
        Parts of the text that occur in the corpus, by start.
    merged
        Runs of overlapping spans, as they are drawn.
    documents
        Those that share spans with the text, most relevant first.
    measured
        The value of each measure of `explorer.analyses.trace.measures`, in the order of its registry.
    times
        How long it took; traces that differ only in this are equal.
    reading
        What was traced in place of `text`: the text without the marks of Markdown, except in lines that the index
        holds with them, and the map to `text`. None if the text was traced as it is written.
    reading_starts
        The first character of each token in the reading text, int64 of shape (tokens,); None without one.
    reading_ends
        One past the last character of each token there.

    Notes
    -----
    `unit` tells what is counted. If it is "words", all tokens named here are words of the text, and their ids those of
    the word index; tokens of documents are those of the index in any case.

    All characters are those of `text`, unless their names begin with `reading_`.
    `explorer.analyses.trace.as_read.as_read` gives the same trace with the characters of the reading text.
    """

    text: str
    prompt: str
    settings: TraceSettings
    token_count: int
    token_ids: NDArray[np.int64]
    token_starts: NDArray[np.int64]
    token_ends: NDArray[np.int64]
    spans: tuple[Span, ...]
    merged: tuple[MergedSpan, ...]
    documents: tuple[TraceDocument, ...]
    measured: tuple[Measured, ...]
    times: TraceTimes = field(compare=False)
    reading: ReadingText | None = None
    reading_starts: NDArray[np.int64] | None = None
    reading_ends: NDArray[np.int64] | None = None

    def value_of(self, measure: str) -> Any:
        """Give the value of a measure.

        Parameters
        ----------
        measure
            The id of the measure.

        Returns
        -------
        Any
            Its value.

        Raises
        ------
        KeyError
            If there is no such measure.
        """
        return {measured.id: measured.value for measured in self.measured}[measure]

    @property
    def unit(self) -> Unit:
        """What the text was cut into, and what is counted of it."""
        return self.settings.match

    def units(self, count: int) -> str:
        """Write a number of tokens or words, whichever the text was cut into.

        Parameters
        ----------
        count
            The number.

        Returns
        -------
        str
            The number with its noun.
        """
        return counted("token" if self.unit == "tokens" else "word", count)

    @property
    def covering(self) -> NDArray[np.int64]:
        """For each token, the length of the longest match that contains it, int64 of shape (tokens,)."""
        found: Coverage = self.value_of("coverage")
        return found.lengths

    @property
    def coverage(self) -> float:
        """The share of tokens in matches of five tokens or more, 0 to 1."""
        found: Coverage = self.value_of("coverage")
        return found.share

    @property
    def longest_passage(self) -> LongestPassage | None:
        """The longest match; None if no token of the text occurs."""
        found: LongestPassage | None = self.value_of("longest_passage")
        return found

    @property
    def novelty(self) -> Novelty:
        """The shares of tokens outside of matches."""
        found: Novelty = self.value_of("novelty")
        return found

    @property
    def self_match(self) -> SelfMatch | None:
        """The match that covers most of the text, if there is one: then the text itself is in the corpus."""
        found: SelfMatch | None = self.value_of("self_match")
        return found

    def json_fields(self) -> dict[str, Any]:
        """Give the fields of JSON: those of this value, with those of the measures in the place of `measured`."""
        found: dict[str, Any] = {}
        for each in fields(self):
            # In its place: a reader of JSON finds each figure by name, whichever measures there are.
            if each.name == "measured":
                for measured in self.measured:
                    found |= measured.fields
            else:
                found[each.name] = getattr(self, each.name)
        return found
