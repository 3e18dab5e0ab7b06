"""How the library reads what it is asked to search for."""

import pytest

from explorer.errors import QueryError


@pytest.mark.parametrize(
    "options",
    [{"match": "regex"}, {"ignore_case": True}, {"whole_words": True}, {"match": "tokens", "variants": ["upper"]}],
)
def test_token_ids_take_no_options_of_texts(small, options):
    ids = small.encode("the cat")
    with pytest.raises(QueryError) as caught:
        small.concordance(ids, **options)
    assert caught.value.reason == "ids-have-no-match"
    with pytest.raises(QueryError) as caught:
        small.count(ids, **options)
    assert caught.value.reason == "ids-have-no-match"


def test_an_unknown_match_is_refused_whatever_the_query_is(small):
    for query in ("the cat", small.encode("the cat")):
        for ask in (small.count, small.count_documents, small.concordance):
            with pytest.raises(QueryError) as caught:
                ask(query, match="word")
            assert caught.value.reason == "unknown-match"


def test_a_count_agrees_with_the_lines(small):
    for options in ({}, {"match": "regex"}, {"match": "tokens"}, {"match": "tokens", "variants": ("space", "title")}):
        assert small.count("a", **options) == small.concordance("a", **options).count > 0
    ids = small.encode("the cat")
    assert small.count(ids) == small.concordance(ids).count > 0


def test_an_empty_query_is_refused(small):
    for query in ("", []):
        for ask in (small.count, small.count_documents, small.concordance):
            with pytest.raises(QueryError):
                ask(query)
