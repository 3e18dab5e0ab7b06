"""Phrases and their variants."""

from __future__ import annotations

import pytest

from explorer.analyses.search.query import find_phrase, show_token, spellings
from explorer.backends.ngrams import distinct_parts
from explorer.errors import QueryError


def test_variants_are_counted_once(small, text_folder):
    text = "".join(path.read_text() for path in sorted(text_folder.rglob("*")) if path.is_file())
    for query in ("cat", "the cat", "dog"):
        assert small.count(query, ["space"], match="tokens") == sum(
            small.count(text, match="tokens") for text in (query, " " + query)
        )
    # Both variants together cover every place at which a word begins.
    assert small.count("the cat", ["space"], match="tokens") == text.count("the cat")


def test_the_same_spelling_is_one_variant():
    assert spellings("abc", ["lower"]) == ("abc",)
    assert spellings("Abc", ["lower", "upper", "title", "space"]) == (
        "Abc", "abc", "ABC", " Abc", " abc", " ABC",
    )  # fmt: skip


def test_a_variant_that_extends_another_adds_nothing(small):
    """A query cut as a prefix of another variant's tokens holds that one's occurrences already."""
    the, the_cat = small.find(small.encode(" the")), small.find(small.encode(" the cat"))
    assert distinct_parts([the_cat, the]) == (the,)
    assert distinct_parts([the, the]) == (the,)


def test_tokens_are_shown_on_one_line(small):
    index = small.index
    assert show_token(index, small.encode(" the")[0]) == "␣the"
    assert show_token(index, small.encode("\n")[0]) == "⏎"
    assert show_token(index, index.separator) == "⟨end of document⟩"


@pytest.mark.parametrize("query", ["", "   ", "\n"])
def test_an_empty_query(small, query):
    with pytest.raises(QueryError, match="empty"):
        find_phrase(small.index, query)


def test_an_unknown_variant(small):
    with pytest.raises(QueryError, match="no variant"):
        find_phrase(small.index, "a", ["sideways"])
