"""The settings of clusters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Self

from explorer.derive.kinds import Choice, Span, Whole
from explorer.derive.question import Question, setting
from explorer.i18n import mark

Side = Literal["any", "left", "right"]
SHORTEST, LONGEST = 2, 8
"""Words or tokens of a cluster."""


@dataclass(frozen=True)
class ClustersQuestion(Question):
    """Which n-grams that contain a query are listed."""

    title: ClassVar = mark("Clusters")

    size: tuple[int, int] = setting(
        (2, 4),
        Span(SHORTEST, LONGEST),
        mark("Size"),
        mark("words or tokens of the shortest and of the longest clusters"),
        fact="size",
    )
    # Not left and right in the window, which would be wrong for texts from right to left.
    side: Side = setting(
        "any",
        Choice({"any": mark("Anywhere"), "left": mark("First"), "right": mark("Last")}),
        mark("Query"),
        mark("the place of the query: clusters begin with it (left), end with it (right), or contain it (any)"),
        fact="side",
    )
    unit: Literal["words", "tokens"] = setting(
        "words",
        Choice({"words": mark("Words"), "tokens": mark("Tokens")}),
        mark("Count"),
        mark("count words, in lower case, or tokens"),
        fact="unit",
    )
    min_count: int = setting(
        1,
        Whole(1, metavar="C"),
        mark("Min. hits"),
        mark("minimum number of occurrences"),
        fact="least count",
    )
    min_documents: int = setting(
        1,
        Whole(1, metavar="D"),
        mark("Min. documents"),
        mark("minimum number of documents"),
        fact="least documents",
    )

    @property
    def words(self) -> bool:
        """Whether words are counted; otherwise tokens."""
        return self.unit == "words"

    def restored(self, values: Mapping[str, Any]) -> Self:
        """Also with the values of a session of version 0.2, which had other names for some settings."""
        return super().restored({**_named_as_now(values), **values})


def _named_as_now(values: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of a session of version 0.2 that have another name now; such a session has all of them."""
    if not {"words", "shortest", "longest"} <= values.keys():
        return {}
    unit = "words" if values["words"] is True else "tokens"
    return {"unit": unit, "size": [values["shortest"], values["longest"]]}
