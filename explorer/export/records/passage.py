"""What two texts have in common, and where they differ, as records."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from explorer.analyses.overlap.alignment import Difference, Numbers, TextComparison

SAME, DIFFERENT = "same", "different"


@dataclass(frozen=True)
class PassageRecord:
    """A part of two texts: a run of words that both have, or words that only one of them has.

    Attributes
    ----------
    kind
        "same" for a run, "different" for what is between two runs.
    word_count
        The words of a run; None for a difference.
    left_word_start
        Its first word in the left text, from 0.
    left_word_end
        One past its last word there; equal to the start if the left text has no words here.
    left_start
        Its first character in the left text, from 0.
    left_end
        One past its last character there.
    left_text
        The left text between these characters.
    right_word_start
        Its first word in the right text, from 0.
    right_word_end
        One past its last word there.
    right_start
        Its first character in the right text, from 0.
    right_end
        One past its last character there.
    right_text
        The right text between these characters.
    """

    kind: str
    word_count: int | None
    left_word_start: int
    left_word_end: int
    left_start: int
    left_end: int
    left_text: str
    right_word_start: int
    right_word_end: int
    right_start: int
    right_end: int
    right_text: str


@dataclass(frozen=True)
class ComparisonFacts:
    """What `compare-texts` states about two texts.

    Attributes
    ----------
    left_word_count
        The words of the left text.
    right_word_count
        The words of the right text.
    same_count
        The words in runs that both texts have.
    share
        Their share of the words of the left text, 0 to 1.
    longest_run
        The words of the longest run.
    exact
        Whether every common run was compared; False if the texts repeat themselves too often for that.
    """

    left_word_count: int
    right_word_count: int
    same_count: int
    share: float
    longest_run: int
    exact: bool


def comparison_facts(found: TextComparison) -> ComparisonFacts:
    """What is known of both texts."""
    return ComparisonFacts(len(found.left), len(found.right), found.same, found.share, found.longest, found.exact)


def passage_records(left: str, right: str, found: TextComparison) -> Iterator[PassageRecord]:
    """Give runs and differences as records, in the order of the texts.

    Parameters
    ----------
    left
        The left text.
    right
        The right text.
    found
        Their comparison.

    Yields
    ------
    PassageRecord
        One record per run and per difference; together they cover the words of both texts.
    """
    runs = [(Difference(r.left, r.left + r.words, r.right, r.right + r.words), r.words) for r in found.runs]
    parts = [*runs, *((one, None) for one in found.differences)]
    # No two begin at the same word of both texts, so this order has no ties.
    for place, words in sorted(parts, key=lambda part: (part[0].left_start, part[0].right_start)):
        ours = _place(left, found.left, place.left_start, place.left_end)
        theirs = _place(right, found.right, place.right_start, place.right_end)
        yield PassageRecord(DIFFERENT if words is None else SAME, words, *ours, *theirs)


def _place(text: str, words: Numbers, start: int, end: int) -> tuple[int, int, int, int, str]:
    # Without words, the place between two of them: where the next one begins.
    edge = int(words[start, 0]) if start < len(words) else int(words[-1, 1]) if len(words) else 0
    first, last = (int(words[start, 0]), int(words[end - 1, 1])) if start < end else (edge, edge)
    return start, end, first, last, text[first:last]
