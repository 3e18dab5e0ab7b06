"""Texts in two halves: one to learn from, the other to be scored."""

from __future__ import annotations

from dataclasses import dataclass, replace

from explorer.analyses.agreement.sources import SourceTexts
from explorer.errors import QueryError

HALF = "half"
"""What `--tune` is given in place of a file."""


@dataclass(frozen=True)
class Halves:
    """Two halves of some texts.

    scored: The others, with their groups and prompts.
    name: What the first half is.
    """

    learned: tuple[str, ...]
    scored: SourceTexts
    name: str


def in_halves(read: SourceTexts) -> Halves:
    """Take every other text to learn from, or of a single text its first half.

    Returns: Both halves. The first half of a single text is what comes before the second one, and is not scored.
    Raises `QueryError` if a single text has a prompt, or fewer than two characters.
    """
    # Every other one and not the first ones: sources come one after the other, and each is to be in both halves.
    if len(read.texts) > 1:
        scored = replace(
            read, texts=read.texts[1::2], groups=read.groups[1::2], prompts=read.prompts[1::2] if read.prompts else ()
        )
        return Halves(read.texts[::2], scored, "every other text")
    (text,) = read.texts
    if any(read.prompts) or len(text) < 2:
        raise QueryError(
            "One text with a prompt, or of one character, has no halves.", reason="no-halves", option="tune"
        )
    middle = len(text) // 2
    scored = replace(read, texts=(text[middle:],), prompts=(text[:middle],))
    return Halves((text[:middle],), scored, "first half of the text")
