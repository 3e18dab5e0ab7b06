"""The longest part of a text that occurs in a document."""

from __future__ import annotations

from dataclasses import dataclass

from explorer.analyses.trace.measures.measure import MatchedText, Measure, Quote
from explorer.i18n import counted, mark, tr
from explorer.text.tokens.decode import trim


@dataclass(frozen=True)
class LongestPassage:
    """The longest part of a text that occurs in a document, across delimiters.

    Attributes
    ----------
    start
        Its first character.
    end
        One past its last character.
    token_start
        Its first token.
    token_end
        One past its last token.
    count
        Its occurrences.
    documents
        Numbers of those that contain it, from the first thousand occurrences.
    reading_start
        Its first character in the reading text; None if the text was read as it is written.
    reading_end
        One past its last character there.
    """

    start: int
    end: int
    token_start: int
    token_end: int
    count: int
    documents: tuple[int, ...]
    reading_start: int | None = None
    reading_end: int | None = None

    @property
    def length(self) -> int:
        """Tokens."""
        return self.token_end - self.token_start


class LongestPassageMeasure(Measure[LongestPassage | None]):
    """The longest match; None if no token of the text occurs."""

    id = "longest_passage"
    label = mark("Longest passage")

    def compute(self, matched: MatchedText) -> LongestPassage | None:
        """Find the characters of the longest match."""
        match = matched.longest_match
        if match is None:
            return None
        start, end, encoded = match.token_start, match.token_end, matched.encoded
        # In characters, without white space at the ends. The bounds in tokens stay those of the match.
        first, last = trim(matched.text, int(encoded.starts[start]), int(encoded.ends[end - 1]))
        return LongestPassage(first, last, start, end, match.count, match.documents)

    def summary(self, value: LongestPassage | None) -> str:
        """Give its length."""
        return tr("longest match {tokens}", tokens=self.units(value.length if value else 0))

    def sentence(self, value: LongestPassage | None) -> str:
        """Give its length."""
        return f"Longest match: {self.units(value.length if value else 0)}."

    def quote(self, value: LongestPassage | None) -> Quote | None:
        """Show the passage, and where it occurs."""
        if value is None:
            return None
        length, times = self.units(value.length), counted("time", value.count)
        return Quote("Longest passage", f"{length} in a row, found {times}", value.start, value.end, value.documents)
