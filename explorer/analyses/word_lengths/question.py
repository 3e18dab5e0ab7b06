"""The settings of word lengths."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from explorer.derive.kinds import Whole
from explorer.derive.question import Question, setting
from explorer.i18n import mark


@dataclass(frozen=True)
class WordLengthsQuestion(Question):
    """Which words are counted by their length."""

    title: ClassVar = mark("Word lengths")

    min_count: int = setting(
        1,
        Whole(1, metavar="C"),
        mark("Min. hits"),
        mark("minimum number of occurrences of a word that is counted"),
        fact="least count",
    )
    examples: int = setting(
        3,
        Whole(0, 100, 20, metavar="E"),
        mark("Examples"),
        mark("number of words listed for each length, the most frequent ones"),
        fact="examples",
    )
