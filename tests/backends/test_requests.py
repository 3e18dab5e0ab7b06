"""How often a backend is asked for a page of lines, a trace and an agreement: on another machine each is a request."""

from __future__ import annotations

from collections import Counter
from functools import partial

import numpy as np
import pytest
import twin

from explorer import open_index
from explorer.analyses.agreement.analysis import Texts, analyze
from explorer.analyses.search.nearby import marked_lines, others_of
from explorer.analyses.trace.settings import TraceSettings
from explorer.backends.protocol.protocol import (
    Backend,
    CountQuestions,
    DocumentQuestions,
    HitQuestions,
    ListQuestions,
    Occurrences,
)
from explorer.corpus import Corpus
from explorer.export.records.line import LineTable

PARTS = {"counts": CountQuestions, "hits": HitQuestions, "documents": DocumentQuestions, "lists": ListQuestions}
FREE = {"check_ids"}
"""What needs no request: every backend knows the largest id."""


class Counted:
    """Something that is asked, and how often each of its methods was."""

    def __init__(self, asked, counts):
        self._asked = asked
        self._counts = counts

    def __getattr__(self, name):
        value = getattr(self._asked, name)
        if name in PARTS:
            return Counted(value, self._counts)
        return partial(self._ask, name, value) if callable(value) and name not in FREE else value

    def _ask(self, name, method, *args, **kwargs):
        self._counts[name] += 1
        found = method(*args, **kwargs)
        return Counted(found, self._counts) if name == "occurrences" else found


SENTENCE = "The old miller took the long way home over the hills"
DOCUMENTS = [f"{number} times. {SENTENCE}, and number {number} followed him." for number in range(60)]


@pytest.fixture
def counted(tmp_path):
    """A corpus whose requests are counted, and the counts."""
    path = twin.write_index(tmp_path / "index", [[list(document.encode()) for document in DOCUMENTS]], 1)
    counts = Counter()
    return Corpus(Counted(open_index(path, "bytes").index, counts)), counts


def test_what_is_counted_is_the_whole_protocol():
    """A question that is new in the protocol is counted as the others are."""
    questions = {name for part in (Backend, *PARTS.values()) for name in vars(part) if callable(getattr(part, name))}
    assert PARTS.keys() <= set(vars(Backend))
    assert {"windows", "metadata", "followed", "some_places", "occurrences"} <= questions
    assert {"locate", "shown", "measured"} <= set(vars(Occurrences))


@pytest.mark.parametrize("match", ["tokens", "text"])
@pytest.mark.parametrize("size", [3, 40])
def test_a_page_of_lines(counted, match, size):
    corpus, counts = counted
    lines = corpus.concordance("the", sort="index", match=match)
    counts.clear()
    page = lines.lines(0, size)
    lines.all_metadata(page)
    assert len(page) == size
    assert counts == {"locate": 1, "measured": 1, "windows": 1, "metadata": 1}


@pytest.mark.parametrize("match", ["tokens", "text"])
def test_a_page_of_lines_with_other_clauses_marked(counted, match):
    corpus, counts = counted
    found = corpus.search("miller AND home AND hills", match=match)
    lines = corpus.concordance(found, sort="index").lines(0, 20)
    counts.clear()
    marked = marked_lines(corpus.index, lines, others_of(found, 100), 10, False)
    assert len(marked) == 20 and all(line.left or line.right for line in marked)
    assert counts == {"windows": 3}


def test_exported_lines_are_read_by_the_chunk(counted):
    corpus, counts = counted
    lines = corpus.concordance("the", sort="index", match="tokens")
    counts.clear()
    records = list(LineTable(lines, 5, numbers=range(30, 0, -3)).records())
    assert [record.number for record in records] == list(range(30, 0, -3))
    assert (counts["locate"], counts["metadata"]) == (1, 1)


@pytest.mark.parametrize("relevance", ["share", "olmotrace"])
def test_a_trace_asks_as_much_for_many_documents_as_for_one(counted, relevance):
    corpus, counts = counted
    text = f"Once {SENTENCE}. Then number 7 followed him."
    asked = []
    for documents in (1, 10):
        counts.clear()
        found = corpus.trace(text, settings=TraceSettings(relevance=relevance, documents_per_span=documents))
        asked.append((len(found.documents), dict(counts)))
    (few, first), (many, second) = asked
    assert few < many and first == second
    assert (first["longest_matches"], first["windows"], first["metadata"]) == (1, 1, 1)
    assert sum(first.values()) <= 15


def test_an_agreement_asks_twice_per_text(counted):
    corpus, counts = counted
    found = analyze(corpus.index, Texts((f"Long ago. {SENTENCE[:20]} And so it went on and on.",)))
    assert len(found.texts[0].infgram) and found.texts[0].self_match is None
    assert counts == {"longest_matches": 1, "followed": 1}


def test_metadata_fields_are_read_for_many_documents_at_once(small):
    counts = Counter()
    corpus = Corpus(Counted(small.index, counts))
    corpus.columns.column("path", np.arange(corpus.document_count, dtype=np.int64))
    assert corpus.document_count > 1 and counts["metadata"] == 1
