"""A compressed index answers as the suffix array of the same documents."""

from __future__ import annotations

import pickle
import shutil
from dataclasses import fields, is_dataclass

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from explorer.backends.fm.backend import FmBackend
from explorer.backends.protocol.list_values import NgramRule
from explorer.backends.protocol.values import HintRule
from explorer.backends.registry import BACKENDS
from explorer.backends.request import IndexRequest
from explorer.building.run import build_index
from explorer.core.jobs import CancelToken
from explorer.corpus import open_index
from explorer.errors import CapabilityError, DamagedIndexError, QueryError, TokenizerError
from explorer.text.patterns.pattern import Pattern

pytestmark = pytest.mark.local("builds both kinds of index, and compares them")

DOCUMENTS = [
    "the cat sat on the mat. the cat sat on the rug.\n",
    "the dog sat on the mat, and the dog saw the cat on the rug.\n" * 3,
    "Unicode: naïve café, 日本語, 日本の猫 😀 emoji; The Cat sat on THE mat.",
    "",
    "x",
    "the cat sat on the mat. the cat sat on the rug.\n",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaabaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    "the",
    "cat's cat-like scatter; caté \u0301 _cat_ cat1 1cat",
]


def rows(documents):
    return [
        {"text": text, "number": number, "kind": "odd" if number % 2 else "even"}
        for number, text in enumerate(documents)
    ]


def opened(folder, *names):
    return BACKENDS.open(IndexRequest(tuple(str(folder / name) for name in names)))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    room = tmp_path_factory.mktemp("fm")
    build_index(rows(DOCUMENTS), room / "array", tokenizer="bytes")
    build_index(rows(DOCUMENTS), room / "fm", format="fm")
    # The end of a shard's text is followed by nothing, so the same documents are in the same shards.
    build_index(rows(DOCUMENTS), room / "arrays", tokenizer="bytes", shards=3)
    build_index(rows(DOCUMENTS), room / "kept", format="fm", keep_text=True, shards=3)
    return room


@pytest.fixture(scope="module", params=[("array", "fm"), ("arrays", "kept")], ids=["one", "three"])
def both(folder, request):
    return tuple(opened(folder, name) for name in request.param)


