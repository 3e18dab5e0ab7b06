"""How much of an item occurs, as values, and the thresholds from which it is flagged."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from explorer.analyses.contamination.benchmarks import Item
from explorer.derive.kinds import Choice, Share
from explorer.derive.question import Question, described, setting
from explorer.i18n import mark

LEAST_UNITS = 13
"""Words or tokens of an item that can be judged: shorter ones occur by chance."""
EVIDENCE = 8
"""Words or tokens of a match that count as covered, as in PaLM and Llama 3."""
COVERED = (EVIDENCE, 11, 13)
"""Lengths of matches of which the share is kept: the second is Llama 2's."""
PARAGRAPH_GRAM = 13
"""Words or tokens of an n-gram of BFF; a shorter item is one n-gram."""
SUBSTRING = 50
"""Characters of a substring of infini-gram mini."""
VERDICTS = ("flagged", "suspicious", "not-flagged", "too-short")
METRICS = {
    "longest_share": mark("Share in the longest match"),
    "coverage_8": mark("Share in matches of 8 or more"),
    "coverage_13": mark("Share in matches of 13 or more"),
    "best_coverage_8": mark("Share in matches of 8 or more with one document"),
    "best_chained": mark("Share in a chain of matches with one document"),
}
"""Shares of an item that can decide: in its longest match, in matches of 8 and of 13 or more anywhere, and with the
document that has most of it, in matches of 8 or more and in a chain."""
_METRIC, _SHARE = Choice(METRICS), Share(above=True)


@dataclass(frozen=True)
class Evidence:
    """Where an item occurs.

    document: The number of the document that has most of it.
    offset: The word or token of the document at which the longest match in it begins.
    begin, end: The characters of the item's text that are this match.
    length: Its words or tokens.
    coverage: The share of the item in matches of 8 or more with this document, 0 to 1.
    chained: The share of the item in a chain of matches with this document, see `explorer.analyses.overlap.chained`, 0
        to 1.
    answer_near: Whether the answer follows soon after the match there; None without an answer.
    sampled: Whether a match is so frequent that not all documents that have it were looked at.
    holders: The documents with half of the item or more in matches of 8 or more, ascending.
    answer_offset: The word or token of the document at which the answer begins, if it is near.
    """

    document: int
    offset: int
    begin: int
    end: int
    length: int
    coverage: float
    chained: float
    answer_near: bool | None
    sampled: bool
    holders: tuple[int, ...] = ()
    answer_offset: int | None = None


@dataclass(frozen=True)
class ItemMatches:
    """How much of one item occurs.

    units: Its words or tokens.
    count: How often the longest match occurs.
    covered: How many of its words or tokens are in matches of L or more, for each L of `COVERED`.
    grams: How many of its 8-grams occur.
    long_grams: How many of its 13-grams occur; of a shorter item, whether all of it does.
    substrings: How many of its substrings of 50 characters are within matches, and how many it has.
    evidence: Where; None if nothing occurs.
    template: Whether five or more items share the longest match.
    mismatched: How many of its words or tokens are in matches of more than ten with at most four mismatches: Llama 2's.
    """

    item: Item
    units: int
    longest: int
    count: int
    covered: tuple[int, int, int]
    grams: int
    long_grams: int
    substrings: tuple[int, int]
    evidence: Evidence | None
    template: bool = False
    mismatched: int = 0

    @property
    def longest_share(self) -> float:
        """The share of the item that its longest match is, 0 to 1."""
        return self.longest / self.units if self.units else 0.0

    def coverage(self, place: int) -> float:
        """Give the share of the item that is in long matches."""
        return self.covered[place] / self.units if self.units else 0.0

    @property
    def too_short(self) -> bool:
        """Whether the item is too short to tell."""
        return self.units < LEAST_UNITS

    @property
    def verdict(self) -> str:
        """One of VERDICTS, by the usual thresholds."""
        return Thresholds().verdict(self)

    def measured(self, metric: str) -> float:
        """Give a share of the item.

        Returns: 0 to 1; 0 if nothing occurs.
        """
        where = self.evidence
        shares = {
            "longest_share": self.longest_share,
            "coverage_8": self.coverage(0),
            "coverage_13": self.coverage(2),
            "best_coverage_8": 0.0 if where is None else where.coverage,
            "best_chained": 0.0 if where is None else where.chained,
        }
        return shares[metric]


@described
@dataclass(frozen=True)
class Thresholds(Question):
    """From which share on an item is flagged, or suspicious.

    Raises
    ------
    QueryError
        If a metric is unknown, or a share is out of range.

    Examples
    --------
    >>> found = corpus.contamination([{"question": "the cat sat on the mat " * 3}], unit="tokens")
    >>> [row.verdict for row in found.judged(Thresholds(flag_at=0.3))]
    ['flagged']
    """

    title: ClassVar = mark("Thresholds")

    flag_by: str = setting(
        "longest_share", _METRIC, mark("Flagged by"), mark("the share that decides whether an item is flagged")
    )
    flag_at: float = setting(
        0.5, _SHARE, mark("Flagged from"), mark("an item is flagged from this share on, above 0 and up to 1")
    )
    suspect_by: str = setting(
        "coverage_8",
        _METRIC,
        mark("Suspicious by"),
        mark("the share that decides whether an item that is not flagged is suspicious"),
    )
    suspect_at: float = setting(
        0.2, _SHARE, mark("Suspicious from"), mark("an item is suspicious from this share on, above 0 and up to 1")
    )

    @property
    def facts(self) -> tuple[tuple[str, str], ...]:
        """The thresholds in provenance."""
        return (
            ("flagged", f"{self.flag_by} >= {self.flag_at:g}"),
            ("suspicious", f"{self.suspect_by} >= {self.suspect_at:g}"),
        )

    def verdict(self, found: ItemMatches) -> str:
        """Judge an item.

        Parameters
        ----------
        found
            What was found of it.

        Returns
        -------
        str
            One of VERDICTS; an item without a place in a document is never flagged.
        """
        if found.too_short:
            return "too-short"
        if found.evidence is not None and found.measured(self.flag_by) >= self.flag_at:
            return "flagged"
        return "suspicious" if found.measured(self.suspect_by) >= self.suspect_at else "not-flagged"
