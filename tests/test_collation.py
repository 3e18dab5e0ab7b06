"""The order of words and values."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.text.collation import collation_key, collation_levels


@pytest.mark.parametrize(
    "ordered",
    [
        ["apple", "“banana", "Éclair", "étude", "zebra"],
        ["cote", "Cote", "coté", "côte", "côté"],
        ["a", "A", "á", "Á", "b"],
        ["9", "10", "200", "1,000", "٣٠٠٠", "a"],
        ["3", "3.14", "3.2", "item 9", "item 10"],
        ["of the", "of\u00a0time", "often"],
        ["naive", "naïve", "naives"],
        ["+", "€", "1", "a"],
        ["ΑΒΓ", "άβδ", "αβε"],
        ["елка", "ёлка", "еще"],
        ["का", "कि", "खा"],
        ["", "a"],
    ],
)
def test_the_order_of_a_reader(ordered):
    assert sorted(set(ordered), key=collation_key) == ordered


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("don’t", "dont"),
        ("—\u00a0cat", "cat"),
        ("“cat”", "cat"),
        ("ﬁnal", "final"),
        ("a  b", "a\n b"),
        ("x\u00ady", "xy"),
        ("007", "7"),
    ],
)
def test_what_takes_no_part(one, other):
    assert collation_key(one) == collation_key(other)


@given(st.text(max_size=12), st.text(max_size=12))
def test_forms_of_one_text_have_one_key(text, other):
    assert collation_key(unicodedata.normalize("NFD", text)) == collation_key(unicodedata.normalize("NFC", text))
    # One key decides as its levels do, one after the other.
    assert (collation_key(text) < collation_key(other)) == (collation_levels(text) < collation_levels(other))


@given(st.text(alphabet="abZéÉ", max_size=8))
def test_letters_are_read_fast_and_slowly_alike(text):
    assert collation_levels(text) == collation_levels(f"“{text}”")
