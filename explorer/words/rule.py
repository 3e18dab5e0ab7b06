"""What a word is: rule R, in plain Python. The engine's pass over a corpus uses the same table of characters.

A word is a run of letters, marks, numbers and connectors (general categories L, M, N and Pc). An apostrophe joins if a
letter or mark precedes and a letter follows; a point or comma joins between digits; everything else separates. Each
letter of Han, Hiragana, Katakana and Bopomofo is a word of its own, with the marks after it. Thai, Lao, Khmer and
Myanmar stay runs, since no dictionary is used.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from explorer.categories import by_category
from explorer.errors import QueryError
from explorer.files.encoding import replace_surrogates
from explorer.i18n import mark

# The engine knows the same numbers.
OTHER, LETTER, MARK, DIGIT, CONNECTOR, SINGLE, APOSTROPHE, POINT, SIGN = range(9)
_SINGLE_RANGES = (
    # Bopomofo, and Hiragana and Katakana with the marks of length and repetition.
    (0x02EA, 0x02EB), (0x3041, 0x3096), (0x309D, 0x309F), (0x30A1, 0x30FA), (0x30FC, 0x30FF), (0x3105, 0x312F),
    (0x31A0, 0x31BF), (0x31F0, 0x31FF), (0xFF66, 0xFF9F), (0x1AFF0, 0x1AFFE), (0x1B000, 0x1B167),
    # Han, with its numerals and marks of repetition.
    (0x3005, 0x3007), (0x3021, 0x3029), (0x3031, 0x3035), (0x3038, 0x303C), (0x3400, 0x4DBF), (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF), (0x20000, 0x3FFFD),
)  # fmt: skip
# Lower case of one character each: Python's own gives İ two characters, and Σ its final form at the end of a word.
_SIMPLE = {0x130: 0x69, 0x3A3: 0x3C3}


@dataclass(frozen=True)
class WordRule:
    """How words are cut and compared.

    Attributes
    ----------
    fold
        Whether words that differ in case only are one form: simple lower-casing of Unicode, character by character.
    accents
        Whether accents are kept; otherwise nonspacing marks are removed from forms.
    numbers
        Whether words without a letter are kept; otherwise numbers are dropped.
    signs
        Whether each sign of punctuation and each symbol is a word of its own.
    shortest
        The fewest characters of a form, at least 1; shorter ones are dropped. Signs are kept.
    apostrophes
        Whether the two apostrophes, ' and ’, differ; otherwise forms have the first in place of the second.

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
    apostrophes: bool = True

    def __post_init__(self) -> None:
        if type(self.shortest) is not int or self.shortest < 1:
            raise QueryError(
                mark("The shortest word must have a whole number of characters from 1, not {value}."),
                reason="wrong-argument",
                value=repr(self.shortest),
            )

    @property
    def key(self) -> str:
        """The rule as a part of a file's name: equal for equal rules."""
        switches = "".join(str(int(switch)) for switch in (self.fold, self.accents, self.numbers, self.signs))
        # Only where it is used: rules without it keep the names that they have had.
        one = "" if self.apostrophes else "-one-apostrophe"
        return f"{switches}-{self.shortest}-{unicodedata.unidata_version}{one}"

    def form(self, spelling: str) -> str | None:
        """Give the form under which a spelling is counted; None if the rule drops it.

        Parameters
        ----------
        spelling
            A word or sign as it is written.

        Returns
        -------
        str | None
            The form.

        Examples
        --------
        >>> WordRule(accents=False).form("Élan"), WordRule(numbers=False).form("1,000")
        ('elan', None)
        """
        form = fold_case(spelling) if self.fold else spelling
        if not self.accents:
            form = without_accents(form)
        if not self.apostrophes:
            form = form.replace("’", "'")
        if self.numbers and not self.signs and self.shortest == 1:
            return form
        # Looked at only where a switch needs it: there may be millions of spellings.
        kinds = {class_of(char) for char in spelling}
        if kinds <= {APOSTROPHE, POINT, SIGN}:
            return form
        if not self.numbers and not kinds & {LETTER, MARK, SINGLE}:
            return None
        return form if len(form) >= self.shortest else None


