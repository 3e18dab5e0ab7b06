"""An independent scan of texts for a pattern, by the `regex` package."""

from __future__ import annotations

import regex

from explorer.patterns.find import Pattern

WORD = r"[\p{L}\p{M}\p{N}\p{Pc}]"
BREAKLESS = r"(?=\p{L})[\p{Han}\p{Hiragana}\p{Katakana}\p{Bopomofo}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]"
BEGINS = rf"(?:(?<!{WORD})|(?<={BREAKLESS})|(?={BREAKLESS}))"
ENDS = rf"(?:(?!{WORD})|(?<={BREAKLESS})|(?={BREAKLESS}))"
BORDER = rf"(?:(?<={WORD})(?!{WORD})|(?<!{WORD})(?={WORD})|(?<={BREAKLESS})|(?={BREAKLESS}))"


def scan(texts: list[str], pattern: Pattern) -> list[tuple[int, int]]:
    """(text, character) of every place at which a match begins."""
    if pattern.match == "regex":
        source = pattern.text
        for ours, theirs in ((r"\w", WORD), (r"\W", WORD.replace("[", "[^", 1)), (r"\b", BORDER)):
            source = source.replace(ours, theirs)
        source = source.replace(r"\B", f"(?!{BORDER})")
    else:
        source = regex.escape(pattern.text, special_only=False, literal_spaces=True)
    if pattern.whole_words:
        source = f"{BEGINS}(?:{source}){ENDS}"
    compiled = regex.compile(source, (regex.IGNORECASE if pattern.ignore_case else 0))
    return [(i, m.start()) for i, text in enumerate(texts) for m in compiled.finditer(text, overlapped=True)]
