"""Filters, samples, sorts and collapsing, against looking at the lines themselves."""

from __future__ import annotations

import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer import build_index, open_index
from explorer.analyses.metadata.values import FieldFilter, parse_filter
from explorer.analyses.search import arrange as arrange_module
from explorer.analyses.search.arrange import POSITIONS, RIGHT_CONTEXT, LineSettings, SortLevel, parse_sort
from explorer.analyses.search.concordance import ConcordanceRequest, concordance
from explorer.analyses.search.find import near_filter
from explorer.core.jobs import CancelToken
from explorer.errors import Cancelled, QueryError
from explorer.text.collation import collation_levels
from explorer.text.segments import spans

WORDS = ["the", "The", "cat", "dog", "sat", "(on", "mat).", "naïve", "日本語", "😀", "x_1", "—", "\n", "a\tb"]


def write_texts(path, number=60):
    generator = random.Random(5)
    with open(path, "w", encoding="utf-8") as file:
        for i in range(number):
            text = " ".join(generator.choice(WORDS) for _ in range(generator.randrange(0, 40)))
            meta = {"year": 1990 + i % 7, "kind": ["a", "b"][i % 2]} | ({"tag": None} if i % 3 else {"tag": [i % 2]})
            file.write(json.dumps({"text": text, **meta}, ensure_ascii=False) + "\n")


