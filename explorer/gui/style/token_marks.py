"""The marks in the texts of tokens, in words: `explorer.analyses.search.query.show_token` writes them. No Qt."""

from __future__ import annotations

import re
from collections.abc import Sequence

from explorer.i18n import mark, tr, trn

_MARKS = (
    (re.compile("␣"), mark("␣ space")),
    (re.compile("⏎"), mark("⏎ line break")),
    (re.compile("⇥"), mark("⇥ tab")),
    (re.compile("⟨[0-9A-F]{2}⟩"), mark("⟨…⟩ byte")),
)


def marks_in(texts: Sequence[str]) -> str:
    """Explain the marks in some texts of tokens.

    Returns: The marks that are in them and their names, such as "␣ space"; "" for none.

    Examples
    --------
    >>> marks_in(["␣the", "␣cat"])
    '␣ space'
    """
    return ", ".join(tr(name) for pattern, name in _MARKS if any(pattern.search(text) for text in texts))


def read_as(texts: Sequence[str], is_short: bool = False) -> str:
    """Write a heading for the tokens of a text.

    is_short: Whether to leave out the names of the marks, because of a narrow line.
    Returns: The number of tokens, and what the marks in them are; "" without tokens.
    """
    if not texts:
        return ""
    heading = trn("Read as {n:,} token", "Read as {n:,} tokens", len(texts))
    marks = "" if is_short else marks_in(texts)
    return tr("{heading} ({marks})", heading=heading, marks=marks) if marks else heading


def about_tokens(texts: Sequence[str]) -> str:
    """Explain what the chips of tokens are, for a tool tip.

    Returns: Sentences; the last one explains the marks in these tokens, if there are any.
    """
    told = tr(
        "The index counts tokens: words, parts of words and signs, as its tokenizer cuts a text. A space usually "
        "belongs to the token after it."
    )
    marks = marks_in(texts)
    return f"{told}\n{marks}" if marks else told
