"""Passages: what a document contains as a whole is one, whatever delimiters cut it."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest

from explorer import build_index, open_index
from explorer.analyses.trace.passages import passages_of
from explorer.analyses.trace.settings import TraceSettings

LONG = "One day the old sailor left. He sailed to the far north. Nobody saw him again."
APART = "A red lamp burned in the empty window all night long"


@pytest.fixture
def corpus(tmp_path):
    texts = [f"They told us this: {LONG} So it was.", f"Then we saw that {APART}, and no more."]
    (tmp_path / "t.jsonl").write_text("".join(json.dumps({"text": text}) + "\n" for text in texts))
    build_index(tmp_path / "t.jsonl", tmp_path / "own", tokenizer="bytes")
    return open_index(tmp_path / "own")


def traced(corpus, text):
    settings = TraceSettings(density=1, min_length=8, word_boundaries="unicode", delimiters=("\n", "."))
    return corpus.trace(text, settings=settings)


def test_a_long_match_is_one_passage_though_it_is_cut_at_full_stops(corpus):
    text = f"Zzz. {LONG} Qqq."
    trace = traced(corpus, text)
    assert len(trace.merged) >= 3
    (passage,) = [one for one in passages_of(trace) if one.longest]
    assert LONG in text[passage.start : passage.end] and len(passage.spans) >= 3
    assert passage.level == "high"


def test_passages_that_no_document_has_together_stay_apart(corpus):
    text = f"{APART}. zzz {LONG}"
    trace = traced(corpus, text)
    found = [text[one.start : one.end] for one in passages_of(trace)]
    assert len(found) == 2 and APART in found[0] and LONG in found[1]


def test_passages_ascend_do_not_overlap_and_have_every_span_once(corpus):
    trace = traced(corpus, f"{LONG} zzz {APART} qqq {LONG} {APART}")
    passages = passages_of(trace)
    assert all(one.end <= other.start for one, other in pairwise(passages))
    assert sorted(number for one in passages for number in one.spans) == list(range(len(trace.spans)))
    for one in passages:
        assert all(one.start <= trace.spans[n].start and trace.spans[n].end <= one.end for n in one.spans)


def test_a_text_that_does_not_occur_has_no_passage(corpus):
    assert passages_of(traced(corpus, "zzz")) == ()
