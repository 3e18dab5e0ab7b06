"""The settings of a word list."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Self

from explorer.analyses.wordlist.ngram_lists import LONGEST
from explorer.derive.kinds import Choice, Flag, Maybe, Phrase, Whole, WordFile, Words
from explorer.derive.question import Question, setting
from explorer.errors import QueryError
from explorer.i18n import mark
from explorer.words.stop_list import stop_words_of


@dataclass(frozen=True)
class WordlistQuestion(Question):
    """Which words or n-grams are listed."""

    title: ClassVar = mark("Word list")

    unit: Literal["words", "tokens"] = setting(
        "words",
        Choice({"words": mark("Words"), "tokens": mark("Tokens")}),
        mark("List"),
        mark("list words, in lower case, or tokens"),
    )
    as_written: bool = setting(False, Flag(), mark("As written"), mark("count Word and word as two words"))
    max_n: int = setting(
        1,
        Whole(1, LONGEST, offered=8),
        mark("Length n"),
        mark("words or tokens of the longest n-grams"),
        option="--n",
    )
    min_n: int | None = setting(
        None,
        Maybe(Whole(1, LONGEST, offered=8), "same"),
        mark("From length"),
        mark("words or tokens of the shortest n-grams, if several lengths are listed"),
    )
    top: int | None = setting(
        None,
        Maybe(Whole(1, metavar="K"), "all"),
        mark("Rows"),
        mark("how many of each length, the most frequent ones"),
        fact="top",
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
    begins_with: str | tuple[int, ...] | None = setting(
        None,
        Phrase(),
        mark("Begins with"),
        mark("list only n-grams that begin with these words or tokens"),
        fact="begins with",
        always=False,
    )
    contains: str | tuple[int, ...] | None = setting(
        None,
        Phrase(),
        mark("Contains"),
        mark("list only n-grams that contain these words or tokens, one after the other"),
        fact="contains",
        always=False,
    )
    stop: tuple[str, ...] | WordFile = setting(
        (), Words(), mark("Stop list"), mark("words that no row contains"), fact="left out", always=False
    )

    def __post_init__(self) -> None:
        """Check what depends on several settings as well."""
        super().__post_init__()
        if self.min_n is not None:
            Whole(1, self.max_n).check("min_n", self.min_n)
        if self.begins_with is not None and self.contains is not None:
            raise QueryError(
                mark("List the n-grams that begin with something, or those that contain it, not both."),
                reason="begins-and-contains",
            )

    @property
    def words(self) -> bool:
        """Whether words are listed; otherwise tokens."""
        return self.unit == "words"

    @property
    def shortest(self) -> int:
        """Words or tokens of the shortest n-grams."""
        return self.max_n if self.min_n is None else self.min_n

    @property
    def all_ranks(self) -> bool:
        """Whether the rows are the first ranks: otherwise, some were left out."""
        return self.min_documents == 1 and not self.stop

    @property
    def facts(self) -> tuple[tuple[str, str], ...]:
        """The settings in provenance; the length as one."""
        lengths = str(self.max_n) if self.shortest == self.max_n else f"{self.shortest} to {self.max_n}"
        return (("n", lengths), *super().facts)

    @property
    def stop_words(self) -> tuple[str, ...]:
        """The words that no row contains; a file is read now, and an unreadable one raises `QueryError`."""
        return stop_words_of(self.stop)

    def restored(self, values: Mapping[str, Any]) -> Self:
        """Also with the values of a session of version 0.2, which had other names for some settings."""
        return super().restored({**_named_as_now(values), **values})


def _named_as_now(values: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of a session of version 0.2 that have another name now; such a session has all of them."""
    if not {"words", "n", "text", "begins"} <= values.keys():
        return {}
    phrase = "begins_with" if values["begins"] is True else "contains"
    return {
        "unit": "words" if values["words"] is True else "tokens",
        "max_n": values["n"],
        phrase: values["text"] or None,
    }
