"""The pipeline from text to spans and documents."""

from __future__ import annotations

import itertools
import json
import random
from pathlib import Path

import numpy as np
import own_indexes
import pytest
import texts
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from explorer import TraceSettings, build_index, open_index
from explorer.analyses.trace.measures.covering import longest_covering
from explorer.analyses.trace.measures.novelty import measure_novelty
from explorer.analyses.trace.pipeline import merge_spans
from explorer.analyses.trace.ranking import relevance
from explorer.analyses.trace.trace import Span
from explorer.backends.documents.reading import tokens_of
from explorer.errors import QueryError
from explorer.text.segments import SINGLE, class_of

LOOSE = TraceSettings(density=1.0, word_boundaries="off", delimiters=())


@given(texts.SCRIPTS.filter(str.strip))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_every_span_stands_in_the_corpus_and_is_maximal(small, text):
    trace = small.trace(text, settings=LOOSE)
    ids = trace.token_ids.tolist()
    for span in trace.spans:
        inside = ids[span.token_start : span.token_end]
        assert small.count(inside) == span.count > 0
        if span.token_end < len(ids):
            assert small.count(ids[span.token_start : span.token_end + 1]) == 0
        first, last = trace.token_starts[span.token_start], trace.token_ends[span.token_end - 1]
        assert first <= span.start <= span.end <= last
        assert trace.text[first:last].strip() in (trace.text[span.start : span.end], "")
    for one, two in itertools.pairwise(trace.spans):
        assert one.token_start < two.token_start and one.token_end < two.token_end


@given(text=texts.SCRIPTS.filter(str.strip))
@example(text="語日本語")
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_word_rules_hold(small, text):
    for rule in ("olmotrace", "unicode"):
        trace = small.trace(text, settings=TraceSettings(density=1.0, word_boundaries=rule))
        for span in trace.spans:
            start = trace.token_starts[span.token_start]
            if rule == "olmotrace":
                assert small.index.tokenizer.begins_word(np.array([trace.token_ids[span.token_start]]))[0]
            elif start > 0:
                before, after = text[start - 1], text[start : start + 1]
                apart = SINGLE in map(class_of, before + after)
                assert apart or not (before.isalnum() and after.isalnum())


def test_delimiters_end_spans(small):
    text = "so the cat sat on the mat. the cat sat on the rug."
    free = small.trace(text, settings=LOOSE)
    cut = small.trace(text, settings=TraceSettings(density=1.0, word_boundaries="off"))
    assert max(s.token_end - s.token_start for s in free.spans) > max(s.token_end - s.token_start for s in cut.spans)
    assert not any("." in cut.text[s.start : s.end - 1] for s in cut.spans)
    assert any(cut.text[s.start : s.end].endswith(".") for s in cut.spans)


def test_settings_narrow_the_spans(small):
    text = "the cat sat on the mat and the dog sat on a naïve rug"
    every = small.trace(text, settings=LOOSE).spans
    longer = small.trace(text, settings=TraceSettings(1.0, 4, word_boundaries="off")).spans
    rare = small.trace(text, settings=TraceSettings(1.0, max_count=2, word_boundaries="off")).spans
    few = small.trace(text, settings=TraceSettings(density=0.01, word_boundaries="off")).spans
    assert len(every) > len(longer) > 0
    assert all(span.token_end - span.token_start >= 4 for span in longer)
    assert all(span.count <= 2 for span in rare)
    assert len(few) == 1
    assert few[0].rarity == min(span.rarity for span in every)


def test_documents_hold_the_spans(small):
    trace = small.trace("the dog saw the cat on the rug", "who saw whom?", LOOSE)
    assert trace.documents
    order = [(d.relevance, d.share, d.score) for d in trace.documents]
    assert order == sorted(order, reverse=True)
    for document in trace.documents:
        whole = small.document(document.number).text
        for snippet in document.snippets:
            span = trace.spans[snippet.span]
            assert snippet.text in whole
            assert snippet.text[snippet.match_start : snippet.match_end] == trace.text[span.start : span.end]
        for number in document.spans:
            assert document.number in trace.spans[number].documents


def test_the_seed_decides_the_documents(tmp_path):
    rows = [{"text": f"{i} the same words again {i * i}"} for i in range(200)]
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    build_index(tmp_path / "a.jsonl", tmp_path / "out", tokenizer="train:300")
    corpus = open_index(tmp_path / "out")

    def numbers(seed):
        trace = corpus.trace("it was the same words again", settings=TraceSettings(density=1.0, seed=seed))
        return sorted(document.number for document in trace.documents)

    assert numbers(1) == numbers(1) != numbers(2)
    assert corpus.trace("the same words again", settings=TraceSettings(documents_per_span=0)).documents == ()