def plain(value):
    """A value without arrays, so that it can be compared."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, tuple | list):
        return [plain(item) for item in value]
    if is_dataclass(value):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    return value


def queries():
    text = "\u00ff".join(DOCUMENTS)
    some = [text[at : at + size].encode() for at in range(0, len(text), 7) for size in (1, 2, 4, 9, 30)]
    whole = [document.encode() for document in DOCUMENTS]
    joined = [
        b"rug.\n\xffthe",
        b"\xff",
        b"\xffthe",
        b"mat.\xff",
        b"\xff\xffx",
        b"\xffx\xff",
        b"zz",
        b"cat\x00",
        b"\xfa",
    ]
    return [list(query) for query in [*some, *whole, *joined, b""]]


def test_its_kind_is_known_by_its_files(folder):
    assert BACKENDS.claiming(str(folder / "fm")).id == "compressed"
    assert BACKENDS.claiming(str(folder / "array")).id == "shards"


def test_facts(both):
    array, small = both
    assert isinstance(small, FmBackend)
    for name in ("token_count", "document_count", "document_slots", "separator", "has_tokenizer"):
        assert getattr(small, name) == getattr(array, name)
    assert len(small.fingerprint) == 32
    assert small.name in ("fm", "kept")


def test_counts_and_what_follows(both):
    array, small = both
    for query in queries():
        assert small.counts.count(query) == array.counts.count(query), query
        assert small.counts.longest_suffix(query) == array.counts.longest_suffix(query)
        assert small.counts.backed_off(query, 99) == array.counts.backed_off(query, 99)
        assert small.counts.continuation(query, 116) == array.counts.continuation(query, 116)
        for backoff in (False, True):
            assert plain(small.counts.next_tokens(query, backoff)) == plain(array.counts.next_tokens(query, backoff))
        assert small.counts.next_tokens(query, limit=3).exact


def test_counts_of_many(both):
    array, small = both
    ids = array.counts.check_ids(list(b"the cat saw the dog on the mat zq the cat sat on the rug.\n"))
    starts = np.repeat(np.arange(len(ids)), 4)
    ends = np.minimum(starts + np.tile([0, 1, 5, 40], len(ids)), len(ids))
    for name in ("count_many", "followers"):
        assert plain(getattr(small.counts, name)(ids, starts, ends)) == plain(
            getattr(array.counts, name)(ids, starts, ends)
        )
    assert plain(small.counts.longest_matches(ids)) == plain(array.counts.longest_matches(ids))
    for orders in ((None,), (1, 2, 5, None)):
        assert plain(small.counts.followed(ids, orders)) == plain(array.counts.followed(ids, orders))


def test_levels_continuations_and_hints(both):
    array, small = both
    for context in (list(b"the cat"), list(b"on the "), list(b"rug.\n"), []):
        for selective in (False, True):
            assert plain(small.counts.levels(context, 0, None, selective)) == plain(
                array.counts.levels(context, 0, None, selective)
            )
        assert small.counts.greedy(context, 8, 0.1) == array.counts.greedy(context, 8, 0.1)
    ids = array.counts.check_ids(list(b"the cat sat"))
    places, zeros = np.arange(3, 11), np.zeros(8, dtype=np.int64)
    found = small.counts.hints(ids, places, zeros, places, HintRule())
    expected = array.counts.hints(ids, places, zeros, places, HintRule())
    assert plain(found.context_lengths) == plain(expected.context_lengths)
    assert plain(found.counts) == plain(expected.counts)
    assert plain(found.lengths) == plain(expected.lengths)


def where(hits):
    numbers = np.arange(hits.total, dtype=np.int64)
    located = hits.measured(hits.locate(numbers))
    shown = hits.shown(located)
    columns = [column[shown].tolist() for column in located.columns()[:-1]]
    return sorted(zip(*columns, strict=True))


def test_places_of_ngrams(both):
    array, small = both
    for query in queries():
        found, expected = (where(index.hits.occurrences([index.hits.find(query)])) for index in (small, array))
        assert found == expected, bytes(query)
    several = [list(b"the cat"), list(b"the c"), list(b"dog")]
    assert where(small.hits.occurrences([small.hits.find(query) for query in several])) == where(
        array.hits.occurrences([array.hits.find(query) for query in several])
    )


PATTERNS = [
    Pattern("cat"),
    Pattern("the cat", whole_words=True),
    Pattern("the cat", ignore_case=True),
    Pattern("cat", whole_words=True, ignore_case=True),
    Pattern("a"),
    Pattern("é"),
    Pattern("の"),
    Pattern("x", whole_words=True),
    Pattern("the", whole_words=True),
    Pattern("zq"),
    Pattern(r"c.t", "regex"),
    Pattern(r"\b[cd]\w+\b", "regex"),
    Pattern(r"the (cat|dog)( s\w+)?", "regex"),
    Pattern(r"a+b", "regex"),
    Pattern(r"[^a-z ]+", "regex"),
    Pattern(r"rug\.\n", "regex"),
    Pattern(r"\w+\.", "regex"),
    Pattern(r"\B\w", "regex"),
    Pattern(r"日.", "regex"),
    Pattern(r"(?:mat|猫).?", "regex"),
]


@pytest.mark.parametrize("pattern", PATTERNS, ids=repr)
def test_places_of_text_patterns(both, pattern):
    array, small = both
    matches, expected = small.hits.find_text(pattern), array.hits.find_text(pattern)
    assert matches.count == expected.count
    assert where(small.hits.occurrences([matches])) == where(array.hits.occurrences([expected]))
    if pattern.match == "text":
        assert small.hits.cuts(matches) == array.hits.cuts(expected)


def test_several_patterns_at_once(both):
    array, small = both
    several = (Pattern("cat"), Pattern("the cat"), Pattern("at"))
    assert where(small.hits.occurrences([small.hits.find_text(*several)])) == where(
        array.hits.occurrences([array.hits.find_text(*several)])
    )


def test_a_pattern_that_is_too_broad(both, monkeypatch):
    monkeypatch.setattr("explorer.backends.fm.texts.MOST_STEPS", 40)
    with pytest.raises(QueryError) as caught:
        both[1].hits.find_text(Pattern(r"\w+x\w*", "regex"))
    assert caught.value.reason == "too-broad"


def test_documents(both):
    array, small = both
    every = array.documents.numbers()
    assert plain(small.documents.numbers()) == plain(every)
    assert plain(small.documents.sizes()) == plain(array.documents.sizes())
    assert plain(small.documents.lengths(every)) == plain(array.documents.lengths(every))
    assert small.documents.metadata(every[::-1]) == array.documents.metadata(every[::-1])
    assert small.documents.field_names() == array.documents.field_names()
    assert [small.documents.has_field(name) for name in ("kind", "none")] == [True, False]
    for firsts, lasts in ((-3, 5), (0, 1000), (10, 4), (3, 3), (500, 600)):
        low, high = np.full_like(every, firsts), np.full_like(every, lasts)
        assert plain(small.documents.windows(every, low, high)) == plain(array.documents.windows(every, low, high))
        assert plain(small.documents.tokens_at(every, low)) == plain(array.documents.tokens_at(every, low))
    for number in every.tolist():
        assert small.documents.like(number) == array.documents.like(number)
    for number in (-1, len(every)):
        with pytest.raises(QueryError):
            small.documents.check(number)
        with pytest.raises(QueryError):
            small.documents.windows(np.array([number]), np.array([0]), np.array([1]))


def pairs(which, places):
    return sorted(zip(which.tolist(), places.documents.tolist(), places.offsets.tolist(), strict=True))


def test_some_places_and_near(both):
    array, small = both
    ids = array.counts.check_ids(list(b"the cat sat on the mat"))
    starts, ends = np.array([0, 0, 4, 19, 8]), np.array([3, 7, 7, 22, 11])
    which, places = small.hits.some_places(ids, starts, ends, 1000, 0)
    expected = array.hits.some_places(ids, starts, ends, 1000, 0)
    assert plain(which) == plain(expected[0])
    assert pairs(which, places) == pairs(*expected)
    for distance in (0, 4, 30):
        near = small.hits.near(expected[1], [b"dog", b"rug"], distance)
        assert plain(near) == plain(array.hits.near(expected[1], [list(b"dog"), list(b"rug")], distance))
    few, drawn = small.hits.some_places(ids, starts, ends, 2, 1)
    assert max(np.bincount(few)) == 2
    assert len(drawn) == len(few)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=12)
@given(
    st.lists(st.text(st.sampled_from("ab é\n"), max_size=12), min_size=1, max_size=8).filter(any),
    st.lists(st.text(st.sampled_from("ab é\n"), min_size=1, max_size=4), max_size=5),
    st.integers(1, 3),
)
def test_any_documents(tmp_path_factory, documents, texts, shards):
    room = tmp_path_factory.mktemp("any")
    build_index(rows(documents), room / "array", tokenizer="bytes", shards=shards)
    build_index(rows(documents), room / "fm", format="fm", shards=shards)
    array, small = opened(room, "array"), opened(room, "fm")
    for text in [*texts, *documents]:
        ids = list(text.encode())
        assert where(small.hits.occurrences([small.hits.find(ids)])) == where(
            array.hits.occurrences([array.hits.find(ids)])
        )
        assert plain(small.counts.next_tokens(ids)) == plain(array.counts.next_tokens(ids))
        if text:
            pattern = Pattern(text, whole_words=True)
            assert where(small.hits.occurrences([small.hits.find_text(pattern)])) == where(
                array.hits.occurrences([array.hits.find_text(pattern)])
            )


def test_what_it_refuses_states_why(both):
    small = both[1]
    for ask in (
        lambda: small.lists.ngrams(NgramRule(1, 2)),
        lambda: small.without([1]),
        lambda: small.hits.word_ranks(small.hits.occurrences([small.hits.find([97])]).locate(np.array([0])), 1),
    ):
        with pytest.raises(CapabilityError, match="compressed"):
            ask()


def test_another_tokenizer_is_refused(folder):
    from tokenizers import Tokenizer, models

    with pytest.raises(TokenizerError):
        BACKENDS.open(IndexRequest((str(folder / "fm"),), Tokenizer(models.BPE())))
    assert BACKENDS.open(IndexRequest((str(folder / "fm"),), "bytes")).token_count


def test_several_folders_as_one(folder):
    array, small = opened(folder, "array"), opened(folder, "fm")
    build_index([{"text": "the cat again"}], folder / "more", format="fm")
    total = opened(folder, "fm", "more")
    assert total.counts.count(list(b"the cat")) == array.counts.count(list(b"the cat")) + 1
    assert total.document_count == small.document_count + 1
    with pytest.raises(QueryError) as caught:
        opened(folder, "fm", "fm")
    assert caught.value.reason == "same-index-twice"
    with_array = opened(folder, "more", "array")
    assert with_array.counts.count(list(b"the cat")) == total.counts.count(list(b"the cat"))


def test_it_can_be_sent_to_another_process(both):
    small = both[1]
    again = pickle.loads(pickle.dumps(small))
    assert again.fingerprint == small.fingerprint
    assert again.sources == small.sources


def test_the_library_searches_and_traces_it(folder):
    array, small = open_index(folder / "array"), open_index(folder / "fm")
    assert small.count("the cat") == array.count("the cat")
    traced, known = (corpus.trace("Yesterday the cat sat on the mat, and the dog saw it.") for corpus in (small, array))
    assert [(span.start, span.end, span.count) for span in traced.spans] == [
        (span.start, span.end, span.count) for span in known.spans
    ]
    assert [document.number for document in traced.documents] == [document.number for document in known.documents]


def test_a_file_that_was_changed(folder, tmp_path):
    for name in ("fm.0", "lines.0", "text.0"):
        shutil.copytree(folder / "kept", tmp_path / name)
        path = tmp_path / name / name
        data = bytearray(path.read_bytes())
        data[len(data) // 2] ^= 1
        path.write_bytes(data)
        with pytest.raises(DamagedIndexError) as caught:
            index = opened(tmp_path, name)
            every = index.documents.numbers()
            index.documents.metadata(every)
            index.documents.windows(every, every * 0, every * 0 + 1000)
            for part in index.parts:
                part.check(CancelToken(), np.zeros(1, dtype=np.int64))
        assert caught.value.reason == "not-as-written"
        assert caught.value.fields["path"] == path or caught.value.fields["path"] == str(path)
