"""What a measure of a text is, and what it is computed from."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, Protocol, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from explorer.analyses.overlap.self_match import SelfMatch, longest_match
from explorer.analyses.trace.measures.covering import longest_covering
from explorer.backends.protocol.protocol import Backend
from explorer.chart import Chart
from explorer.core.arrays import ArrayValue
from explorer.i18n import counted
from explorer.text.tokens.tokenizer import Encoded

Value = TypeVar("Value")
Unit = Literal["tokens", "words"]
"""What a text is cut into before it is looked up."""


@dataclass(frozen=True, eq=False)
class MatchedText(ArrayValue):
    """A text and its longest matches in an index: all that a measure may ask.

    index: Where the text was looked up, for further questions.
    encoded: Its token ids, int64 of shape (tokens,), and the characters of each token.
    longest: For each token, the length in tokens of the longest match that begins with it, int64 of shape (tokens,).
    unit: What these are: "tokens", or the "words" of a word index.
    """

    index: Backend
    text: str
    encoded: Encoded
    longest: NDArray[np.int64]
    unit: Unit = "tokens"

    @cached_property
    def covering(self) -> NDArray[np.int64]:
        """For each token, the length of the longest match that contains it; computed once for all measures."""
        # A cached property writes to the instance's dictionary, which a frozen dataclass allows.
        return longest_covering(self.longest)

    @cached_property
    def longest_match(self) -> SelfMatch | None:
        """The longest match with its documents; None if no token occurs. The index is asked once for all measures."""
        # May fail as any question to an index can; then nothing is cached, and the next measure asks again.
        return longest_match(self.index, self.encoded.ids, self.longest)


@dataclass(frozen=True)
class Quote:
    """A part of the text that a report shows: a heading, how often it occurs, and its characters [start, end).

    Its documents are numbers: who writes the report knows their names.
    """

    heading: str
    times: str
    start: int
    end: int
    documents: tuple[int, ...] = ()


class Measure(Protocol[Value]):
    """A measure of a text. A new one derives from this class, computes a value, and describes it.

    id: The name of its field in JSON; unique.
    label: Its name in the window and in reports, marked for translation.
    note: What its figure means, in a few words, marked for translation; "" if the label is enough.
    unit: What its lengths count: "tokens" or "words".
    """

    # Part of the JSON of traces: a changed id is another field for whoever reads it.
    id: str
    label: str
    note: str = ""
    unit: Unit = "tokens"

    def __eq__(self, other: object) -> bool:
        # A trace that comes from another process brings measures of its own.
        return type(other) is type(self) and vars(other) == vars(self)

    def __hash__(self) -> int:
        return hash(type(self))

    def of(self, unit: Unit) -> Self:
        """Give the measure for lengths in another unit."""
        if unit == self.unit:
            return self
        found = copy(self)
        found.unit = unit
        return found

    def units(self, count: int) -> str:
        """Write a number of tokens, or of words."""
        return counted("token" if self.unit == "tokens" else "word", count)

    def compute(self, matched: MatchedText) -> Value:
        """Compute the value. Any further question to the index should be one round trip."""

    def summary(self, value: Value) -> str:
        """Give the value in a few words, for a line of several measures.

        Returns: The words; "" leaves it out.
        """
        return ""

    def sentence(self, value: Value) -> str:
        """Give the value in a sentence for a report.

        Returns: The sentence; "" leaves it out.
        """
        # By default the words after the label, so that a new measure is in reports without further work.
        summary = self.summary(value)
        return f"{self.label}: {summary}." if summary else ""

    def warning(self, value: Value) -> str:
        """Tell what a reader has to know before anything else.

        Returns: The sentence; "" if there is nothing.
        """
        return ""

    def quote(self, value: Value) -> Quote | None:
        """Give the part of the text that the measure is about.

        Returns: The part; None if there is none.
        """
        return None

    def fields(self, value: Value) -> dict[str, Any]:
        """Give the fields of JSON."""
        return {self.id: value}

    def chart(self, value: Value, index_name: str) -> Chart | None:
        """Draw the value, if it can be drawn.

        Returns: The chart; None if there is nothing to draw.
        """
        return None
