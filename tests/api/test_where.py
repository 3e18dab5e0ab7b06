"""Conditions on documents, against lines that are looked through and against indexes of the chosen documents."""

from __future__ import annotations

import json
import pickle
from datetime import date

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer import build_index, open_index
from explorer.errors import QueryError

WORDS = ("the cat", "sat on", "the mat", "a dog", "saw the cat", "on the rug", "the the", "cat")
SOURCES = ("a", "b", "c", None)
DOCUMENTS = [
    {
        "text": " ".join(WORDS[(number * step) % len(WORDS)] for step in range(1, 2 + number % 5)),
        "year": 1990 + number,
        **({"source": SOURCES[number % 4]} if number % 4 != 3 else {}),
    }
    for number in range(24)
]
CONDITIONS = [
    ("year>=2000", lambda document: document["year"] >= 2000),
    ("source=a", lambda document: document.get("source") == "a"),
    (["year<2008", "source=b"], lambda document: document["year"] < 2008 and document.get("source") == "b"),
    ({"source": {"a", "c"}}, lambda document: document.get("source") in ("a", "c")),
    ({"source": None}, lambda document: "source" not in document),
    ({"year": [1990, np.int64(2011)], "source": ["a", "b"]}, lambda document: document["year"] in (1990, 2011)),
    (("year!=1991",), lambda document: document["year"] != 1991),
]
NGRAMS = ("the", "the cat", "cat", "on the rug", "no such")


def build(documents, folder, tokenizer):
    folder.mkdir()
    source = folder / "texts.jsonl"
    source.write_text("".join(json.dumps(document) + "\n" for document in documents), encoding="utf-8")
    build_index(source, folder / "index", tokenizer=tokenizer, name="Some")
    return folder / "index"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """An index of documents with a year each, and with a source or none."""
    return build(DOCUMENTS, tmp_path_factory.mktemp("where") / "all", "train:300")


@pytest.fixture(scope="module")
def corpus(folder):
    return open_index(folder)


@pytest.mark.parametrize(("where", "meets"), CONDITIONS)
def test_counts_are_of_the_chosen_documents(corpus, where, meets):
    chosen = [number for number, document in enumerate(DOCUMENTS) if meets(document)]
    assert chosen
    for text in NGRAMS:
        expected = sum(line.document in chosen for line in corpus.concordance(text, sort="index"))
        assert corpus.count(text, where=where) == expected
        assert len(corpus.concordance(text, where=where)) == expected
        assert corpus.search(text, where=where).count == expected
    ids = [corpus.encode(text).tolist() for text in NGRAMS]
    expected = [sum(document in chosen for document in corpus.locate(ngram).document.tolist()) for ngram in ids]
    assert [corpus.count(ngram, where=where) for ngram in ids] == expected
    assert corpus.count_many([*ids, *NGRAMS], where=where).tolist() == [
        *expected,
        *(corpus.count(text, where=where) for text in NGRAMS),
    ]


@pytest.mark.parametrize("where", ["year>=1990", "year<1990", "year>=3000"])
def test_many_counts_are_those_of_one_by_one(corpus, where):
    tokens = np.concatenate([document.tokens for document in corpus.documents])
    ngrams = [tokens[at : at + 1 + at % 4].tolist() for at in range(0, len(tokens), 7)]
    # Also with a separator, which ends what was chosen.
    separator = corpus.index.separator
    ends = [[separator], [int(tokens[0]), separator], [separator, int(tokens[0])]]
    for queries in (ngrams, [*ngrams, *ends], np.lib.stride_tricks.sliding_window_view(tokens[:50], 2), NGRAMS):
        assert corpus.count_many(queries, where=where).tolist() == [corpus.count(one, where=where) for one in queries]
    assert corpus.count_many(NGRAMS, match="tokens", where=where).tolist() == [
        corpus.count(text, match="tokens", where=where) for text in NGRAMS
    ]
    with pytest.raises(QueryError) as caught:
        corpus.count_many([*ngrams[:3], [], [-1]], where=where)
    assert caught.value.item == 3


