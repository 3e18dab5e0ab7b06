"""The settings of keywords."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Self

from explorer.analyses.keywords.keyness import KEYNESS
from explorer.derive.kinds import Choice, Flag, Maybe, Real, Whole, WordFile, Words
from explorer.derive.question import Question, setting
from explorer.i18n import mark

Unit = Literal["words", "tokens"]


@dataclass(frozen=True)
class KeywordsQuestion(Question):
    """How words are compared with those of a reference, and which are listed."""

    title: ClassVar = mark("Keywords")

    unit: Unit = setting(
        "words",
        Choice({"words": mark("Words"), "tokens": mark("Tokens")}),
        mark("Count"),
        mark("count words, in lower case, or tokens"),
        fact="unit",
    )
    measure: str = setting(
        "g2",
        Choice({name: row.label for name, row in KEYNESS.items()}, metavar="MEASURE"),
        mark("Rank by"),
        mark("the measure to sort by"),
        fact="sorted by",
        option="--sort",
    )
    min_count: int = setting(
        5,
        Whole(1, metavar="C"),
        mark("Min. hits"),
        mark("minimum number of occurrences in the corpus or in the reference"),
        fact="least count",
    )
    min_documents: int = setting(
        1,
        Whole(1, metavar="D"),
        mark("Min. documents"),
        mark("minimum number of documents on the side where a word is more frequent"),
        fact="least documents",
    )
    min_d_a: float | None = setting(
        None,
        Maybe(Real(0, 1, metavar="D"), "any", mark("any")),
        mark("Min. D_A"),
        mark("minimum D_A over the documents of that side, which is low for words of few documents"),
        fact="least D_A",
        always=False,
    )
    stop: tuple[str, ...] | WordFile = setting(
        (), Words(), mark("Stop list"), mark("words that are not listed"), fact="left out", always=False
    )
    details: bool = setting(
        False,
        Flag(),
        mark("Details"),
        mark("measure D_A, the spread over documents, of each row"),
        fact="details",
        always=False,
    )
    exclude_missing: bool = setting(
        False,
        Flag(),
        mark("Exclude documents without a value"),
        mark("exclude documents without a value of the field from the rest"),
    )
    top: int | None = setting(
        None,
        Maybe(Whole(1), "all", mark("all")),
        mark("Rows"),
        mark("maximum number of keywords, and of negative keywords"),
        fact="most rows of either sign",
        always=False,
    )
    correction: str | None = setting(
        "holm",
        Maybe(Choice({"holm": "Holm", "bonferroni": "Bonferroni", "fdr": "Benjamini & Hochberg"}), label=mark("none")),
        mark("Correction"),
        mark("correction of p for many tests"),
        fact="correction",
    )
    k: float = setting(
        1.0,
        Real(0, 1e6, above=True, metavar="K"),
        mark("k"),
        mark("constant of simple maths, in occurrences per million"),
        fact="k",
    )

    def restored(self, values: Mapping[str, Any]) -> Self:
        """Also with the values of a session of version 0.2, in which 0 was any D_A."""
        return super().restored({**values, "min_d_a": values["min_d_a"] or None} if "min_d_a" in values else values)
