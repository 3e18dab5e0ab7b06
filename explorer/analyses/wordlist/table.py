"""The tables of a word list: its columns, and the facts about all n-grams."""

from __future__ import annotations

from explorer.derive.table import column, row
from explorer.i18n import mark

_LENGTH = "Its words or tokens"
_NO_TEXT = "None for tokens of an index without a tokenizer"
_FORM = mark("The text; words are in lower case, and bytes of a character that is not whole are <0xNN>")
_COUNT, _DOCUMENTS = mark("Occurrences within documents"), mark("Documents that have it")
_RATE = mark("Occurrences per million words, or per million tokens of a list of tokens")
_TOTAL, _TYPES, _HAPAXES = "Occurrences of all of them", "Distinct ones", "Those that occur once"


@row
class NgramRecord:
    """One n-gram."""

    n: int = column(_LENGTH)
    ids: tuple[int, ...] = column("Their ids")
    form: str | None = column(_FORM, missing=_NO_TEXT)
    count: int = column(_COUNT, mark("Hits"))
    documents: int | None = column(_DOCUMENTS, mark("Documents"), missing="None if they were not counted")
    per_million: float = column(_RATE)


@row
class WordRecord:
    """One word or n-gram of a list."""

    form: str | None = column(_FORM, missing=_NO_TEXT)
    count: int = column(_COUNT)
    documents: int = column(_DOCUMENTS)
    per_million: float = column(_RATE)
    n: int = column(_LENGTH)


@row
class NgramFacts:
    """All n-grams of one n, those without a row included."""

    n: int = column("Words or tokens of each")
    total: int = column(_TOTAL)
    types: int = column(_TYPES)
    hapaxes: int = column(_HAPAXES)


@row
class WordListFacts:
    """All words or n-grams of a corpus, those without a row included."""

    unit: str = column("What an n-gram is made of: words or tokens")
    n: int = column("Their number in the longest")
    total: int = column(_TOTAL)
    types: int = column(_TYPES)
    hapaxes: int = column(_HAPAXES)
    by_n: tuple[NgramFacts, ...] = column("The same for each length")
