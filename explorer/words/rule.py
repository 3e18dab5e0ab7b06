"""What is one word: the rule that cuts words, and the form under which each is counted."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import cache

import numpy as np

from explorer.errors import QueryError
from explorer.i18n import mark
from explorer.text.segments import (
    APOSTROPHE,
    APOSTROPHES,
    JOINER,
    LETTER,
    MIDDLE,
    POINT,
    SIGN,
    SINGLE,
    class_of,
    classes,
    spans,
)

VERSION = 2
"""Of the rule and of the forms of words: indexes of words of another version are made again."""
_READABLE_JOINERS = "\u200c\u200d"
"""Those that change how a word looks; the others, such as soft hyphens, are not shown."""
_MODIFIER_APOSTROPHE = "\u02bc"
"""A letter, so it is part of words wherever it is; compared as an apostrophe."""


@dataclass(frozen=True)
class WordRule:
    """How words are cut and compared.

    fold: Whether words that differ in case only are one form, by Unicode's full folding: `STRASSE` equals `Straße`.
    accents: Whether accents are kept; otherwise nonspacing marks are removed from forms.
    numbers: Whether words without a letter are kept; otherwise numbers are dropped.
    signs: Whether each sign of punctuation and each symbol is a word of its own.
    shortest: The fewest characters of a form, at least 1; shorter ones are dropped. Signs are kept.
    apostrophes: Whether straight and curly apostrophes, ' and ’, differ; otherwise forms have the first in place of the
        second.

    Examples
    --------
    >>> words_of("Don't pay 1,000.50!", WordRule())
    ["don't", 'pay', '1,000.50']
    """

    fold: bool = True
    accents: bool = True
    numbers: bool = True
    signs: bool = False
    shortest: int = 1
    apostrophes: bool = False

    def __post_init__(self) -> None:
        if type(self.shortest) is not int or self.shortest < 1:
            raise QueryError(
                mark("The shortest word must have a whole number of characters from 1, not {value}."),
                reason="wrong-argument",
                value=repr(self.shortest),
            )

    @property
    def key(self) -> str:
        """The rule as a part of a file's name: equal for equal rules of one version."""
        return f"{self._settings}-{'two' if self.apostrophes else 'one'}-{VERSION}"

    @property
    def older_keys(self) -> tuple[str, ...]:
        """The keys that the same settings had in earlier versions of the rule."""
        # Version 1 told the two apostrophes apart unless another rule was chosen.
        return (self._settings,) if self.apostrophes else (self._settings, f"{self._settings}-one-apostrophe")

    @property
    def _settings(self) -> str:
        switches = "".join(str(int(switch)) for switch in (self.fold, self.accents, self.numbers, self.signs))
        return f"{switches}-{self.shortest}-{unicodedata.unidata_version}"

    def form(self, spelling: str) -> str | None:
        """Give the form under which a spelling is counted; None if the rule drops it.

        spelling: A word or sign as it is written.
        Returns: The form, which is the same for all spellings of a word: composed (NFC), without joiners and soft
            hyphens, and by the rule in folded case and with straight apostrophes.

        Examples
        --------
        >>> WordRule(accents=False).form("Élan"), WordRule(numbers=False).form("1,000")
        ('elan', None)
        >>> WordRule().form("Straße")
        'strasse'
        """
        form = self._plain(spelling)
        if self.fold:
            form = _fold(form)
        if not self.accents:
            form = without_accents(form)
        if self.numbers and not self.signs and self.shortest == 1:
            return form
        # Looked at only where a switch needs it: there may be millions of spellings.
        kinds = {class_of(char) for char in spelling}
        if kinds <= {APOSTROPHE, MIDDLE, POINT, SIGN}:
            return form
        if not self.numbers and not kinds & {LETTER, SINGLE}:
            return None
        return form if len(form) >= self.shortest else None

    def shown(self, spelling: str) -> str:
        """Give a spelling as lists show its word: readable, and with the same form.

        Returns: In lower case if the rule folds, where the form may have replaced letters; with the joiners that change
            how the word looks.

        Examples
        --------
        >>> WordRule().shown("Straße"), WordRule().shown("Don’t")
        ('straße', "don't")
        """
        shown = self._plain(spelling, _invisible())
        if self.fold:
            shown = unicodedata.normalize("NFC", shown.lower())
        if self.accents:
            return shown
        # Folding makes a letter of the iota below a Greek letter, which is a mark like accents.
        return without_accents(unicodedata.normalize("NFD", shown).replace("\u0345", "ι") if self.fold else shown)

    def _plain(self, spelling: str, removed: dict[int, None] | None = None) -> str:
        """A spelling without joiners, composed, and by the rule with straight apostrophes."""
        if spelling.isascii():
            return spelling
        text = spelling.translate(_joiners() if removed is None else removed)
        if not self.apostrophes:
            text = text.translate(_STRAIGHT)
        return unicodedata.normalize("NFC", text)


_STRAIGHT = dict.fromkeys(map(ord, (*APOSTROPHES, _MODIFIER_APOSTROPHE)), "'")


def _fold(text: str) -> str:
    """Unicode's full folding, of canonically equivalent texts the same."""
    if text.isascii():
        return text.lower()
    # Taken apart first: the folding of a composed letter may be composed otherwise than that of its parts.
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", text).casefold())


@cache
def _joiners() -> dict[int, None]:
    return dict.fromkeys(np.flatnonzero(classes() == JOINER).tolist())


@cache
def _invisible() -> dict[int, None]:
    return {code: None for code in _joiners() if chr(code) not in _READABLE_JOINERS}


def without_accents(text: str) -> str:
    """Remove nonspacing marks.

    Returns: The text without them; as it is if nothing would be left.

    Examples
    --------
    >>> without_accents("Élan vital, Ångström")
    'Elan vital, Angstrom'
    """
    if text.isascii():
        return text
    # Taken apart, so that the accent of é is a mark of its own.
    parts = unicodedata.normalize("NFD", text)
    return unicodedata.normalize("NFC", "".join(char for char in parts if unicodedata.category(char) != "Mn")) or text


def words_of(text: str, rule: WordRule) -> list[str]:
    """Cut a text into the forms of its words.

    Returns: The forms in the order of the text, without what the rule drops.

    Examples
    --------
    >>> words_of("The cat, THE cat", WordRule())
    ['the', 'cat', 'the', 'cat']
    """
    forms = (rule.form(text[start:end]) for start, end in spans(text, rule.signs))
    return [form for form in forms if form is not None]
