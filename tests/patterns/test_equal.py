"""What counts as the same, against a slow scan that translates every part of a text."""

import unicodedata

import pytest
from equal_scan import JOINERS, equal_spans
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.errors import QueryError
from explorer.text.patterns.equal import checked_equate
from explorer.text.patterns.equates import EQUATES
from explorer.text.patterns.pattern import Pattern
from explorer.text.patterns.scan import scanner

ODD = (
    "aefisE ESß ſßẞﬁﬀﬆσςΣéÉe\u0301\u0323\u0302ệ"
    "ộẹê Å\u212bK\u212a'’ʼ\"“″-–ŉǆǅİı\u0307 \t\r\n\u2028\u0085\u00a0\u3000\u2002"
)
ODDER = "\u200d\u200c\u00ad\u2060.語がか\u3099가각ᄀ\u1161\u11a8\u09c7\u09be\u09cbΐ\u0390_1"
PIECES = st.text(ODD, max_size=4) | st.text(ODD + ODDER, max_size=3)
EQUATED = st.sets(st.sampled_from(EQUATES)).map(checked_equate)


def spans(text, pattern):
    """The spans in characters, without joiners at their starts."""
    found = scanner((pattern,)).scan(text.encode())
    result = []
    for start, end in zip(found.starts.tolist(), found.ends.tolist(), strict=True):
        first, last = (len(text.encode()[:at].decode()) for at in (start, end))
        # Joiners before a word, and before a run of white space, are part of the match.
        while "forms" in pattern.equate and text[first] in JOINERS:
            first += 1
        result.append((first, last))
    return result


@st.composite
def asked(draw):
    """A text, and a part of it in another form, or another text."""
    pieces = draw(st.lists(PIECES, min_size=1, max_size=6))
    text = "".join(pieces)
    at = draw(st.integers(0, max(0, len(text) - 1)))
    part = text[at : at + draw(st.integers(1, 5))] or "e"
    form = draw(st.sampled_from([str, str.upper, str.casefold, lambda part: unicodedata.normalize("NFC", part)]))
    return text, form(part) or "e"


@given(asked(), EQUATED, st.booleans(), st.booleans())
@settings(max_examples=10 * settings.default.max_examples)
def test_a_text_is_found_in_every_form(case, equate, ignore_case, whole_words):
    text, query = case
    pattern = Pattern(query, "text", ignore_case, whole_words, equate)
    if not query.strip(JOINERS) and "forms" in equate:
        with pytest.raises(QueryError, match="joiners"):
            pattern.node()
        return
    assert spans(text, pattern) == equal_spans(text, pattern)
