"""What is kept of copies: those of a preferred source, passages that are never cut, whole words and lines."""

from __future__ import annotations

import tempfile
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from list_backend import Contents, ListBackend

from explorer import QueryError, build_index, open_index, ranges_of
from explorer.analyses.duplicates.borders import within_borders
from explorer.analyses.duplicates.compute import Spared, find_duplicates
from explorer.text.tokens.tokenizer import TextTokenizer
from explorer.words.rule import WordRule, words_of
from tests.curation.test_duplicates import VOLUMES, indexed, tokens_of, windows_of

PIECES = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 9), st.integers(0, 9)), max_size=8)
TEXTS = [
    "one two three\nfour five\nsix",
    "naïve one two three\nfour five\nseven",
    "日本語 one two three\nfour fivefold",
]


def _made(pieces):
    return ranges_of(*np.array(pieces, np.int64).reshape(-1, 3).T)


@given(PIECES, PIECES)
def test_without_leaves_what_only_the_first_has(one, other):
    assert tokens_of(_made(one).without(_made(other))) == tokens_of(_made(one)) - tokens_of(_made(other))


def _cut_plainly(documents, length, separate, across, preferred):
    """As the rules tell, if the preferred documents come before the others."""
    cut = set()
    for places in windows_of(documents, length).values():
        kept = min(places, key=lambda place: (not preferred[place[0]], place))
        for place in set(places) - {kept}:
            apart = place[0] != kept[0] or place[1] - kept[1] >= length
            if place[0] != kept[0] if across else apart or not separate:
                cut |= {(place[0], at) for at in range(place[1], place[1] + length)}
    return cut


@given(st.sampled_from([4, 5]), VOLUMES, st.integers(1, 6), st.booleans(), st.data())
def test_preferred_documents_keep_their_copy(version, drawn, length, across, data):
    documents = [document for volume in drawn for document in volume]
    flags = st.lists(st.booleans(), min_size=len(documents), max_size=len(documents))
    preferred = np.array(data.draw(flags), dtype=bool)
    with tempfile.TemporaryDirectory() as folder:
        index = indexed(folder, drawn, 2, version)
        for rule in ("separate", "first"):
            found = find_duplicates(index, length, rule, across=across, spared=Spared(preferred))
            assert tokens_of(found.ranges) == _cut_plainly(documents, length, rule == "separate", across, preferred)
            # Every passage of what is cut is still there, if only in parts that others keep.
            left = {
                token
                for number, text in enumerate(documents)
                for at, token in enumerate(text)
                if (number, at) not in tokens_of(found.ranges)
            }
            assert left == {token for text in documents for token in text}


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    folder = tmp_path_factory.mktemp("spared") / "index"
    rows = [{"text": text, "source": source} for text, source in zip(TEXTS, ["web", "wiki", "web"], strict=True)]
    build_index(rows, folder, tokenizer="bytes")
    return open_index(folder)


def _cut_texts(pages, ranges):
    rows = zip(ranges.documents.tolist(), ranges.starts.tolist(), ranges.ends.tolist(), strict=True)
    return [(number, TEXTS[number].encode()[start:end].decode()) for number, start, end in rows]


def test_a_preferred_source_keeps_its_copy(pages):
    assert {number for number, _ in _cut_texts(pages, pages.duplicates(12).ranges)} == {1, 2}
    assert {number for number, _ in _cut_texts(pages, pages.duplicates(12, prefer="source=wiki").ranges)} == {0, 2}
    with pytest.raises(QueryError):
        pages.duplicates(12, "all", prefer="source=wiki")
    with pytest.raises(QueryError):
        pages.duplicates(12, prefer="source=radio")


def test_borders_are_where_words_and_lines_end(pages):
    assert _cut_texts(pages, pages.duplicates(12).ranges) == [
        (1, "one two three\nfour five\ns"),
        (2, " one two three\nfour five"),
    ]
    assert _cut_texts(pages, pages.duplicates(12, borders="words").ranges) == [
        (1, "one two three\nfour five\n"),
        (2, " one two three\nfour "),
    ]
    assert _cut_texts(pages, pages.duplicates(12, borders="lines").ranges) == [(1, "four five\n")]
    with pytest.raises(QueryError):
        pages.duplicates(12, borders="sentences")


