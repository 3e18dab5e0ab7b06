"""The settings of the longest words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from explorer.derive.kinds import Choice, Whole
from explorer.derive.question import Question, setting


@dataclass(frozen=True)
class LongestWordsQuestion(Question):
    """Which words are listed."""

    title: ClassVar = "Longest words"

    top: int = setting(10, Whole(1, 1_000), "Rows", "maximum number of words", fact="top")
    ties: str = setting(
        "frequent",
        Choice({"frequent": "Frequent first", "rare": "Rare first"}),
        "Equal lengths",
        "the order of words of one length",
        fact="order of equal lengths",
    )