def test_documents_that_are_too_long_for_an_index_of_their_own(corpus, monkeypatch):
    from explorer.backends.local.subtracting import without

    monkeypatch.setattr(without, "MOST_TOKENS", 10)
    counts = corpus.count_many(NGRAMS, where="year>=2000").tolist()
    assert counts == [corpus.count(text, where="year>=2000") for text in NGRAMS]


def test_hits_of_a_search_are_of_the_chosen_documents(corpus):
    found = corpus.search("the AND cat", where="year>=2000")
    whole = corpus.search("the AND cat")
    kept = whole.cnf.documents >= 10
    assert found.count == kept.sum() > 0 and found.exact
    assert found.cnf.documents.tolist() == whole.cnf.documents[kept].tolist()
    assert found.cnf.document_count == len(set(found.cnf.documents.tolist()))
    assert [line.document for line in corpus.concordance(found, sort="document")] == found.cnf.documents.tolist()
    tokens = sum(document.token_count + 1 for document in corpus.documents() if document.number >= 10)
    assert found.per_million == pytest.approx(1e6 * found.count / tokens)


def test_a_search_that_is_an_estimate_is_scaled(corpus, monkeypatch):
    from explorer.analyses.search import cnf

    monkeypatch.setattr(cnf, "WALKED_UNASKED", 4)
    found = corpus.search("the AND cat", where="year>=2000")
    assert not found.exact and found.sample_size == 4
    assert found.count == round(len(found.cnf.hits) * found.walkable / 4)


@pytest.mark.parametrize("where", ["sorce=a", ["year>=1990", "sorce=a"], {"sorce": "a"}])
def test_an_unknown_field_is_answered_with_the_nearest(corpus, where):
    asks = [
        lambda: corpus.count("the", where=where),
        lambda: corpus.count([1, 2], where=where),
        lambda: corpus.count_many(["the"], where=where),
        lambda: corpus.search("the", where=where),
        lambda: corpus.concordance("the", where=where),
        lambda: corpus.subset(where),
    ]
    for ask in asks:
        with pytest.raises(QueryError, match="source") as caught:
            ask()
        assert caught.value.reason == "unknown-field"


@pytest.mark.parametrize("where", ["year", "", 7, [7], [b"year>1"]])
def test_what_is_not_a_condition(corpus, where):
    for ask in (lambda: corpus.count("the", where=where), lambda: corpus.subset(where)):
        with pytest.raises(QueryError) as caught:
            ask()
        assert caught.value.reason == "not-a-condition"


def test_no_conditions_choose_every_document(corpus):
    for where in ([], {}):
        assert corpus.count("the", where=where) == corpus.count("the")
        assert corpus.subset(where).document_count == corpus.document_count


@pytest.fixture(scope="module")
def pairs(folder, corpus, tmp_path_factory):
    """Subsets, and indexes that have only their documents."""
    made = []
    for number, (where, meets) in enumerate(CONDITIONS):
        chosen = [document for document in DOCUMENTS if meets(document)]
        alone = build(chosen, tmp_path_factory.mktemp("chosen") / str(number), folder / "tokenizer.json")
        made.append((corpus.subset(where), open_index(alone), [n for n, d in enumerate(DOCUMENTS) if meets(d)]))
    return made


def test_a_subset_has_the_documents(pairs):
    for subset, alone, numbers in pairs:
        assert [document.number for document in subset.documents()] == numbers
        assert [document.text for document in subset.documents()] == [document.text for document in alone.documents()]
        assert (subset.document_count, subset.token_count) == (alone.document_count, alone.token_count)
        assert subset.document(numbers[-1]).metadata == open_document(subset, numbers[-1])


def open_document(subset, number):
    return next(document.metadata for document in subset.documents() if document.number == number)


@given(data=st.data())
def test_a_subset_answers_as_an_index_of_its_documents(pairs, corpus, data):
    subset, alone, _ = pairs[data.draw(st.integers(0, len(pairs) - 1))]
    text = corpus.document(data.draw(st.integers(0, len(DOCUMENTS) - 1))).tokens
    at = data.draw(st.integers(0, len(text) - 1))
    ids = text[at : at + data.draw(st.integers(1, 6))].tolist()
    assert subset.count(ids) == alone.count(ids) == subset.find(ids).count
    assert subset.count_many([ids, ids[:1]]).tolist() == [alone.count(ids), alone.count(ids[:1])]
    assert subset.infgram_next_tokens(ids).counts.tolist() == alone.infgram_next_tokens(ids).counts.tolist()
    assert subset.infgram_next_tokens(ids).tokens.tolist() == alone.infgram_next_tokens(ids).tokens.tolist()
    assert subset.longest_matches(text).tolist() == alone.longest_matches(text).tolist()
    assert subset.agreement(text) == alone.agreement(text)
    assert subset.prob(ids[:-1], ids[-1]) == alone.prob(ids[:-1], ids[-1])
    assert len(subset.locate(ids)) == alone.count(ids)


