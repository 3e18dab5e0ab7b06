"""Where a text may be cut: against the clusters of the package regex."""

from __future__ import annotations

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from explorer.text.graphemes import beginning, ending, grapheme_end, grapheme_start, is_inside

WHOLE = [
    "e\u0301", "\r\n", "👩\u200d👩\u200d👧\u200d👦", "👍🏽", "🇩🇪", "❤\ufe0f", "1\ufe0f\u20e3", "각",
    "\u1100\u1161\u11a8",
    "कि", "क्षि", "กำ", "か\u3099", "ｶ\uff9e", "🏴\U000e0067\U000e0062\U000e007f", "a" + "\u0301" * 40,
    "ന്\u200d", "\u0600١", "🏳\ufe0f\u200d🌈",
]  # fmt: skip
PARTS = st.sampled_from([*WHOLE, *"ab ,.é日\n\r🇩👩\u0301\u200d"])


def borders(text):
    return {match.start() for match in regex.finditer(r"\X", text)} | {len(text)}


@pytest.mark.parametrize("whole", WHOLE)
def test_a_character_is_never_cut(whole):
    text = f"x{whole}y"
    for at in range(len(text) + 1):
        assert grapheme_start(text, at) in (0, 1, 1 + len(whole), len(text))
        assert grapheme_end(text, at) in (0, 1, 1 + len(whole), len(text))
        assert beginning(text, at) in ("", "x", "x" + whole, text)
        assert ending(text, at) in ("", "y", whole + "y", text)


@given(st.lists(PARTS, max_size=8).map("".join))
def test_every_border_is_one_of_unicode(text):
    mine = {at for at in range(len(text) + 1) if not is_inside(text, at)}
    # Fewer are allowed: after a joiner, any symbol belongs to the one before.
    assert mine <= borders(text)
    assert mine == borders(text) or "\u200d" in text


def test_plain_text_is_cut_anywhere():
    text = "Élan, 日本 slovo слово 12 — x!"
    assert not any(is_inside(text, at) for at in range(len(text) + 1))
    assert beginning(text, 0) == ending(text, 0) == "" and beginning(text, 99) == ending(text, 99) == text
