"""OLMoTrace's own requests: spans as the package's `attribute` finds them, documents as they are in the corpus."""

from __future__ import annotations

import math
import time

import numpy as np
import pytest
from served import running

from explorer import open_index
from explorer.http.wire.errors import RefusedError
from explorer.serve.infini_gram import attribution

TEXT = "the cat sat on the mat. A dog saw the bird on the rug, and no cat saw the dog"
DOCUMENT = {
    "documentIndex", "documentLength", "displayLength", "needleOffset", "metadata", "tokenIds", "text", "blocked",
    "displayLengthLong", "needleOffsetLong", "textLong", "displayOffsetSnippet", "needleOffsetSnippet", "textSnippet",
}  # fmt: skip


@pytest.fixture(scope="module")
def corpus(small_index):
    with open_index(small_index) as opened:
        yield opened


@pytest.fixture(scope="module")
def asker(corpus):
    with running([("", corpus), ("my/own", corpus)]) as served:
        yield served


def ask(asker, index="Small", **fields):
    status, found = asker.post({"response": TEXT, **fields}, f"/{index}/attribution")
    assert status == 200, found
    return found


def test_the_indexes(asker):
    assert asker.get("/indexes") == (200, ["Small", "my/own"])
    assert "attribution" in asker.get("/healthz")[1]["capabilities"]
    assert ask(asker, "my/own")["index"] == "my/own"


@pytest.mark.parametrize("partial", [False, True])
@pytest.mark.parametrize("delimiters", [[], ["."]])
def test_spans_are_those_of_the_package(asker, corpus, partial, delimiters):
    """The library's `spans` is compared with the package's answers elsewhere."""
    found = ask(
        asker, allowSpansWithPartialWords=partial, delimiters=delimiters, maximumFrequency=10**6, maximumSpanDensity=1
    )
    rule = "off" if partial else "olmotrace"
    expected = corpus.spans(TEXT, delimiters=tuple(delimiters), word_boundaries=rule)
    assert [(each["left"], each["right"], each["count"]) for each in found["spans"]] == [
        (span.start, span.end, span.count) for span in expected
    ]
    assert [each["unigramLogprobSum"] for each in found["spans"]] == pytest.approx([span.rarity for span in expected])
    ids = corpus.encode(TEXT).tolist()
    assert all(each["tokenIds"] == ids[each["left"] : each["right"]] for each in found["spans"])
    assert "".join(found["inputTokens"]) == TEXT and len(found["inputTokens"]) == len(ids)


@pytest.mark.parametrize("ranking", ["length", "unigram_logprob_sum"])
def test_a_density_keeps_the_best(asker, ranking):
    every = ask(asker, maximumSpanDensity=7, maximumFrequency=10**6, spanRankingMethod=ranking)["spans"]
    kept = ask(asker, maximumSpanDensity=0.1, maximumFrequency=10**6, spanRankingMethod=ranking)["spans"]
    tokens = len(ask(asker)["inputTokens"])
    assert len(kept) == math.ceil(0.1 * tokens) < len(every)
    assert [each["left"] for each in kept] == sorted(each["left"] for each in kept)

    def value(span):
        return -span["length"] if ranking == "length" else span["unigramLogprobSum"]

    assert sorted(map(value, kept)) == sorted(map(value, every))[: len(kept)]


def test_documents_have_the_span_where_they_say(asker, corpus):
    found = ask(
        asker,
        maximumFrequency=10**6,
        maximumSpanDensity=1,
        maximumDocumentsPerSpan=3,
        maximumContextLength=9,
        maximumContextLengthLong=4,
        maximumContextLengthSnippet=1,
    )
    assert len(found["spans"]) > 3
    for span in found["spans"]:
        assert len(span["documents"]) == min(3, span["count"])
        for document in span["documents"]:
            assert document.keys() == DOCUMENT
            number = np.array([document["documentIndex"]])
            whole = corpus.index.documents.windows(number, np.array([0]), np.array([10**6]))[0].tolist()
            at = document["needleOffset"]
            ids = document["tokenIds"]
            assert ids[at : at + span["length"]] == span["tokenIds"]
            assert at <= 9 and len(ids) == document["displayLength"] <= 18 + span["length"]
            assert any(whole[first : first + len(ids)] == ids for first in range(len(whole)))
            assert document["documentLength"] == len(whole)
            assert [document["metadata"]] == corpus.index.documents.metadata(number)
            for name, length, most in (("Long", "displayLengthLong", 4), ("Snippet", "displayOffsetSnippet", 1)):
                first = at - document[f"needleOffset{name}"]
                assert document[f"needleOffset{name}"] == min(at, most)
                part = ids[first : first + document[length]]
                assert len(part) <= 2 * most + span["length"]
                assert document[f"text{name}"].strip() in document["text"]


@pytest.mark.parametrize(
    "fields",
    [
        {"response": None},
        {"response": 5},
        {"delimiters": "."},
        {"delimiters": [1]},
        {"delimiters": ["x"] * 65},
        {"minimumSpanLength": 0},
        {"minimumSpanLength": True},
        {"maximumFrequency": 1.5},
        {"maximumSpanDensity": 0},
        {"maximumSpanDensity": "1"},
        {"spanRankingMethod": "best"},
        {"maximumDocumentsPerSpan": 101},
        {"maximumContextLength": 2001},
        {"allowSpansWithPartialWords": 1},
        {"response": ""},
    ],
)
def test_what_is_no_request_is_a_problem(asker, fields):
    status, found = asker.post({"response": TEXT, **fields}, "/Small/attribution")
    assert status == 422 and found["status"] == 422 and found.keys() == {"type", "title", "status", "detail"}
    assert asker.complaints == []


def test_an_index_that_is_not_there(asker):
    status, found = asker.post({"response": TEXT}, "/none/attribution")
    assert status == 400 and found["detail"] == "Invalid index: none"


def test_a_list_is_no_request():
    with pytest.raises(RefusedError, match="must be a JSON object"):
        attribution.read_attribution_request([])


def test_late_is_overloaded_and_a_fault_is_not(corpus, monkeypatch):
    def waits(index, request, cancel):
        while True:
            cancel.check()
            time.sleep(0.01)

    def breaks(index, request, cancel):
        raise ValueError("/secret")

    with running([("", corpus)]) as served:
        monkeypatch.setattr(attribution, "_DEADLINE", 0.05)
        monkeypatch.setattr(attribution, "attributed", waits)
        status, found = served.post({"response": TEXT}, "/Small/attribution")
        assert (status, found["type"], found["title"]) == (503, "server-overloaded", "Server overloaded")
        monkeypatch.setattr(attribution, "_DEADLINE", 20.0)
        monkeypatch.setattr(attribution, "attributed", breaks)
        status, found = served.post({"response": TEXT}, "/Small/attribution")
        assert (status, found["title"], found["detail"]) == (500, "Internal Server Error", "Internal server error")
