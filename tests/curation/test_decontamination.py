"""Decontamination: equal to a count of every n-gram of every document."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from model_answers import QUESTIONS, WRITTEN, read_texts
from own_indexes import DATA

from explorer import QueryError, build_index, open_index
from explorer.analyses.contamination.benchmarks import read_benchmark

ITEM = "which of these four planets of our sun has the largest number of known moons today"
TEXTS = [
    ITEM,
    "Some words before it. " + ITEM.upper().replace(" of ", ",\nof "),
    "A page about the moons.\n" + ITEM + "?\nAnother line that nobody ever asked, with words of its own.",
    "too short",
    "nothing of it is in here although there are quite many words in this text of ours",
]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    home = tmp_path_factory.mktemp("moons")
    rows = [{"text": text, "year": 2000 + n % 2} for n, text in enumerate(TEXTS)]
    build_index(rows, home / "index", tokenizer="bytes")
    return open_index(home / "index")


ITEMS = [{"question": ITEM, "answer": "saturn"}]


@pytest.mark.local("words")
class TestRules:
    """What goes, on texts that a person can count."""

    def test_whole_documents_at_least_at_the_share(self, corpus):
        # 16 words and the answer: 4 13-grams of the question, all in documents 0 and 1; 3 more before them in 1.
        found = corpus.decontamination(ITEMS)
        assert [(row.document, row.found, row.ngrams) for row in found] == [(0, 4, 4)]
        assert (found.ngrams, found.ngrams_found, found.too_short, found.items_too_short) == (5, 4, 1, 0)
        assert corpus.decontamination([*ITEMS, {"question": "what now?"}]).items_too_short == 1
        assert found.ranges.tokens == found[0].tokens == found[0].tokens_removed == len(ITEM)
        loose = corpus.decontamination(ITEMS, share=0.5)
        assert [(row.document, row.share) for row in loose] == [(0, 1.0), (1, 0.5)]

    def test_the_limit_itself_goes(self, corpus):
        assert [row.document for row in corpus.decontamination(ITEMS, share=4 / 8)] == [0, 1]
        assert [row.document for row in corpus.decontamination(ITEMS, share=4 / 8 + 1e-9)] == [0]

    def test_paragraphs_with_their_line_feed(self, corpus, tmp_path):
        found = corpus.decontamination(ITEMS, rule="paragraphs")
        assert [row.document for row in found] == [0, 2]
        corpus.export_cuts(found.ranges, tmp_path / "out")
        rows = [json.loads(line) for line in (tmp_path / "out" / "cleaned.jsonl").read_text().splitlines()]
        assert [row["text"] for row in rows] == [TEXTS[1], TEXTS[2].replace(ITEM + "?\n", ""), *TEXTS[3:]]

    def test_by_a_field(self, corpus):
        found = corpus.decontamination(ITEMS, by="year")
        assert [(each.value, each.documents, each.filtered) for each in found.groups] == [
            ("2000", 3, 1),
            ("2001", 2, 0),
        ]
        assert sum(each.tokens_removed for each in found.groups) == found.ranges.tokens
        assert found.groups[0].share == pytest.approx(1 / 3)

    def test_tokens(self, corpus):
        # As they are written: the second document has capitals and line feeds.
        found = corpus.decontamination(ITEMS, unit="tokens", share=0.3)
        assert [row.document for row in found] == [0, 2]

    def test_a_part_of_the_corpus(self, corpus):
        from explorer import Corpus

        part = Corpus(corpus.index.without([0]))
        assert not len(part.decontamination(ITEMS))
        assert [row.document for row in part.decontamination(ITEMS, share=0.5)] == [1]

    @pytest.mark.parametrize(
        "wrong",
        [
            {"rule": "bff"},
            {"n": 0},
            {"share": 0},
            {"share": 1.1},
            {"rule": "paragraphs", "unit": "tokens"},
            {"by": "q"},
        ],
    )
    def test_what_cannot_be_asked(self, corpus, wrong):
        with pytest.raises(QueryError):
            corpus.decontamination(ITEMS, **wrong)


lines = st.lists(st.lists(st.sampled_from("abc"), max_size=9).map(" ".join), min_size=1, max_size=3).map("\n".join)


@pytest.mark.local("words")
@given(
    st.lists(lines, min_size=1, max_size=5),
    st.lists(lines.filter(str.split), min_size=1, max_size=3),
    st.integers(1, 7),
    st.sampled_from([0.25, 0.5, 0.8, 1.0]),
    st.sampled_from(["grams", "paragraphs"]),
    st.integers(1, 2),
)
def test_equal_to_counting_every_ngram(tmp_path_factory, texts, items, n, share, rule, shards):
    home = tmp_path_factory.mktemp("twin")
    build_index([{"text": text} for text in [*texts, "d d"]], home / "index", tokenizer="bytes", shards=shards)
    corpus = open_index(home / "index")
    found = corpus.decontamination([{"question": item} for item in items], rule=rule, n=n, share=share)
    wanted = set()
    for number, text in enumerate(texts):
        at = 0
        for part in [text] if rule == "grams" else text.split("\n"):
            size = len(part) + (at + len(part) < len(text))
            if _goes(part, items, n, share, rule):
                wanted |= {(number, place) for place in range(at, at + size)}
            at += size
    ranges = found.ranges
    pieces = zip(ranges.documents, ranges.starts, ranges.ends, strict=True)
    assert {(number, place) for number, first, last in pieces for place in range(first, last)} == wanted


def _goes(part, items, n, share, rule):
    known = {
        gram
        for item in items
        for text in ([item] if rule == "grams" else item.split("\n"))
        for gram in _grams(text, n, rule)
    }
    grams = _grams(part, n, rule)
    inside = sum(gram in known for gram in grams)
    return bool(grams) and (inside >= share * len(grams) if rule == "grams" else inside > share * len(grams))


def _grams(text, n, rule):
    words = text.split()
    if rule == "paragraphs":
        if len(words) < 5:
            return []
        n = min(n, len(words))
    return [tuple(words[at : at + n]) for at in range(len(words) - n + 1)]


@pytest.mark.local("words")
def test_planted_questions_go_and_nothing_else_does(tmp_path):
    """An evaluation set's questions as documents of their own among answers of models."""
    others = read_texts(WRITTEN)
    planted = ["  ".join(item.question.upper().split()) for item in read_benchmark(QUESTIONS).items]
    rows = [{"text": text, "kind": "answer"} for text in others] + [{"text": text, "kind": "web"} for text in planted]
    build_index(rows, tmp_path / "index", tokenizer=DATA / "llama.tokenizer.json")
    found = open_index(tmp_path / "index").decontamination(QUESTIONS, by="kind")
    assert all(len(text.split()) >= 14 for text in planted)
    assert set(found.ranges.documents.tolist()) == set(range(len(others), len(rows)))
    assert {each.value: each.filtered for each in found.groups}["answer"] == 0
