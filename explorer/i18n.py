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
    """What stands between groups of thousands and before decimals, and the digit for nothing."""

    group: str = ","
    decimal: str = "."
    zero: str = "0"

    def localize(self, text: str) -> str:
        """A number that Python wrote, with these signs."""
        return text.translate(_signs(self))


@functools.cache
def _signs(form: NumberFormat) -> dict[int, str]:
    digits = {ord("0") + i: chr(ord(form.zero) + i) for i in range(10)}
    return {ord(","): form.group, ord("."): form.decimal, **digits}


@dataclass(frozen=True)
class Words:
    """Languages, as de_AT or de, the most wanted first, and a number format."""

    languages: tuple[str, ...] = ()
    numbers: NumberFormat = NumberFormat()


@dataclass(frozen=True)
class _Speech:
    words: Words
    catalog: gettext.NullTranslations


_ENGLISH = gettext.NullTranslations()
_speech = [_Speech(Words(), _ENGLISH)]


def use(words: Words, folder: Path | None = None) -> bool:
    """Speak so from now on, in the whole process; returns whether one of the languages has a catalog.

    folder: where the catalogs are, LANGUAGE/LC_MESSAGES/corpus-explorer.mo; those that ship with the program.
    """
    places = folder or resource_path("locale")
    catalog = gettext.translation(DOMAIN, places, words.languages, fallback=True) if words.languages else _ENGLISH
    _speech[0] = _Speech(words, catalog)
    return isinstance(catalog, gettext.GNUTranslations)


def chosen() -> Words:
    """How the process speaks now."""
    return _speech[0].words


class _Formatter(string.Formatter):
    def format_field(self, value: Any, spec: str) -> str:
        text = format(value, spec)
        return _speech[0].words.numbers.localize(text) if isinstance(value, numbers.Real) else text


_FORMATTER = _Formatter()


def tr(text: str, /, **values: Any) -> str:
    """A sentence in the chosen language; values take the place of {names}, as in str.format, numbers localised."""
    found = _speech[0].catalog.gettext(text) if text else ""
    return _FORMATTER.vformat(found, (), values) if values else found


def trn(one: str, many: str, n: int, /, **values: Any) -> str:
    """A sentence about `n` things in the plural form of the chosen language; {n} is their number."""
    found = _speech[0].catalog.ngettext(one, many, n)
    return _FORMATTER.vformat(found, (), {"n": n, **values})


def mark(text: str) -> str:
    """The text as it is, known to those who translate; `tr` translates it where it is shown."""
    return text


def markn(one: str, many: str) -> tuple[str, str]:
    """Both forms, known to those who translate; `trn` takes them."""
    return one, many


_NOUNS = {
    "answer": markn("{n:,} answer", "{n:,} answers"),
    "byte": markn("{n:,} byte", "{n:,} bytes"),
    "document": markn("{n:,} document", "{n:,} documents"),
    "file": markn("{n:,} file", "{n:,} files"),
    "finding": markn("{n:,} finding", "{n:,} findings"),
    "hit": markn("{n:,} hit", "{n:,} hits"),
    "line": markn("{n:,} line", "{n:,} lines"),
    "occurrence": markn("{n:,} occurrence", "{n:,} occurrences"),
    "pattern": markn("{n:,} pattern", "{n:,} patterns"),
    "row": markn("{n:,} row", "{n:,} rows"),
    "shard": markn("{n:,} shard", "{n:,} shards"),
    "span": markn("{n:,} span", "{n:,} spans"),
    "text": markn("{n:,} text", "{n:,} texts"),
    "time": markn("once", "{n:,} times"),
    "token": markn("{n:,} token", "{n:,} tokens"),
    "value": markn("{n:,} value", "{n:,} values"),
}


def counted(noun: str, n: int) -> str:
    """So many things of a kind, as a part of a sentence: 1 token, 1,024 tokens."""
    return trn(*_NOUNS[noun], n)


def numeral(value: float, spec: str = ",") -> str:
    """A number as `format` writes it, with the locale's signs."""
    return _speech[0].words.numbers.localize(format(value, spec))
