"""The settings of repeats."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from explorer.analyses.repeats.compute import RepeatOrder
from explorer.backends.protocol.list_values import LONGEST_SHARED
from explorer.derive.kinds import Choice, Maybe, Whole
from explorer.derive.question import Question, setting
from explorer.i18n import mark

ORDERS = {"saved": mark("Most saved"), "length": mark("Longest"), "count": mark("Most copies")}


@dataclass(frozen=True)
class RepeatsQuestion(Question):
    """Which repeated passages are listed, and in which order."""

    title: ClassVar = mark("Repeats")

    length: int = setting(
        50,
        Whole(1, LONGEST_SHARED, metavar="L"),
        mark("Shortest repeat"),
        mark("minimum length of a passage, in tokens"),
        fact="least length",
    )
    top: int | None = setting(
        1000,
        Maybe(Whole(1), word="all", label=mark("all")),
        mark("Passages"),
        mark("maximum number of passages, the first in the order"),
        fact="top",
    )
    by: RepeatOrder = setting(
        "saved",
        Choice(ORDERS),
        mark("What is listed"),
        mark("the order: by the tokens of all copies but one, by length, or by the number of copies"),
        fact="order",
    )
