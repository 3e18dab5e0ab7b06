"""The protocol of infini-gram's API as values: fields, limits, text as n-grams, answers."""

from __future__ import annotations

import pytest

from explorer.http.wire.errors import BadReplyError, RefusedError
from explorer.http.wire.infini_gram import COMMON_REPLY, DEFAULTS, LIMITS, QUERY_TYPES, Question, check_reply
from explorer.http.wire.reading import check_ids, is_cnf, ngram_ids, read_question, read_text

ASKED = {"index": "news", "query_type": "count", "query": "the cat"}


def refused(payload):
    with pytest.raises(RefusedError) as found:
        read_question(payload)
    return found.value.status, str(found.value)


@pytest.mark.parametrize("name", QUERY_TYPES)
def test_a_question_is_read_as_it_is_sent(name):
    kind = QUERY_TYPES[name]
    numbers = {**{key: DEFAULTS[key] for key in kind.options}, **dict.fromkeys(kind.required, 0)}
    for question in (
        Question("news", kind, query="a cat", numbers=numbers),
        Question("news", kind, query_ids=[1, 2], numbers=numbers),
    ):
        assert read_question(question.payload) == question


def test_the_old_name_of_the_index_wins():
    assert read_question({**ASKED, "corpus": "old"}).index == "old"
    assert read_question({**ASKED, "source": "x", "timestamp": 1, "engine": "c++"}).index == "news"


@pytest.mark.parametrize(
    ("payload", "sentence"),
    [
        ([ASKED], "A question must be a JSON object"),
        ({"index": "news", "query": "a"}, "Missing required field: 'query_type'"),
        ({"query_type": "count", "query": "a"}, "Missing required field: 'index'"),
        ({"index": "news", "query_type": "count"}, "Exactly one of query and query_ids must be present!"),
        ({**ASKED, "query_ids": [1]}, "Exactly one of query and query_ids must be present!"),
        ({**ASKED, "index": 5}, "Invalid index"),
        ({**ASKED, "query_type": "__class__"}, "Invalid query_type: __class__"),
        ({**ASKED, "query_type": "engine"}, "Invalid query_type: engine"),
        ({**ASKED, "query_type": ["count"]}, "Invalid query_type"),
        ({**ASKED, "maxnum": 1}, "Unknown field: 'maxnum'"),
        ({**ASKED, "query_type": "get_doc_by_rank", "s": 0}, "Missing required field: 'rank'"),
    ],
)
def test_what_cannot_be_read_is_400(payload, sentence):
    assert refused(payload) == (400, "[Flask] " + sentence)


@pytest.mark.parametrize("value", [0, -1, True, 1.0, "5", 500_001, 2**63])
def test_numbers_out_of_range_are_errors_of_200(value):
    expected = 200, "max_clause_freq must be an integer in [1, 500000]!"
    assert refused({**ASKED, "max_clause_freq": value}) == expected
    assert read_question({**ASKED, "max_clause_freq": None}).numbers == {}


def test_or_binds_tighter_than_and():
    assert read_text("a OR b AND c", list) == [[["a"], ["b"]], [["c"]]]
    # The words need a space on both sides, and capitals.
    assert read_text("AND b OR", list) == list("AND b OR")
    assert read_text("a and b", list) == list("a and b")


def test_texts_are_limited():
    assert len(read_text("a" * LIMITS.characters, list)) == 1_000
    for text, sentence in (("a" * 1_001, "Please limit your input to <= 1000 characters!"), (5, "query must be a str")):
        with pytest.raises(RefusedError, match=sentence):
            read_text(text, list)


def test_bytes_are_read_as_the_api_reads_them():
    assert ngram_ids(r"é\x0a\xfg\x", "bytes", list, None) == [*"é".encode(), 10, *rb"\xfg\x"]
    assert ngram_ids("", "byte-level", list, None) == []
    assert ngram_ids("a", "sentencepiece", lambda text: [7, 97], 7) == [97]
    assert ngram_ids("a", "sentencepiece", lambda text: [97], None) == [97]
    assert ngram_ids("a", "wordpiece", lambda text: [7, 97], 7) == [7, 97]


@pytest.mark.parametrize(
    ("ids", "sentence"),
    [
        ("12", "query_ids must be a list"),
        ([1, True], "query_ids must be a list"),
        ([[1]], "query_ids must be a list"),
        ([1.5], "query_ids must be a list"),
        ([1] * 501, "<= 500 tokens"),
        ([[[1] * 250], [[1] * 251]], "<= 500 tokens"),
        ([[[1]]] * 5, "at most 4 disjunctive clauses"),
        ([[[1]] * 5], "at most 4 terms"),
        ([-1], "out-of-range"),
        ([100], "out-of-range"),
        ([2**63], "out-of-range"),
        ([[[1]], [[100]]], "out-of-range"),
    ],
)
def test_ids_are_limited(ids, sentence):
    with pytest.raises(RefusedError, match=sentence) as found:
        check_ids(ids, 100, 65_535)
    assert found.value.status == 200


def test_ids_of_any_allowed_shape_pass():
    for ids in ([], [99, 65_535], [1] * 500, [[[1], [2]], [[3]]], [[]]):
        assert check_ids(ids, 100, 65_535) is ids
    assert is_cnf([[]]) and not is_cnf([])


def test_replies_are_checked():
    kind = QUERY_TYPES["ntd"]
    common = {"token_ids": [], "tokens": [], "latency": 0.5}
    rows = {"5": {"token": "a", "prob": 1, "cont_cnt": 2}}
    whole = {"prompt_cnt": 2, "approx": False, "result_by_token_id": rows, "unknown": None, **common}
    check_reply(kind, whole)
    for key in (*kind.reply, *COMMON_REPLY):
        with pytest.raises(BadReplyError) as found:
            check_reply(kind, {name: value for name, value in whole.items() if name != key})
        assert found.value.fields == {"question": "ntd", "field": key}
    for changed in ({"prompt_cnt": True}, {"approx": 0}, {"result_by_token_id": {"5": {"token": "a"}}}):
        with pytest.raises(BadReplyError):
            check_reply(kind, {**whole, **changed})
