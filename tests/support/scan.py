"""An independent scan of texts for a pattern, by the `regex` package."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import accumulate

import regex

from explorer.patterns.pattern import Pattern

WORD = r"[\p{L}\p{M}\p{N}\p{Pc}]"
# Joiners and soft hyphens are inside words.
INSIDE = WORD.replace("]", r"\u00ad\u200c\u200d\u2060]")
BREAKLESS = r"(?=\p{L})[\p{Han}\p{Hiragana}\p{Katakana}\p{Bopomofo}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]"
BEGINS = rf"(?:(?<!{INSIDE})|(?<={BREAKLESS})|(?={BREAKLESS}))"
ENDS = rf"(?:(?!{INSIDE})|(?<={BREAKLESS})|(?={BREAKLESS}))"
BORDER = rf"(?:(?<={INSIDE})(?!{INSIDE})|(?<!{INSIDE})(?={INSIDE})|(?<={BREAKLESS})|(?={BREAKLESS}))"

# The package takes the four separators of ASCII for no white space; the standard library does.
SPACES = ((r"\s", r"[\s\x1c-\x1f]"), (r"\S", r"[^\s\x1c-\x1f]"))


def source(pattern: Pattern) -> str:
    """The pattern as the package would have it."""
    if pattern.match == "regex":
        text = pattern.text
        for ours, theirs in ((r"\w", WORD), (r"\W", WORD.replace("[", "[^", 1)), (r"\b", BORDER), *SPACES):
            text = text.replace(ours, theirs)
        text = text.replace(r"\B", f"(?!{BORDER})").replace("(?i", "(?if")
    else:
        text = regex.escape(pattern.text, special_only=False, literal_spaces=True)
    if pattern.whole_words:
        text = f"{BEGINS}(?:{text}){ENDS}"
    return f"(?if:{text})" if pattern.ignore_case else text


def scan(texts: list[str], pattern: Pattern) -> list[tuple[int, int]]:
    """(text, character) of every place at which a match begins."""
    compiled = regex.compile(source(pattern), regex.VERSION1 if pattern.ignore_case else 0)
    return [(i, m.start()) for i, text in enumerate(texts) for m in compiled.finditer(text, overlapped=True)]


def longest(text: str, *patterns: Pattern) -> list[tuple[int, int]]:
    """(first character, one past the last) of the longest match from each place: tries all ends."""
    found = []
    for start in range(len(text)):
        ends = range(len(text), start, -1)
        end = next((end for end in ends if _ending(patterns, len(text) - end).match(text, start)), None)
        if end is not None:
            found.append((start, end))
    return found


@lru_cache(maxsize=4096)
def _ending(patterns: tuple[Pattern, ...], left: int) -> regex.Pattern[str]:
    """Matches any of the patterns where so many characters of the text are left after it."""
    return regex.compile(f"(?:{'|'.join(map(source, patterns))})(?=(?s:.{{{left}}})\\Z)")


def longest_by_posix(text: str, *patterns: Pattern) -> list[tuple[int, int]]:
    """As `longest`, by the package's own search for the longest match; for texts of more than a few words."""
    compiled = regex.compile("|".join(f"(?:{source(pattern)})" for pattern in patterns), regex.POSIX)
    return [match.span() for match in compiled.finditer(text, overlapped=True)]


def in_bytes(data: bytes) -> tuple[str, list[int]]:
    """The text of some bytes, U+FFFD for each stray one, and the byte at which each character, and the end, is."""
    text = data.decode(errors="surrogateescape")
    sizes = [1 if 0xDC80 <= ord(char) < 0xDD00 else len(char.encode()) for char in text]
    return re.sub("[\udc80-\udcff]", "\ufffd", text), list(accumulate(sizes, initial=0))