def test_no_text(small):
    with pytest.raises(QueryError, match="no text"):
        small.trace("")


@pytest.mark.parametrize(
    "wrong",
    [
        {"density": 0},
        {"density": 2},
        {"min_length": 0},
        {"max_count": 0},
        {"word_boundaries": "x"},
        {"documents_per_span": -1},
        {"relevance": "x"},
    ],
)
def test_settings_out_of_range(wrong):
    with pytest.raises(QueryError):
        TraceSettings(**wrong)


def make_span(start, end, level=""):
    return Span(start, end, start, end, 1, 0.0, (), level)


def test_merging_folds_overlaps():
    spans = [make_span(0, 5, "low"), make_span(3, 9, "high"), make_span(9, 12, "medium"), make_span(20, 22)]
    merged = merge_spans(spans)
    assert [(m.start, m.end, m.spans, m.level) for m in merged] == [
        (0, 9, (0, 1), "high"),
        (9, 12, (2,), "medium"),
        (20, 22, (3,), ""),
    ]


@given(st.lists(st.integers(0, 6), max_size=20))
def test_novelty_against_its_definition(steps):
    # Lengths whose ends never fall, as longest matches have them.
    ends = np.maximum.accumulate(np.minimum(np.arange(len(steps)) + np.array(steps, dtype=int), len(steps)))
    longest = np.maximum(ends - np.arange(len(steps)), 0).astype(np.int64)
    covering = [
        max((int(longest[s]) for s in range(k + 1) if s + longest[s] > k), default=0) for k in range(len(longest))
    ]
    assert longest_covering(longest).tolist() == covering
    novelty = measure_novelty(longest)
    for length, share in zip(novelty.lengths, novelty.uncovered, strict=True):
        assert share == pytest.approx(np.mean([c < length for c in covering]) if covering else 0.0)


def test_a_document_and_a_license(tmp_path):
    """A document of the corpus is one long match, a text of another kind has only short ones."""
    source = tmp_path / "texts.jsonl"
    source.write_text("".join(json.dumps({"text": text}) + "\n" for text in own_indexes.texts()), encoding="utf-8")
    build_index(source, tmp_path / "out", tokenizer="train:400")
    corpus = open_index(tmp_path / "out")
    license = (Path(__file__).parents[2] / "LICENSE").read_text(encoding="utf-8")[1000:3000]
    known, unknown = corpus.trace(corpus.document(5).text), corpus.trace(license)
    assert known.novelty.longest_match == len(known.token_ids)
    assert known.documents[0].number == 5
    assert known.novelty.index < 0.05
    assert unknown.novelty.longest_match < 12
    assert unknown.novelty.index > 0.95


def test_olmotraces_order_is_kept_for_comparison(small):
    theirs = TraceSettings(1.0, word_boundaries="off", delimiters=(), relevance="olmotrace")
    trace = small.trace("the dog saw the cat on the rug", "who saw whom?", theirs)
    scores = [document.score for document in trace.documents]
    assert scores == sorted(scores, reverse=True)
    for document in trace.documents:
        assert document.relevance == relevance(document.score, len(trace.text))


def marked_tokens(corpus, document, trace, passage):
    """The passage's tokens, and those of the document at its place."""
    whole = tokens_of(corpus.index, document.number).tolist()
    ids = list(trace.token_ids[passage.token_start : passage.token_end])
    return ids, whole[passage.offset : passage.offset + len(ids)]


@given(
    st.lists(
        st.sampled_from(["the cat sat on the mat.", "the dog saw the cat on the rug", "zzz", "\n", "def add(a, b)"]),
        min_size=1,
        max_size=6,
    ).map(" ".join),
    st.sampled_from(["share", "olmotrace"]),
)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_document_holds_what_is_marked_for_it(small, text, rule):
    trace = small.trace(text, settings=TraceSettings(density=1.0, relevance=rule))
    for document in trace.documents:
        whole = tokens_of(small.index, document.number).tolist()
        assert {snippet.span for snippet in document.snippets} == set(document.spans)
        assert document.spans or document.longest.span == -1
        for number in document.spans:
            span = trace.spans[number]
            ids = list(trace.token_ids[span.token_start : span.token_end])
            assert any(whole[i : i + len(ids)] == ids for i in range(len(whole)))
            assert document.number in span.documents
        for passage in document.passages:
            ids, theirs = marked_tokens(small, document, trace, passage)
            assert ids == theirs
        shown = document.longest
        assert shown.text[shown.match_start : shown.match_end] in small.document(document.number).text
    for number, span in enumerate(trace.spans):
        best = [document.level for document in trace.documents if number in document.spans]
        assert span.level == (best[0] if best else "")


