"""The backend of Python lists against local shards: the same questions have the same answers."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import own_indexes
import pytest
import twin
from hypothesis import given, settings
from hypothesis import strategies as st
from list_backend import Contents, ListBackend

from explorer import open_index
from explorer.backends.protocol.protocol import Capabilities
from explorer.errors import CapabilityError, QueryError, TokenizerError
from explorer.text.patterns.pattern import Pattern

TOKENS = st.sampled_from([*b"ab c.", 255])
DOCUMENTS = st.lists(st.sampled_from(b"ab c."), max_size=8)
NGRAMS = st.lists(st.lists(TOKENS, max_size=4), min_size=1, max_size=8)
VOLUMES = st.lists(st.lists(DOCUMENTS, min_size=1, max_size=4), min_size=1, max_size=3)


def of_bytes(volumes):
    """The documents in lists, without text or metadata."""
    return ListBackend(Contents(volumes, [{}] * sum(map(len, volumes)), 255))


def opened(folder, volumes, minus=()):
    """A byte index of documents, and the same without some of them."""
    path = twin.write_index(Path(folder) / "index", volumes, 1)
    if not minus:
        return open_index(path, "bytes", check_fit=False).index
    less = twin.write_index(Path(folder) / "minus", [list(minus)], 1)
    return open_index(path, "bytes", minus=less, check_fit=False).index


def every_copy(volumes, number):
    """All documents that equal one."""
    documents = [document for volume in volumes for document in volume]
    return [document for document in documents if document == documents[number]]


@given(
    VOLUMES, st.lists(st.lists(TOKENS, max_size=4), min_size=1, max_size=8), st.lists(TOKENS, max_size=15), st.data()
)
def test_counts_are_those_of_shards(volumes, ngrams, text, data):
    lists = of_bytes(volumes)
    minus = []
    if lists.document_count > 1 and data.draw(st.booleans()):
        number = data.draw(st.integers(0, lists.document_count - 1))
        minus = every_copy(volumes, number)
        lists = lists.without([number])
    with tempfile.TemporaryDirectory() as folder:
        index = opened(folder, volumes, minus)
        assert (index.token_count, index.document_count) == (lists.token_count, lists.document_count)
        assert index.documents.numbers().tolist() == lists.documents.numbers().tolist()
        for ngram in ngrams:
            token = (ngram or [97])[-1]
            assert index.counts.count(ngram) == lists.counts.count(ngram) == lists.hits.find(ngram).count
            assert index.counts.continuation(ngram, token) == lists.counts.continuation(ngram, token)
            assert index.counts.backed_off(ngram, token) == lists.counts.backed_off(ngram, token)
            assert index.counts.longest_suffix(ngram) == lists.counts.longest_suffix(ngram)
        assert index.counts.longest_matches(text).tolist() == lists.counts.longest_matches(text).tolist()
        starts = np.array([i for i in range(len(text) + 1) for j in range(i, min(i + 4, len(text)) + 1)])
        ends = np.array([j for i in range(len(text) + 1) for j in range(i, min(i + 4, len(text)) + 1)])
        ids = np.array(text, dtype=np.int64)
        assert (
            index.counts.count_many(ids, starts, ends).tolist() == lists.counts.count_many(ids, starts, ends).tolist()
        )


@given(VOLUMES)
@settings(max_examples=20)
def test_copies_are_those_of_shards(volumes):
    lists = of_bytes(volumes)
    with tempfile.TemporaryDirectory() as folder:
        index = opened(folder, volumes)
        for number in range(index.document_count):
            assert index.documents.like(number) == lists.documents.like(number)


@given(VOLUMES, st.lists(st.lists(st.sampled_from(b"ab c."), min_size=1, max_size=3), min_size=1, max_size=3))
@settings(max_examples=20)
def test_nearness_is_that_of_shards(volumes, ngrams):
    lists = of_bytes(volumes)
    found = lists.hits.occurrences([lists.hits.find([97])])
    places = found.locate(np.arange(found.total))
    with tempfile.TemporaryDirectory() as folder:
        index = opened(folder, volumes)
        for distance in (0, 1, 3, 100):
            assert (
                index.hits.near(places, ngrams, distance).tolist() == lists.hits.near(places, ngrams, distance).tolist()
            )


@pytest.fixture(scope="module", params=["v4_u16_llama", "v5_u16_llama_reversed", "v4_u16_olmo_3shards"])
def pair(request, tmp_path_factory):
    """A corpus of texts in shards and in lists."""
    path, tokenizer = own_indexes.write(tmp_path_factory.mktemp("pair"), request.param)
    corpus = open_index(path, tokenizer)
    shards = own_indexes.shards_of(own_indexes.LAYOUTS[request.param])
    records = [{} for shard in shards for _ in shard]
    return corpus, ListBackend(Contents(shards, records, corpus.index.separator, corpus.index.tokenizer))


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("cat", {}),
        (" the", {}),
        ("e", {}),
        (" ", {}),
        ("a", {"whole_words": True}),
        ("THE", {"ignore_case": True}),
        ("猫", {}),
        (r"\bth\w*", {"match": "regex"}),
        (r"[0-9]+\.", {"match": "regex"}),
    ],
)
def test_texts_occur_where_they_do_in_shards(pair, text, options):
    corpus, lists = pair
    pattern = Pattern(text, **options)
    matches = lists.hits.find_text(pattern)
    assert matches.count == corpus.count(text, **options)
    hits = lists.hits.occurrences([matches])
    located = hits.measured(hits.locate(np.arange(hits.total)))
    found = {(line.document, line.offset, line.length) for line in corpus.concordance(text, **options).lines(0, 10**6)}
    assert {(hit.document, hit.offset, hit.length) for hit in located.hits()} == found
    assert sum(cut.count for cut in lists.hits.cuts(matches)) == matches.count


@pytest.mark.parametrize("text", ["cat", " the", " ", "猫"])
def test_cuts_are_those_of_shards(pair, text):
    corpus, lists = pair
    both = [index.hits.cuts(index.hits.find_text(Pattern(text))) for index in (corpus.index, lists)]
    assert [sorted((cut.tokens, cut.begin, cut.count) for cut in cuts) for cuts in both] == [
        sorted((cut.tokens, cut.begin, cut.count) for cut in both[1])
    ] * 2


@pytest.mark.parametrize("order", [None, 2, 5])
def test_what_tokens_follow_is_that_of_shards(pair, order):
    corpus, lists = pair
    ids = corpus.encode(own_indexes.question())[:60]
    (mine,), (theirs,) = lists.counts.followed(ids, [order]), corpus.index.counts.followed(ids, [order])
    for name in ("starts", "context", "continuation", "sparse"):
        assert getattr(mine, name).tolist() == getattr(theirs, name).tolist(), name


def test_words_and_parts_of_documents_are_those_of_shards(pair):
    corpus, lists = pair
    found = lists.hits.occurrences([lists.hits.find(corpus.encode(own_indexes.texts()[0])[:1])])
    located = found.measured(found.locate(np.arange(found.total)))
    assert len(located)
    for number in range(-3, 4):
        assert lists.hits.word_ranks(located, number).tolist() == corpus.index.hits.word_ranks(located, number).tolist()
    kinds = [np.unique(index.hits.surroundings(located, 2), return_inverse=True)[1] for index in (lists, corpus.index)]
    assert len(set(zip(*map(np.ndarray.tolist, kinds), strict=True))) == kinds[0].max() + 1 == kinds[1].max() + 1
    numbers = corpus.index.documents.numbers()
    edges = (numbers, np.full_like(numbers, -3), np.full_like(numbers, 7))
    pairs = zip(lists.documents.windows(*edges), corpus.index.documents.windows(*edges), strict=True)
    assert all(mine.tolist() == theirs.tolist() for mine, theirs in pairs)
    assert lists.documents.sizes().tolist() == corpus.index.documents.sizes().tolist()
    at = np.full_like(numbers, 5)
    assert lists.documents.tokens_at(numbers, at).tolist() == corpus.index.documents.tokens_at(numbers, at).tolist()


def test_a_missing_capability_has_a_name_and_a_sentence():
    some = Capabilities(sorting=False, why_not="Lines of this service come in one order.")
    assert (some.missing("sorting"), some.missing("metadata")) == ("Lines of this service come in one order.", "")
    some.require("metadata")
    with pytest.raises(CapabilityError, match="come in one order") as caught:
        some.require("sorting")
    assert caught.value.capability == "sorting"
    # A backend that does not explain itself is still explained.
    assert Capabilities(sizes=False).missing("sizes")


def test_what_cannot_be_asked_of_lists():
    lists = ListBackend(Contents([[[1, 2], [3]]], [{}, {}], 9))
    for wrong in ([10], [-1], ["a"], [1.5], np.array([0.5])):
        with pytest.raises(QueryError):
            lists.counts.count(wrong)
    with pytest.raises(QueryError, match="empty"):
        lists.counts.check_ids([])
    with pytest.raises(QueryError, match="numbered 0 to 1"):
        lists.documents.check(2)
    with pytest.raises(QueryError, match="subtracted"):
        lists.without([0]).documents.windows(np.array([0]), np.array([0]), np.array([1]))
    with pytest.raises(TokenizerError):
        _ = lists.tokenizer
