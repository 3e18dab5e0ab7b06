"""The settings of collocates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Self

from explorer.analyses.collocates.association import ASSOCIATIONS
from explorer.analyses.collocates.text_ends import Within
from explorer.analyses.collocates.windows import WIDEST
from explorer.derive.kinds import Choice, Flag, Sides, Whole, WordFile, Words
from explorer.derive.question import Question, setting
from explorer.i18n import mark
from explorer.words.stop_list import stop_words_of

Unit = Literal["words", "tokens"]


@dataclass(frozen=True)
class CollocatesQuestion(Question):
    """How words near a query are counted and sorted."""

    title: ClassVar = mark("Collocates")

    window: tuple[int, int] = setting(
        (5, 5),
        Sides(WIDEST),
        mark("Window"),
        mark("words or tokens to the left and to the right of each hit"),
        fact="window",
    )
    within: Within = setting(
        "document",
        Choice({"document": mark("Document"), "sentence": mark("Sentence"), "line": mark("Line")}),
        mark("Within"),
        mark("the unit of text that a window does not extend beyond"),
        fact="within",
    )
    unit: Unit = setting(
        "words",
        Choice({"words": mark("Words"), "tokens": mark("Tokens")}),
        mark("Count"),
        mark("count words, in lower case, or tokens"),
        fact="unit",
    )
    min_count: int = setting(
        5,
        Whole(1, metavar="C"),
        mark("Min. hits"),
        mark("minimum number of occurrences in the windows"),
        fact="least count",
    )
    min_documents: int = setting(
        1,
        Whole(1, metavar="D"),
        mark("Min. documents"),
        mark("minimum number of documents with an occurrence in a window"),
        fact="least documents",
    )
    stop: tuple[str, ...] | WordFile = setting(
        (),
        Words(),
        mark("Stop list"),
        mark("words that are not listed"),
        fact="left out",
        always=False,
    )
    details: bool = setting(
        False,
        Flag(),
        mark("Details"),
        mark("count documents, pairs as AntConc does, and places in the window"),
        fact="details",
        always=False,
    )
    sort: str = setting(
        "logdice",
        Choice({name: row.label for name, row in ASSOCIATIONS.items()}, metavar="MEASURE"),
        mark("Sort by"),
        mark("the measure to sort by"),
        fact="sorted by",
    )

    @property
    def words(self) -> bool:
        """Whether words are counted; otherwise tokens."""
        return self.unit == "words"

    def restored(self, values: Mapping[str, Any]) -> Self:
        """Also with the values of a session of version 0.2, which had other names for some settings."""
        return super().restored({**_named_as_now(values), **values})

    @property
    def stop_words(self) -> tuple[str, ...]:
        """The words without a row; a file is read now, and an unreadable one raises `QueryError`."""
        return stop_words_of(self.stop)


def _named_as_now(values: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of a session of version 0.2 that have another name now; such a session has all of them."""
    if not {"words", "left", "right", "measure"} <= values.keys():
        return {}
    unit = "words" if values["words"] is True else "tokens"
    return {"unit": unit, "window": [values["left"], values["right"]], "sort": values["measure"]}
