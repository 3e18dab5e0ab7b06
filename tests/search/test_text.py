"""Text patterns in lines, AND, sorting, documents and exports, against the same done on the texts."""

import json
import re

import own_indexes
import pytest
from scan import longest, longest_by_posix, scan
from scripts import TEXTS, write_tokenizer
from tiers import nightly

import explorer
from explorer.analyses.breakdown.facets import facet
from explorer.analyses.metadata.values import parse_filter
from explorer.analyses.search.arrange import LineSettings
from explorer.analyses.search.find import QueryOptions, find_query, near_filter
from explorer.analyses.search.in_document import read_part
from explorer.analyses.search.nearby import marked_line, others_of
from explorer.analyses.search.needle import Needle
from explorer.text.patterns.pattern import Pattern

STYLES = ("byte-level", *nightly("bytes", "byte-fallback", "unigram"))
PATTERNS = (
    Pattern("cap"), Pattern("cap", ignore_case=True), Pattern("the", whole_words=True), Pattern("语言"), Pattern("语"),
    Pattern("aa"), Pattern("🎉"), Pattern("العربية"), Pattern("é"), Pattern("n"), Pattern("σ", ignore_case=True),
    Pattern(r"\w+ing\b", "regex"), Pattern("a{2,3}", "regex"), Pattern(r"[A-Z]\w*", "regex"), Pattern(r"\d+", "regex"),
    Pattern("[一-龥]+", "regex"), Pattern("delv(e|es|ed)", "regex", whole_words=True),
)  # fmt: skip


def options_of(pattern):
    return {"match": pattern.match, "ignore_case": pattern.ignore_case, "whole_words": pattern.whole_words}


