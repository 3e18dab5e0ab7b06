"""Sentences and numbers as a person reads them: in the chosen language, with the separators of the locale.

The window chooses both at its start; the command line and the library stay with English, which scripts rely on.
Sentences are written in English where they are needed, as `tr("{count:,} lines", count=n)`; a catalog in gettext's
format translates them, plural forms included. Constants of modules are marked with `mark` and translated by `tr`
where they are shown, since modules are loaded before a language is chosen.
"""

from __future__ import annotations

import functools
import gettext
import numbers
import string
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from explorer.resources import resource_path

DOMAIN = "corpus-explorer"


@dataclass(frozen=True)
class NumberFormat:
    """The signs of a locale's numbers.

    group: What separates groups of thousands.
    zero: The digit for nothing; the other digits follow it in Unicode.
    """

    group: str = ","
    decimal: str = "."
    zero: str = "0"

    def localize(self, text: str) -> str:
        """Write a number with these signs.

        Examples
        --------
        >>> NumberFormat(group=".", decimal=",").localize("1,234.5")
        '1.234,5'
        """
        # In one pass, since comma and period may change places.
        return text.translate(_signs(self))


@functools.cache
def _signs(form: NumberFormat) -> dict[int, str]:
    # Unicode has the ten digits of each script in a row.
    digits = {ord("0") + i: chr(ord(form.zero) + i) for i in range(10)}
    return {ord(","): form.group, ord("."): form.decimal, **digits}


@dataclass(frozen=True)
class Words:
    """How sentences and numbers are written.

    languages: Languages such as de_AT or de, the most wanted first.
    """

    languages: tuple[str, ...] = ()
    numbers: NumberFormat = NumberFormat()


@dataclass(frozen=True)
class Speech:
    """A language as the process speaks it.

    words: The languages and the signs of numbers.
    """

    words: Words
    catalog: gettext.NullTranslations


_ENGLISH = gettext.NullTranslations()
# One entry, replaced as a whole, since a catalog and the signs of its numbers belong together. It is set before other
# threads write sentences.
_speech = [Speech(Words(), _ENGLISH)]


def use_speech(speech: Speech) -> Speech:
    """Speak otherwise from now on.

    Returns: How the process spoke before.
    """
    before, _speech[0] = _speech[0], speech
    return before


def use(words: Words, folder: Path | None = None) -> bool:
    """Choose the language and the number format of the whole process.

    folder: Where the catalogs are, as LANGUAGE/LC_MESSAGES/corpus-explorer.mo; None for those that ship with the
        program.
    Returns: Whether one of the languages has a catalog.

    Notes
    -----
    Sentences that were made before keep their language.
    """
    places = folder or resource_path("locale")
    # Without a catalog for any of the languages, sentences stay English, while numbers follow the locale.
    catalog = gettext.translation(DOMAIN, places, words.languages, fallback=True) if words.languages else _ENGLISH
    use_speech(Speech(words, catalog))
    return isinstance(catalog, gettext.GNUTranslations)


def chosen() -> Words:
    """How the process speaks now."""
    return _speech[0].words


class _Formatter(string.Formatter):
    def format_field(self, value: Any, spec: str) -> str:
        text = format(value, spec)
        # Only numbers: points and commas of names and paths stay.
        return _speech[0].words.numbers.localize(text) if isinstance(value, numbers.Real) else text


_FORMATTER = _Formatter()


def tr(text: str, /, **values: Any) -> str:
    """Give a sentence in the chosen language.

    values: The values by name; numbers are written with the locale's signs.

    Examples
    --------
    >>> tr("{count:,} lines", count=1234)
    '1,234 lines'
    """
    # The catalog has its own description under the empty text. Without values, the sentence is not a format: braces
    # stay.
    found = _speech[0].catalog.gettext(text) if text else ""
    return _FORMATTER.vformat(found, (), values) if values else found


def trn(one: str, many: str, n: int, /, **values: Any) -> str:
    """Give a sentence about a number of things, in the plural form of the chosen language.

    many: The sentence in English for several; {n} is their number.

    Examples
    --------
    >>> trn("{n} line", "{n} lines", 2)
    '2 lines'
    """
    # English has two forms and chooses by n == 1; other languages have up to six, and their catalogs the rule.
    found = _speech[0].catalog.ngettext(one, many, n)
    return _FORMATTER.vformat(found, (), {"n": n, **values})


def mark(text: str) -> str:
    """The text as it is, known to those who translate; `tr` translates it where it is shown."""
    return text


def markn(one: str, many: str) -> tuple[str, str]:
    """Mark both forms of a sentence for translators; `trn` takes them."""
    return one, many


# Nouns with their numbers are translated as a whole, since their order and form depend on the language. Sentences then
# contain them as a field.
_NOUNS = {
    "answer": markn("{n:,} answer", "{n:,} answers"),
    "byte": markn("{n:,} byte", "{n:,} bytes"),
    "character": markn("{n:,} character", "{n:,} characters"),
    "collocate": markn("{n:,} collocate", "{n:,} collocates"),
    "document": markn("{n:,} document", "{n:,} documents"),
    "file": markn("{n:,} file", "{n:,} files"),
    "finding": markn("{n:,} finding", "{n:,} findings"),
    "folder": markn("{n:,} folder", "{n:,} folders"),
    "different word": markn("{n:,} different word", "{n:,} different words"),
    "different token": markn("{n:,} different token", "{n:,} different tokens"),
    "hit": markn("{n:,} hit", "{n:,} hits"),
    "item": markn("{n:,} item", "{n:,} items"),
    "line": markn("{n:,} line", "{n:,} lines"),
    "n-gram": markn("{n:,} n-gram", "{n:,} n-grams"),
    "note": markn("{n:,} note", "{n:,} notes"),
    "occurrence": markn("{n:,} occurrence", "{n:,} occurrences"),
    "pair": markn("{n:,} pair", "{n:,} pairs"),
    "passage": markn("{n:,} passage", "{n:,} passages"),
    "pattern": markn("{n:,} pattern", "{n:,} patterns"),
    "position": markn("{n:,} position", "{n:,} positions"),
    "row": markn("{n:,} row", "{n:,} rows"),
    "run": markn("{n:,} run", "{n:,} runs"),
    "shard": markn("{n:,} shard", "{n:,} shards"),
    "span": markn("{n:,} span", "{n:,} spans"),
    "size": markn("{n:,} size", "{n:,} sizes"),
    "text": markn("{n:,} text", "{n:,} texts"),
    "time": markn("once", "{n:,} times"),
    "token": markn("{n:,} token", "{n:,} tokens"),
    "unit": markn("{n:,} unit", "{n:,} units"),
    "value": markn("{n:,} value", "{n:,} values"),
    "word": markn("{n:,} word", "{n:,} words"),
    "worker": markn("{n:,} worker", "{n:,} workers"),
    "machine": markn("{n:,} machine", "{n:,} machines"),
}


def counted(noun: str, n: int) -> str:
    """Write a number of things as a part of a sentence.

    noun: The thing in English, one of those that the program counts.
    Returns: Both, in the chosen language.

    Examples
    --------
    >>> counted("token", 1), counted("token", 1024)
    ('1 token', '1,024 tokens')
    """
    return trn(*_NOUNS[noun], n)


def numeral(value: float, spec: str = ",") -> str:
    """Write a number with the locale's signs."""
    return _speech[0].words.numbers.localize(format(value, spec))
