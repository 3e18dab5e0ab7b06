"""Questions of the seam as JSON: both ends let through what can be a question or an answer, and nothing else."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from opened_with import over_json

from explorer import Corpus, open_index
from explorer.backends.asked.answers import Answers
from explorer.backends.asked.asker import AnswerError, Asker
from explorer.backends.asked.codec import from_json, to_json
from explorer.backends.asked.kinds import VALUES, fits
from explorer.backends.asked.questions import QUESTIONS, QuestionError
from explorer.backends.places import Located, Places
from explorer.backends.protocol.values import HintArrays, HintRule, Level, Matches, NextTokens, TextMatches
from explorer.errors import CapabilityError, QueryError
from explorer.text.patterns.pattern import Pattern

NUMBERS = st.lists(st.integers(-(1 << 63), (1 << 63) - 1), max_size=6).map(lambda v: np.array(v, dtype=np.int64))
PLAIN = st.none() | st.booleans() | st.integers(-(1 << 63), (1 << 63) - 1) | st.text() | st.floats(allow_nan=False)
CAT = [*b"cat"]


@pytest.fixture(scope="module")
def local(byte_index):
    return open_index(byte_index).index


@pytest.fixture(scope="module")
def asked(local):
    return over_json(local)


def sent(value):
    return json.loads(json.dumps(to_json(value)))


@given(st.recursive(PLAIN | NUMBERS, lambda inner: st.lists(inner, max_size=3) | st.tuples(inner, inner), max_leaves=6))
def test_values_come_back_as_they_were(value):
    found = from_json(sent(value))
    np.testing.assert_equal(found, value)
    assert type(found) is type(value)


@pytest.mark.parametrize(
    "array",
    [
        np.array([True, False]),
        np.array([1 << 63, 5], dtype=np.uint64),
        np.array([[1, -1], [3, 4]], dtype=np.int32),
        np.array([], dtype=np.int64),
        np.array([0, 255, 256, 65_536, 1 << 40]),
        np.array([7], dtype=np.uint8),
    ],
)
def test_arrays_keep_their_type_and_shape(array):
    found = from_json(sent(array))
    assert found.dtype == array.dtype
    np.testing.assert_array_equal(found, array)


def test_what_a_backend_adds_to_a_value_stays_there(local):
    found = local.hits.find(local.counts.check_ids(CAT))
    assert type(found) is not Matches
    assert from_json(sent(found)) == Matches((99, 97, 116), found.count)


def wrong_arrays():
    good = sent(np.array([1, 2, 3]))
    yield {**good, "type": "object"}
    yield {**good, "packed": "float64"}
    yield {**good, "shape": [4]}
    yield {**good, "shape": [-3]}
    yield {**good, "shape": [1 << 40]}
    yield {**good, "shape": [1 << 20, 1 << 20]}
    yield {**good, "shape": [True]}
    yield {**good, "shape": [1, 1, 3]}
    yield {**good, "data": "no base64!"}
    yield {**good, "data": good["data"][:8]}
    yield {**sent(np.array([1 << 63], dtype=np.uint64)), "type": "int64"}
    # A megabyte of zeros in a kilobyte, for an array of three bytes.
    yield {**sent(np.zeros(1 << 20, dtype=np.int64)), "shape": [3]}


@pytest.mark.parametrize("data", list(wrong_arrays()))
def test_wrong_arrays_are_refused(data):
    with pytest.raises(ValueError, match=r"array|bits"):
        from_json(data)


@pytest.mark.parametrize(
    "data",
    [
        {"is": "Popen", "args": ["ls"]},
        {"is": ["tuple"], "of": []},
        {"of": []},
        {"is": "tuple"},
        {"is": "json", "of": 3},
        {"is": "Matches", "ids": [1], "count": 1},
        {"is": "Matches", "ids": sent((1,)), "count": True},
        {"is": "Matches", "ids": sent((1,)), "count": 1, "ranges": []},
        {"is": "Places", "documents": sent(np.arange(2)), "offsets": sent(np.arange(3))},
        {"is": "Pattern", "text": "a", "match": "glob", "ignore_case": False, "whole_words": False},
        [[[[[[[[[[[]]]]]]]]]]],
    ],
)
def test_what_is_no_value_is_refused(data):
    with pytest.raises(ValueError, match=r"."):
        from_json(data)


def test_every_kind_that_is_named_is_known():
    for question in QUESTIONS.values():
        for kind in (*question.arguments, question.answer):
            # An unknown kind is a KeyError; no value is of all kinds.
            fits(kind, object())
    assert not any(fits(kind, object()) for kind in VALUES)


# --- the same answers --------------------------------------------------------------------------


def test_an_index_is_the_same_on_both_sides(local, asked):
    assert (asked.name, asked.fingerprint, asked.token_count) == (local.name, local.fingerprint, local.token_count)
    assert (asked.document_count, asked.document_slots, asked.separator) == (
        local.document_count,
        local.document_slots,
        local.separator,
    )
    assert asked.tokenizer.style == local.tokenizer.style
    assert asked.local is None
    assert asked.capabilities.sorting
    assert not asked.capabilities.lists
    with pytest.raises(CapabilityError, match="another machine"):
        asked.without([0])


def test_a_trace_and_lines_are_the_same(small_index):
    one = open_index(small_index)
    other = Corpus(over_json(one.index))
    text = "I think the cat sat on the mat, and the dog saw the cat on the rug. A dog ran."
    assert other.trace(text).spans == one.trace(text).spans
    for query, options in [("cat", {}), ("the (cat|dog)", {"match": "regex"}), ("THE", {"ignore_case": True})]:
        mine, theirs = (each.concordance(query, sort="1L,-1R", **options) for each in (one, other))
        assert [(line.document, line.left, line.match, line.right) for line in theirs] == [
            (line.document, line.left, line.match, line.right) for line in mine
        ]
        assert len(mine) > 2
    assert other.agreement(text) == one.agreement(text)


# --- both ends distrust ------------------------------------------------------------------------


def places(documents, offsets):
    return Places(np.array(documents, dtype=np.int64), np.array(offsets, dtype=np.int64))


def hit(document=0, offset=0, length=1, begin=0, rest=0):
    return Located(*(np.array([value], dtype=np.int64) for value in (document, offset, length, begin, rest, 0)))


IDS = np.array(CAT)
ZERO, ONE, FAR = (np.array([value], dtype=np.int64) for value in (0, 1, 1 << 62))
HOSTILE = [
    ("__class__", ()),
    ("count", ()),
    ("count", ("cat",)),
    ("count", (np.array([-1]),)),
    ("count", (np.array([1 << 40]),)),
    ("count_many", (IDS, ZERO, FAR)),
    ("count_many", (IDS, -ONE, ONE)),
    ("count_many", (IDS, np.array([2]), ONE)),
    ("count_many", (IDS, ZERO, np.array([1, 2]))),
    ("count_many", (FAR, ZERO, ONE)),
    ("followers", (IDS, ZERO, FAR)),
    ("followed", (IDS, (0,), None)),
    ("followed", (IDS, (None,), np.array([9, 9, 9]))),
    ("followed", (IDS, (None,), ONE)),
    ("levels", (IDS, -1, None, False)),
    ("greedy", (IDS, 0, 0.5)),
    ("hints", (IDS, FAR, ZERO, ONE, HintRule())),
    ("hints", (IDS, ONE, ZERO, ONE, HintRule(samples=0))),
    ("some_places", (IDS, ZERO, ZERO, 1, 0)),
    ("some_places", (IDS, ZERO, ONE, 1 << 30, 0)),
    ("near", (places([99], [0]), ((99,),), 5)),
    ("near", (places([0], [-1]), ((99,),), 5)),
    ("near", (places([0], [1 << 40]), ((99,),), 5)),
    ("near", (places([0], [0]), ((1 << 40,),), 5)),
    ("near", (places([0], [0]), ((99,),), -1)),
    ("word_ranks", (hit(document=99), 1)),
    ("word_ranks", (hit(offset=-1), 1)),
    ("word_ranks", (hit(length=1 << 50), 1)),
    ("word_ranks", (hit(begin=1 << 50), 1)),
    ("word_ranks", (hit(rest=-1), 1)),
    ("word_ranks", (hit(), 1 << 40)),
    ("surroundings", (hit(offset=1 << 60, length=1 << 20), 3)),
    ("cuts", (TextMatches((), 1),)),
    ("numbered", ((TextMatches((Pattern("a"),), 1), TextMatches((Pattern("b"),), 1)),)),
    ("locate", ((Matches((99,), 10**9),), FAR)),
    ("locate", ((Matches((99,), 10**9),), -ONE)),
    ("shown", ((Matches((99,), 1),), hit(document=-1))),
    ("lengths", (np.array([99]),)),
    ("windows", (np.array([99]), ZERO, ONE)),
    ("windows", (ZERO, ZERO, np.array([1, 2]))),
    ("tokens_at", (ZERO, FAR)),
    ("metadata", (-ONE,)),
    ("has_field", (3,)),
]


@pytest.mark.parametrize(
    ("name", "arguments"), HOSTILE, ids=[f"{number}-{row[0]}" for number, row in enumerate(HOSTILE)]
)
def test_what_cannot_be_a_question_is_refused(local, name, arguments):
    with pytest.raises((QuestionError, QueryError)):
        Answers(local).answer(name, [sent(value) for value in arguments])


RULE = HintRule(samples=2, context=3)


def hinted(samples=(99, -1), lengths=1, context_lengths=1, counts=3, shape=(1, 2)):
    """Hints for one token, of two samples at most."""
    return HintArrays(
        np.array(samples, dtype=np.int32).reshape(shape),
        np.array([lengths], dtype=np.uint8),
        np.array([context_lengths], dtype=np.int32),
        np.array([counts], dtype=np.int64),
    )


def hints(index):
    return index.counts.hints(IDS, ONE, ZERO, ZERO, RULE)


def level(length=1, tokens=(99,), counts=(2,), ends=0):
    return Level(length, np.array(tokens, dtype=np.int64), np.array(counts, dtype=np.int64), ends)


def levels(index):
    return index.counts.levels(CAT, 0, 2, False)


def surroundings(index):
    return index.hits.surroundings(hit(), 3)


def place(index):
    return index.hits.occurrences([Matches((99,), 1)]).locate(ZERO)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        (hints, sent(hinted(samples=(99, 99, -1), shape=(1, 3)))),
        (hints, sent(hinted(samples=(99, 98, 97, 96), shape=(2, 2)))),
        (hints, sent(hinted(samples=(255, -1)))),
        (hints, sent(hinted(samples=(1 << 20, -1)))),
        (hints, sent(hinted(samples=(-2, -1)))),
        (hints, sent(hinted(samples=(99, 99)))),
        (hints, sent(hinted(lengths=3))),
        (hints, sent(hinted(lengths=0))),
        (hints, sent(hinted(context_lengths=4))),
        (hints, sent(hinted(context_lengths=-1))),
        (hints, sent(hinted(counts=-1))),
        (hints, sent(hinted(counts=0))),
        (hints, {**sent(hinted()), "counts": sent(IDS)}),
        (hints, {**sent(hinted()), "counts": float("nan")}),
        (surroundings, sent(np.array([1, 2], dtype=np.uint64))),
        (surroundings, sent(np.array([1], dtype=np.int64))),
        (surroundings, float("nan")),
        (levels, sent(((level(4),), False))),
        (levels, sent(((level(1), level(2)), False))),
        (levels, sent(((level(2), level(1), level(0)), False))),
        (levels, sent(((level(tokens=(255,)),), False))),
        (levels, sent(((level(tokens=(98, 97), counts=(1, 1)),), False))),
        (levels, sent(((level(counts=(0,)),), False))),
        (levels, sent(((level(tokens=(), counts=()),), False))),
        (levels, sent(((level(ends=-1),), False))),
        (place, sent(hit(document=99))),
        (place, sent(hit(offset=-2))),
        (place, sent(hit(length=-1))),
        (place, sent(hit(rest=-1))),
        (lambda index: index.counts.count(CAT), -1),
        (lambda index: index.counts.count(CAT), float("nan")),
        (lambda index: index.counts.continuation(CAT[:2], 116), sent((1, 2))),
        (lambda index: index.counts.backed_off(CAT[:2], 116), sent((3, 2, 1))),
        (lambda index: index.counts.longest_suffix(CAT), 4),
        (lambda index: index.counts.next_tokens(CAT), sent(NextTokens(np.array([256]), ONE, 1, 1))),
        (lambda index: index.counts.next_tokens(CAT), sent(NextTokens(ONE, ZERO, 1, 1))),
        (lambda index: index.counts.next_tokens(CAT), sent(NextTokens(np.array([5, 5]), np.array([1, 1]), 2, 1))),
        (lambda index: index.counts.next_tokens(CAT), sent(NextTokens(ONE, ONE, 1, 4))),
        (lambda index: index.counts.count_many(IDS, ZERO, ONE), sent(-ONE)),
        (lambda index: index.counts.followers(IDS, ZERO, ONE), sent((ONE, np.array([2])))),
        (lambda index: index.counts.longest_matches(CAT), sent(np.array([3, 3, 1]))),
        (lambda index: index.counts.greedy(CAT, 2, 0.5), sent((1, [97, 97, 97]))),
        (lambda index: index.counts.greedy(CAT, 2, 0.5), sent((1, [255]))),
        (lambda index: index.hits.find(CAT), sent(Matches((1,), 1))),
        (lambda index: index.hits.find(CAT), sent(Matches(tuple(CAT), -1))),
        (lambda index: index.hits.occurrences([Matches((99,), 1)]).count, sent((1, 2, False))),
        (lambda index: index.hits.some_places(IDS, ZERO, ONE, 1, 0), sent((np.array([0, 0]), places([0, 0], [0, 1])))),
        (lambda index: index.hits.some_places(IDS, ZERO, ONE, 1, 0), sent((ZERO, places([99], [0])))),
        (lambda index: index.hits.word_ranks(hit(), 1), sent(-ONE)),
        (lambda index: index.documents.numbers(), sent(np.array([1, 0]))),
        (lambda index: index.documents.numbers(), sent(np.array([99]))),
        (lambda index: index.documents.lengths(ZERO), sent(-ONE)),
        (lambda index: index.documents.windows(ZERO, ZERO, ONE), [sent(np.array([97, 98]))]),
        (lambda index: index.documents.windows(ZERO, ZERO, ONE), [sent(np.array([256]))]),
        (lambda index: index.documents.tokens_at(ZERO, ZERO), sent(np.array([-1]))),
        (lambda index: index.documents.like(0), [1]),
        (lambda index: index.documents.like(0), [0, 99]),
        (lambda index: index.counts.count(CAT), "3"),
        (lambda index: index.counts.count(CAT), True),
        (lambda index: index.counts.count(CAT), None),
        (lambda index: index.counts.continuation(CAT[:2], 116), sent((1, 2, 3))),
        (lambda index: index.counts.next_tokens(CAT[:2]), sent(Matches((1,), 1))),
        (lambda index: index.counts.next_tokens(CAT[:2]), {**sent(NextTokens(ZERO, ONE, 1, 1)), "counts": sent(IDS)}),
        (lambda index: index.counts.count_many(IDS, ZERO, ONE), sent(np.array([1, 2]))),
        (lambda index: index.counts.longest_matches(CAT), sent(ONE)),
        (lambda index: index.documents.lengths(ZERO), sent(IDS)),
        (lambda index: index.documents.metadata(ZERO), [[]]),
        (lambda index: index.hits.some_places(IDS, ZERO, ONE, 1, 0), sent((np.array([5]), places([0], [0])))),
        (lambda index: index.hits.occurrences([Matches((99,), 1)]).locate(ZERO), sent(places([0], [0]))),
    ],
)
def test_what_cannot_be_an_answer_is_an_error(local, question, answer):
    index = over_json(local)
    send = index._asker.send
    index._asker.send = lambda name, arguments, cancel: answer if name in QUESTIONS else send(name, arguments, cancel)
    with pytest.raises(AnswerError, match="elsewhere answered the question"):
        question(index)


def test_hits_are_found_again_after_many_others(local):
    answers = Answers(local)
    asker = Asker(lambda name, arguments, cancel: json.loads(json.dumps(answers.answer(name, arguments))), "elsewhere")
    every = [Matches((token,), 1) for token in range(200)]
    first = [asker.ask("numbered", (part,)) for part in every]
    assert len(answers._found) <= 64
    assert [asker.ask("numbered", (part,)) for part in every] == first
