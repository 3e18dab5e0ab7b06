"""The table of word lengths: its columns, and what describes all words."""

from __future__ import annotations

from explorer.derive.table import column, row
from explorer.i18n import mark

_NO_WORDS = "None if there are no words"


@row
class WordLengthRecord:
    """The words of one length."""

    length: int = column(mark("Characters as readers see them: a letter with its accents is one"), mark("Length"))
    word_count: int = column(mark("Words of this length in the text"), mark("Words"))
    share: float = column(mark("Their share of all words that are counted"), mark("Share"), form=".2%")
    type_count: int = column(mark("Different words of this length, in lower case"), mark("Different"))
    examples: tuple[str, ...] = column(
        mark("The most frequent words of this length, in lower case"),
        mark("Most frequent"),
        missing="empty if none were asked for",
    )


@row
class WordLengthFacts:
    """All words that are counted."""

    word_count: int = column(mark("Words in the text"), mark("Words"))
    type_count: int = column(mark("Different words, in lower case"), mark("Different words"))
    mean_length: float | None = column(
        mark("The mean length of the words in the text"), mark("Mean length"), missing=_NO_WORDS
    )
    type_mean_length: float | None = column(
        mark("The mean length of the different words"), mark("Mean length of different words"), missing=_NO_WORDS
    )