def test_no_character_is_cut_in_two(pages):
    # The second byte of ï to the second of 日.
    ranges = ranges_of([1, 2], [3, 2], [6, 5])
    assert _cut_texts(pages, within_borders(pages.index, ranges, "characters")) == [(1, "ve"), (2, "")][:1]
    assert within_borders(pages.index, ranges_of([2], [2], [8]), "characters").starts.tolist() == [3]


def test_passages_are_never_cut(pages):
    assert _cut_texts(pages, pages.duplicates(12, never=["two three"]).ranges) == [
        (1, "one "),
        (1, "\nfour five\ns"),
        (2, " one "),
        (2, "\nfour five"),
    ]
    # In the order in which they take effect: a word of which a part is kept stays whole.
    assert (1, "one ") in _cut_texts(pages, pages.duplicates(12, never=["wo three"], borders="words").ranges)


def test_answers_of_models(some_answers):
    corpus = open_index(some_answers.folder)
    plain = corpus.duplicates(50)
    for borders in ("words", "lines"):
        inward = corpus.duplicates(50, borders=borders).ranges
        assert 0 < inward.tokens < plain.tokens_removed
        assert inward.without(plain.ranges).tokens == 0
    # A second look at what is left, as a new corpus.
    assert corpus.duplicates_left(plain.ranges, 50) == 0
    assert corpus.duplicates_left(ranges_of([], [], []), 50) == plain.tokens_removed > 0


def test_texts_that_meet_can_repeat(tmp_path):
    build_index([{"text": "abcXYZdef"}, {"text": "-XYZ-"}, {"text": "(abcdef)"}], tmp_path / "index", tokenizer="bytes")
    corpus = open_index(tmp_path / "index")
    # The first copy of XYZ goes, and "abcdef" is there twice.
    cut = ranges_of([0], [3], [6])
    assert corpus.duplicates_left(cut, 6) == 6
    assert corpus.duplicates_left(cut, 7) == 0


@pytest.mark.parametrize(
    ("text", "cut", "left"),
    [
        # The space before the passage, or the one after it, stays.
        ("one two three", " two ", "one three"),
        ("one two three", "two ", "one three"),
        ("one — two", " — ", "one two"),
        ("3 and 14", " and ", "3 14"),
        ("don ' t", " ' ", "don t"),
        # Nothing is joined here: at an end, before punctuation, and between letters of scripts without spaces.
        ("one two", " two", "one"),
        ("one two, three", " two", "one, three"),
        ("日 one 本", " one ", "日本"),
        ("one\n\ntwo", "\n\n", "one\ntwo"),
    ],
)
def test_what_is_cut_joins_no_words(tmp_path, text, cut, left):
    build_index([{"text": text}], tmp_path / "index", tokenizer="bytes")
    corpus = open_index(tmp_path / "index")
    data, part = text.encode(), cut.encode()
    found = within_borders(corpus.index, ranges_of([0], [data.index(part)], [data.index(part) + len(part)]), "words")
    kept = list(data)
    for start, end in zip(found.starts.tolist()[::-1], found.ends.tolist()[::-1], strict=True):
        del kept[start:end]
    assert sorted(bytes(kept).decode().split()) == sorted(left.split())


@given(
    st.lists(st.sampled_from(["one", "two", "don't", " ", " ", ", ", "\n", "'", "日", "3", "."]), max_size=14),
    st.data(),
)
def test_words_that_are_left_were_words_before(parts, data):
    text = "".join(parts).encode()
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    index = ListBackend(Contents([[list(text)]], [{}], 65_535, TextTokenizer.raw_bytes()))
    found = within_borders(index, ranges_of([0], [start], [end]), "words")
    kept = bytearray(text)
    for first, last in zip(found.starts.tolist(), found.ends.tolist(), strict=True):
        del kept[first:last]
    before = Counter(words_of(text.decode(), WordRule()))
    assert Counter(words_of(kept.decode(), WordRule())) <= before
