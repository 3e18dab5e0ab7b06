"""Documents of which only parts are read, against the same documents with their text stored."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from explorer import build_index, open_index
from explorer.analyses.trace import documents_read
from explorer.analyses.trace.settings import TraceSettings
from explorer.backends.fm.documents import FmDocuments

WORDS = st.sampled_from(["a", "as", "tree", "grew", "né", "日本", ".", "\n", "over", "the"])
TEXTS = st.lists(WORDS, min_size=1, max_size=60).map(" ".join)


@pytest.fixture
def read(monkeypatch):
    """Bytes that were read of documents; places cost nothing, so parts are read of documents of any size."""
    monkeypatch.setattr(documents_read, "_PLACE", 1e-6)
    sizes = []
    windows = FmDocuments.windows

    def counted(self, documents, firsts, lasts):
        found = windows(self, documents, firsts, lasts)
        sizes.append(sum(map(len, found)))
        return found

    monkeypatch.setattr(FmDocuments, "windows", counted)
    return sizes


def both(folder, documents):
    for name, keep in (("parts", False), ("whole", True)):
        build_index([{"text": text} for text in documents], folder / name, format="fm", keep_text=keep)
    return open_index(folder / "parts"), open_index(folder / "whole")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(TEXTS, min_size=1, max_size=5), TEXTS, st.integers(0, 30), st.sampled_from(["share", "olmotrace"]))
def test_parts_give_the_trace_of_whole_documents(tmp_path_factory, read, documents, text, width, relevance):
    parts, whole = both(tmp_path_factory.mktemp("read"), documents)
    wanted = TraceSettings(snippet=width, context=2 * width, min_length=3, documents_per_span=2, relevance=relevance)
    # A passage of a document makes matches that the words alone would give seldom.
    for query in (text, f"{text} {documents[0][:100]}"):
        assert parts.trace(query, settings=wanted).documents == whole.trace(query, settings=wanted).documents


@pytest.mark.local("an index without a stored text is in a folder")
def test_of_a_long_document_little_is_read(tmp_path, read):
    passage = "a quiet passage that both of them have word for word"
    filling = " ".join(f"line{number}" for number in range(20_000))
    documents = [f"{filling} {passage} {filling} {passage} {filling}", f"{filling[:1000]} {passage}"]
    parts, whole = both(tmp_path, documents)
    read.clear()
    found = parts.trace(f"It was {passage}, as it seems.")
    assert 0 < sum(read) < 10_000
    read.clear()
    known = whole.trace(f"It was {passage}, as it seems.")
    assert sum(read) > len(documents[0])
    assert found.documents == known.documents
    assert {document.number for document in found.documents} == {0, 1}
    # The first of both places of the passage.
    [first] = [document for document in found.documents if document.number == 0]
    assert first.longest.offset < len(filling) + 10


@pytest.mark.local("an index without a stored text is in a folder")
def test_too_many_places_are_not_looked_up(tmp_path, read, monkeypatch):
    monkeypatch.setattr(documents_read, "_PLACE", 32)
    parts, whole = both(tmp_path, ["one and two and three and four and " * 20, "and nothing else"])
    read.clear()
    found = parts.trace("one and two and three and four and")
    assert sum(read) >= 20 * 35
    assert found.documents == whole.trace("one and two and three and four and").documents
    assert np.all([document.share > 0.9 for document in found.documents])