def test_texts_and_traces_of_a_subset(pairs, corpus):
    for subset, alone, numbers in pairs:
        for text in NGRAMS:
            assert subset.count(text) == alone.count(text) == len(subset.concordance(text))
            assert subset.count(text, ignore_case=True, whole_words=True) == alone.count(
                text, ignore_case=True, whole_words=True
            )
        question = corpus.document(7).text + " and more. " + corpus.document(14).text
        found, expected = subset.trace(question), alone.trace(question)
        assert [(span.start, span.end, span.count) for span in found.spans] == [
            (span.start, span.end, span.count) for span in expected.spans
        ]
        assert [numbers.index(document.number) for document in found.documents] == [
            document.number for document in expected.documents
        ]


def test_subsets_differ_and_can_be_chosen_from(corpus):
    old, young = corpus.subset("year<2000"), corpus.subset("year>=2000")
    assert old.index.fingerprint != young.index.fingerprint != corpus.index.fingerprint
    assert old.count("the") + young.count("the") == corpus.count("the")
    both = old.subset("source=a")
    assert [document.number for document in both.documents()] == [0, 4, 8]
    assert both.count("the") == corpus.count("the", where=["year<2000", "source=a"])
    # Less a document of the subset: neither it nor one outside of it counts.
    less = old.index.without([0])
    [the] = corpus.encode("the").tolist()
    left = [document for document in old.documents() if document.number not in corpus.index.documents.like(0)]
    assert less.counts.count([the]) == sum(document.tokens.tolist().count(the) for document in left) > 0
    assert less.fingerprint not in (old.index.fingerprint, corpus.index.without([0]).fingerprint)


@pytest.mark.local("a list cannot be pickled")
def test_a_pickled_subset_is_the_same(corpus):
    subset = corpus.subset("year>=2005")
    again = pickle.loads(pickle.dumps(subset))
    assert again == subset != corpus
    assert [document.number for document in again.documents()] == [document.number for document in subset.documents()]
    assert again.count("the") == subset.count("the")


def test_nothing_is_chosen(corpus):
    with pytest.raises(QueryError) as caught:
        corpus.subset("year>3000")
    assert caught.value.reason == "empty-subset"


@pytest.mark.local("lists have no limit")
def test_both_sides_too_large_for_a_temporary_index(corpus, monkeypatch):
    from explorer.backends.local.subtracting import without

    monkeypatch.setattr(without, "MOST_TOKENS", 10)
    with pytest.raises(QueryError, match="at most 10, and the others") as caught:
        corpus.subset("year>=2002")
    assert caught.value.reason == "too-many-tokens-left-out"


@pytest.mark.parametrize("value", [np.int64(7), np.array([7]), date(2020, 1, 1), object(), {"a": np.float64(1.5)}])
def test_values_of_any_kind_are_compared(corpus, value):
    """What JSON does not have is compared as a text; it was looked at without an end before."""
    assert corpus.count("the", where={"year": value}) == 0
    assert corpus.count("the", where={"year": {0: value}}) == 0


def test_groups_of_any_kind(corpus):
    found = corpus.compare_agreement(["the cat", "a dog"], groups=np.array([1, 2]))
    assert [source.name for source in found.sources[1:]] == ["1", "2"]
    dates = corpus.compare_agreement(["the cat", "a dog"], groups=[date(2020, 1, 1), date(2021, 1, 1)])
    assert [source.name for source in dates.sources[1:]] == ["2020-01-01", "2021-01-01"]


def test_names_of_fields_are_texts(corpus):
    with pytest.raises(QueryError, match='the field "5"'):
        corpus.count("the", where={5: 1})
