"""The analyses, one row each: whatever lists analyses reads this table.

A row is read at every start of the program, so it only names the folder of its analysis, which is imported when it is
used.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

from explorer.i18n import mark

if TYPE_CHECKING:
    from explorer.analyses.analysis import Analysis


@dataclass(frozen=True)
class AnalysisRow:
    """An analysis by name.

    Attributes
    ----------
    name
        The name of its command, in the field's terms; with a `_` for each dash that of its method and of its tool.
    title
        The name of its tab and of its section in the guide, marked for translation.
    summary
        What it does, as a verb phrase without a full stop, marked for translation.
    screen
        The screen with its tab.
    package
        Its folder as a package, whose module `analysis` has the `Analysis` as ANALYSIS.
    around
        Whether it counts around a query. Such an analysis has a method, a command and a tab of its own.
    """

    name: str
    title: str
    summary: str
    screen: str
    package: str
    around: bool = False

    @property
    def method(self) -> str:
        """The name of its method, and of its tool."""
        return self.name.replace("-", "_")

    @property
    def analysis(self) -> Analysis[Any, Any, Any]:
        """What its folder declares."""
        return cast("Analysis[Any, Any, Any]", import_module(f"{self.package}.analysis").ANALYSIS)


ANALYSES = (
    AnalysisRow(
        "collocates",
        mark("Collocates"),
        mark("list the words near a query, and how strongly it attracts them"),
        "search",
        "explorer.analyses.collocates",
        around=True,
    ),
    AnalysisRow(
        "clusters",
        mark("Clusters"),
        mark("list the n-grams that contain a query, with exact counts"),
        "search",
        "explorer.analyses.clusters",
        around=True,
    ),
    AnalysisRow(
        "word-lengths",
        mark("Word lengths"),
        mark("count the words of each length, with examples"),
        "statistics",
        "explorer.analyses.word_lengths",
    ),
)
"""In the order in which they are listed."""


def row_of(name: str) -> AnalysisRow:
    """The row of an analysis."""
    return next(row for row in ANALYSES if row.name == name)


def derived() -> tuple[AnalysisRow, ...]:
    """The analyses of a whole index, whose method, command and tab are made from their rows."""
    return tuple(row for row in ANALYSES if not row.around)
