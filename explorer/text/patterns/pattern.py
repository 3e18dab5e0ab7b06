"""What is looked for: a literal text or a regular expression."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from explorer.errors import QueryError
from explorer.i18n import mark
from explorer.text.patterns.equal import Translation, checked_equate, translation
from explorer.text.patterns.equates import Equate
from explorer.text.patterns.syntax import Chars, Choice, Node, Sequence, expression, literal, whole_words

Match = Literal["text", "regex"]
# The walk over the vocabulary grows with the pattern. A trace looks for a longer selection as tokens.
LONGEST = 2_000
"""Characters of a pattern."""


@dataclass(frozen=True)
class Pattern:
    """What is looked for.

    text: The literal text, or the regular expression.
    match: "text" (every character is itself) or "regex".
    ignore_case: Whether characters that differ in case only are equal (Unicode's full folding, so "ß" is "ss").
    whole_words: Whether there must be no letter, mark, digit or connector directly before and after, unless its
        neighbor is of a script that is written without spaces. Joiners and soft hyphens are part of words.
    equate: Names of `explorer.text.patterns.equal.EQUATES`: what else counts as the same.

    Examples
    --------
    >>> Pattern("cat", whole_words=True)
    Pattern(text='cat', match='text', ignore_case=False, whole_words=True, equate=())
    """

    text: str
    match: Match = "text"
    ignore_case: bool = False
    whole_words: bool = False
    equate: tuple[Equate, ...] = ()

    @property
    def translation(self) -> Translation:
        """What a text becomes before it is compared with the pattern."""
        return translation(checked_equate(self.equate), self.ignore_case)

    @property
    def size(self) -> int | None:
        """The bytes of every occurrence of a literal text; None if they differ."""
        # A stray byte in a text counts as U+FFFD, which has three bytes in UTF-8.
        if self.match == "regex" or "\ufffd" in self.text:
            return None
        node = literal(self.text, self.translation)
        parts = node.parts if isinstance(node, Sequence) else (node,)
        single = all(isinstance(part, Chars) and part.chars.single for part in parts)
        return len(self.text.encode()) if single else None

    def node(self) -> Node:
        """Parse the pattern.

        Raises `QueryError` if it is empty, longer than `LONGEST` characters, contains a lone surrogate, or is not a
            regular expression that is supported.
        """
        if not self.text:
            raise QueryError(mark("The query is empty."), reason="empty-query")
        if len(self.text) > LONGEST:
            raise QueryError(
                mark("This pattern has {size:,} characters, and the limit is {most:,}."),
                reason="pattern-too-long",
                size=len(self.text),
                most=LONGEST,
            )
        # Python can hold half of a pair, but it cannot be written as UTF-8.
        if wrong := re.search("[\ud800-\udfff]", self.text):
            raise QueryError(
                mark("Character {at:,} of this pattern is half of one (a lone surrogate), which no text contains."),
                reason="lone-surrogate",
                at=wrong.start() + 1,
            )
        how = self.translation
        # Borders outside of the whole pattern, so that they apply to each of its alternatives.
        node = expression(self.text, how) if self.match == "regex" else literal(self.text, how)
        return whole_words(node, how.forms) if self.whole_words else node


def any_of(patterns: tuple[Pattern, ...]) -> Node:
    """Parse several patterns of which any may match.

    Returns: The tree of an OR: where several of the patterns begin at one place, it is one occurrence.
    """
    nodes = tuple(pattern.node() for pattern in patterns)
    return nodes[0] if len(nodes) == 1 else Choice(nodes)