def fold_case(text: str) -> str:
    """Put a text into lower case, character by character.

    Parameters
    ----------
    text
        Any text.

    Returns
    -------
    str
        The text in lower case, with as many characters.

    Examples
    --------
    >>> fold_case("İstanbul ΟΔΟΣ Straße")
    'istanbul οδοσ straße'
    """
    return text.lower() if text.isascii() else text.translate(_SIMPLE).lower()


def without_accents(text: str) -> str:
    """Remove nonspacing marks.

    Parameters
    ----------
    text
        Any text.

    Returns
    -------
    str
        The text without them; as it is if nothing would be left.

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


@lru_cache(maxsize=1)
def classes() -> NDArray[np.uint8]:
    """Give the class of every character: one of the numbers of this module, uint8 of shape (0x110000,).

    Returns
    -------
    NDArray[np.uint8]
        The table, made at the first call: some tens of milliseconds.
    """
    known = {"Pc": CONNECTOR, "Nd": DIGIT, "L": LETTER, "M": MARK, "N": CONNECTOR, "P": SIGN, "S": SIGN}
    table = by_category(lambda name: known.get(name, known.get(name[0], OTHER)), np.uint8)
    for first, last in _SINGLE_RANGES:
        part = table[first : last + 1]
        # Only letters and letter numbers: these blocks hold signs and unassigned characters, too.
        numerals = [unicodedata.category(chr(code)) == "Nl" for code in range(first, last + 1)]
        part[(part == LETTER) | np.array(numerals)] = SINGLE
    table[[ord("'"), ord("’")]] = APOSTROPHE
    table[[ord("."), ord(",")]] = POINT
    # It replaces bytes that are not a text, so it is not a sign of the text.
    table[0xFFFD] = OTHER
    # Shared by all callers.
    table.setflags(write=False)
    return table


def class_of(char: str) -> int:
    """Give the class of one character."""
    return int(classes()[ord(char)])


def spans(text: str, signs: bool = False) -> list[tuple[int, int]]:
    """Find the words of a text.

    Parameters
    ----------
    text
        Any text; unpaired surrogates count as U+FFFD.
    signs
        Whether signs are words.

    Returns
    -------
    list[tuple[int, int]]
        The first character of each word, and one past its last.

    Examples
    --------
    >>> spans("it's 3.14.")
    [(0, 4), (5, 9)]
    """
    text = replace_surrogates(text)
    kinds = classes()[np.frombuffer(text.encode("utf-32-le"), dtype="<u4")].tolist()
    found: list[tuple[int, int]] = []
    at = 0
    while at < len(kinds):
        end = _end_of_word(kinds, at)
        if end > at:
            found.append((at, end))
        elif signs and kinds[at] != OTHER:
            found.append((at, at + 1))
        at = max(end, at + 1)
    return found


def _end_of_word(kinds: list[int], start: int) -> int:
    """One past the last character of the word that begins here; `start` if none does."""
    if not LETTER <= kinds[start] <= SINGLE:
        return start
    at = start + 1
    single = kinds[start] == SINGLE
    while at < len(kinds):
        kind = kinds[at]
        if kind == MARK or (LETTER <= kind < SINGLE and not single):
            at += 1
        elif not single and _joins(kinds, at):
            # The sign and what follows it, which was looked at, too.
            at += 2
        else:
            break
    return at


def _joins(kinds: list[int], at: int) -> bool:
    """Whether an apostrophe, point or comma joins what precedes with what follows."""
    if at + 1 >= len(kinds):
        return False
    before, after = kinds[at - 1], kinds[at + 1]
    # A word that was joined before may be joined again: 1,000,000.
    if kinds[at] == APOSTROPHE:
        return before in (LETTER, MARK) and after == LETTER
    return kinds[at] == POINT and before == after == DIGIT


def words_of(text: str, rule: WordRule) -> list[str]:
    """Cut a text into the forms of its words.

    Parameters
    ----------
    text
        Any text.
    rule
        The rule.

    Returns
    -------
    list[str]
        The forms in the order of the text, without what the rule drops.

    Examples
    --------
    >>> words_of("The cat, THE cat", WordRule())
    ['the', 'cat', 'the', 'cat']
    """
    forms = (rule.form(text[start:end]) for start, end in spans(text, rule.signs))
    return [form for form in forms if form is not None]
