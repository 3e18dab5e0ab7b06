"""The settings of a spectrum."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from explorer.analyses.wordlist.ngram_lists import LONGEST
from explorer.derive.kinds import Choice, Flag, Maybe, Span, Whole
from explorer.derive.question import Question, setting
from explorer.i18n import mark

View = Literal["distinct", "counts", "above", "growth", "vocabulary", "zipf"]


@dataclass(frozen=True)
class SpectrumQuestion(Question):
    """Which n-grams are counted, and by what."""

    title: ClassVar = mark("Spectrum")

    view: View = setting(
        "distinct",
        Choice(
            {
                "distinct": mark("Distinct n-grams"),
                "counts": mark("By count"),
                "above": mark("More frequent than"),
                "growth": mark("Growth"),
                "vocabulary": mark("Growth of the vocabulary"),
                "zipf": mark("Rank and frequency"),
            }
        ),
        mark("View"),
        mark(
            "distinct n-grams of each n, how many have each count, how many occur more often than a count, or how many "
            "there are as the corpus grows; of single words, the growth of the vocabulary with Heaps' law, or the fall "
            "of frequency with rank with Zipf's law"
        ),
    )
    unit: Literal["words", "tokens"] = setting(
        "words",
        Choice({"words": mark("Words"), "tokens": mark("Tokens")}),
        mark("Count"),
        mark("count words, in lower case, or tokens"),
    )
    as_written: bool = setting(False, Flag(), mark("As written"), mark("count Word and word as two words"))
    max_n: int = setting(6, Whole(1, LONGEST), mark("Longest n"), mark("words or tokens of the longest n-grams"))
    min_count: int = setting(
        5,
        Whole(1, metavar="C"),
        mark("Min. hits"),
        mark("minimum number of occurrences in a part of the corpus as it grows"),
    )
    sizes: int = setting(12, Whole(1, 256, metavar="S"), mark("Sizes"), mark("number of sizes as the corpus grows"))
    step: int | None = setting(
        None,
        Maybe(Whole(1, metavar="W"), "500 points"),
        mark("Step"),
        mark("words from one point of the vocabulary's growth to the next, in place of at most 500 points"),
    )
    shuffle: int | None = setting(
        None,
        Maybe(Whole(0, 2**63 - 1, 999_999_999, metavar="SEED"), "own order", mark("not shuffled")),
        mark("Shuffled documents, seed"),
        mark("seed of a random order of the documents, if it is not their own order"),
    )
    ranks: tuple[int, int] = setting(
        (10, 1000), Span(metavar="FROM,TO"), mark("Fitted ranks"), mark("ranks that Zipf's law is fitted to")
    )

    @property
    def words(self) -> bool:
        """Whether words are counted; otherwise tokens."""
        return self.unit == "words"
