"""A query that is rather a text: it is offered to Trace, which finds its parts. No Qt."""

from __future__ import annotations

import re

from explorer.gui.screens.search.query.state import QueryState
from explorer.i18n import tr, trn

_WORD = re.compile(r"\w+")
_SENTENCE_END = re.compile(r"\w[.!?…。！？][\"”’)\]]*(?:\s|$)")
_OPERATOR = re.compile(r"\b(?:AND|OR|NOT)\b")
_WORDS, _SENTENCES, _WORDS_OF_SENTENCES, _WORDS_OF_QUERY = 20, 2, 10, 60
"""Words of a text; sentences of one that has fewer words, which are at least as many; words of a long query at most."""


def words_of_text(query: str) -> int:
    """Count the words of a query that is more than a sentence or two; 0 for any other."""
    words = len(_WORD.findall(query))
    if _OPERATOR.search(query) and words < _WORDS_OF_QUERY:
        return 0
    sentences = len(_SENTENCE_END.findall(query))
    return words if words >= _WORDS or (sentences >= _SENTENCES and words >= _WORDS_OF_SENTENCES) else 0


def offered(query: QueryState) -> str:
    """The sentence that offers a query to Trace; "" if it is not a text, or no index is open."""
    words = 0 if query.corpus is None or query.match == "regex" else words_of_text(query.text)
    if not words:
        return ""
    return trn(
        "This is a text of {n:,} word. Search looks for all of it in one piece; Trace finds the parts that occur.",
        "This is a text of {n:,} words. Search looks for all of it in one piece; Trace finds the parts that occur.",
        words,
    )


def why_not_found(query: QueryState) -> tuple[str, str] | None:
    """What takes the place of lines for a text that does not occur as a whole; None for any other query."""
    if not offered(query):
        return None
    return tr("Not found in one piece"), tr(
        "Parts of this text may occur, also with other words between them. Click “Trace this text”."
    )
