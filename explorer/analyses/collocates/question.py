"""The settings of collocates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from explorer.derive.kinds import Choice, Flag, Sides, Whole, WordFile, Words
from explorer.derive.question import Question, setting
from explorer.i18n import mark
from explorer.statistics.association import ASSOCIATIONS
from explorer.statistics.text_ends import Within
from explorer.statistics.windows import WIDEST
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
    def stop_words(self) -> tuple[str, ...]:
        """The words without a row; a file is read now, and an unreadable one raises `QueryError`."""
        return tuple(stop_words_of(self.stop.path)) if isinstance(self.stop, WordFile) else self.stop