@pytest.fixture(scope="module", params=STYLES)
def corpus(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp(request.param)
    source = folder / "texts.jsonl"
    lines = ({"text": text, "kind": "even" if i % 2 else "odd"} for i, text in enumerate(TEXTS))
    source.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    explorer.build_index(source, folder / "index", tokenizer=write_tokenizer(request.param, folder), shards=2)
    return explorer.open_index(folder / "index", check_fit=False)


@pytest.fixture(scope="module")
def texts(corpus):
    return [corpus.document(number).text for number in range(corpus.document_count)]


def spans_of(corpus, lines):
    """(document, first character, one past the last) of lines whose contexts are the whole document."""
    return [(line.document, len(line.left), len(line.left) + len(line.match)) for line in lines]


def expected(texts, pattern):
    return [(number, *span) for number, text in enumerate(texts) for span in longest(text, pattern)]


@pytest.mark.parametrize("pattern", PATTERNS, ids=lambda pattern: f"{pattern.text}")
def test_lines_begin_and_end_at_the_character(corpus, texts, pattern):
    lines = corpus.concordance(pattern.text, sort="document", **options_of(pattern)).lines(0, 1000, 2000)
    assert [line.left + line.match + line.right for line in lines] == [texts[line.document] for line in lines]
    assert sorted(spans_of(corpus, lines)) == sorted(expected(texts, pattern))
    by_offset = [(line.document, line.offset) for line in lines]
    assert by_offset == sorted(by_offset)


@pytest.mark.parametrize("pattern", PATTERNS, ids=lambda pattern: f"{pattern.text}")
def test_documents_have_the_same_places(corpus, texts, pattern):
    found = find_query(corpus.index, pattern.text, QueryOptions(literal=True, **options_of(pattern)))
    assert found.count == len(expected(texts, pattern))
    documents = {number for number, _, _ in expected(texts, pattern)}
    assert corpus.count_documents(pattern.text, **options_of(pattern)) == len(documents)
    for number in range(corpus.document_count):
        part = read_part(corpus.document(number), 0, Needle.of(found.parts))
        places = [(number, hit.start, hit.end) for hit in part.hits]
        assert places == [place for place in expected(texts, pattern) if place[0] == number]
        assert part.hits_total == len(places)


@pytest.mark.parametrize("sort", ["right", "left", "M", "random"])
def test_lines_are_sorted_by_what_they_show(corpus, texts, sort):
    lines = corpus.concordance("ca", sort=sort).lines(0, 1000, 2000)
    assert sorted(spans_of(corpus, lines)) == sorted(expected(texts, Pattern("ca")))
    if sort == "right":
        rests = [re.match(r"\w+", line.right)[0].lower() for line in lines if line.right[:1].isalnum()]
        assert len(rests) > 3 and rests == sorted(rests, key=str.encode)
    if sort == "left":
        words = [
            line.left.lower().split(" ")[-1] for line in lines if line.left[-1:].isascii() and line.left[-1:].isalpha()
        ]
        assert len(words) > 1 and words == sorted(words)


def test_views_of_texts(corpus, texts):
    every = expected(texts, Pattern("e"))
    odd = [place for place in every if place[0] % 2 == 0]
    kept = corpus.concordance("e", view=LineSettings(filters=(parse_filter("kind=odd"),)))
    assert sorted(spans_of(corpus, kept.lines(0, 1000, 2000))) == sorted(odd)
    drawn = corpus.concordance("e", view=LineSettings(sample=5, seed=3)).lines(0, 100, 2000)
    assert len(drawn) == 5 and set(spans_of(corpus, drawn)) <= set(every)
    # In "banana" and "bandana", "ana" has different neighbors everywhere: nothing collapses.
    assert len(corpus.concordance("ana", view=LineSettings(collapse=2))) == len(expected(texts, Pattern("ana")))


def by_hand(corpus, texts, one, other, distance, wanted=True):
    """Places of one pattern that have another near, in tokens between the tokens in which they begin."""
    found = []
    for number, text in enumerate(texts):
        starts = corpus.document(number).part(0, corpus.document(number).token_count).starts
        token = [int((starts[:-1] <= at).sum()) - 1 for at in range(len(text))]
        others = [token[at] for document, at in scan(texts, other) if document == number]
        for document, at in scan(texts, one):
            if document == number and any(abs(token[at] - o) <= distance for o in others) == wanted:
                found.append((number, at))
    return found


@pytest.mark.parametrize("listed", [True, False], ids=["places compared", "text read"])
@pytest.mark.parametrize("distance", [0, 3, 40])
def test_texts_near_texts(corpus, texts, listed, distance, monkeypatch):
    monkeypatch.setattr("explorer.analyses.search.near._worth_listing", lambda *ignored: listed)
    for one, other in (("cap", "the"), ("del", "e"), ("语言", "语"), ("a", "n")):
        for word, wanted in (("AND", True), ("AND NOT", False)):
            options = QueryOptions(match="text", max_distance=distance, node=0)
            found = find_query(corpus.index, f"{one} {word} {other}", options)
            lines = corpus.concordance(found, sort="document").lines(0, 1000, 2000)
            hand = by_hand(corpus, texts, Pattern(one), Pattern(other), distance, wanted)
            assert sorted(place[:2] for place in spans_of(corpus, lines)) == sorted(hand), (one, word, other)
            near = near_filter(corpus.index, other, distance, wanted, QueryOptions(match="text"))
            assert len(corpus.concordance(one, view=LineSettings(filters=(near,)))) == len(hand)


def test_other_clauses_are_marked_to_the_character(corpus):
    found = find_query(corpus.index, "delve AND /he \\w+s\\b/", QueryOptions(match="text", node=0))
    nearby = others_of(found, 100)
    marked = [marked_line(corpus.index, line, nearby, 10, False) for line in corpus.concordance(found).lines(0, 20)]
    texts = [line.line.left[mark.start : mark.end] for line in marked for mark in line.left]
    texts += [line.line.right[mark.start : mark.end] for line in marked for mark in line.right]
    assert "he delves" in texts


def test_expressions_beside_operators(corpus, texts):
    found = find_query(corpus.index, '/delv\\w+/ OR "cap"', QueryOptions(match="text"))
    hand = {*scan(texts, Pattern(r"delv\w+", "regex")), *scan(texts, Pattern("cap"))}
    assert found.count == len(hand) > 0
    assert str(found.parsed) == '/delv\\w+/ OR "cap"'
    assert find_query(corpus.index, "foo.bar(baz)", QueryOptions(match="text")).count == 1
    assert find_query(corpus.index, r"foo.bar\(", QueryOptions(match="regex")).count == 1


def test_what_does_not_go_together_is_refused(corpus):
    with pytest.raises(explorer.CorpusError, match="not to tokens"):
        corpus.count("cap", match="tokens", ignore_case=True)
    with pytest.raises(explorer.CorpusError, match="The choices are text, tokens, regex"):
        corpus.count("cap", match="word")
    with pytest.raises(explorer.CorpusError, match="Variants apply to tokens"):
        corpus.count("cap", ["space"])
    with pytest.raises(explorer.CorpusError, match="as they are"):
        corpus.count([1, 2], ignore_case=True)


LAYOUT_PATTERNS = (
    Pattern("cat"), Pattern("c"), Pattern("at", whole_words=True), Pattern("The", ignore_case=True, whole_words=True),
    Pattern("日本"), Pattern("é"), Pattern(r"\w+ed\b", "regex"),
    Pattern("o{2}k", "regex"), Pattern("😀"), Pattern(" a"),
)  # fmt: skip


@pytest.fixture(scope="module", params=["v5_u16_llama_reversed", "v4_u16_olmo_3shards", "v4_u32_olmo"])
def written(request, tmp_path_factory):
    """Reversed texts, several shards, and tokens of four bytes."""
    path, tokenizer = own_indexes.write(tmp_path_factory.mktemp("layout"), request.param)
    return explorer.open_index(path, tokenizer or "bytes")


@pytest.mark.parametrize("pattern", LAYOUT_PATTERNS, ids=lambda pattern: pattern.text)
def test_every_layout_has_the_same_places(written, pattern):
    corpus, texts = written, [document.text for document in written.documents()]
    lines = corpus.concordance(pattern.text, **options_of(pattern)).lines(0, 10_000, 2000)
    found = [(number, *span) for number, text in enumerate(texts) for span in longest_by_posix(text, pattern)]
    assert sorted(spans_of(corpus, lines)) == sorted(found) and found


def test_hits_by_field(corpus, texts):
    lines = corpus.concordance("e", whole_words=False)
    by_value = {bar.value: (bar.hits, bar.documents) for bar in facet(lines, "kind", corpus.columns).bars}
    places = expected(texts, Pattern("e"))
    for value, rest in (("odd", 0), ("even", 1)):
        own = [number for number, _, _ in places if number % 2 == rest]
        assert by_value[value] == (len(own), len(set(own)))
