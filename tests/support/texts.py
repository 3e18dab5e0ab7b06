"""Texts of many scripts for property tests."""

from __future__ import annotations

from hypothesis import strategies as st

SCRIPTS = st.text(
    alphabet=st.one_of(
        st.sampled_from(" \n\t.,'\"_-aeiouAZ09"),
        st.sampled_from("é日本語한국العربيةעברית😀👩‍💻ǎ\u0301\u200f\u202e"),
        st.characters(exclude_categories=["Cs"]),
    ),
    max_size=60,
)
