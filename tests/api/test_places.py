"""Places of hits and spans of texts, against documents that are looked through."""

from __future__ import annotations

import numpy as np
import pytest
import twin
from hypothesis import given
from hypothesis import strategies as st

from explorer import open_index
from explorer.errors import QueryError


@pytest.fixture(scope="module")
def small(small_index):
    """The small index, opened once for all examples of a test."""
    return open_index(small_index)


def looked_for(corpus, ids):
    """Places of an n-gram, found by reading every document."""
    found = set()
    for document in corpus.documents():
        tokens = document.tokens.tolist()
        found |= {(document.number, at) for at in range(len(tokens)) if tokens[at : at + len(ids)] == list(ids)}
    return found


def places(located):
    return list(zip(located.document.tolist(), located.offset.tolist(), strict=True))


@given(data=st.data())
def test_every_place_of_an_ngram(small, data):
    text = small.document(data.draw(st.integers(0, small.document_count - 1))).tokens.tolist()
    at = data.draw(st.integers(0, len(text) - 1))
    ids = text[at : at + data.draw(st.integers(1, 4))]
    found = small.locate(ids)
    assert set(places(found)) == looked_for(small, ids) and len(found) == small.count(ids)
    assert set(found.length.tolist()) == {len(ids)}
    first, last = data.draw(st.integers(0, 6)), data.draw(st.none() | st.integers(0, 9))
    assert places(small.locate(small.find(ids), first, last)) == places(found)[first:last]


def test_places_of_a_text_are_those_of_its_lines(small):
    lines = small.concordance("the cat", sort="index")
    found = small.locate("the cat")
    assert places(found) == [(line.document, line.offset) for line in lines] and len(found) > 3
    assert found.length.tolist() == [line.length for line in lines]
    assert small.locate(small.search("the cat")) == found


def test_places_of_what_and_left(small):
    result = small.search("cat AND mat")
    found = small.locate(result)
    assert places(found) == list(zip(result.cnf.documents.tolist(), result.cnf.offsets.tolist(), strict=True))
    assert places(small.locate(result, 1, 3)) == places(found)[1:3] and len(found) > 1


def test_a_sample_is_of_the_hits_and_depends_on_the_seed_only(small):
    every = places(small.locate("a"))
    some = places(small.locate("a", sample=5, seed=3))
    assert len(some) == 5 and set(some) <= set(every)
    assert some == places(small.locate("a", sample=5, seed=3))
    assert len({tuple(places(small.locate("a", sample=5, seed=seed))) for seed in range(8)}) > 1
    assert places(small.locate("a", sample=10**9)) == every


@pytest.mark.local("documents are subtracted by folders")
def test_subtracted_documents_have_no_places(small_index, tmp_path):
    from explorer import build_index

    (tmp_path / "one.txt").write_text("the cat sat on the mat. the cat sat on the rug.\nA dog saw the cat.\n")
    build_index(tmp_path / "one.txt", tmp_path / "less", tokenizer=small_index / "tokenizer.json")
    less = open_index(small_index, minus=tmp_path / "less")
    ids = less.encode(" cat").tolist()
    found = less.locate(ids)
    assert less.document_count < open_index(small_index).document_count
    assert set(places(found)) == looked_for(less, ids) and len(found) == less.count(ids) > 1
    assert [places(less.locate(ids, number, number + 1)) for number in range(len(found))] == [
        [p] for p in places(found)
    ]


def test_places_are_a_table(small):
    found = small.locate("the cat")
    table = found.to_arrow()
    assert table.column_names == ["document", "offset", "length"]
    assert table["offset"].to_pylist() == found.offset.tolist()
    with pytest.raises(ValueError, match="read-only"):
        found.document[0] = 1


@pytest.mark.parametrize("options", [{"first": -1}, {"last": -1}, {"sample": -1}, {"seed": 1.5}, {"first": True}])
def test_numbers_out_of_range(small, options):
    with pytest.raises(QueryError):
        small.locate("a", **options)


@pytest.mark.local("the slow twin reads its files")
@given(data=st.data())
def test_spans_as_the_slow_twin_finds_them(small, data):
    index = small.index
    pieces = [document.tokens.tolist() for document in small.documents()]
    ids: list[int] = []
    for _ in range(data.draw(st.integers(0, 4))):
        piece = pieces[data.draw(st.integers(0, len(pieces) - 1))]
        at = data.draw(st.integers(0, len(piece) - 1))
        ids += piece[at : at + data.draw(st.integers(1, 9))]
    delimiters = data.draw(st.lists(st.sampled_from(sorted(set(pieces[0]))), max_size=2))
    min_length, max_count = data.draw(st.integers(1, 4)), data.draw(st.sampled_from([1, 3, 1_000_000]))
    for rule in ("off", "olmotrace"):
        begins = index.tokenizer.begins_word(np.array(ids, np.int64)) if rule == "olmotrace" else [True] * len(ids)
        found = small.spans(
            ids, min_length=min_length, max_count=max_count, delimiters=delimiters, word_boundaries=rule
        )
        expected = twin.Twin.of_index(index).spans(ids, begins, delimiters, min_length, max_count)
        assert [(span.start, span.end, span.count) for span in found] == expected


def test_delimiters_as_texts_and_as_ids(small):
    text = "the cat sat on the mat. the cat sat"
    point = int(small.encode(".")[0])
    assert small.spans(text, delimiters=(".",)) == small.spans(text, delimiters=(point,))
    assert small.spans(text, delimiters=(".",)) != small.spans(text)


def test_spans_that_are_refused(small):
    for options in ({"min_length": 0}, {"max_count": 0}, {"word_boundaries": "none"}, {"delimiters": (-1,)}):
        with pytest.raises(QueryError):
            small.spans("the cat", **options)
    with pytest.raises(QueryError) as caught:
        small.spans([1, 2], word_boundaries="unicode")
    assert caught.value.reason == "ids-have-no-words"
    assert small.spans("") == [] and small.spans([]) == []


def test_a_trace_without_the_texts_own_document(small):
    text = max(small.documents(), key=lambda document: document.token_count).text
    assert small.trace(text).longest_passage.length == len(small.encode(text))
    less = small.trace(text, without_self=True)
    assert less.longest_passage is None or less.longest_passage.length < len(small.encode(text))
