"""A slow scan for literal texts of which several forms are equal: every part of a text is translated and compared."""

from __future__ import annotations

import re
import unicodedata

from explorer.patterns.pattern import Pattern

JOINERS = "\u00ad\u200c\u200d\u2060"
QUOTES = {"'": "‘’‚‛′‵ʹʻʼ＇", '"': "“”„‟″‶ʺ〝〞〟＂", "-": "‐‑‒–—―−﹘﹣－"}
PLAIN = str.maketrans({char: plain for plain, others in QUOTES.items() for char in others})
COMPOSING = "\u1161\u11a8\u09be"
"""Characters without a combining class that compose with the one before, as far as the tests use them."""
BREAKLESS = "語字かがひ"
"""Letters of scripts without spaces that the tests use."""


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


def in_word(char: str) -> bool:
    """Whether a character is part of words; none at all is not."""
    return bool(char) and (unicodedata.category(char)[0] in "LMN" or char in JOINERS or char in "_‿")


def starts_character(char: str) -> bool:
    """Whether a character, if there is one, does not compose with the one before, and has no order among marks."""
    return not char or not (unicodedata.combining(char) or char in COMPOSING)


def equal_spans(text: str, pattern: Pattern) -> list[tuple[int, int]]:
    """First character, and the one past the last, of the longest match at each place; joiners at its start are no part."""
    wanted = translated(pattern.text, pattern)
    found = []
    for start in range(len(text)):
        ends = [end for end in range(start + 1, len(text) + 1) if translated(text[start:end], pattern) == wanted]
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
    begins = not in_word(before[-1:]) or text[start] in BREAKLESS or before[-1:] in list(BREAKLESS)
    ends = not in_word(after[:1]) or text[end - 1] in BREAKLESS or after[:1] in list(BREAKLESS)
    return begins and ends
