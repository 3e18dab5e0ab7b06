"""An independent scan of texts for a pattern, by the `regex` package."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from itertools import accumulate

import regex
from equal_scan import BREAKLESS, equal_spans

from explorer.text.patterns.pattern import Pattern

WORD = r"[\p{L}\p{M}\p{N}\p{Pc}]"
# Joiners and soft hyphens are inside words.
INSIDE = WORD.replace("]", r"\u00ad\u200c\u200d\u2060]")
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


def _is_translated(pattern: Pattern) -> bool:
    """Whether several forms of a literal text are equal, which the package does not know."""
    return pattern.match == "text" and (pattern.ignore_case or bool(pattern.equate))


def scan(texts: list[str], pattern: Pattern) -> list[tuple[int, int]]:
    """(text, character) of every place at which a match begins."""
    if _is_translated(pattern):
        return [(i, start) for i, text in enumerate(texts) for start, _ in equal_spans(text, pattern)]
    compiled = regex.compile(source(pattern))
    return [(i, m.start()) for i, text in enumerate(texts) for m in compiled.finditer(text, overlapped=True)]


def longest(text: str, *patterns: Pattern) -> list[tuple[int, int]]:
    """(first character, one past the last) of the longest match from each place: tries all ends."""
    return _united(text, patterns, _by_ends)


def longest_by_posix(text: str, *patterns: Pattern) -> list[tuple[int, int]]:
    """As `longest`, by the package's own search for the longest match; for texts of more than a few words."""
    return _united(text, patterns, _by_posix)


def _united(text: str, patterns: tuple[Pattern, ...], others: _Spans) -> list[tuple[int, int]]:
    rest = tuple(pattern for pattern in patterns if not _is_translated(pattern))
    ends = dict(others(text, rest)) if rest else {}
    for pattern in patterns:
        for start, end in equal_spans(text, pattern) if _is_translated(pattern) else ():
            ends[start] = max(end, ends.get(start, 0))
    return sorted(ends.items())


_Spans = Callable[[str, tuple[Pattern, ...]], list[tuple[int, int]]]


def _by_ends(text: str, patterns: tuple[Pattern, ...]) -> list[tuple[int, int]]:
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


def _by_posix(text: str, patterns: tuple[Pattern, ...]) -> list[tuple[int, int]]:
    compiled = regex.compile("|".join(f"(?:{source(pattern)})" for pattern in patterns), regex.POSIX)
    return [match.span() for match in compiled.finditer(text, overlapped=True)]


def in_bytes(data: bytes) -> tuple[str, list[int]]:
    """The text of some bytes, U+FFFD for each stray one, and the byte at which each character, and the end, is."""
    text = data.decode(errors="surrogateescape")
    sizes = [1 if 0xDC80 <= ord(char) < 0xDD00 else len(char.encode()) for char in text]
    return re.sub("[\udc80-\udcff]", "\ufffd", text), list(accumulate(sizes, initial=0))