@pytest.fixture(scope="module", params=["bytes", "train:300"])
def corpus(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("arranged")
    write_texts(folder / "t.jsonl")
    build_index(folder / "t.jsonl", folder / "out", tokenizer=request.param, shards=3)
    return open_index(folder / "out")


def key(line, place):
    """What decides between letters, and between cases; lines without the word come first."""
    if place == 0:
        found = line.match.strip()
    else:
        text = line.right if place > 0 else line.left
        side = [text[start:end] for start, end in spans(text)][:: 1 if place > 0 else -1]
        found = side[abs(place) - 1] if len(side) >= abs(place) else ""
    *levels, case = collation_levels(found)
    return (found != "", *levels), (case, found)


def lines_of(corpus, query, **view):
    found = corpus.search(query, variants=("space",), match="tokens")
    return corpus.concordance(found, view=LineSettings(**view)).lines(0, 10**6, width=400)


@pytest.mark.parametrize("place", POSITIONS)
@pytest.mark.parametrize("query", ["cat", "the", "日", "."])
def test_each_word_sorts_as_it_reads(corpus, query, place):
    if query in "日." and corpus.index.separator > 255:
        query = "sat"  # there these have no token of their own
    level = SortLevel(place)
    plain = lines_of(corpus, query)
    keys = [key(line, level.place) for line in lines_of(corpus, query, sort=(level,))]
    assert keys == sorted(key(line, level.place) for line in plain)
    assert (
        len(set(keys)) > 1 or (query, place) in {("日", "1R"), ("日", "2R"), (".", "1L"), (".", "2L")} or place == "M"
    )
    backwards = [key(line, level.place) for line in lines_of(corpus, query, sort=(SortLevel(place, True),))]
    assert backwards == keys[::-1]


@given(st.lists(st.sampled_from(POSITIONS), min_size=1, max_size=3, unique=True))
@settings(max_examples=20)
def test_several_levels(tmp_path_factory, names):
    folder = tmp_path_factory.getbasetemp() / "levels"
    if not folder.exists():
        folder.mkdir()
        write_texts(folder / "t.jsonl")
        build_index(folder / "t.jsonl", folder / "out", tokenizer="bytes")
    corpus = open_index(folder / "out")
    levels = tuple(SortLevel(name) for name in names)
    keys = [zip(*(key(line, lv.place) for lv in levels), strict=True) for line in lines_of(corpus, "cat", sort=levels)]
    # Words that differ in case only are one as long as another level decides.
    found = [tuple(each) for each in keys]
    assert found == sorted(found)


def test_lines_sort_as_a_reader_expects(tmp_path):
    words = ["zebra", "Éclair", "apple", "“banana", "étude", "Apple", "10", "9", "…", "—\u00a0cat", "naïve", "naive"]
    build_index([{"text": "".join(f"see {word}. " for word in words)}], tmp_path / "out", tokenizer="bytes")
    lines = lines_of(open_index(tmp_path / "out"), "see", sort=(SortLevel("1R"),))
    assert [line.right.split(".")[0].strip(" “—\u00a0") for line in lines] == [
        "9", "10", "apple", "Apple", "banana", "cat", "Éclair", "étude", "naive", "naïve", "…", "zebra",
    ]  # fmt: skip


def test_by_document_and_field(corpus):
    places = [(line.document, line.offset) for line in lines_of(corpus, "cat", sort=(SortLevel("document"),))]
    assert places == sorted(places)
    back = [(line.document, line.offset) for line in lines_of(corpus, "cat", sort=(SortLevel("document", True),))]
    assert back == places[::-1]
    years = [
        corpus.document(line.document).metadata["metadata"]["year"]
        for line in lines_of(corpus, "cat", sort=(SortLevel("field:year"),))
    ]
    assert years == sorted(years) and len(set(years)) > 3


@pytest.mark.parametrize(
    ("text", "meets"),
    [
        ("year=1992", lambda m: m["year"] == 1992),
        ("year!=1992", lambda m: m["year"] != 1992),
        ("year>=1993", lambda m: m["year"] >= 1993),
        ("year<=1993", lambda m: m["year"] <= 1993),
        ("kind~A", lambda m: m["kind"] == "a"),
        ("kind!~A", lambda m: m["kind"] != "a"),
        ("kind^=b", lambda m: m["kind"] == "b"),
        ("tag=(none)", lambda m: m.get("tag") is None),
        ("tag=[1]", lambda m: m.get("tag") == [1]),
        ("year>1992", lambda m: m["year"] > 1992),
        ("year<1992", lambda m: m["year"] < 1992),
        ("tag!=[1]", lambda m: m.get("tag") != [1]),
    ],
)
def test_filters(corpus, text, meets):
    metadata = {n: corpus.document(n).metadata["metadata"] for n in range(corpus.document_count)}
    expected = [(x.document, x.offset) for x in lines_of(corpus, "cat") if meets(metadata[x.document])]
    found = lines_of(corpus, "cat", filters=(parse_filter(text),))
    assert [(line.document, line.offset) for line in found] == expected


def test_filters_by_words_near(corpus):
    near = near_filter(corpus.index, "dog", 4)
    far = near_filter(corpus.index, "dog", 4, wanted=False)
    every = [(line.document, line.offset) for line in lines_of(corpus, "cat")]
    with_dog = [(line.document, line.offset) for line in lines_of(corpus, "cat", filters=(near,))]
    without = [(line.document, line.offset) for line in lines_of(corpus, "cat", filters=(far,))]
    assert with_dog and without
    assert sorted(with_dog + without) == sorted(every)
    combined = corpus.search("cat AND dog", variants=("space",), match="tokens", max_distance=4)
    rest = corpus.search("cat AND NOT dog", variants=("space",), match="tokens", max_distance=4)
    assert rest.count == len(without)
    if combined.parts[0].ids == corpus.search("cat", variants=("space",), match="tokens").parts[0].ids:
        assert combined.count == len(with_dog)


def test_samples_are_seeded_and_keep_the_order(corpus):
    every = [(line.document, line.offset) for line in lines_of(corpus, "the")]
    one = [(line.document, line.offset) for line in lines_of(corpus, "the", sample=10, seed=1)]
    again = [(line.document, line.offset) for line in lines_of(corpus, "the", sample=10, seed=1)]
    other = [(line.document, line.offset) for line in lines_of(corpus, "the", sample=10, seed=2)]
    assert one == again != other
    assert len(one) == 10
    places = [every.index(place) for place in one]
    assert places == sorted(places)
    assert len(lines_of(corpus, "the", sample=10**9)) == len(every)
    filtered = corpus.concordance(" the", view=LineSettings(sample=3, filters=(FieldFilter("kind", "=", "a"),)))
    assert len(filtered) == 3 and filtered.arranged.passed > 3


@pytest.mark.parametrize("width", [0, 1, 3])
def test_alike_lines_collapse(corpus, width):
    def around(line):
        tokens = corpus.document(line.document).tokens.tolist()
        first, end = line.offset, line.offset + line.length
        return tuple(tokens[max(0, first - width) : first]), tuple(tokens[first : end + width])

    every = [around(line) for line in lines_of(corpus, "cat")]
    found = lines_of(corpus, "cat", collapse=max(1, width)) if width else lines_of(corpus, "cat")
    if not width:
        assert [line.repeats for line in found] == [1] * len(every)
        return
    assert {around(line): line.repeats for line in found} == {kind: every.count(kind) for kind in every}
    assert max(line.repeats for line in found) > 1 or width == 3


def test_of_too_many_hits_a_sample_is_taken_and_said(corpus, monkeypatch):
    every = corpus.concordance(" the")
    assert every.arranged.exact
    monkeypatch.setattr(arrange_module, "MAX_ARRANGED", 20)
    found = corpus.concordance(" the", sort="left")
    assert (len(found), found.arranged.looked_at, found.arranged.of) == (20, 20, len(every))
    assert not found.arranged.exact
    # A sample that was asked for is drawn from all.
    asked = corpus.concordance(" the", view=LineSettings(sample=15))
    assert len(asked) == 15 and asked.arranged.exact


def test_sorts_are_read(corpus):
    assert parse_sort("index") == LineSettings()
    assert parse_sort("right") == LineSettings(sort=RIGHT_CONTEXT)
    assert parse_sort("-1L, field:year") == LineSettings(sort=(SortLevel("1L", True), SortLevel("field:year")))
    assert parse_sort("random").shuffle
    for wrong in ("6L", "1L,2L,3L,4L", "0R", "fields", "L"):
        with pytest.raises(QueryError):
            parse_sort(wrong)


@pytest.mark.parametrize("text", ["year", "=5", ""])
def test_conditions_that_cannot_be_read(text):
    with pytest.raises(QueryError, match="condition"):
        parse_filter(text)


def test_cancelling(corpus):
    token = CancelToken()
    token.cancel()
    filtered = LineSettings(filters=(FieldFilter("year", "=", "1"),))
    for view in (LineSettings(sort=(SortLevel("1L"),)), filtered, LineSettings(collapse=3)):
        with pytest.raises(Cancelled):
            concordance(corpus.index, ConcordanceRequest([corpus.find(corpus.encode("a"))], view=view), cancel=token)


@pytest.mark.parametrize("version", [5])
def test_a_reversed_index_sorts_the_same(tmp_path, version):
    import numpy as np
    import twin

    texts = ["the cat sat on a mat", "a cat ran", "my old cat sat down", "cat"]
    documents = [list(text.encode()) for text in texts]
    forward = open_index(twin.write_index(tmp_path / "f", [documents], 1), "bytes", check_fit=False)
    backward = open_index(
        twin.write_index(tmp_path / "b", [documents], 1, version), "bytes", check_fit=False, reversed_text=True
    )
    ids = np.frombuffer(b"cat", dtype=np.uint8).astype(np.int64)
    for place in POSITIONS:
        view = LineSettings(sort=(SortLevel(place), SortLevel("document")))
        order = [
            [(line.document, line.offset) for line in c.concordance(ids, view=view).lines(0, 9)]
            for c in (forward, backward)
        ]
        assert order[0] == order[1]
    collapsed = [len(c.concordance(ids, view=LineSettings(collapse=1))) for c in (forward, backward)]
    assert collapsed == [2, 2]
