"""Backends that lack a capability, fail, or are closed: the library gives one sentence, whatever was asked."""

from __future__ import annotations

from dataclasses import fields

import pytest
from failing_backend import CLOSED, FAILED, NEEDS, WHY_NOT, FailingBackend
from opened_with import in_lists, open_with

from explorer import open_index
from explorer.analyses.breakdown.facets import count_tokens, dispersion, facet
from explorer.analyses.metadata.values import parse_filter
from explorer.analyses.overlap.copies import without_text
from explorer.analyses.search.arrange import LineSettings
from explorer.backends.protocol.protocol import Capabilities
from explorer.corpus import Corpus
from explorer.errors import CapabilityError, CorpusError

TEXT = "the cat sat on the mat. the cat sat on the rug. A dog saw the cat, and the dog sat on the mat."

TWO = "the dog sat on the mat, and the dog saw the cat on the rug.\n" * 3
"""A document of the index."""

SOME = LineSettings(filters=(parse_filter("path=x"),))

ASKED = {
    "next_tokens": lambda corpus: corpus.next_tokens(corpus.encode("the")),
    "text_patterns": lambda corpus: corpus.count("cat"),
    "sorting": lambda corpus: corpus.concordance(corpus.encode(" the"), sort="left"),
    "metadata": lambda corpus: corpus.concordance(corpus.encode(" the"), view=SOME),
    "documents": lambda corpus: corpus.document(0).text,
    "sizes": lambda corpus: dispersion(corpus.concordance(corpus.encode(" the"), sort="index")),
    "lists": lambda corpus: corpus.ngrams(1, top=3),
    "subtraction": lambda corpus: without_text(corpus.index, TWO),
}


@pytest.fixture(params=["shards", "lists"])
def failing(request, small_index, monkeypatch):
    """failing(*lacks): a corpus and its backend, which does as it is told."""

    def make(*lacks):
        made = []

        def wrap(index):
            made.append(FailingBackend(index if request.param == "shards" else in_lists(index), lacks))
            return made[0]

        with pytest.MonkeyPatch.context() as patch:
            open_with(patch, wrap)
            return open_index(small_index), made[0]

    return make


@pytest.mark.parametrize("capability", ASKED)
def test_what_is_missing_is_named_in_the_sentence_of_the_backend(failing, capability):
    whole, _ = failing()
    ASKED[capability](whole)
    corpus, _ = failing(capability)
    with pytest.raises(CapabilityError) as caught:
        ASKED[capability](corpus)
    assert (str(caught.value), caught.value.capability) == (WHY_NOT, capability)


def test_every_capability_is_asked_for_here():
    # Where no text is stored, documents take longer to read, and nothing is refused.
    known = {field.name for field in fields(Capabilities)} - {"why_not", "stored_text"}
    assert set(ASKED) == known == set(NEEDS.values()) | {"next_tokens"}


def test_nothing_else_is_lost_with_a_capability(failing):
    every = tuple(ASKED)
    whole, _ = failing()
    corpus, _ = failing(*every)
    ids = corpus.encode(" the")
    assert corpus.count(ids) == whole.count(ids) > 0
    assert corpus.count("the", match="tokens") == whole.count("the", match="tokens")
    assert corpus.agreement(ids).effective_n.tolist() == whole.agreement(ids).effective_n.tolist()
    assert corpus.next_tokens(ids, limit=10).sample_size == 10
    assert corpus.metadata_fields == () and len(corpus.concordance(ids, sort="index")) == whole.count(ids)


def test_lines_and_traces_need_no_metadata(failing):
    whole, _ = failing()
    corpus, _ = failing("metadata", "sorting", "sizes", "subtraction")
    lines = corpus.concordance(whole.encode(" the"), sort="index")
    assert [line.match for line in lines.lines(0, 5)] == [" the"] * 5
    assert lines.all_metadata(lines.lines(0, 5)) == [{}] * 5
    found = corpus.trace(TEXT)
    assert found.documents and found.spans == whole.trace(TEXT).spans
    assert all(document.metadata == {} for document in found.documents)


@pytest.mark.parametrize(
    ("question", "ask"),
    [
        ("windows", lambda corpus: corpus.concordance(corpus.encode(" the"), sort="index").lines(0, 8)),
        ("metadata", lambda corpus: corpus.trace(TEXT)),
        ("windows", lambda corpus: corpus.trace(TEXT)),
        ("longest_matches", lambda corpus: corpus.trace(TEXT)),
        ("followed", lambda corpus: corpus.agreement(corpus.encode(TEXT))),
        ("find_text", lambda corpus: corpus.search("cat AND dog")),
        ("locate", lambda corpus: corpus.count_documents("cat")),
        ("next_tokens", lambda corpus: corpus.next_tokens(corpus.encode(" the"))),
        ("without", lambda corpus: without_text(corpus.index, TWO)),
    ],
)
def test_a_failure_in_the_middle_of_a_batch_is_one_sentence_and_no_half_answer(failing, question, ask):
    corpus, backend = failing()
    backend.fail(question)
    for _ in range(2):
        with pytest.raises(CorpusError) as caught:
            ask(corpus)
        assert str(caught.value) == FAILED
    # The next question is answered as if nothing had happened: half of a batch was not kept.
    backend.mend()
    ask(corpus)


def test_fields_that_were_half_read_are_read_again(failing):
    corpus, backend = failing()
    lines = corpus.concordance(corpus.encode(" the"), sort="index")
    backend.fail("metadata")
    with pytest.raises(CorpusError, match="stopped answering"):
        facet(lines, "path", corpus.columns)
    backend.mend()
    counted = count_tokens(facet(lines, "path", corpus.columns), corpus.index, corpus.columns)
    assert sum(bar.hits for bar in counted.bars) == len(lines)


def test_a_closed_backend_says_so_to_everyone(failing):
    corpus, backend = failing()
    lines = corpus.concordance(corpus.encode(" the"), sort="index")
    backend.close()
    for ask in (*ASKED.values(), lambda corpus: corpus.trace(TEXT), lambda corpus: lines.lines(0, 5)):
        with pytest.raises(CorpusError) as caught:
            ask(corpus)
        assert str(caught.value) == CLOSED
    assert isinstance(corpus, Corpus)
