"""A slow scan for literal texts of which several forms are equal: every part of a text is translated and compared."""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache

import regex

from explorer.text.patterns.pattern import Pattern

BREAKLESS = r"(?=\p{L})[\p{Han}\p{Hiragana}\p{Katakana}\p{Bopomofo}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]"

JOINERS = "\u00ad\u200c\u200d\u2060"
QUOTES = {"'": "‘’‚‛′‵ʹʻʼ＇", '"': "“”„‟″‶ʺ〝〞〟＂", "-": "‐‑‒–—―−﹘﹣－"}
PLAIN = str.maketrans({char: plain for plain, others in QUOTES.items() for char in others})
COMPOSING = "\u1161\u11a8\u09be"
"""Characters without a combining class that compose with the one before, as far as the tests use them."""


@lru_cache(maxsize=100_000)
def translated(text: str, pattern: Pattern) -> str:
    """A text as it is compared."""
    if "forms" in pattern.equate:
        text = unicodedata.normalize("NFD", re.sub(f"[{JOINERS}]", "", text))
    if pattern.ignore_case:
        text = text.casefold()
    if "forms" in pattern.equate:
        text = unicodedata.normalize("NFD", text)
    if "quotes" in pattern.equate:
        text = text.translate(PLAIN)
    return re.sub(r"\s+", " ", text) if "spacing" in pattern.equate else text


@cache
def in_word(char: str) -> bool:
    """Whether a character is part of words; none at all is not."""
    return bool(char) and (unicodedata.category(char)[0] in "LMN" or char in JOINERS or char in "_‿")


@cache
def breakless(char: str) -> bool:
    """Whether a character, if there is one, is a letter of a script without spaces."""
    return regex.match(BREAKLESS, char) is not None


@cache
def starts_character(char: str) -> bool:
    """Whether a character, if there is one, does not compose with the one before, and has no order among marks."""
    return not char or not (unicodedata.combining(char) or char in COMPOSING)


def equal_spans(text: str, pattern: Pattern) -> list[tuple[int, int]]:
    """First character, and the one past the last, of the longest match at each place, without joiners at its start."""
    wanted = translated(pattern.text, pattern)
    # As many as runs of white space, joiners and decomposed characters take in the tests.
    most = 4 * len(pattern.text) + 12
    found = []
    for start in range(len(text)):
        # Marks have no order, so that only another first letter decides.
        if starts_character(wanted[:1]) and translated(text[start], pattern)[:1] != wanted[:1]:
            continue
        last = min(len(text), start + most)
        ends = [end for end in range(start + 1, last + 1) if translated(text[start:end], pattern) == wanted]
        ends = [end for end in ends if _holds(text, start, end, pattern, wanted)]
        if ends:
            found.append((start, max(ends)))
    return found


def _holds(text: str, start: int, end: int, pattern: Pattern, wanted: str) -> bool:
    forms = "forms" in pattern.equate
    if forms and text[start] in JOINERS:
        return False
    before, after = text[:start], text[end:]
    if forms:
        before = before.rstrip(JOINERS)
        if after[:1] in list(JOINERS):
            return False
        if not starts_character(after[:1]) and any(starts_character(char) for char in wanted):
            return False
    if "spacing" in pattern.equate and wanted[0] == " " and before[-1:].isspace():
        return False
    if not pattern.whole_words:
        return True
    begins = not in_word(before[-1:]) or breakless(text[start]) or breakless(before[-1:])
    ends = not in_word(after[:1]) or breakless(text[end - 1]) or breakless(after[:1])
    return begins and ends
