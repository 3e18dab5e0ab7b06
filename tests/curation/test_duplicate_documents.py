"""Documents that are copies of another: a slow twin, equal hashes of different texts, and the answers of models."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer import Cancelled, CancelToken, QueryError, build_index, open_index
from explorer.analyses.duplicate_documents import compute as duplicate_documents
from tests.support.list_backend import Contents, ListBackend

WIKI = [
    {"text": "a long text that is copied", "source": "web"},
    {"text": "short", "source": "web"},
    {"text": "a long text that is copied", "source": "books"},
    {"text": "alone", "source": "wiki"},
    {"text": "a long text that is copied", "source": "wiki"},
    {"text": "short", "source": "web"},
    {"text": "a long text that is copied", "source": "wiki"},
    {"text": "", "source": "web"},
    {"text": "", "source": "web"},
]


@pytest.fixture(scope="module", params=[1, 3])
def pages(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("copies") / "index"
    build_index(WIKI, folder, tokenizer="bytes", shards=request.param)
    return open_index(folder)


def _by_comparing(texts):
    """Groups of equal texts, by their first one."""
    groups = {}
    for number, text in enumerate(texts):
        groups.setdefault(tuple(text), []).append(number)
    return {tuple(numbers) for numbers in groups.values() if len(numbers) > 1}


def _index(texts):
    return ListBackend(Contents([texts[:3], texts[3:]], [{}] * len(texts), 0))


def _groups(found):
    return [tuple(group.tolist()) for group in np.split(found.documents, found.firsts[1:-1])] if len(found) else []


@given(st.lists(st.lists(st.integers(1, 2), max_size=3), max_size=12), st.data())
def test_equal_documents_are_found(texts, data):
    index = _index(texts)
    found = duplicate_documents.find_copied_documents(index)
    assert set(_groups(found)) == _by_comparing(texts)
    # One of each group stays, and each of the rest is a range from its first token to its last.
    stay = {group[0] for group in _groups(found)}
    copies = {number for group in _groups(found) for number in group} - stay
    gone = sorted(number for number in copies if texts[number])
    assert found.ranges.documents.tolist() == gone
    assert found.ranges.starts.tolist() == [0] * len(gone)
    assert found.ranges.ends.tolist() == [len(texts[number]) for number in gone]
    # What is preferred is kept where a group has it.
    preferred = np.array(data.draw(st.lists(st.booleans(), min_size=len(texts), max_size=len(texts))), dtype=bool)
    for kept, *others in _groups(duplicate_documents.find_copied_documents(index, None, preferred)):
        group = sorted([kept, *others])
        assert kept == next((number for number in group if preferred[number]), group[0])
        assert others == sorted(others)


@given(st.lists(st.lists(st.integers(1, 2), max_size=3), max_size=12))
def test_equal_hashes_are_not_believed(texts):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(duplicate_documents, "hash_of", lambda ids: bytes([len(ids)] * 16))
        found = duplicate_documents.find_copied_documents(_index(texts))
    assert set(_groups(found)) == _by_comparing(texts)


def test_rows_lead_to_the_documents(pages):
    found = pages.duplicate_documents()
    rows = [(row.beginning, row.count, row.tokens, row.tokens_saved, row.kept, row.copies) for row in found]
    assert rows == [
        ("a long text that is copied", 4, 26, 78, 0, (2, 4, 6)),
        ("short", 2, 5, 5, 1, (5,)),
        ("", 2, 0, 0, 7, (8,)),
    ]
    assert (found.copies, found.tokens_removed, len(found.ranges), found[-1].kept) == (5, 83, 4, 7)
    with pytest.raises(IndexError):
        found[3]


def test_a_preferred_source_is_kept(pages):
    found = pages.duplicate_documents(prefer="source=wiki")
    assert [(row.kept, row.copies) for row in found] == [(4, (0, 2, 6)), (1, (5,)), (7, (8,))]
    assert found.tokens_removed == 83


def test_only_documents_that_meet_conditions_are_compared(pages):
    assert [(row.kept, row.copies) for row in pages.duplicate_documents(where={"source": ["wiki", "books"]})] == [
        (2, (4, 6))
    ]
    with pytest.raises(QueryError):
        pages.duplicate_documents(prefer="source=radio")


def test_subtracted_documents_are_left_out(pages):
    rest = pages.subset("source!=wiki")
    assert [row.count for row in rest.duplicate_documents()] == [2, 2, 2]


def test_it_can_be_cancelled(pages):
    told = []
    with pytest.raises(Cancelled):
        cancel = CancelToken()
        cancel.cancel()
        pages.duplicate_documents(cancel=cancel)
    pages.duplicate_documents(report=told.append)
    assert {each.stage for each in told} >= {"Reading documents", "Comparing documents"}


def test_answers_of_models(some_answers):
    found, texts = open_index(some_answers.folder).duplicate_documents(), some_answers.texts
    assert found.copies == len(texts) - len(set(texts)) > 0
    assert set(_groups(found._found)) == _by_comparing(texts)
