"""What the folder of an analysis declares, and the result that it computes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

from explorer.backends.protocol.protocol import Backend
from explorer.chart import Chart
from explorer.core.jobs import CancelToken, Report
from explorer.derive.question import Question

Q = TypeVar("Q", bound=Question)
R = TypeVar("R")
F = TypeVar("F")


@dataclass(frozen=True)
class Found(Generic[R, F]):
    """The rows of an analysis, and what describes all of them."""

    rows: tuple[R, ...]
    facts: F


@dataclass(frozen=True)
class Analysis(Generic[Q, R, F]):
    """An analysis: everything that its surfaces are derived from.

    Attributes
    ----------
    question
        Its settings.
    record
        The class of its rows, made by `explorer.derive.table.row`.
    facts
        The class of what describes all rows, made by `row`, too.
    compute
        Computes the result from the index whose tokens are counted; None for an analysis around a query, whose method
        of `Corpus` finds the hits first.
    chart
        Draws a result under a title; None for an analysis without a figure.
    unit
        What `compute` counts: the words of the index, or its tokens.
    lines
        The text of a row and the number of its occurrences, which are the lines of the row in the window; None for an
        analysis whose rows are not texts.
    """

    question: type[Q]
    record: type[R]
    facts: type[F]
    compute: Callable[[Backend, Q, Report, CancelToken | None], Found[R, F]] | None = None
    chart: Callable[[str, Q, Found[R, F]], Chart] | None = None
    unit: Literal["words", "tokens"] = "words"
    lines: Callable[[R], tuple[str, int]] | None = None