@given(text=texts.SCRIPTS.filter(str.strip))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_longest_passage_is_one_match(small, text):
    trace = small.trace(text)
    passage = trace.longest_passage
    assert (passage.length if passage else 0) == trace.novelty.longest_match
    if passage is not None:
        ids = list(trace.token_ids[passage.token_start : passage.token_end])
        assert small.count(ids) == passage.count > 0
        for number in passage.documents:
            whole = tokens_of(small.index, number).tolist()
            assert any(whole[i : i + len(ids)] == ids for i in range(len(whole)))


PROSE = (
    "The harbour was built in 1871. It has three basins. The largest of them freezes in most winters. "
    "A lighthouse was added in 1902, and it is still in use.\nShips of up to 90 metres can enter."
)


@pytest.fixture(scope="module")
def harbour(tmp_path_factory):
    folder = tmp_path_factory.mktemp("harbour")
    (folder / "a.jsonl").write_text(json.dumps({"text": PROSE}) + "\n", encoding="utf-8")
    build_index(folder / "a.jsonl", folder / "out", tokenizer="bytes")
    return open_index(folder / "out")


GERMAN = (
    "Der Hafen wurde 1871 gebaut. Er hat drei Becken. Das größte friert in den meisten Wintern zu. "
    "1902 kam ein Leuchtturm hinzu, der noch in Betrieb ist.\nSchiffe bis 90 Meter können einlaufen."
)


def test_one_passage_across_delimiters_comes_first(harbour):
    trace = harbour.trace(PROSE, settings=TraceSettings(density=1.0, documents_per_span=1))
    assert len(trace.spans) > 3
    assert max(span.token_end - span.token_start for span in trace.spans) < trace.longest_passage.length
    assert trace.text[trace.longest_passage.start : trace.longest_passage.end] == PROSE
    assert (trace.longest_passage.count, trace.longest_passage.documents) == (1, (0,))
    first = trace.documents[0]
    assert first.longest.text[first.longest.match_start : first.longest.match_end] == PROSE
    assert first.spans == tuple(range(len(trace.spans)))


def test_relevance_in_a_corpus_of_one_document(harbour):
    every = TraceSettings(density=1.0)
    copy = harbour.trace(PROSE, settings=every)
    assert (copy.documents[0].share, copy.documents[0].level) == (1.0, "high")
    assert {span.level for span in copy.spans} == {"high"}
    foreign = harbour.trace(GERMAN, settings=every)
    assert foreign.spans and {document.level for document in foreign.documents} == {"low"}
    assert foreign.documents[0].share == 0.0
    # What was wrong: with one document every score is below 0.
    theirs = harbour.trace(PROSE, settings=TraceSettings(density=1.0, relevance="olmotrace"))
    assert theirs.documents[0].level == "low"


def made_texts():
    """300 documents of 80 words that no two of them share in the same order, out of 900 made from syllables."""
    draw = random.Random(5)
    syllables = [first + vowel for first in "bdfgklmnprstvz" for vowel in "aeiou"]
    words = ["".join(draw.choices(syllables, k=draw.randint(1, 3))) for _ in range(900)]
    return [" ".join(draw.choices(words, k=80)).capitalize() + "." for _ in range(300)]


def test_relevance_in_an_index_of_many_documents(tmp_path):
    source = tmp_path / "made.jsonl"
    source.write_text("".join(json.dumps({"text": text}) + "\n" for text in made_texts()), encoding="utf-8")
    build_index(source, tmp_path / "out", tokenizer="train:2000")
    check_relevance(open_index(tmp_path / "out"), (1, 70, 150))


def check_relevance(corpus, copied):
    """A copy of a document is from that document, and a text in another language from none."""
    for number in copied:
        copy = corpus.trace(corpus.document(number).text)
        best = {document.number: document for document in copy.documents}[number]
        assert (best.share, best.level) == (1.0, "high")
    assert {document.level for document in corpus.trace(GERMAN).documents} <= {"low"}
